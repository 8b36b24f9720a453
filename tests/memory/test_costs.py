"""What `costs` says of a tape is what the tape holds: measured by tracemalloc, for programs of
every kind, recomputed and not.
"""

import gc
import tracemalloc

import numpy as np
import pytest

import minitape as tf
from minitape.engine.base.tensor import wrap
from minitape.memory import Held, costs

N = 128  # arrays of 64 kB: what Python itself takes beside them is small


def random(*shape):
    return tf.constant(np.random.default_rng(len(shape)).normal(size=shape).astype("float32"))


def measured(record):
    """The bytes that live because a tape lives: what is freed when it goes. `record` returns a tape
    and nothing else.
    """
    record()  # what is made once, is made now
    gc.collect()
    tracemalloc.start()
    try:
        tape = record()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        del tape
        gc.collect()
        return before - tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def dense(x, w, b):
    return tf.nn.relu(x @ w + b)


def mlp(layer=dense):
    ws, bs, x = (
        [tf.Variable(random(N, N)) for _ in range(4)],
        [tf.Variable(tf.zeros(N)) for _ in range(4)],
        random(N, N),
    )

    def record():
        with tf.GradientTape() as tape:
            h = x
            for w, b in zip(ws, bs):
                h = layer(h, w, b)
            tf.reduce_mean(h * h)
        return tape

    return record


def chain(wrap=lambda f: f):
    x, steps = tf.Variable(random(N, N)), 12

    @wrap
    def stretch(y):
        for _ in range(steps):
            y = tf.tanh(y) * 1.5 + 0.1
        return y

    def record():
        with tf.GradientTape() as tape:
            y = x * 1.0
            for _ in range(4):
                y = stretch(y)
            tf.reduce_sum(y)
        return tape

    return record


def cnn():
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Conv2D(8, 3, activation="relu"),
            tf.keras.layers.MaxPooling2D(2),
            tf.keras.layers.Conv2D(16, 3, activation="relu"),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(32, activation="tanh"),
            tf.keras.layers.Dense(10),
        ]
    )
    x, labels = random(16, 24, 24, 1), tf.constant(np.arange(16) % 10)
    model(x)

    def record():
        with tf.GradientTape() as tape:
            loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, model(x))
            tf.reduce_mean(loss)
        return tape

    return record


def views():
    x = random(N, N)

    def record():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * 2.0
            a, b = tf.split(tf.reshape(y, (N // 2, 2 * N)), 2, axis=1)
            tf.reduce_sum(tf.transpose(a) @ b + tf.broadcast_to(tf.reduce_sum(y), (N, N)))
        return tape

    return record


def unwatched():
    x, w = random(N, N), tf.Variable(random(N, N))

    def record():
        with tf.GradientTape() as tape:
            mask = x * 2.0 + 1.0  # no card, but a card holds it
            tf.reduce_sum(tf.where(mask > 0, w, mask) * tf.ones((N, N)))
        return tape

    return record


def training():
    w, x, t = tf.Variable(random(N, N) * 0.01), random(N, N), random(N, N)

    def record():  # the mistake: the tape is around the loop, and holds each version of w
        with tf.GradientTape(persistent=True) as tape:
            for _ in range(5):
                loss = tf.reduce_mean((x @ w - t) ** 2)
                with tape.stop_recording():
                    gradient = tape.gradient(loss, w)
                w.assign_sub(0.1 * gradient)
        return tape

    return record


def own_gradient():
    x = tf.Variable(random(N, N))

    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)
        return tf.math.log(1 + e), lambda upstream: upstream * (1 - 1 / (1 + e))

    def record():
        with tf.GradientTape() as tape:
            tf.reduce_sum(log1pexp(x * 0.5))
        return tape

    return record


def traced():
    w, x = tf.Variable(random(N, N)), random(N, N)
    f = tf.function(lambda x: tf.reduce_sum(tf.tanh(tf.tanh(x @ w) @ w)))

    def record():
        with tf.GradientTape() as tape:
            f(x)
        return tape

    return record


PROGRAMS = {
    "mlp": mlp,
    "mlp, recomputed": lambda: mlp(tf.recompute_grad(dense)),
    "chain": chain,
    "chain, recomputed": lambda: chain(tf.recompute_grad),
    "cnn": cnn,
    "views": views,
    "unwatched": unwatched,
    "training": training,
    "own gradient": own_gradient,
    "traced": traced,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_tape_holds_what_is_said(name):
    record = PROGRAMS[name]()
    said, real = costs(record()).kept, measured(record)
    assert abs(real - said) < 0.05 * real, (said, real, real / said)


def test_what_recomputation_would_leave_is_what_recompute_grad_leaves():
    plain, wrapped = (
        costs(mlp()(), recompute=[(1, 3), (4, 6), (7, 9), (10, 12)]),
        costs(mlp(tf.recompute_grad(dense))()),
    )
    assert plain.kept == wrapped.kept == 5 * 4 * N * N + 4 and plain.needed == wrapped.needed
    assert plain.kept + plain.let_go == costs(mlp()()).kept
    assert (plain.again, plain.at_once, plain.let_go) == (12, 2 * 4 * N * N, 8 * 4 * N * N)
    steps = costs(chain()(), recompute=[(2 + 36 * k, 37 + 36 * k) for k in range(4)])
    assert steps.kept == costs(chain(tf.recompute_grad)()).kept == 5 * 4 * N * N + 8


@pytest.mark.parametrize(
    "name", [name for name in PROGRAMS if "recomputed" not in name and name != "training"]
)
def test_what_could_be_dropped_is_what_no_gradient_feels(name):
    """The numbers in memory that no rule needs are spoilt, and the gradients stay; those that one
    needs, and they change.
    """
    record = PROGRAMS[name]()

    def gradients(choose):
        tape = record()
        held = Held(tape.recording)
        last, sources = held.cards[-1].outputs[0], tape.recording.leaves
        for buffer in held.buffers:
            if not buffer.anyway and isinstance(buffer.owner, np.ndarray) and choose(buffer):
                buffer.owner.flags.writeable = True
                buffer.owner[...] = (
                    ~buffer.owner if buffer.owner.dtype == bool else buffer.owner / 2 - 1
                )
        return tape._tape.play(
            [target_of(tape, last)], [Source(n) for n in sorted(sources)]
        ).gradients()

    right = gradients(lambda buffer: False)
    assert all(
        np.array_equal(a, b) for a, b in zip(right, gradients(lambda buffer: not buffer.asked))
    )
    needed = costs(record()).needed
    if needed > 100:
        assert not all(
            np.array_equal(a, b) for a, b in zip(right, gradients(lambda buffer: buffer.asked))
        )


class Source:
    """A source by its number, all that a play asks of it."""

    def __init__(self, number):
        self.id = number


def target_of(tape, number):
    return next(
        wrap(entry[7] if type(entry[7]) is not tuple else entry[7][0], number)
        for entry in tape._tape.entries
        if entry[2] == number or type(entry[2]) is tuple and entry[2][0] == number
    )


def test_of_a_tape_that_gave_its_gradients_nothing_is_held():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert costs(tape).kept == 4
    tape.gradient(y, x)
    assert costs(tape).kept == 0 and str(costs(tape)).count("\n") == 0


def test_what_is_asked_wrongly_is_refused():
    with tf.GradientTape() as tape:
        x = tf.Variable(1.0)
        y = x * x + x
    for wrong in ((0, 1), (2, 1), (1, 3), [(1, 2), (2, 2)]):
        with pytest.raises(ValueError, match="recompute"):
            costs(tape, wrong)
    for wrong in ("all", 3, (1.0, 2), [(1, True)], [1, 2, 3]):
        with pytest.raises(TypeError, match="recompute"):
            costs(tape, wrong)
    with pytest.raises(TypeError, match="a tape"):
        costs(y)


def test_it_speaks_french():
    x = tf.Variable(tf.zeros((50, 50)))
    with tf.GradientTape() as tape:
        tf.reduce_sum(x * x)
    said = str(costs(tape, language="fr"))
    assert "Cette bande garde 10 ko." in said and "Carte 1, Mul" in said
