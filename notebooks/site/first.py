"""What a lesson, and the page "My gradient is None", load before their first picture: run in Pyodide
by `compiled.mjs`, which compiles the modules that are there then.
"""

import micropip  # noqa: F401
import piplite  # noqa: F401
from pyodide_kernel import ipython_shell

import minitape as tf
from minitape.exercises import exercise
from minitape_widgets import ask, play

ipython_shell.run_line_magic("load_ext", "minitape_widgets")
x = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    y = x * x
    lost = tf.constant(float(x)) * 2
tape.gradient(y, x), tape.gradient(lost, x)
str(tape.explain(lost, x)), play(tape, y, x), ask(exercise("00.nudge"))
