# %% [markdown]
# # Start here: play a tape backwards
#
# *About 15 minutes. You need to know what a slope is, and how to run a cell: Shift+Enter.*
#
# When a program learns, it asks one question again and again: *if I change this number a little, how much
# does the result change?* The answer is called a **gradient**. A **gradient tape** finds it in two
# movements:
#
# 1. it **records** each operation while your program runs, one card per operation;
# 2. it **plays the cards backwards**, and each card passes on its share of the answer.
#
# Here you watch both movements, on your own code, with the real numbers.

# %%
import minitape as tf
from minitape.exercises import exercise

# %load_ext minitape_widgets

# %% [markdown]
# ## 1. Watch a recording
#
# Before you run the next cell, look at its code. **How many cards will be on the tape?** Count the
# operations: each `*` and each `+` is one. Decide on a number, then run the cell. (Its first line, `%%tape`,
# asks for the picture; the rest is ordinary Python.)
#
# The picture under the cell is a *player*. Scroll until you see all of it, and click on **Step**. From then on
# the → key goes one act forward, and ← goes back. Home and End jump to the beginning and the end. Nothing
# moves unless you ask. Stop when the tape has been recorded: the label before the sentence says *Recording*
# until then.
#
# (`tf.Variable` is a number that may be changed, and that the tape watches. The tape records what runs inside
# of the `with` block.)

# %%
# %%tape
x = tf.Variable(2.0)

with tf.GradientTape() as tape:
    y = x * x + 3 * x

slope = tape.gradient(y, x)

# %% [markdown]
# Three cards: two products (`Mul`) and a sum (`Add`). The tape does not know about `x * x + 3 * x` as a whole. It knows
# three small steps, and each small step has a simple rule.
#
# ## 2. Watch the play backwards
#
# Press → again. Now the head of the tape, the mark above the cards, moves to the left. Watch three things:
#
# * **The start.** The play begins with 1 at `y`: if `y` changes by 1, then `y` changes by 1. The number
#   that a value holds on the way back is its **adjoint**: how much the result changes when this value
#   changes.
# * **The parts.** Each card sends a *part* to each of its inputs: the adjoint of its output, times the
#   *local derivative*: the slope of this one step. For a sum it is 1. For a product it is the other factor:
#   if `x` grows by 1, then `3 * x` grows by 3. A bar over a letter is short for an adjoint: ȳ is the adjoint of
#   `y`, and ū that of a value without a name, such as `3 * x`.
# * **The sum.** `x` is used three times: twice in `x * x`, once in `3 * x`. So three parts arrive at `x`. Parts
#   that meet are **added**.
#
# The result is the slope of `y` at `x`:

# %%
slope

# %% [markdown]
# Check it: `x * x + 3 * x` has the slope `2 * x + 3`, and at 2 that is 7. The tape never saw this formula.
# It found 7 from three small rules.
#
# ## 3. Predict
#
# Now it is your turn to say what happens next. In this player `x` is 4. It stops before some acts and asks
# you. The cards are numbered in the order in which they were recorded. Type your answer and press Enter. A
# wrong answer is no problem: you are told which idea is missing.

# %% tags=["answer"]
from minitape_widgets import play

x = tf.Variable(4.0)

with tf.GradientTape() as tape:
    y = x * x + 3 * x

play(tape, y, x, predict=True)

# %% [markdown]
# ## 4. Change it
#
# Two variables now. The tape gives both slopes in *one* play: 36 for `w1` and 10 for `w2`. Run the cell and
# find both numbers in the picture. Then change the code as you like, and run it again:
#
# * What happens to the slope of `w2` if you double `w1`?
# * Replace `w1**2` by `w1 * w1`. The slopes stay the same. Which cards change?

# %%
# %%tape
w1, w2 = tf.Variable(5.0), tf.Variable(3.0)

with tf.GradientTape() as tape:
    z = 3 * w1**2 + 2 * w1 * w2

gradients = tape.gradient(z, [w1, w2])

# %%
gradients

# %% [markdown]
# ## 5. Be the tape
#
# You have seen all the rules that you need. Now play a tape backwards yourself.

# %% exercise="00.fan-out"

# %% [markdown]
# ## 6. When the answer is `None`
#
# Sometimes there is no gradient at all. Look at this program. The mean is computed by NumPy, which knows
# nothing of tapes: the recording stops there, and no card leads back to `v`.

# %%
import numpy as np

v = tf.Variable([1.0, 2.0, 3.0])

with tf.GradientTape() as tape:
    squares = v * v
    loss = tf.constant(np.mean(squares), dtype=tf.float32) * 2.0

play(tape, loss, v)

# %% [markdown]
# The picture shows a cut. To hear the reason in words, and how to mend it, ask the tape:

# %%
tape.explain(loss, v)

# %% [markdown]
# ## What you know now
#
# * A tape records one card per operation, in the order in which they run.
# * It is played from the last card to the first. Each card sends parts to its inputs: **adjoint times local
#   derivative**.
# * Where parts meet, they are **added**.
# * What the tape did not record has no gradient: the answer is `None`, and `tape.explain` says why.
#
# Next: `pitfalls.ipynb` shows every way in which a gradient can surprise you, each with the mended program
# beside it.
