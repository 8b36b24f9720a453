# kind: nonfinite power
import minitape as tf
from minitape import health

tf.random.set_seed(9)
x, y = tf.data.blobs(150, seed=9)
x, y = tf.constant(x), tf.one_hot(y, 3)
temperature = 0.005
w, b = tf.Variable(tf.random.normal((2, 3))), tf.Variable(tf.zeros(3))

with health.watch([w, b]) as seen:
    for step in range(100):
        with tf.GradientTape() as tape:
            e = tf.exp((x @ w + b) / temperature)  # here
            p = e / tf.reduce_sum(e, axis=1, keepdims=True)
            loss = tf.reduce_mean((p - y) ** 2)
        dw, db = tape.gradient(loss, [w, b])
        w.assign_sub(0.5 * dw)
        b.assign_sub(0.5 * db)
