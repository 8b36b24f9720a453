# %% [markdown]
# # The pitfall gallery
#
# *To browse, a few minutes per card. You need lesson 00: what a tape is, and how to step through a player.*
#
# Why is it `None`? Why is it zero? Every card shows one way in which a gradient surprises you. First you see
# a short program, broken and mended, with what differs marked in both, and a question: **decide on an answer
# before you look**. A wrong answer costs nothing; you may try once more. Then you see what happened, and both
# programs step together; the cut is drawn where the path breaks.
#
# Everything is real code that runs on your machine. Press *Edit*, change it, and press *Run both*.
#
# You have a symptom, and no name for it? The last cell has all cards: search in them, or choose what you see.
#
# The same explanations are there for your own programs: ask `tape.explain(target, source)`.

# %%
from minitape_widgets import pitfalls

# %% [markdown]
# ## The four that everybody meets first
#
# These four stand first in TensorFlow's own guide to gradients. In each of them the program runs and
# its numbers are right; only the gradient is not what one hopes for.

# %% [markdown]
# ### A variable was replaced by a tensor

# %%
pitfalls.show("variable-replaced")

# %% [markdown]
# ### Calculation outside of the library

# %%
pitfalls.show("numpy-escape")

# %% [markdown]
# ### Whole numbers and texts have no slope

# %%
pitfalls.show("integer-dtype")

# %% [markdown]
# ### State stops gradients

# %%
pitfalls.show("state-assign")

# %% [markdown]
# ## Who is watched
#
# A tape watches trainable variables by itself, from their first reading on. For everything else it must
# be told.

# %% [markdown]
# ### Not watched

# %%
pitfalls.show("not-watched")

# %% [markdown]
# ### Watched too late

# %%
pitfalls.show("watched-too-late")

# %% [markdown]
# ### Not trainable

# %%
pitfalls.show("not-trainable")

# %% [markdown]
# ## Where the tape does not listen
#
# A tape knows what ran inside of its block, and nothing else.

# %% [markdown]
# ### Computed before the block

# %%
pitfalls.show("computed-before")

# %% [markdown]
# ### Computed after the block

# %%
pitfalls.show("computed-after")

# %% [markdown]
# ### Recording was stopped

# %%
pitfalls.show("recording-stopped")

# %% [markdown]
# ### The branch was not taken

# %%
pitfalls.show("branch-not-taken")

# %% [markdown]
# ### The second derivative, taken outside

# %%
pitfalls.show("outside-outer-tape")

# %% [markdown]
# ## Another object than you think
#
# Two tensors with the same value are still two tensors.

# %% [markdown]
# ### The gradient of another object

# %%
pitfalls.show("another-object")

# %% [markdown]
# ### A variable made anew

# %%
pitfalls.show("variable-made-anew")

# %% [markdown]
# ### The tape was used already

# %%
pitfalls.show("tape-used")

# %% [markdown]
# ## Ways that are closed
#
# Some steps let the value pass and hold the gradient back.

# %% [markdown]
# ### A float in between

# %%
pitfalls.show("python-escape")

# %% [markdown]
# ### argmax, round and comparisons

# %%
pitfalls.show("piecewise-constant")

# %% [markdown]
# ### stop_gradient stands in the way

# %%
pitfalls.show("stop-gradient")

# %% [markdown]
# ### No gradient is registered

# %%
pitfalls.show("no-gradient-registered")

# %% [markdown]
# ## A number, but not the one you meant
#
# `None` is easy to see. A wrong number is not. Here the answer is a number, and still something is wrong.

# %% [markdown]
# ### A part is missing

# %%
pitfalls.show("partial-escape")

# %% [markdown]
# ### Zero, not None: a dead relu

# %%
pitfalls.show("zero-flat")

# %% [markdown]
# ### A NaN from the branch not chosen

# %%
pitfalls.show("where-nan")

# %% [markdown]
# ### (N, 1) minus (N,)

# %%
pitfalls.show("stretched-both")

# %% [markdown]
# ### A vector target is summed

# %%
pitfalls.show("summed-target")

# %% [markdown]
# ## Memory
#
# One card that is not about gradients: what a tape holds on to.

# %% [markdown]
# ### A tape kept in a list

# %%
pitfalls.show("tape-kept")

# %% [markdown]
# ## Your own programs
#
# A tape explains itself, before and after `gradient`, with the names and the lines of your own program. Put
# a mistake into the next cell, or take one out, and run it again.

# %%
import numpy as np

import minitape as tf

w, b = tf.Variable([1.0, 2.0]), tf.Variable(0.5)
x = tf.constant([3.0, 4.0])

with tf.GradientTape() as tape:
    prediction = np.dot(w, x)
    loss = (tf.constant(prediction) + b - 10.0) ** 2

tape.explain(loss, w)

# %% [markdown]
# All cards in one place. Search them, or begin with what you see: the gradient is None, is zero, is NaN, is a
# number but wrong; the loss does not move.

# %%
pitfalls.all()
