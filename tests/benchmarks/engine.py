"""Rows about the engine itself: long chains of scalars, one tensor used often, small networks, Jacobians and Hessians."""

import importlib.util
import inspect
import os
import subprocess
import sys
import tempfile

import numpy as np

import minitape as tf
from minitape.engine import operators, play
from minitape.engine.ops import arithmetic, common_run


def installed(name):
    """Return True where a peer can be imported."""
    return importlib.util.find_spec(name) is not None


def minitape_chain(n):
    """Return n scalar operations, forward and backward, in minitape."""
    c, d = tf.constant(1.0001), tf.constant(0.0001)
    x = tf.Variable(1.0)

    def call():
        with tf.GradientTape() as tape:
            y = x
            for _ in range(n // 2):
                y = y * c
                y = y + d
        return tape.gradient(y, x)
    return call


def chain(n=1000):
    """Return the candidates for a chain of n scalar operations."""
    found = {"minitape": minitape_chain(n)}
    if installed("micrograd"):
        from micrograd.engine import Value
        sys.setrecursionlimit(10 * n + 10_000)

        def micrograd():
            x, c, d = Value(1.0), Value(1.0001), Value(0.0001)
            y = x
            for _ in range(n // 2):
                y = y * c
                y = y + d
            y.backward()
            return x.grad
        found["micrograd"] = micrograd
    if installed("torch"):
        import torch
        tc, td = torch.tensor(1.0001), torch.tensor(0.0001)

        def torch_eager():
            x = torch.tensor(1.0, requires_grad=True)
            y = x
            for _ in range(n // 2):
                y = y * tc
                y = y + td
            y.backward()
            return x.grad
        found["torch"] = torch_eager
    if installed("autograd"):
        import autograd

        def f(x):
            y = x
            for _ in range(n // 2):
                y = y * 1.0001
                y = y + 0.0001
            return y
        slope = autograd.grad(f)
        found["autograd"] = lambda: slope(1.0)
    return found


def fan(n=10_000):
    """Return the candidates for one tensor used n times: minitape against its own chain of as many operations."""
    x = tf.Variable(1.0)

    def call():
        with tf.GradientTape() as tape:
            y = x * x
            for _ in range(n // 2):
                y = y + x * x
        return tape.gradient(y, x)
    found = {"minitape": call, "minitape's chain": minitape_chain(n)}
    return found


def lengths():
    """Return ten chains of 10,000 against one of 100,000: linear time means a ratio of 1."""
    short, long = minitape_chain(10_000), minitape_chain(100_000)

    def ten():
        for _ in range(10):
            short()
    return {"minitape": long, "ten chains of 10,000": ten}


def without_positions():
    """Return the engine's maker of operators, its own text without the lines that ask where the learner is."""
    text = inspect.getsource(common_run.common_run)
    begin, end = text.index("        frame = _getframe(1)\n"), text.index("        output = new(Tensor)")
    text = text[:begin] + text[end:].replace("= code", "= code = None").replace("frame.f_lasti", "0")
    names = dict(vars(common_run))
    exec(compile("from __future__ import annotations\n" + text, "<without positions>", "exec"), names)
    return names["common_run"]


def explained(n=1000):
    """Return the chain as it is against the same chain without what explanations need: positions, notes, a look at the gradients."""
    names = {"__add__": arithmetic.add, "__mul__": arithmetic.multiply}
    on, off = ({name: maker(op, operators.operand) for name, op in names.items()} for maker in (common_run.common_run, without_positions()))
    look, chain = play.surprising, minitape_chain(n)

    def engine(methods, surprising):
        for name, method in methods.items():
            setattr(tf.Tensor, name, method)
            setattr(tf.Variable, name, method)
        play.surprising = surprising

    def of(methods, surprising):
        def call():
            engine(methods, surprising)
            try:
                return chain()
            finally:
                engine(on, look)
        return call
    return {"minitape": of(on, look), "without positions and notes": of(off, lambda targets, gradients, entries: False)}


def short_lengths():
    """Return ten chains of 100 against one of 1,000."""
    short, long = minitape_chain(100), minitape_chain(1000)

    def ten():
        for _ in range(10):
            short()
    return {"minitape": long, "ten chains of 100": ten}


def small_mlp():
    """Return the 2-16-16-1 network with tanh and mean squared error, batch 100."""
    rng = np.random.default_rng(0)
    data = [rng.normal(size=s).astype("f") for s in ((100, 2), (100, 1))]
    start = [rng.normal(size=s).astype("f") / 2 for s in ((2, 16), (16,), (16, 16), (16,), (16, 1), (1,))]
    x, t = (tf.constant(a) for a in data)
    w = [tf.Variable(a) for a in start]

    def call():
        with tf.GradientTape() as tape:
            h = tf.tanh(x @ w[0] + w[1])
            h = tf.tanh(h @ w[2] + w[3])
            loss = tf.reduce_mean((h @ w[4] + w[5] - t) ** 2)
        return tape.gradient(loss, w)

    def numpy(x=data[0], t=data[1], w=start):
        h1 = np.tanh(x @ w[0] + w[1])
        h2 = np.tanh(h1 @ w[2] + w[3])
        d = h2 @ w[4] + w[5] - t
        loss = np.mean(d * d)
        g = d * np.float32(2 / 100)
        g2 = (g @ w[4].T) * (1 - h2 * h2)
        g1 = (g2 @ w[2].T) * (1 - h1 * h1)
        return loss, x.T @ g1, g1.sum(0), h1.T @ g2, g2.sum(0), h2.T @ g, g.sum(0)

    found = {"minitape": call, "numpy": numpy}
    if installed("torch"):
        import torch
        tx, tt = (torch.tensor(a) for a in data)
        tw = [torch.tensor(a, requires_grad=True) for a in start]

        def torch_eager():
            h = torch.tanh(tx @ tw[0] + tw[1])
            h = torch.tanh(h @ tw[2] + tw[3])
            loss = ((h @ tw[4] + tw[5] - tt) ** 2).mean()
            return torch.autograd.grad(loss, tw)
        found["torch"] = torch_eager
    return found


def jacobian():
    """Return the 64 x 64 Jacobian of tanh(W x + b) with respect to x."""
    rng = np.random.default_rng(0)
    w0, b0, x0 = (rng.normal(size=s).astype("f") for s in ((64, 64), (64,), (64,)))
    w, b, x = tf.constant(w0), tf.constant(b0), tf.constant(x0)

    def call():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.tanh(tf.linalg.matvec(w, x) + b)
        return tape.jacobian(y, x)

    def numpy():
        y = np.tanh(w0 @ x0 + b0)
        return (1 - y * y)[:, None] * w0
    found = {"minitape": call, "numpy": numpy}
    if installed("torch"):
        import torch
        tw, tb, tx = (torch.tensor(a) for a in (w0, b0, x0))
        found["torch"] = lambda: torch.autograd.functional.jacobian(lambda v: torch.tanh(tw @ v + tb), tx, vectorize=True)
    return found


def hessian():
    """Return the Hessian of the 10-d Rosenbrock function by nested tapes."""
    x0 = np.linspace(-1, 1, 10).astype("f")
    x = tf.constant(x0)

    def call():
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                a, b = x[:-1], x[1:]
                y = tf.reduce_sum(100.0 * (b - a ** 2) ** 2 + (1.0 - a) ** 2)
            g = inner.gradient(y, x)
        return outer.jacobian(g, x)
    found = {"minitape": call}
    if installed("torch"):
        import torch
        tx = torch.tensor(x0)

        def f(v):
            a, b = v[:-1], v[1:]
            return (100.0 * (b - a ** 2) ** 2 + (1.0 - a) ** 2).sum()
        found["torch"] = lambda: torch.autograd.functional.hessian(f, tx)
        found["torch, vectorised"] = lambda: torch.autograd.functional.hessian(f, tx, vectorize=True)
    return found


def imports():
    """Return `import minitape` and `import numpy`, each in a fresh interpreter that finds the compiled files of both.

    What is installed has its compiled files; a checkout under PYTHONDONTWRITEBYTECODE has none, and would be compiled in
    every round.
    """
    folder = tempfile.TemporaryDirectory(prefix="minitape-bench-")
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder.name}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def of(what):
        def call(folder=folder):          # keeps the folder as long as the candidate
            subprocess.run([sys.executable, "-c", f"import {what}"], check=True, env=environment)
        return call
    return {"minitape": of("minitape"), "numpy": of("numpy")}


ROWS = [
    ("chain of 1,000 scalar operations", "< micrograd, < torch", chain),
    ("one tensor used 10,000 times", "<= 1.5 x its chain", fan),
    ("what explanations need, chain of 1,000", "<= 1.15 x without", explained),
    ("chain of 1,000 against ten of 100", "flat within 1.5", short_lengths),
    ("chain of 100,000 against ten of 10,000", "flat within 1.5", lengths),
    ("MLP 2-16-16-1, batch 100", "< torch", small_mlp),
    ("Jacobian 64 x 64 of a tanh layer", "< torch", jacobian),
    ("Hessian of the 10-d Rosenbrock function", "< torch", hessian),
    ("import minitape", "<= 1.3 x numpy", imports),
]
