# kind: equal
import minitape as tf
from minitape import health

x, y = tf.data.moons(200, seed=10)
x, y = tf.constant(x), tf.constant(y.astype("float32")[:, None])
w1, b1 = tf.Variable(0.5 * tf.ones((2, 10))), tf.Variable(tf.zeros(10))
w2, b2 = tf.Variable(0.5 * tf.ones((10, 1))), tf.Variable(tf.zeros(1))
parameters = [w1, b1, w2, b2]
optimizer = tf.keras.optimizers.SGD(0.2)

with health.watch(parameters) as seen:
    for step in range(150):
        with tf.GradientTape() as tape:
            h = tf.tanh(x @ w1 + b1)  # here
            logits = h @ w2 + b2
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
        optimizer.apply_gradients(zip(tape.gradient(loss, parameters), parameters))
