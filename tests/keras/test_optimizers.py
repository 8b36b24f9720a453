"""Optimizers: refusals, limits, schedules, and that no array is written into which somebody holds."""

import inspect
import pickle
import pydoc
import re
import tracemalloc

import numpy as np
import pytest

import minitape as tf
from minitape import keras

optimizers = keras.optimizers
ALL = [
    optimizers.SGD,
    optimizers.Adam,
    optimizers.AdamW,
    optimizers.Adamax,
    optimizers.Nadam,
    optimizers.RMSprop,
    optimizers.Adagrad,
    optimizers.Adadelta,
]


@pytest.mark.parametrize(
    "options",
    [
        (optimizers.SGD, {}),
        (optimizers.SGD, dict(momentum=0.9)),
        (optimizers.SGD, dict(momentum=0.9, nesterov=True)),
        (optimizers.Adam, {}),
        (optimizers.Adam, dict(amsgrad=True)),
        (optimizers.RMSprop, dict(momentum=0.5, centered=True)),
        *[(kind, {}) for kind in ALL[2:]],
    ],
)
@pytest.mark.parametrize("shape", [(), (3, 2)])
def test_every_optimizer_goes_downhill(options, shape):
    kind, more = options
    v = tf.Variable(np.full(shape, 2.0, "float32"))
    optimizer = kind(0.5 if kind in (optimizers.Adadelta, optimizers.Adagrad) else 0.02, **more)
    for _ in range(30):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(v * v)
        before = float(loss)
        optimizer.apply_gradients([(tape.gradient(loss, v), v)])
    assert before < 4.0 * v.shape.num_elements()
    assert int(optimizer.iterations) == 30
    assert v.dtype == tf.float32 and v.shape == shape


@pytest.mark.parametrize("kind", ALL)
def test_a_row_is_a_class_like_others(kind):
    parameters = inspect.signature(kind).parameters
    assert list(parameters)[0] == "learning_rate" and list(parameters)[-2:] == ["name", "kwargs"]
    shown = f"{kind.__name__}({', '.join(map(str, parameters.values()))})"
    # Python 3.13 breaks long signatures over lines, 3.14 writes annotations without quotes
    written, shown = [
        re.sub(r"['|\s]", "", text) for text in (pydoc.plain(pydoc.render_doc(kind)), shown)
    ]
    assert shown in written
    assert (
        kind.__doc__.endswith(f". Source: `keras.optimizers.{kind.__name__}`.")
        and pickle.loads(pickle.dumps(kind)) is kind
    )
    hyperparameters = [
        name
        for name in parameters
        if name not in inspect.signature(optimizers.Optimizer).parameters
    ]
    by_place = kind(*[p.default for p in list(parameters.values())[:-2]], "mine")
    assert by_place.name == "mine"
    assert [getattr(by_place, name) for name in hyperparameters] == [
        parameters[name].default for name in hyperparameters
    ]
    with pytest.raises(
        TypeError, match=rf"^{kind.__name__}.__init__\(\) too many positional arguments$"
    ):
        kind(*range(len(parameters)))

    class Own(kind):
        def __init__(self):
            super().__init__(0.5, name="own")

    assert Own().name == "own" and float(Own().learning_rate) == 0.5 and Own().slots == kind().slots


def test_none_gradients_warn_and_all_none_is_an_error():
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    optimizer = optimizers.SGD(1.0)
    with pytest.warns(UserWarning, match="Gradients do not exist"):
        optimizer.apply_gradients([(tf.constant(0.5), a), (None, b)])
    assert float(a) == 0.5 and float(b) == 2.0
    with pytest.raises(ValueError, match="No gradients provided"):
        optimizer.apply_gradients([(None, a), (None, b)])
    with pytest.raises(ValueError):
        optimizer.apply_gradients([])


def test_unknown_variables_and_arguments_are_refused():
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    optimizer = optimizers.SGD(1.0)
    optimizer.apply_gradients([(tf.constant(0.5), a)])
    with pytest.raises(ValueError, match="Unknown variable"):
        optimizer.apply_gradients([(tf.constant(0.5), b)])
    with pytest.raises(ValueError, match="Only one"):
        optimizers.SGD(clipnorm=1.0, clipvalue=1.0)
    with pytest.raises(ValueError, match="not recognized"):
        optimizers.SGD(decay=1.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="shapes must be equal"):
        optimizers.SGD(1.0).apply_gradients([(tf.constant([0.5]), a)])


def test_limits_of_gradients():
    g = [tf.constant([3.0, 4.0]), tf.constant([0.0, 12.0])]
    for limit, expected in [
        (dict(clipnorm=1.0), [[-0.6, -0.8], [0.0, -1.0]]),
        (dict(clipvalue=2.0), [[-2, -2], [0, -2]]),
        (dict(global_clipnorm=1.3), [[-0.3, -0.4], [0.0, -1.2]]),
    ]:
        variables = [tf.Variable([0.0, 0.0]), tf.Variable([0.0, 0.0])]
        optimizers.SGD(1.0, **limit).apply_gradients(zip(g, variables))
        assert np.allclose([v.numpy() for v in variables], expected)


@pytest.mark.parametrize("kind", ALL)
def test_what_somebody_holds_is_never_written_into(kind):
    v, optimizer = tf.Variable(np.ones((50, 50), "float32")), kind(0.1)
    held = []
    for _ in range(6):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(v * v)
        optimizer.apply_gradients([(tape.gradient(y, v), v)])
        for kept in (v, *optimizer.variables):
            now = kept.read_value()
            # a view holds its array too
            held.append((now.value, now.value[1:] if now.ndim else now.value, now.numpy()))
    for array, view, before in held:
        assert np.array_equal(array, before) and np.array_equal(
            view, before[1:] if before.ndim else before
        )


@pytest.mark.parametrize("kind", ALL)
def test_what_nobody_holds_is_given_back(kind):
    v, optimizer = tf.Variable(np.ones((100, 100), "float32")), kind(0.1)
    used = []
    tracemalloc.start()
    try:
        for _ in range(12):
            optimizer.apply_gradients([(tf.ones([100, 100]), v)])
            used.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert used[-1] - used[2] < v.numpy().nbytes


def test_learning_rates_change():
    optimizer = optimizers.SGD(0.5)
    assert float(optimizer.learning_rate) == 0.5
    optimizer.learning_rate = 0.25
    v = tf.Variable(1.0)
    optimizer.apply_gradients([(tf.constant(1.0), v)])
    assert float(v) == 0.75
    optimizer = optimizers.SGD(
        optimizers.schedules.PiecewiseConstantDecay([0, 1], [1.0, 0.5, 0.25])
    )
    rates = []
    for _ in range(3):
        rates.append(float(optimizer.learning_rate))
        optimizer.apply_gradients([(tf.constant(1.0), v)])
    assert rates == [1.0, 0.5, 0.25]


def test_weight_decay_and_constraints():
    v = tf.Variable([1.0, -2.0], constraint=keras.constraints.NonNeg())
    optimizer = optimizers.SGD(0.5, weight_decay=0.5)
    optimizer.apply_gradients([(tf.constant([0.0, 0.0]), v)])
    assert v.numpy().tolist() == [0.75, 0.0]
    u = tf.Variable([1.0], name="bias")
    optimizer = optimizers.SGD(0.5, weight_decay=0.5)
    optimizer.exclude_from_weight_decay(var_names=["bias"])
    optimizer.apply_gradients([(tf.constant([0.0]), u)])
    assert u.numpy().tolist() == [1.0]


def test_float64_variables_stay_float64():
    v = tf.Variable(1.0, dtype=tf.float64)
    optimizer = optimizers.Adam(0.1)
    optimizer.apply_gradients([(tf.constant(1.0, tf.float64), v)])
    assert v.dtype == tf.float64


@pytest.mark.parametrize("built", [False, True])
def test_pairs_the_wrong_way_round_are_called_so(built):
    w = tf.Variable(2.0)
    optimizer = keras.optimizers.SGD(0.1)
    if built:
        optimizer.build([w])
    with pytest.raises(AttributeError, match=r"wrong way round.*zip\(gradients, variables\)"):
        optimizer.apply_gradients(zip([w], [tf.constant(1.0)]))
    with pytest.raises(AttributeError, match="wrong way round"):
        optimizer.update_step(w, tf.constant(1.0), 0.1)
    with pytest.raises(AttributeError, match="'float' object has no attribute '_unique_id'"):
        optimizer.apply_gradients([(tf.constant(1.0), 2.0)])
    assert w.numpy() == 2.0
