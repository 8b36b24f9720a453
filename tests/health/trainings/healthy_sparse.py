# kind: healthy
import numpy as np

import minitape as tf
from minitape import health

tf.random.set_seed(17)
x, y = tf.data.spirals(300, seed=17)
x, y = tf.constant(x), tf.constant(y)
mask = tf.constant(np.repeat([[1.0] * 32 + [0.0] * 32], 64, 0), tf.float32)  # half of the units are pruned
w1, b1 = tf.Variable(tf.random.normal((2, 64))), tf.Variable(tf.random.normal((64,)) - 1.0)
w2 = tf.Variable(tf.random.normal((64, 64)) * 0.2)
w3, b3 = tf.Variable(tf.random.normal((64, 2)) * 0.2), tf.Variable(tf.zeros(2))
parameters = [w1, b1, w2, w3, b3]
optimizer = tf.keras.optimizers.Adam(0.005)

with health.watch(parameters) as seen:
    for step in range(200):
        with tf.GradientTape() as tape:
            h = tf.nn.relu(x @ w1 + b1)
            h = tf.nn.relu(h @ (w2 * mask))
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, h @ w3 + b3))
        optimizer.apply_gradients(zip(tape.gradient(loss, parameters), parameters))
