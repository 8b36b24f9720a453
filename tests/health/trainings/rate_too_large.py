# kind: rate_large
import minitape as tf
from minitape import health

tf.random.set_seed(5)
x, y = tf.data.line(100, seed=5)
x, y = tf.constant(x), tf.constant(y)
w, b = tf.Variable([[0.0]]), tf.Variable([0.0])
learning_rate = 1.2

with health.watch([w, b]) as seen:
    for step in range(60):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ w + b - y) ** 2)
        dw, db = tape.gradient(loss, [w, b])
        w.assign_sub(learning_rate * dw)  # here
        b.assign_sub(learning_rate * db)
