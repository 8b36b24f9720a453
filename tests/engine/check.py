"""Gradients against finite differences, by random projection.

A function of many numbers into many is reduced to one number into one: its output is projected on a
random `w`, its inputs move along a random `v`. The slope along `v`, measured with two calls, must
be the gradient's product with `v`. For the second order the function is replaced by its own
gradient, projected again: the same check, once more.
"""

import numpy as np

import minitape as tf
from minitape.engine.base.tensor import Tensor

STEP = 1e-5


def draw_inputs(case, rng, shapes, dtype="float64"):
    """Return arrays of these shapes, drawn uniformly from the case's intervals."""
    arrays = []
    for i, shape in enumerate(shapes):
        low, high = case.interval(i)
        x = rng.uniform(low, high, shape)
        if np.dtype(dtype).kind == "c":
            x = x + 1j * rng.uniform(-0.5, 0.5, shape)
        arrays.append(np.asarray(x, dtype))
    return arrays


def outputs_of(result):
    """Return the differentiable tensors of a result as a list."""
    return [y for y in tf.nest.flatten(result) if y.dtype.is_floating or y.dtype.is_complex]


def project(outputs, weights):
    """Return one real number: the sum of all outputs' elements times their weights."""
    total = tf.constant(0.0, "float64")
    for y, w in zip(outputs, weights):
        y = tf.math.real(y * tf.constant(w)) if y.dtype.is_complex else y * tf.constant(w)
        total = total + tf.reduce_sum(tf.cast(y, "float64"))
    return total


def weights_for(outputs, rng):
    """Return one random array per output, of its shape and dtype."""
    found = []
    for y in outputs:
        w = rng.uniform(0.5, 1.5, y.shape) * rng.choice([-1.0, 1.0], y.shape)
        if y.dtype.is_complex:
            w = w + 1j * rng.uniform(-1, 1, y.shape)
        found.append(np.asarray(w, y.dtype.as_numpy_dtype))
    return found


def gradients(function, arrays):
    """Return (value, gradients, tape) of a function of tensors that gives one number."""
    xs = [tf.constant(a) for a in arrays]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    return y, tape.gradient(y, xs), tape


def check(case, arrays, rng, orders=2):
    """Compare the case's gradients at these inputs with finite differences, up to its order. Raises
    AssertionError.
    """
    weights = weights_for(outputs_of(case.call(*[tf.constant(a) for a in arrays])), rng)

    def function(*xs):
        return project(outputs_of(case.call(*xs)), weights)

    for order in range(1, min(case.order, orders) + 1):
        compare(
            function,
            arrays,
            rng,
            case.tolerance * 10 ** (order - 1),
            f"{case.op}, order {order}",
            case.op if order == 1 else None,
        )
        function = projected_gradient(function, arrays, rng)


def projected_gradient(function, arrays, rng):
    """Return the function's gradient, projected on random directions: one number again."""
    directions = [direction_for(a, rng) for a in arrays]

    def derivative(*xs):
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = function(*xs)
        parts = [g for g in zip(tape.gradient(y, list(xs)), directions) if g[0] is not None]
        total = tf.constant(0.0, "float64")
        for g, u in parts:
            total = total + tf.reduce_sum(
                tf.cast(
                    tf.math.real(g * tf.constant(u)) if g.dtype.is_complex else g * u, "float64"
                )
            )
        return total

    return derivative


def direction_for(array, rng):
    """Return a random direction of an input's shape and dtype."""
    v = rng.uniform(0.5, 1.0, array.shape) * rng.choice([-1.0, 1.0], array.shape)
    if array.dtype.kind == "c":
        v = v + 1j * rng.uniform(-1, 1, array.shape)
    return np.asarray(v, array.dtype)


def compare(function, arrays, rng, tolerance, what, op=None):
    """Assert that the gradient of `function` fits the slope measured along a random direction."""
    value, found, tape = gradients(function, arrays)
    if op is not None:
        assert op in {entry.op for entry in tape.entries}, (
            f"{what}: not on the tape, which has {[e.op for e in tape.entries]}"
        )
    directions = [direction_for(a, rng) for a in arrays]
    ahead, behind = (
        float(
            function(
                *[tf.constant(np.asarray(a + s * STEP * v)) for a, v in zip(arrays, directions)]
            )
        )
        for s in (1, -1)
    )
    slope = (ahead - behind) / (2 * STEP)
    expected = 0.0
    for g, v, a in zip(found, directions, arrays):
        if g is not None:
            assert tuple(g.shape) == a.shape, (
                f"{what}: gradient of shape {g.shape} for an input of shape {a.shape}"
            )
            assert g.dtype == a.dtype, (
                f"{what}: gradient of dtype {g.dtype} for an input of dtype {a.dtype}"
            )
            expected += float(np.sum(np.real(np.conj(g.numpy()) * v)))
    size = max(
        1.0, abs(slope), sum(float(np.sum(np.abs(g.numpy()))) for g in found if g is not None)
    )
    assert abs(slope - expected) <= tolerance * size, (
        f"{what}: measured slope {slope}, by the tape {expected}"
    )


def check_dtype(case, arrays, rng, dtype):
    """Assert that gradients in another dtype have that dtype and float64's values."""
    weights = weights_for(outputs_of(case.call(*[tf.constant(a) for a in arrays])), rng)

    def ask(kind):
        xs = [tf.constant(a.astype(kind)) for a in arrays]
        with tf.GradientTape() as tape:
            tape.watch(xs)
            ys = outputs_of(case.call(*xs))
        seeds = [tf.constant(w.astype(y.dtype.as_numpy_dtype)) for w, y in zip(weights, ys)]
        return ys, tape.gradient(ys, xs, output_gradients=seeds)

    exact_ys, exact = ask("float64")
    ys, found = ask(dtype)
    for g, e, x in zip(found, exact, arrays):
        assert (g is None) == (e is None)
        if g is not None:
            assert g.dtype == dtype, f"{case.op}: gradient of dtype {g.dtype.name} for {dtype}"
            assert tuple(g.shape) == x.shape
            size = max(1.0, float(np.max(np.abs(e.numpy()), initial=0)))
            eps = 50 * float(np.finfo(dtype).eps) * max(1, x.size)
            assert np.allclose(g.numpy().astype("float64"), e.numpy(), rtol=eps, atol=eps * size), (
                f"{case.op}: {dtype} gives {g.numpy()}, float64 {e.numpy()}"
            )


def check_batched(case, arrays, rng):
    """Assert that the Jacobian in one play equals the one made row by row."""
    xs = [tf.constant(a) for a in arrays]
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(xs)
        ys = outputs_of(case.call(*xs))
    for y in ys:
        rows = int(np.prod(y.shape))
        found = tape.jacobian(y, xs)
        for i, (j, x) in enumerate(zip(found, xs)):
            for r in range(min(rows, 4)):
                seed = np.zeros(rows, y.dtype.as_numpy_dtype)
                seed[r] = 1
                g = tape.gradient(y, x, output_gradients=tf.constant(seed.reshape(y.shape)))
                assert (g is None) == (j is None), f"{case.op}: input {i}"
                if g is not None:
                    got = j.numpy().reshape((rows,) + tuple(x.shape))[r]
                    assert np.allclose(got, g.numpy(), rtol=1e-10, atol=1e-12), (
                        f"{case.op}, input {i}: {got} and {g.numpy()}"
                    )


def check_batched_twice(case, arrays, rng):
    """Assert that the gradient of a Jacobian, which an outer tape records as one play, equals that
    of plays recorded row by row.
    """

    def second(rows_of):
        xs = [tf.constant(a) for a in arrays]
        with tf.GradientTape() as outer:
            outer.watch(xs)
            with tf.GradientTape(persistent=True) as inner:
                inner.watch(xs)
                ys = outputs_of(case.call(*xs))
            found = [g for y in ys if y.shape.num_elements() for g in rows_of(inner, y, xs)]
            total = project(found, weights_for(found, np.random.default_rng(1)))
        return outer.gradient(total, xs, unconnected_gradients="zero")

    def one_play(tape, y, xs):
        return [j for j in tape.jacobian(y, xs) if j is not None]

    def row_by_row(tape, y, xs):
        seeds = np.eye(int(np.prod(y.shape)), dtype=y.dtype.as_numpy_dtype).reshape(-1, *y.shape)
        rows = [
            tape.gradient(y, xs, output_gradients=tf.constant(np.asarray(seed))) for seed in seeds
        ]
        return [
            tf.reshape(tf.stack(column), (*y.shape, *x.shape))
            for column, x in zip(zip(*rows), xs)
            if column[0] is not None
        ]

    for i, (g, expected) in enumerate(zip(second(one_play), second(row_by_row), strict=True)):
        assert np.allclose(g.numpy(), expected.numpy(), rtol=1e-9, atol=1e-11), (
            f"{case.op}, input {i}: {g} and {expected}"
        )


LAYOUTS = {
    "columns first": lambda a: np.asfortranarray(a),
    "first two axes swapped": lambda a: a.swapaxes(0, 1).copy().swapaxes(0, 1) if a.ndim > 1 else a,
    "last two axes swapped": lambda a: (
        a.swapaxes(-1, -2).copy().swapaxes(-1, -2) if a.ndim > 1 else a
    ),
    "every second number": lambda a: np.repeat(a, 2, axis=-1)[..., ::2] if a.ndim else a,
    "backwards": lambda a: a[::-1].copy()[::-1] if a.ndim else a,
}


def check_layouts(case, arrays, rng):
    """Assert that the order in which numbers lie in memory changes neither results nor gradients."""

    def ask(layout):
        xs = [Tensor(layout(a) if a.ndim else a[()]) for a in arrays]
        with tf.GradientTape() as tape:
            tape.watch(xs)
            ys = outputs_of(case.call(*xs))
        seeds = [Tensor(layout(w) if w.ndim else w[()]) for w in weights]
        before = [np.array(t.value) for t in [*xs, *seeds, *ys]]
        found = tape.gradient(ys, xs, output_gradients=seeds)
        for t, b in zip([*xs, *seeds, *ys], before):
            assert np.array_equal(t.value, b, equal_nan=True), (
                f"{case.op} has written into what it was given"
            )
        return ys, found

    weights = weights_for(outputs_of(case.call(*[tf.constant(a) for a in arrays])), rng)
    wanted_ys, wanted = ask(np.ascontiguousarray)
    for name, layout in LAYOUTS.items():
        ys, found = ask(layout)
        for one, other in zip([*ys, *found], [*wanted_ys, *wanted]):
            assert (one is None) == (other is None), f"{case.op}, {name}"
            if one is not None:
                assert one.shape == other.shape, f"{case.op}, {name}"
                assert np.allclose(one.value, other.value, rtol=1e-10, atol=1e-12), (
                    f"{case.op}, {name}: {one.value} and {other.value}"
                )
