# %% [markdown]
# # Training health
#
# *About 45 minutes. You know a training step (lesson 07), and layers with their units (lesson 08).*
#
# Trainings fall ill. The loss stops falling, or it becomes NaN. Most people then look at a **dashboard**, such as
# TensorBoard: curves of the loss, pictures of the weights, one value for each step. But a training also makes a tape in
# every step.
#
# > Tape or dashboard?
#
# First run this cell. Then answer a question about the last lesson. Its numbers are new each time.

# %%
import random

import numpy as np

import minitape as tf
from minitape import health
from minitape.exercises import exercise
from minitape_widgets import ask, bars, health_view, lines, play

# %% lang="fr"
from minitape.sentences import set_language

set_language("fr")

# %% predict="09.recall"

# %% [markdown]
# ## 1. One sick run, seen twice
#
# A number `w` shall come to 3. The loss is its distance from there. It is written as the root of a square: that is never
# below 0.
#
# This is what a dashboard shows: one curve for the loss, one for the weight. Run the cell. At which step does it go wrong?
# And does the picture say *why*?

# %%
w = tf.Variable(0.0)
losses, weights = [], []

for step in range(10):
    with tf.GradientTape() as tape:
        error = w - 3.0
        square = error * error
        loss = tf.sqrt(square)
    losses.append(float(loss))
    weights.append(float(w))
    w.assign_sub(0.5 * tape.gradient(loss, w))

print(losses)
lines({"loss": losses, "w": weights}, x="step")

# %% [markdown]
# Everything goes well, it even arrives: at step 6 the loss is 0, and `w` is 3. From step 7 on there is no number any more,
# only `nan`, which means *not a number*.
#
# The curves say **when**. They do not say which line did it: both curves look perfect up to the end.
#
# Now the other way to look: the tape of step 6. You need one slope for it.

# %% predict="09.steep"

# %% [markdown]
# Here is that one step, recorded once more. Run the two cells, and step with the → key. Watch the adjoints: which is the
# first that is no ordinary number?

# %% lang="en"
says = {
    "record card 3": "Forwards all is well: 0, 0, 0. The loss is as good as it can be.",
    "seed": "Now the way back. Nothing wrong so far: the seed is 1.",
    "part square": "Here it is. The slope of the root is 1 / (2 * 0): infinite. This part is the first bad number.",
    "part error": "Infinity times 0: that is not a number. The square is not guilty, it only hands on what came.",
    "end": "The gradient is nan, and the next step puts it into w. The guilty one is card 3, the root, and its line.",
}

# %%
w = tf.Variable(3.0)

with tf.GradientTape() as tape:
    error = w - 3.0
    square = error * error
    loss = tf.sqrt(square)

play(tape, loss, w, say=says)

# %% [markdown]
# **Take hold of a number.** Go to the end (the End key). Drag the number in the box `w` a little away from 3, and watch one
# number: the adjoint under `square`. How large is it at 3.1? And at 3.01? Which slope does `w` itself get each time?
#
# ### In one jump
#
# A training has thousands of steps, and so thousands of tapes. Nobody looks at them all by hand. `health_view` does: one
# line around the loop. It looks into the tapes while they are played. Above stands the curve of the dashboard; below it a row
# for each layer (here only `w`), and a column for each step.
#
# Run it. Then click on the red button, and read the line of code that it leads to.

# %%
w = tf.Variable(0.0)

with health_view(w) as seen:
    for step in range(10):
        with tf.GradientTape() as tape:
            error = w - 3.0
            square = error * error
            loss = tf.sqrt(square)
        w.assign_sub(0.5 * tape.gradient(loss, w))

# %% [markdown]
# The step, the operation, the line, and what to do. Now mend one yourself.

# %% exercise="09.lengths"

# %% [markdown]
# ## 2. Which layer dies?
#
# Not every illness makes a NaN. A network of many layers often just does not learn. Here is one of the oldest reasons.

# %% predict="09.sigmoids"

# %% [markdown]
# This network has eight layers with sigmoids, and one more at the end. Before you run it: in which row will the adjoints be
# smallest, in `Dense1` at the top or in `Dense9`, nearest to the loss?
#
# Then click on a cell of the last row, and go up with the ↑ key. Watch the number in the line below the picture.

# %% tags=["answer"]
tf.random.set_seed(3)
x, y = tf.data.moons(200, seed=3)
loss_function = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model = tf.keras.Sequential(
    [tf.keras.layers.Dense(12, activation="sigmoid") for _ in range(8)] + [tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.SGD(0.1)

with health_view(model) as seen:
    for step in range(150):
        with tf.GradientTape() as tape:
            loss = loss_function(y, model(x))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

# %% [markdown]
# A click on a cell opens the tape of that step.

# %% [markdown]
# The way back begins at the loss. Each layer lets a part of it through, and the layers that are farthest from the loss get
# next to nothing. One says: the gradients **vanish**. The loss curve alone shows only that it is flat.
#
# Today one takes relu instead. Its slope is 1 where it is on, and nothing shrinks there. But then the *weights* decide:
# are they too small, the numbers shrink from layer to layer; are they too large, they grow.
#
# Ten layers with 32 inputs each, and random weights of three sizes. Before you run it: which of the three curves stays level?

# %% tags=["answer"]
def sizes(factor):
    tf.random.set_seed(0)
    h, found = tf.random.normal([100, 32]), []
    for layer in range(10):
        h = tf.nn.relu(h @ (factor * tf.random.normal([32, 32])))
        found.append(float(tf.sqrt(tf.reduce_mean(h * h))))
    return found


lines({"0.1": sizes(0.1), "0.25": sizes(0.25), "1.0": sizes(1.0)}, x="layer", y="size", log="y")

# %% [markdown]
# What shrinks or grows forwards does so backwards, too: the way back goes through the same weights. So somebody has to choose
# the first weights well. Here is how. A sum of `n` random numbers is not `n` times as large as one of them, but only
# √n times: half of it cancels. And a relu throws half of the squares away.

# %% exercise="09.spread"

# %% [markdown]
# ## 3. What a picture of the weights shows
#
# A **histogram** counts how many weights lie between -0.4 and -0.2, how many between -0.2 and 0, and so on. Dashboards draw
# one for each layer and each step. Here are the weights of a healthy new layer of 32 units.

# %%
def histogram(weights):
    counts, edges = np.histogram(weights.numpy(), bins=8, range=(-0.6, 0.6))
    return bars({f"{a:.2f} ... {b:.2f}": int(n) for n, a, b in zip(counts, edges, edges[1:])})


tf.random.set_seed(0)
x, y = tf.data.moons(200)
layer = tf.keras.layers.Dense(32, activation="relu")
layer(x)
histogram(layer.kernel)

# %% [markdown]
# It shows their size and their spread. Over the steps it shows whether they move, whether they grow without end, and whether
# they have become NaN. That is worth a lot. Does it show whether a unit is alive?

# %% predict="09.dead"

# %% [markdown]
# Now the layer of the histogram gets data: first as they are, around 0; then the same data, with 20 added to every number.
# The weights are the same both times, so the histogram is the same. Before you run it: will the number of dead units be the
# same, too?

# %% tags=["answer"]
for name, data in {"x": x, "x + 20": x + 20.0}.items():
    h = layer(data).numpy()
    print(f"{name:8} {np.sum(np.all(h == 0, axis=0))} / 32")

# %% [markdown]
# If all inputs are far above 0, a unit whose weights are below 0 never wakes up. Whether a unit lives depends on what comes
# in, and no picture of the weights knows that. Nothing comes back through a dead unit, so it does not learn either. The tape knows:
# it keeps the values and the adjoints of every card.
#
# To be fair: one can send values and adjoints to a dashboard as well, and then it shows them. (With
# `seen.to_tensorboard("logs")` you do it.) But a dashboard shows only what somebody thought of before.
#
# ## 4. What no single tape shows
#
# You know one such illness from lesson 07: the rate 1.1. In every step the tape was right, each slope was right, and yet
# `w` flew away. Only several steps, one after the other, show it: the **history**.
#
# Here are four sick runs, and a healthy one to compare. All train the same network on the same data. Which illness is
# which, that is drawn anew each time. Run the cell. Can you tell A, B, C and D apart by their curves?

# %% tags=["answer"]
x, y = tf.data.moons(200, seed=1)


def train(activation="relu", bias=0.0, rate=0.1, trained=slice(None)):
    tf.random.set_seed(1)
    start = tf.keras.initializers.Constant(bias)
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(16, activation=activation, bias_initializer=start) for _ in range(4)]
        + [tf.keras.layers.Dense(2)])
    model(x)
    variables, losses = model.trainable_variables[trained], []
    with health.watch(model) as seen:
        for step in range(150):
            with tf.GradientTape() as tape:
                loss = loss_function(y, model(x))
            for variable, gradient in zip(variables, tape.gradient(loss, variables)):
                variable.assign_sub(rate * gradient)
            losses.append(float(loss))
    return seen, losses


kinds = {"dead": {"bias": -2.0}, "vanishing": {"activation": "sigmoid"}, "slow": {"rate": 1e-5},
         "forgotten": {"trained": slice(-2, None)}}
drawn = random.sample(list(kinds), 4)
runs = {name: train(**kinds[kind]) for name, kind in zip("ABCD", drawn)}
lines({"0": train()[1]} | {name: losses for name, (seen, losses) in runs.items()}, x="step", y="loss")

# %% [markdown]
# The healthy run is the curve 0. The others hardly move. Now the figures of the four: for each layer, at the first and at the last step, the
# size of its values, of its adjoints, of its steps beside its weights (`update/weight`), and the share of dead units.

# %% tags=["answer"]
for name, (seen, losses) in runs.items():
    print(name, str(seen).split("\n\n")[1], "", sep="\n")

# %% [markdown]
# Four illnesses: dead units, vanishing adjoints, a rate that is too small, and layers that somebody forgot to train. For each
# of them think first: in which column must it show?

# %% lang="en" tags=["answer", "folded"]
names = {"dead": "the units are dead", "vanishing": "the adjoints vanish", "slow": "the rate is too small",
         "forgotten": "layers were forgotten"}
ideas = {"dead": "Dead units stand in the column `dead`. Is it above 0 in this run?",
         "vanishing": "Then the adjoints become smaller and smaller from the last row up to the first. Do they, by a factor of 10 and more?",
         "slow": "Then every layer moves, but by far too little. Look at update/weight: is it small, or exactly 0, or ordinary?",
         "forgotten": "Forgotten layers never move: update/weight is exactly 0 there, and no adjoint is asked for. Others do move."}
found = {"dead": "All units are off, values and adjoints are 0. The tape of any step would show it.",
         "vanishing": "From row to row the adjoints lose a factor. The tape of any step would show it.",
         "slow": "Adjoints and units are healthy; each step is about a millionth of the weights. Each single tape is right: only the history shows it.",
         "forgotten": "Only the last layer moves. Each single tape is right: only the history shows it."}
for name, kind in zip("ABCD", drawn):
    wrong = {names[other]: ideas[other] for other in names if other != kind}
    display(ask(f"Run {name}: what is wrong?", names[kind], wrong, right=found[kind], choices=list(names.values())))

# %% [markdown]
# What does `health_view` say of them? Change the letter, and compare.

# %% tags=["answer"]
health_view(runs["A"][0])

# %% [markdown]
# ## 5. One bad example
#
# A last illness. This training takes one example in each step, and `w` is near to what it should be, 3. But in the data
# somebody has typed 5000 instead of 5. Before you run it: what will `w` do at step 60, and afterwards?

# %% tags=["answer"]
x_line, y_line = tf.data.line(200)
y_line[60] = 5000.0


def walk(limit):
    w, b = tf.Variable(0.0), tf.Variable(0.0)
    found = []
    for x_one, y_one in zip(x_line[:, 0], y_line[:, 0]):
        with tf.GradientTape() as tape:
            loss = (w * x_one + b - y_one) ** 2
        gradients = tape.gradient(loss, [w, b])
        if limit is not None:
            gradients, norm = tf.clip_by_global_norm(gradients, limit)
        w.assign_sub(0.05 * gradients[0])
        b.assign_sub(0.05 * gradients[1])
        found.append(float(w))
    return found


lines({"w": walk(None)}, x="step")

# %% [markdown]
# One step destroys what sixty have learned. Here the curve finds the step at once, and no operation is guilty: it is one number
# of the data. A cure that helps against all such steps: make gradients that are too long shorter. That is called to **clip** them.

# %% exercise="09.clip"

# %% [markdown]
# The same training, with `tf.clip_by_global_norm`. Before you run it: what remains of the jump?

# %% tags=["answer"]
lines({"limit None": walk(None), "limit 5.0": walk(5.0)}, x="step", y="w")

# %% [markdown]
# **Change it.** Try the limits 0.5 and 500. What does one pay for a limit that is too low?
#
# ## 6. Find the first bad operation
#
# The last program is longer, and no health view stands beside it. Two tools may help you in such a case. `tape.explain(loss, w)`
# says it in words. And `tf.debugging.check_numerics(h, "h")`, written between two lines, stops the program there if a number
# in `h` is not finite.

# %% exercise="09.line"

# %% [markdown]
# ## What you know now
#
# * A dashboard shows many steps: **when** something happens, and how much. A histogram shows the weights, not who is alive.
# * A tape shows one step: **where** it happens. Which operation, which line, what went in and what came out.
# * A rate that is too large, or forgotten layers: each single tape is right, only the history shows it.
# * So, tape or dashboard? **Both: the dashboard finds the step, the tape of this step finds the line.**
#
# Next: [a tape of a tape](10_tape_of_a_tape.ipynb). What is the slope of a slope?
