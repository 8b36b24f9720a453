# kind: nonfinite division
import minitape as tf
from minitape import health

tf.random.set_seed(8)
x, y = tf.data.circles(120, seed=8)
x, y = tf.constant(x), tf.constant(y)
dense = tf.keras.layers.Dense(3, activation="relu")
out = tf.keras.layers.Dense(2)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(0.01)

with health.watch([dense, out]) as seen:
    for step in range(100):
        with tf.GradientTape() as tape:
            h = dense(x)
            h = h / tf.reduce_sum(h, axis=1, keepdims=True)  # here
            loss = loss_fn(y, out(h))
        variables = dense.trainable_variables + out.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
