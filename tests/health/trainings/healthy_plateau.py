# kind: healthy
import minitape as tf
from minitape import health

tf.random.set_seed(15)
x, y = tf.data.circles(200, seed=15)
x, y = tf.constant(x), tf.constant(y.astype("float32")[:, None])
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="tanh"), tf.keras.layers.Dense(1)])
loss_fn = tf.keras.losses.BinaryCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(0.05)

with health.watch(model) as seen:
    for step in range(400):  # long after there is nothing more to learn
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
