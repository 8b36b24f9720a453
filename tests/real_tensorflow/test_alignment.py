"""Each step of TensorFlow's way back finds its entry, and each variable has the content that it
had.
"""

import threading
import time

import numpy as np
import tensorflow as tf

from minitape.recorders import tensorflow as mt

from .tried import aligned, filmed, same


def test_align_two_negatives():
    """A Neg that leads elsewhere is later on the tape than the target's."""
    x = tf.Variable([1.0, 2.0])

    def program(tape):
        y = -(x * x)
        -(y * 3.0)
        return y, [x], []

    aligned(program)


def test_align_x_plus_x():
    x = tf.Variable([1.0, 2.0])

    def program(tape):
        a = -x
        b = tf.identity(a)
        c = a + a
        d = -c + -b
        return tf.reduce_sum(d * d), [x], [a, b, c, d]

    aligned(program)


def test_align_stack_of_equal():
    x = tf.constant([1.0, 2.0, 3.0])

    def program(tape):
        tape.watch(x)
        a = -x
        s = tf.stack([a, a, -a, x])
        parts = tf.unstack(s)
        t = tf.stack([parts[0], parts[2], parts[2]])
        return tf.reduce_sum(t**3), [x], [a, s, *parts[:3], t]

    aligned(program)


def test_align_residual():
    w = [tf.Variable(tf.random.stateless_normal([4, 4], [k, 1])) for k in range(6)]
    h0 = tf.random.stateless_normal([3, 4], [9, 9])

    def program(tape):
        tape.watch(h0)
        h, between = h0, []
        for v in w:
            branch = -tf.nn.relu(tf.identity(h) @ v)
            between += [branch]
            h = h - branch
            h = tf.identity(h) + tf.identity(h)
            between += [h]
        return tf.reduce_mean(h), [h0, *w], between

    aligned(program)


def test_align_negatives_in_two_branches():
    x, w = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 5.0])

    def program(tape):
        a = -(-(-x))  # noqa: B002
        b = -tf.nn.relu(-(-w))  # noqa: B002
        y = -(a + b)
        q = tf.reduce_sum(-y * -a)
        return q, [x, w], [a, b, y]

    aligned(program)


def test_align_order_of_play():
    """Long and short branches: TensorFlow comes back in another order than the tape's."""
    x = tf.Variable(2.0)

    def program(tape):
        a, b, between = x * 1.0, x * 2.0, []
        for k in range(5):
            a = -a
            if k % 2:
                b = -b
            between += [a, b]
        for _ in range(4):
            b = -b
            between += [b]
        return a * b + -a, [x], between

    aligned(program)


def test_align_tf_function():
    x, w = tf.Variable(2.0), tf.Variable(3.0)
    f = tf.function(lambda a: -a * w)

    def program(tape):
        a = f(x)
        b = f(a)
        c = f(-b) + f(-b)
        return c + -a, [x, w], [a, b, c]

    aligned(program)


def test_align_custom():
    @tf.custom_gradient
    def half(v):
        return v, lambda g: -g / 2

    x = tf.Variable(2.0)

    def program(tape):
        a = half(x)
        b = half(a)
        return -b + half(-b) + a, [x], [a, b]

    aligned(program)


def test_align_inner_tape_in_a_rule():
    """A rule that plays a tape of its own (as tf.recompute_grad does) is one step; what it plays
    inside is none of the tape's.
    """

    @tf.custom_gradient
    def f(v):
        y = -v * v

        def back(g):
            with tf.GradientTape() as inner:
                inner.watch(v)
                z = -v * v
            return g * inner.gradient(z, v)

        return y, back

    x = tf.Variable(3.0)

    def program(tape):
        a = -x
        b = f(a)
        return -b, [x], [a, b]

    aligned(program)


def test_align_recompute():
    x = tf.Variable(3.0)
    f = tf.recompute_grad(lambda v: -tf.sin(-v))

    def program(tape):
        a = -x
        b = f(a)
        return -b, [x], [a, b]

    aligned(program)


def test_align_embedding_twice():
    e = tf.Variable(tf.random.stateless_normal([5, 3], [1, 2]))

    def program(tape):
        a, b = tf.gather(e, [0, 1, 1]), tf.nn.embedding_lookup(e, [4, 0])
        return tf.reduce_sum(a * a) + tf.reduce_sum(-b), [e], [a, b]

    aligned(program)


def test_align_embedding_and_dense():
    e = tf.Variable(tf.random.stateless_normal([5, 3], [1, 2]))

    def program(tape):
        a, b = tf.gather(e, [0, 1, 1]), tf.transpose(e)
        return tf.reduce_sum(a @ b), [e], [a, b]

    aligned(program)


def test_align_long():
    """200,000 operations and more: no time that grows with the square."""
    x = tf.Variable(1.0)

    def program():
        began = time.thread_time()  # others may be busy on this machine
        with tf.GradientTape() as tape:
            y = x * 1.0
            for _ in range(50_000):
                y = -y
        g = tape.gradient(y, x)
        return g, time.thread_time() - began

    look = mt.watch()
    with look:
        g, seconds = program()
    assert float(g) == 1.0 and not look.trouble
    assert seconds < 40, seconds


def test_assigned_in_a_function():
    """A variable that a compiled function assigns has its new content in the next reading."""
    w, x = tf.Variable(2.0), tf.Variable(5.0)

    @tf.function
    def step():
        w.assign(7.0)

    def program():
        with tf.GradientTape() as tape:
            a = w * x
        tape.gradient(a, [w, x])
        step()
        with tf.GradientTape() as tape:
            b = w * x
        return tape.gradient(b, [w, x])

    w.assign(2.0)
    found, film = filmed(program)
    assert float(found[1]) == 7.0
    values = [
        float(v[0])
        for e, v in zip(film.tapes[1].entries, [k[0] for k in film.tapes[1].kept])
        if e.op == "ReadVariableOp" and e.inputs[0] == mt.the_recorder().describe(w).id
    ]
    assert values == [7.0], values


def test_assigned_in_a_thread():
    w = tf.Variable(2.0)

    def program():
        with tf.GradientTape() as tape:
            a = w * w
        tape.gradient(a, w)
        other = threading.Thread(target=lambda: w.assign(7.0))
        other.start()
        other.join()
        with tf.GradientTape() as tape:
            b = w * w
        return tape.gradient(b, w)

    found, film = filmed(program)
    assert float(film.tapes[1].kept[0][0][0]) == 7.0


def test_assigned_between_readings():
    w = tf.Variable(2.0)

    def program():
        w.assign(2.0)
        with tf.GradientTape(persistent=True) as tape:
            a = w * w
            w.assign(5.0)
            b = w * a
        return tape.gradient(b, w), tape.gradient(b, a), tape.gradient(a, w)

    same(program)


def test_function_with_variables_captured():
    w = tf.Variable([2.0, 3.0])

    @tf.function
    def f(x):
        return tf.reduce_sum(w * x) ** 2

    def program():
        with tf.GradientTape() as tape:
            y = f(tf.constant([1.0, 2.0])) + f(tf.constant([[1.0, 2.0]]))  # traced twice
        return tape.gradient(y, w)

    _, film = same(program)
    assert film.played[-1].gradients[0] is not None


def test_every_optimizer():
    """Each optimizer of Keras gives the variables new versions, and the contents that they have."""
    for (
        name
    ) in "SGD RMSprop Adam AdamW Adadelta Adagrad Adamax Adafactor Nadam Ftrl Lion Lamb".split():
        kind = getattr(tf.keras.optimizers, name, None)
        if kind is None:
            continue
        tf.Variable(tf.ones([2, 2]))
        kv = tf.keras.Variable(np.ones((2, 2), "f4"))

        def program():
            optimizer = kind(0.1)  # noqa: B023
            for _ in range(3):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_sum(kv * kv) * 2.0  # noqa: B023
                optimizer.apply_gradients(zip(tape.gradient(loss, [kv]), [kv]))  # noqa: B023
            return kv.numpy()  # noqa: B023

        found, film = filmed(program)
        read = [
            k[0][0]
            for tape in film.tapes
            for e, k in zip(tape.entries, tape.kept)
            if e.op == "ReadVariableOp"
        ]
        assert (
            len(read) == 3
            and not np.array_equal(read[0], read[1])
            and not np.array_equal(read[1], read[2])
        ), (name, read)


def test_compiled_train_step():
    m = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    m(tf.ones([1, 2]))
    opt = tf.keras.optimizers.SGD(0.1)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(m(x) ** 2)
        opt.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))

    def program():
        values = []
        for _ in range(2):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(m(tf.ones([1, 2])) ** 2)
            tape.gradient(loss, m.trainable_variables)
            values.append(m.trainable_variables[0].numpy())
            step(tf.ones([1, 2]))
        return values

    values, film = filmed(program)
    for value, tape in zip(values, film.tapes):
        read = next(
            k[0][0]
            for e, k in zip(tape.entries, tape.kept)
            if e.op == "ReadVariableOp"
            and e.inputs[0] == mt.the_recorder().describe(m.trainable_variables[0]).id
        )
        assert np.array_equal(read, value), (read, value)


def test_sparse_updates():
    e = tf.Variable(tf.ones([4, 2]))

    def program():
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(e, [1, 1, 2]) ** 2)
        g = tape.gradient(y, e)
        e.scatter_sub(tf.IndexedSlices(g.values * 0.1, g.indices))
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(e * e)
        return tf.convert_to_tensor(tape.gradient(y, e)), e.numpy()

    found, film = filmed(program)
    assert np.array_equal(film.tapes[1].kept[0][0][0], found[1])
