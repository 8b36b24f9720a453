"""Each operation knows the calls of Keras in which it was made, and only while they compute."""

import gc
import inspect
import weakref

import pytest
import tensorflow as tf

from minitape.program.places import positions
from minitape.recorders import call_sites
from minitape.recorders import tensorflow as mt
from minitape.storyboard import Film, develop


class Twice(tf.keras.layers.Layer):
    def __init__(self, **named):
        super().__init__(**named)
        self.inner = tf.keras.layers.Dense(2, name="inner")

    def call(self, x):
        return self.inner(self.inner(x)) * 2.0


class Broken(tf.keras.layers.Layer):
    def call(self, x):
        raise ValueError(x * 2.0)


def of(tensor):
    recorder = mt.the_recorder()
    return [
        name.rpartition("/")[2]
        for _, name in recorder.tensors.places.layers_of(recorder.describe(tensor).id)
    ]


def test_the_calls_around_an_operation():
    layer, x = Twice(name="twice"), tf.Variable([[1.0, 2.0]])
    with mt.watch() as look, tf.GradientTape() as tape:
        before = x * 3.0
        inside = layer.inner(x)
        y = layer(inside)
        with pytest.raises(ValueError, match="tf.Tensor"):
            Broken()(x)
        after = y + 1.0
    assert not look.trouble and [of(t) for t in (before, inside, y, after)] == [
        [],
        ["inner"],
        ["twice"],
        [],
    ]
    entries = mt.the_recorder().tape_of(tape).entries
    calls = [
        mt.the_recorder().tensors.places.layers_of(entry[2])
        for entry in entries
        if entry[0] == "MatMul"
    ]
    assert [[name.rpartition("/")[2] for _, name in call] for call in calls] == [
        ["inner"],
        ["twice", "inner"],
        ["twice", "inner"],
    ]
    assert len({call[-1][0] for call in calls}) == 3 and calls[1][0] == calls[2][0]


def test_a_variable_is_called_as_keras_calls_it():
    """TensorFlow names what `inner` has after the layer that built it, `twice/kernel`."""
    layer, x = Twice(name="twice"), tf.Variable([[1.0, 2.0]])
    with mt.watch(), Film() as film:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(layer(x) ** 2)
        tape.gradient(y, x)
    assert {"inner.kernel", "inner.bias", "x", "y"} <= {
        node["label"] for node in develop(film)["nodes"]
    }


def test_the_same_way_is_one_call_site_and_another_is_another():
    """Through the library, and through the layers: what one line of the learner's computes in many
    ways, and again in each round.
    """
    reader = tf.keras.layers.Bidirectional(tf.keras.layers.SimpleRNN(2), name="reader")
    x = tf.Variable(tf.ones([1, 3, 2]))
    reader(x)
    with mt.watch(), tf.GradientTape() as tape:
        for _ in range(2):
            y = reader(x)
            z = tf.image.total_variation(x[..., None])
    assert y.shape == (1, 4) and z.shape == (1,)
    tensors, entries = (
        mt.the_recorder().tensors,
        [
            entry
            for entry in mt.the_recorder().tape_of(tape).entries
            if entry[0] != "ReadVariableOp"
        ],
    )
    numbers = [entry[2][0] if isinstance(entry[2], tuple) else entry[2] for entry in entries]
    half = len(entries) // 2
    sites, calls = (
        [tensors.places.site_of(number) for number in numbers],
        [tensors.places.layers_of(number) for number in numbers],
    )
    assert sites[:half] == sites[half:], "each round goes the same ways"
    tanh = [k for k in range(half) if entries[k][0] == "Tanh"]
    there, back = (
        [sites[k] for k in tanh if any(name in path for _, path in calls[k])]
        for name in ("forward_", "backward_")
    )
    assert len(there) == len(back) > 2 and set(there).isdisjoint(back), (
        "the two readers are called on two lines of Keras"
    )
    differences = [k for k in range(half) if entries[k][0] == "Sub" and not calls[k]]
    assert (
        len(differences) == 2
        and sites[differences[0]] is not sites[differences[1]]
        and (sites[differences[0]].where == sites[differences[1]].where)
    ), "one line, two ways"
    assert [call[0] for call in calls[:half] if call] != [
        call[0] for call in calls[half:] if call
    ], "each round has calls of its own"


class Counting(tf.keras.layers.Layer):
    def build(self, shape):
        self.count = self.add_weight(name="count", shape=(), initializer="zeros", trainable=False)

    def call(self, x):
        self.count.assign(5.0)
        return x * tf.exp(self.count)


def notes_of(*layers, x):
    """The lines in the margin of a training step, metrics included."""
    layers = [tf.keras.Input(x.shape[1:]), *layers, tf.keras.layers.Dense(1)]
    model, metric = tf.keras.Sequential(layers), tf.keras.metrics.MeanAbsoluteError()
    with mt.watch() as look, Film() as film:
        with tf.GradientTape() as tape:
            p = model(x, training=True)
            loss = tf.reduce_mean(p**2)
            metric.update_state(tf.zeros_like(p), p)
        gradients = tape.gradient(loss, model.trainable_variables)
        tf.keras.optimizers.SGD(0.1).apply_gradients(zip(gradients, model.trainable_variables))
    assert not look.trouble
    return [(note["kind"], *note["params"].values()) for note in develop(film)["notes"]]


def test_the_margin_is_the_learners():
    """What a layer or a metric of Keras writes down and makes for itself is not in it; what the
    learner's own layer does is.
    """
    layers = tf.keras.layers
    assert (
        notes_of(
            layers.Dense(3, activation="relu"),
            layers.BatchNormalization(),
            layers.Dropout(0.2),
            x=tf.ones([8, 4]),
        )
        == []
    )
    assert notes_of(layers.LSTM(3), x=tf.ones([2, 5, 4])) == []
    own = notes_of(Counting(), x=tf.ones([8, 4]))
    assert ("assign", "counting.count") in own and ("unwatched", "Exp") in own, own


def test_a_metric_is_no_card():
    """What a metric of Keras computes of a watched value is its own; what a learner's own metric
    does is the learner's.
    """

    class Own(tf.keras.metrics.Metric):
        def update_state(self, value):
            self.seen = tf.sqrt(value)

        def result(self):
            return tf.exp(self.seen)

    metrics = (
        tf.keras.metrics.MeanSquaredError(),
        tf.keras.metrics.Mean(),
        tf.keras.metrics.BinaryAccuracy(),
        tf.keras.metrics.AUC(),
    )
    w = tf.Variable([0.5])
    with mt.watch() as look, tf.GradientTape(persistent=True) as tape:
        p = w * w
        results = [
            metric(*given)
            for metric, given in zip(metrics, [([1.0], p), (p,), ([1.0], p), ([1.0], p)])
        ]
        own = Own()(p)
    assert not look.trouble
    known = mt.the_recorder().tape_of(tape)
    assert [entry[0] for entry in known.entries if entry[0] != "ReadVariableOp"] == [
        "Mul",
        "Sqrt",
        "Exp",
    ]
    assert not [note for note in known.notes if note[0] == "unwatched" and type(note[3]) is tuple]
    body, first = inspect.getsourcelines(test_a_metric_is_no_card)
    line = first + next(k for k, text in enumerate(body) if "metric(*given)" in text)
    lines = {positions(mt.the_recorder().describe(each).where).line for each in results}
    assert lines == {line} and tape.gradient(own, w) is not None


def test_a_layer_without_gradients_leaves_one_line():
    """Of all that a frozen layer makes of data, its result: it is what the learner may wonder
    about.
    """
    layer = tf.keras.layers.LSTM(3, trainable=False)
    layer(tf.ones([2, 5, 4]))
    w = tf.Variable(2.0)
    with mt.watch(), Film() as film, tf.GradientTape() as tape:
        for _ in range(2):
            y = layer(tf.ones([2, 5, 4])) * w
    notes = [note for note in develop(film)["notes"] if note["kind"] == "unwatched"]
    assert len(notes) == 2 and y.shape == (2, 3) and tape, notes


def test_a_way_is_the_same_where_addresses_are_not_kept(monkeypatch):
    def drawn():
        with mt.watch(), Film() as film, tf.GradientTape() as tape:
            x = y = tf.constant(2.0)
            tape.watch(x)
            for _ in range(20):
                y = tf.sin(y) * x
        tape.gradient(y, x)
        return str(develop(film))

    plain = drawn()
    assert call_sites.HOLDS
    monkeypatch.setattr(call_sites, "HOLDS", False)
    assert drawn() == plain


def test_what_one_card_gives_is_what_the_next_one_gets():
    """The very array and number, not another copy of them; and none is held when the tape has
    ended.
    """
    x = tf.Variable([1.0, 2.0])
    with mt.watch():
        with tf.GradientTape() as tape:
            y = tf.tanh(tf.tanh(x * x))
        entries = [entry for entry in mt.the_recorder().tape_of(tape).entries if entry[0] == "Tanh"]
        assert (
            entries[1][6][0] is entries[0][7]
            and entries[1][1][0] is entries[0][2]
            and y.shape == (2,)
        )
        held = weakref.ref(entries[1][7])
        del entries, tape, y
        gc.collect()
        assert held() is None


def test_what_was_made_before_anybody_looked_has_the_name_that_the_program_gives_it():
    layer, image = Twice(name="twice"), tf.Variable([[1.0, 2.0]])
    layer(image)
    with mt.watch(), Film() as film:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(layer(image))
        tape.gradient(y, image)
    names = {"image": image, "weights": layer.inner.kernel, "_1": y}
    board = develop(film, explain=names)
    assert {node["label"] for node in board["nodes"] if node["role"] in ("variable", "input")} == {
        "image",
        "inner.kernel",
        "inner.bias",
    }
