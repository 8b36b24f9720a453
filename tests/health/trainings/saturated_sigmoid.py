# kind: saturated
import minitape as tf
from minitape import health

tf.random.set_seed(2)
x, y = tf.data.circles(200, seed=2)
x, y = tf.constant(x), tf.constant(y.astype("float32")[:, None])
w1, b1 = tf.Variable(tf.random.normal((2, 12), stddev=60.0)), tf.Variable(tf.zeros(12))
w2, b2 = tf.Variable(tf.random.normal((12, 1))), tf.Variable(tf.zeros(1))

with health.watch([w1, b1, w2, b2]) as seen:
    for step in range(150):
        with tf.GradientTape() as tape:
            h = tf.sigmoid(x @ w1 + b1)  # here
            loss = tf.reduce_mean((h @ w2 + b2 - y) ** 2)
        for v, g in zip([w1, b1, w2, b2], tape.gradient(loss, [w1, b1, w2, b2])):
            v.assign_sub(0.05 * g)
