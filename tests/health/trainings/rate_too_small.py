# kind: rate_small
import minitape as tf
from minitape import health

tf.random.set_seed(6)
x, y = tf.data.blobs(200, seed=6)
x, y = tf.constant(x), tf.constant(y)
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(3)])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(1e-6)

with health.watch(model) as seen:
    for step in range(150):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))  # here
