# %% [markdown]
# # The fast path: what a tape can become
#
# *About 25 minutes. You should know what a tape records, and how it is played backwards.*
#
# A tape is a list of plain data: which operation, on which values, with which result. You have read such
# lists, and you have played them backwards. This lesson does something else with one: it turns the list into
# a **program**. Then it exchanges the insides of some operations for faster ones. In both cases you check
# the same two things: what changes, and what does not.

# %%
import time

import numpy as np

import minitape as tf
from minitape import fast

w = tf.Variable([[0.5], [-0.3]], name="w")
b = tf.Variable([0.1], name="b")
x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
t = tf.constant([[1.0], [0.0], [1.0]])


def loss_of(x, t):
    y = tf.tanh(x @ w + b)
    return tf.reduce_mean((y - t) ** 2)


loss_of(x, t)

# %% [markdown]
# ## 1. Predict
#
# `@tf.function` runs a function **once**, writes down every operation, and from then on runs the list. The
# function below also prints. **How often will it print in three calls?** Decide, then run the cell.

# %%
@tf.function
def loss_printed(x, t):
    print("Python is running")
    return loss_of(x, t)


for k in range(3):
    loss_printed(x + float(k), t)

# %% [markdown]
# Once. `print` is not an operation, so it is not on the list. The second and the third call ran the list
# only: with new numbers, but without your Python code. This one recording is called a **trace**.
#
# ## 2. Read the program
#
# What was kept? Ask for it. It is ordinary NumPy code, with your names in it:

# %%
print(loss_printed.source())

# %% [markdown]
# One line per operation. No tape, no `if`, no loop. Nothing is decided any more: the list already knows.
# Such a list is what people call a **static graph**.
#
# ## 3. The way back is a program, too
#
# Here a whole training step is traced, with its tape inside. **Where will the gradient be in the program?**

# %%
@tf.function
def step(x, t):
    with tf.GradientTape() as tape:
        y = tf.tanh(x @ w + b)
        loss = tf.reduce_mean((y - t) ** 2)
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(0.1 * dw)
    b.assign_sub(0.1 * db)
    return loss


step(x, t)
print(step.source())

# %% [markdown]
# The tape was played backwards while the trace listened, so the play itself was written down. The lines
# under "back through" are its parts and its sums: `d_y` is the adjoint of `y`. Compare them with the rules
# that you know. `1.0 - ...` belongs to `tanh`; `.sum(axis=0)` collapses the axis along which `b` was
# stretched.
#
# This also answers an old riddle. The first TensorFlow had no tape at all: its `tf.gradients(loss, w)` took
# a graph that was complete already, and *added* the lines of the way back to it. A tape exists because in
# today's programs the graph is only known after the code has run.
#
# ## 4. What the list cannot keep
#
# A list has no branches. **What will happen here?**

# %%
@tf.function
def branching(x):
    if tf.reduce_sum(x) > 0.0:
        return x
    return -x


try:
    branching(x)
except TypeError as error:
    print(error)

# %% [markdown]
# The trace would have to keep *one* branch for all later numbers. That would be wrong without a sound, so it
# is refused, with the line. `tf.where` is the way out, because it is an operation:

# %%
@tf.function
def absolute(x):
    return tf.where(x > 0.0, x, -x)


absolute(tf.constant([-1.0, 2.0]))
absolute(tf.constant([5.0, -6.0]))

# %% [markdown]
# A shape is no value. For another shape there is simply another trace. **How many traces does this make?**

# %%
@tf.function
def total(x):
    return tf.reduce_sum(x * x)


for n in (2, 3, 2, 3, 2):
    total(tf.ones([n]))
total.experimental_get_tracing_count()

# %% [markdown]
# Two: one for the length 2, one for the length 3. The other calls found their list.
#
# A Python number is not a tensor. It may decide an `if` or the length of a loop, so the trace takes it for a
# fixed part of the list. **How often will Python run here, in three calls with the same tensor?**

# %%
@tf.function
def scaled(x, k):
    print("Python is running with k =", k)
    return x * k


for k in (1.0, 2.0, 3.0):
    scaled(x, k)

# %% [markdown]
# Three times: each number makes a trace of its own. In a training loop with a changing learning rate that
# costs more than it saves. Two ways out: pass `tf.constant(k)`, or state what the arguments are. With an
# `input_signature`, numbers become tensors before the trace begins:

# %%
@tf.function(input_signature=[tf.TensorSpec([None, 2]), tf.TensorSpec([])])
def scaled_once(x, k):
    print("Python is running with k =", k)
    return x * k


for k in (1.0, 2.0, 3.0):
    scaled_once(x, k)

# %% [markdown]
# Once. And what does it print for `k`? A tensor without a number: while a function is traced, a tensor
# stands for the numbers of all later calls.
#
# ## 5. Is it faster? Measure
#
# A chain of 1,000 small steps, forwards and backwards. Python spends most of its time on the way *between*
# the operations; the program has no such way.

# %%
def chain(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(500):
            y = y * 1.0001
            y = y + 0.0001
    return y, tape.gradient(y, x)


def measure(f, *args, rounds=5):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        f(*args)
        times.append(time.perf_counter() - start)
    return min(times)


start = tf.constant(1.0)
program = tf.function(chain)
program(start)                                       # the trace: slower than a plain call, but only once
program(start)                                       # the first run writes the program down
print(f"with a tape: {measure(chain, start) * 1e6:.0f} µs")
print(f"as a program: {measure(program, start) * 1e6:.0f} µs")

# %% [markdown]
# And the numbers? They must not change:

# %%
with_tape, as_program = chain(start), program(start)
print([float(p) == float(q) for p, q in zip(with_tape, as_program)])

# %% [markdown]
# ## 6. Other insides: numba
#
# NumPy walks over a whole array once for every step of a formula. `sigmoid` takes several walks. A compiled
# loop does all the steps while a number lies in the processor, in one walk. `minitape.fast` has such loops
# for the operations where they pay, compiled by *numba* on this machine when they are first used.
#
# **Which of these two gains: `x + x`, or `sigmoid(x)`?** Think of how often each walks over the array.

# %%
numbers = tf.constant(np.linspace(-5, 5, 1_000_000, dtype=np.float32))


def times():
    return {"x + x": measure(lambda: numbers + numbers),
            "sigmoid(x)": measure(lambda: tf.sigmoid(numbers))}


plain, before = times(), tf.sigmoid(numbers).numpy()
if fast.available():
    with fast.enable():              # on, inside of this block only
        tf.sigmoid(numbers)          # the first call compiles
        quick, after = times(), tf.sigmoid(numbers).numpy()
    for name in plain:
        print(f"{name}: {plain[name] * 1e6:.0f} µs with NumPy, "
              f"{quick[name] * 1e6:.0f} µs with the fast path")
    largest = np.abs(after - before).max()
    print("largest difference below 1e-6:", bool(largest < 1e-6))

# %% [markdown]
# The sum is one walk already: its loop has nothing to save. (If it is quicker all the same, that is memory,
# not arithmetic: while the fast path is on, the process keeps freed memory for its next arrays.) The sigmoid
# gains several times. The results agree to the last digits of float32, and your program did not change by a
# letter: an operation is a row in a table, and only the row's insides were exchanged. The gradient rules are
# written in operations of the same table, so the way back gains, too.
#
# `print(fast.status())` measures all of them on your machine. It takes some seconds.

# %%
fast.status(measure=False) if fast.available() else "numba is not installed"

# %% [markdown]
# ## 7. Make
#
# Write a function of your own and turn it into a program. Ask for its `source()`. Then:
#
# * make a version with a mistake that the trace must refuse, and read the message;
# * use `jit_compile=True`, which turns the whole program into loops, and `measure` both;
# * find an operation that does *not* gain, and say why.

# %%
@tf.function(jit_compile=True)
def mine(x):
    return tf.reduce_sum(tf.exp(-x * x) * tf.cos(3.0 * x))


mine(numbers)                                        # the trace
result = mine(numbers)                               # the loops
