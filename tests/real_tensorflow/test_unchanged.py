"""What programs compute with nobody looking, they compute with somebody who looks; odd ones, too."""

import copy
import io
import sys
import warnings

import numpy as np
import pytest
import tensorflow as tf

from minitape.recorders import tensorflow as mt
from minitape.storyboard import Film, develop
from tests.explain.programs import programs
from tests.explain.unchanged import alike, outcome

from .tried import same


def test_memory_protocols():
    """What cannot leave raises as before; nothing is printed about it."""

    def program():
        out = []
        for f in (
            lambda: np.array(tf.constant(["a", "bb"])),
            lambda: np.array(tf.constant([1.0, 2.0], tf.bfloat16)).astype("f4"),
            lambda: np.frombuffer(tf.constant([1.0, 2.0]), "f4"),
            lambda: bytes(tf.constant([1.0, 2.0])),
            lambda: io.BytesIO(b"abcdefgh").readinto(tf.constant([1.0, 2.0])),
            lambda: np.sin(tf.constant([1.0])),
            lambda: memoryview(tf.constant([1.0, 2.0])).tolist(),
            lambda: np.asarray(tf.Variable([1.0, 2.0])),
        ):
            try:
                out.append(str(f()))
            except Exception as error:
                out.append(type(error))
        return out

    plain, ignored, hook = program(), [], sys.unraisablehook
    sys.unraisablehook = ignored.append
    try:
        with warnings.catch_warnings(), mt.watch(), tf.GradientTape():
            warnings.simplefilter("ignore")
            watched = program()
    finally:
        sys.unraisablehook = hook
    assert plain == watched, (plain, watched)
    assert not ignored, ignored


def test_several_kinds():
    def program():
        out = []
        for kind in (tf.bfloat16, tf.float16, tf.float64, tf.complex64):
            x = tf.Variable(tf.cast([1.0, 2.0], kind))
            with tf.GradientTape(persistent=True) as tape:
                y = tf.reduce_sum(x * x * tf.cast(3, kind))
            out.append(tf.cast(tape.gradient(y, x), tf.complex64))
        i, s = tf.constant([1, 2]), tf.constant(["a"])
        with tf.GradientTape() as tape:
            tape.watch([i, s])
            y = i * 2
            tf.strings.join([s, "b"])
        out += [tape.gradient(y, i)]
        return out

    same(program)


def test_ragged_and_sparse():
    def program():
        r = tf.ragged.constant([[1.0, 2.0], [3.0]])
        s = tf.sparse.from_dense(tf.constant([[1.0, 0.0], [0.0, 2.0]]))
        w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([r, s])
            y = tf.reduce_sum(r * r) + tf.reduce_sum(tf.sparse.sparse_dense_matmul(s, w))
        return tape.gradient(y, r), tape.gradient(y, s.values), tape.gradient(y, w)

    same(program)


def test_structures_and_options():
    a, b = tf.Variable(1.0), tf.Variable([2.0, 3.0])

    def program():
        with tf.GradientTape(persistent=True) as tape:
            y = {"p": b * a, "q": tf.sin(a)}
        return (
            tape.gradient(y, {"x": [a, (b,)]}),
            tape.gradient(y["q"], [a, b], unconnected_gradients="zero"),
            tape.gradient(
                [y["p"], y["q"]],
                [a, b],
                output_gradients=[tf.constant([1.0, -1.0]), tf.constant(2.0)],
            ),
            tape.gradient([y["p"], y["p"]], [b, b]),
            tape.gradient(a, a),
            tape.gradient(y["q"], y["q"]),
        )

    _, film = same(program)
    assert len(film.played) == 6


def test_asked_inside_of_its_block():
    x = tf.Variable(3.0)

    def program():
        out = []
        with tf.GradientTape(persistent=True) as tape:
            y = x * x
            g = tape.gradient(y, x)
            out.append(tape.gradient(g, x))
        out.append(tape.gradient(g, x))
        with tf.GradientTape() as tape:
            y = x * x
            out.append(tape.gradient(y, x))
            x * 3
        return out

    same(program)


def test_nested_three_times():
    x = tf.Variable(3.0)

    def program():
        with tf.GradientTape() as a:
            with tf.GradientTape(persistent=True) as b:
                with tf.GradientTape() as c:
                    y = x**4 + tf.sin(x)
                d1 = c.gradient(y, x)
            d2 = b.gradient(d1, x)
            with b:
                e = x * d1
        return d1, d2, a.gradient(d2, x), b.gradient(e, x)

    same(program)


def test_custom_gradient_with_variables():
    w = tf.Variable(3.0)

    @tf.custom_gradient
    def f(x):
        y = w * x

        def back(g, variables=None):
            return g * 10.0, [g * 100.0 for _ in variables]

        return y, back

    def program():
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = f(x) * 2
        return tape.gradient(y, [x, w])

    same(program)


def test_autograph_loop():
    @tf.function
    def f(x, n):
        y = x
        while n > 0:
            if n % 2 == 0:
                y = y * x
            else:
                y = y + tf.sin(x)
            n -= 1
        return y

    x = tf.Variable(1.5)

    def program():
        with tf.GradientTape(persistent=True) as tape:
            y = f(x, tf.constant(5)) + f(x, 4) + f(x, 3)
        with tf.GradientTape() as outer, tf.GradientTape() as inner:
            z = f(x, tf.constant(3))
            g = inner.gradient(z, x)
        return tape.gradient(y, x), g, outer.gradient(g, x)

    same(program)
    with mt.watch(open_functions=True) as look, tf.GradientTape():
        f(x, tf.constant(5))
    assert not look.trouble and not tf.config.functions_run_eagerly()


def test_jacobians_both_ways():
    x = tf.Variable([1.0, 2.0, 3.0])

    def program():
        with tf.GradientTape(persistent=True) as tape:
            y = x * x * tf.reduce_sum(x)
        b = tf.ones([2, 3])
        with tf.GradientTape(persistent=True) as batch:
            batch.watch(b)
            z = b**2
        return (
            tape.jacobian(y, x),
            tape.jacobian(y, x, experimental_use_pfor=False),
            batch.batch_jacobian(z, b),
            batch.batch_jacobian(z, b, experimental_use_pfor=False),
        )

    same(program)


def test_a_jacobian_of_many_rows_says_why_they_are_not_shown():
    """One line in the margin, at the call, with the number; up to 64 rows are shown instead."""
    shown = {}
    for rows in (64, 65):
        with mt.watch() as look, Film() as film:
            x = tf.Variable(tf.ones([rows]))
            with tf.GradientTape(persistent=True) as tape:
                y = x * x
                z = tf.tile(x[None], [2, 1]) ** 2
            tape.jacobian(y, x)
            tape.batch_jacobian(z, z)
        for language in ("en", "fr"):
            board = develop(film, language=language)
            shown[rows, language] = (
                [board.caption(k + 1) for k, f in enumerate(board["frames"]) if "note" in f],
                board["passes"],
            )
        assert not look.trouble
    assert shown[64, "en"][0] == [] and [p["kind"] for p in shown[64, "en"][1]] == ["jacobian"] * 2
    said, passes = shown[65, "en"]
    assert (
        said[0].startswith("The Jacobian of y has 65 rows.")
        and said[1].startswith("The Jacobian of z has 65 rows.")
        and not passes
    )
    assert (
        shown[65, "fr"][0][0].startswith("La jacobienne de y a 65 lignes.")
        and "64" in shown[65, "fr"][0][0]
    )


def test_forward_mode():
    x = tf.Variable([1.0, 2.0])

    def program():
        with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as forward:
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(x**3)
            g = tape.gradient(y, x)
        return forward.jvp(y), forward.jvp(g), g

    same(program)


def test_hessians_in_a_graph():
    @tf.function
    def h(x):
        return tf.hessians(tf.reduce_sum(x**3), x)

    same(lambda: h(tf.constant([1.0, 2.0])))


def test_a_subclass():
    class Mine(tf.GradientTape):
        def __init__(self, **named):
            super().__init__(**named)
            self.calls = 0

        def gradient(self, *arguments, **named):
            self.calls += 1
            return super().gradient(*arguments, **named)

    def program():
        x = tf.Variable(2.0)
        with Mine(persistent=True) as tape:
            y = x * x
        return tape.gradient(y, x), tape.calls

    _, film = same(program)
    assert len(film.played) == 1


def test_mixed_precision():
    def program():
        tf.keras.utils.set_random_seed(0)
        m = tf.keras.Sequential(
            [
                tf.keras.layers.Dense(3, dtype="mixed_bfloat16"),
                tf.keras.layers.Dense(1, dtype="mixed_float16"),
            ]
        )
        o = tf.keras.optimizers.SGD(0.1)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.cast(m(tf.ones([2, 4])), tf.float32) ** 2)
        g = tape.gradient(loss, m.trainable_variables)
        o.apply_gradients(zip(g, m.trainable_variables))
        scaled = tf.keras.optimizers.LossScaleOptimizer(tf.keras.optimizers.SGD(0.1))
        with tf.GradientTape() as tape:
            loss = scaled.scale_loss(tf.reduce_mean(tf.cast(m(tf.ones([2, 4])), tf.float32) ** 2))
        g = tape.gradient(loss, m.trainable_variables)
        scaled.apply_gradients(zip(g, m.trainable_variables))
        return g, [v.value for v in m.trainable_variables]

    same(program)


def test_copies_and_saves():
    import tempfile

    def program():
        tf.keras.utils.set_random_seed(0)
        m = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(2)])
        with tf.GradientTape() as tape:
            c = tf.keras.models.clone_model(m)
            c.set_weights(m.get_weights())
            d = copy.deepcopy(m)
            v = copy.deepcopy(tf.Variable([1.0, 2.0]))
            t = copy.deepcopy(tf.constant([1.0]))
            folder = tempfile.mkdtemp()
            m.save(folder + "/m.keras")
            tf.saved_model.save(tf.Module(), folder + "/s")
            e = tf.keras.models.load_model(folder + "/m.keras")
            x = tf.ones([1, 2])
            y = tf.reduce_sum(m(x) + c(x) + d(x) + e(x)) * v[0] * t[0]
        return tape.gradient(
            y,
            [
                m.trainable_variables,
                c.trainable_variables,
                d.trainable_variables,
                e.trainable_variables,
                v,
            ],
        )

    same(program)


def test_datasets_and_py_functions():
    def program():
        w = tf.Variable(2.0)
        data = (
            tf.data.Dataset.from_tensor_slices(np.arange(6.0).astype("f4"))
            .map(lambda v: v * 2)
            .batch(2)
        )
        total = []
        for x in data:
            with tf.GradientTape() as tape:
                y = (
                    tf.reduce_sum(tf.py_function(lambda a, b: a * b, [x, w], tf.float32))
                    + tf.numpy_function(lambda a: a * 2, [x], tf.float32)[0]
                )
            total.append(tape.gradient(y, w))
        return total

    same(program)


PROGRAMS = [*programs(), *programs("healthy"), *programs("several")]


@pytest.mark.parametrize("part", range(12))
def test_what_a_program_computes_alone_it_computes_while_it_is_explained(part):
    for program in PROGRAMS[part::12]:
        bare = outcome(program, tf, None)
        with mt.watch():
            explained = outcome(program, tf, mt.explain)
        assert alike(explained, bare), (program.code, bare, explained)
