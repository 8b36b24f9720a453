"""In minitape. `whole` is what the step goes through before it is run: nothing, or `tf.function`."""

import minitape as tf
from minitape import keras

from . import cost, numbers
from .imports import importing
from .numbers import RATE


def operators(n, whole):
    """n scalar operations, written as operators."""
    x, c, d = tf.Variable(1.0), tf.constant(1.0001), tf.constant(0.0001)

    def run():
        with tf.GradientTape() as tape:
            y = x
            for _ in range(n // 2):
                y = y * c
                y = y + d
        return y, tape.gradient(y, x)

    return whole(run)


def chain(n, whole):
    """n scalar operations, half of them calls of `tf.tanh`."""
    x, c, d = tf.Variable(1.0), tf.constant(1.5), tf.constant(0.1)

    def run():
        with tf.GradientTape() as tape:
            y = x
            for _ in range(n // 4):
                y = tf.tanh(y * c)
                y = tf.tanh(y + d)
        return y, tape.gradient(y, x)

    return whole(run)


def scalar_network(batch, whole):
    """A 2-16-16-1 network with a hinge loss, number by number."""
    points, labels, layers = numbers.scalar_network(batch)
    layers = [
        ([[tf.Variable(w) for w in row] for row in rows], [tf.Variable(b) for b in biases])
        for rows, biases in layers
    ]
    variables = [v for rows, biases in layers for v in [w for row in rows for w in row] + biases]

    def run():
        with tf.GradientTape() as tape:
            loss = numbers.scalar_loss(layers, points, labels, tf.nn.relu)
        return loss, tape.gradient(loss, variables)

    return whole(run)


def small_mlp(batch, whole):
    """A 2-16-16-1 network with tanh and mean squared error: the loss and its gradients."""
    x, t, w = numbers.small_mlp(batch)
    x, t, w = tf.constant(x), tf.constant(t), [tf.Variable(v) for v in w]

    def run():
        with tf.GradientTape() as tape:
            h = tf.tanh(x @ w[0] + w[1])
            h = tf.tanh(h @ w[2] + w[3])
            loss = tf.reduce_mean((h @ w[4] + w[5] - t) ** 2)
        return loss, tape.gradient(loss, w)

    return whole(run)


def small_mlp_layers(batch, whole):
    """The same network of Dense layers, with a loss object."""
    x, t, w = numbers.small_mlp(batch)
    x, t = tf.constant(x), tf.constant(t)
    dense = keras.layers.Dense
    model, loss_fn = (
        keras.Sequential([dense(16, "tanh"), dense(16, "tanh"), dense(1)]),
        keras.losses.MeanSquaredError(),
    )
    model.build(x.shape)
    model.set_weights(w)
    variables = model.trainable_variables

    def run():
        with tf.GradientTape() as tape:
            loss = loss_fn(t, model(x))
        return loss, tape.gradient(loss, variables)

    return whole(run)


def descend(tape, loss, variables):
    """Take one step of SGD."""
    for variable, g in zip(variables, tape.gradient(loss, variables)):
        variable.assign_sub(RATE * g)


def mlp(batch, whole):
    """One SGD step of a 784-128-10 network."""
    x, labels, w = numbers.mlp(batch)
    x, labels, w = tf.constant(x), tf.constant(labels), [tf.Variable(v) for v in w]

    def run():
        with tf.GradientTape() as tape:
            h = tf.nn.relu(x @ w[0] + w[1])
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels, h @ w[2] + w[3])
            )
        descend(tape, loss, w)
        return loss

    return whole(run)


def trained(model, x, labels, weights, whole):
    """Return one SGD step of a model, the loop that most people write."""
    x, labels = tf.constant(x), tf.constant(labels)
    model.build(x.shape)
    model.set_weights(weights)
    optimizer, loss_fn = (
        keras.optimizers.SGD(RATE),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )

    def run():
        with tf.GradientTape() as tape:
            loss = loss_fn(labels, model(x))
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    return whole(run)


def mlp_layers(batch, whole):
    """The same step of a model, a loss object and an optimizer."""
    model = keras.Sequential([keras.layers.Dense(128, activation="relu"), keras.layers.Dense(10)])
    return trained(model, *numbers.mlp(batch), whole)


def cnn(batch, whole):
    """One SGD step of conv 5x5x8, pool, conv 5x5x16, pool, dense 10, with zeros around the images."""
    x, labels, w = numbers.cnn(batch)
    x, labels, w = tf.constant(x), tf.constant(labels), [tf.Variable(v) for v in w]

    def run():
        with tf.GradientTape() as tape:
            h = tf.nn.relu(tf.nn.conv2d(x, w[0], 1, "SAME") + w[1])
            h = tf.nn.max_pool2d(h, 2, 2, "VALID")
            h = tf.nn.relu(tf.nn.conv2d(h, w[2], 1, "SAME") + w[3])
            h = tf.nn.max_pool2d(h, 2, 2, "VALID")
            logits = tf.reshape(h, [batch, 784]) @ w[4] + w[5]
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
        descend(tape, loss, w)
        return loss

    return whole(run)


def cnn_layers(batch, whole):
    """The same step of a model, a loss object and an optimizer."""
    layers = keras.layers
    model = keras.Sequential(
        [
            layers.Conv2D(8, 5, padding="same", activation="relu"),
            layers.MaxPool2D(),
            layers.Conv2D(16, 5, padding="same", activation="relu"),
            layers.MaxPool2D(),
            layers.Flatten(),
            layers.Dense(10),
        ]
    )
    return trained(model, *numbers.cnn(batch), whole)


def elementwise(n, whole):
    """A chain of elementwise operations on n numbers: its sum of squares and the gradient."""
    x = tf.constant(numbers.vector(n))

    def run():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.tanh(x * 2.0 + 1.0)
            y = tf.sigmoid(y) * tf.exp(-y * y) + y
            loss = tf.reduce_sum(y * y)
        return loss, tape.gradient(loss, x)

    return whole(run)


def softmax(n, whole):
    """The mean softmax cross-entropy of n x n logits, and its gradient."""
    x, labels = map(tf.constant, numbers.classes(n))

    def run():
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, x))
        return loss, tape.gradient(loss, x)

    return whole(run)


def layer_norm(n, whole):
    """The layer normalisation of n x n numbers in bare operations, and its three gradients."""
    x, gamma, beta, seed = map(tf.constant, numbers.layer_norm(n))
    gamma, beta = tf.Variable(gamma), tf.Variable(beta)

    def run():
        with tf.GradientTape() as tape:
            tape.watch(x)
            centred = x - tf.reduce_mean(x, 1, keepdims=True)
            variance = tf.reduce_mean(centred * centred, 1, keepdims=True)
            y = centred * tf.math.rsqrt(variance + 1e-3) * gamma + beta
        return y, tape.gradient(y, [x, gamma, beta], output_gradients=seed)

    return whole(run)


def layer_norm_layers(n, whole):
    """The same as a layer."""
    x, gamma, beta, seed = numbers.layer_norm(n)
    layer = keras.layers.LayerNormalization()
    layer.build((n, n))
    layer.set_weights([gamma, beta])
    x, seed = tf.constant(x), tf.constant(seed)

    def run():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = layer(x)
        return y, tape.gradient(y, [x, layer.gamma, layer.beta], output_gradients=seed)

    return whole(run)


def embedding(ids, rows, width, whole):
    """Rows of a table that are looked up, and the table's gradient."""
    table, places, seed = numbers.embedding(ids, rows, width)
    table, places, seed = tf.Variable(table), tf.constant(places), tf.constant(seed)

    def run():
        with tf.GradientTape() as tape:
            y = tf.nn.embedding_lookup(table, places)
        return y, tf.convert_to_tensor(tape.gradient(y, table, output_gradients=seed))

    return whole(run)


def jacobian(n, whole):
    """The Jacobian of tanh(W x + b) with respect to x."""
    w, b, x = map(tf.constant, numbers.jacobian(n))

    def run():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.tanh(tf.linalg.matvec(w, x) + b)
        return tape.jacobian(y, x)

    return whole(run)


def hessian(n, whole):
    """The Hessian of the Rosenbrock function, by nested tapes."""
    x = tf.constant(numbers.hessian(n))

    def run():
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                a, b = x[:-1], x[1:]
                y = tf.reduce_sum(100.0 * (b - a**2) ** 2 + (1.0 - a) ** 2)
            slope = inner.gradient(y, x)
        return outer.jacobian(slope, x)

    return whole(run)


def fan(n, whole):
    """One tensor that is used n times."""
    x = tf.Variable(1.0)

    def run():
        with tf.GradientTape() as tape:
            y = x * x
            for _ in range(n // 2):
                y = y + x * x
        return tape.gradient(y, x)

    return whole(run)


def repeated(n, times, whole):
    """The chain of n operators, several times."""
    short = operators(n, whole)

    def run():
        for _ in range(times):
            short()
        return ()

    return run


def without_notes(n, whole):
    """The chain of n operators in an engine that keeps nothing of what explanations need."""
    with cost.without_notes():
        run = operators(n, whole)

    def bare():
        with cost.without_notes():
            return run()

    return bare


def imported(whole):
    """`import minitape` in a fresh interpreter."""
    return importing("minitape")
