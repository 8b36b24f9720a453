# kind: nonfinite log
import minitape as tf
from minitape import health

tf.random.set_seed(7)
x, y = tf.data.blobs(150, seed=7)
x, y = tf.constant(x * 3), tf.one_hot(y, 3)
w, b = tf.Variable(tf.random.normal((2, 3))), tf.Variable(tf.zeros(3))

with health.watch([w, b]) as seen:
    for step in range(100):
        with tf.GradientTape() as tape:
            p = tf.nn.softmax(20.0 * (x @ w + b))
            logs = tf.math.log(p)  # here
            loss = -tf.reduce_mean(tf.reduce_sum(y * logs, axis=1))
        dw, db = tape.gradient(loss, [w, b])
        w.assign_sub(0.1 * dw)
        b.assign_sub(0.1 * db)
