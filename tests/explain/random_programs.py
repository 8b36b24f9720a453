"""Random programs: what they compute with leaves the library, is cut, watched too late, stopped; of
most sources nobody could say beforehand what their gradient is.
"""

import linecache
import random
import warnings

import numpy as np

HEAD = """@tf.function
def traced(x):
    return tf.sin(x) * 2.0
@tf.function
def both(x):
    u = x * 10.0
    return tf.round(u), u
@tf.custom_gradient
def clipped(x):
    return x * 3.0, lambda g: tf.clip_by_value(g, -1.0, 1.0)
@tf.custom_gradient
def silent(x):
    return x * 3.0, lambda g: None
v, w = tf.Variable([0.5, -1.2, 2.0]), tf.Variable([1.5, 0.3, 0.0])
c = tf.constant([0.2, 0.4, -0.7])
with tf.GradientTape(persistent=True) as tape:
"""
MADE = """tf.sin(A); tf.square(A); tf.nn.relu(A); tf.abs(A); tf.math.log(A); tf.sqrt(A); -A; A ** 0
tf.round(A); A * float(tf.reduce_sum(A)); tf.constant(np.sin(A)); tf.constant(A.numpy()); A * 0.0
tf.stop_gradient(A); tf.cast(A, tf.int32); tf.cast(tf.cast(A, tf.int32), tf.float32); tf.argsort(A)
tf.cast(tf.argsort(A), tf.float32); tf.gather(A, tf.argsort(A)); tf.where(A > 0.0, A, 0.0 * A)
tf.maximum(A, 100.0); tf.zeros_like(A); traced(A); both(A)[0]; both(A)[1]; clipped(A); silent(A)
tf.nn.softmax(A); tf.unstack(A)[1] * tf.ones([3]); tf.reduce_sum(A) * tf.ones([3]); A * A.numpy()
tf.math.real(tf.complex(A, A)); tf.strings.to_number(tf.as_string(A)); A + B; A * B; A / B; A - A
tf.stop_gradient(A) * B; A * tf.constant(B.numpy()); tf.add_n([A, B]); tf.pow(A, B); A * 0.0 + B
tf.where(A > B, A, B); tf.constant(np.multiply(A, B)); both(A + B)[0]; tf.gather(A, tf.argsort(B))"""
STATEMENTS = [made.strip() for made in MADE.replace("\n", ";").split(";")]


def text_of(seed):
    """Return the text of a program, which names its `target` and its `sources`."""
    rng, names, lines = random.Random(seed), ["v", "w", "c"], []
    if rng.random() < 0.3:
        lines.append("    tape.watch(c)")
    for k in range(rng.randint(1, 6)):
        a, b = rng.choice(names[-3:]), rng.choice(names)
        made = rng.choice(STATEMENTS).replace("A", a).replace("B", b)
        name = f"h{k}" if rng.random() < 0.9 else rng.choice(names)
        stopped, assigned = rng.random() < 0.06, rng.random() < 0.04
        if assigned:
            lines.append(f"    v.assign({a})")
            continue
        lines += ["    with tape.stop_recording():"] if stopped else []
        lines.append("    " * (1 + stopped) + f"{name} = {made}")
        names += [name] if name not in names else []
    target = rng.choice(names[-2:])
    if rng.random() < 0.5:
        lines.append(f"    y = tf.reduce_sum({target})")
        target = "y"
    sources = ", ".join(names)
    return HEAD + "\n".join([*lines, f"target, sources = {target}, [{sources}]\n"])


def run(seed, tf):
    """Run a program; return its names, None where it fails by itself."""
    text, name = text_of(seed), f"<random {seed}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    names = {"tf": tf, "np": np, "__name__": "__main__"}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, name, "exec"), names)
    except (AttributeError, TypeError, ValueError, tf.errors.InvalidArgumentError):
        return None  # an integer where a float belongs
    return names
