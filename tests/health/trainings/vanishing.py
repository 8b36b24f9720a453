# kind: vanishing
import minitape as tf
from minitape import health

tf.random.set_seed(3)
x, y = tf.data.moons(200, seed=3)
x, y = tf.constant(x), tf.constant(y.astype("float32")[:, None])
model = tf.keras.Sequential([tf.keras.layers.Dense(12, activation="sigmoid") for _ in range(8)])
model.add(tf.keras.layers.Dense(1))
loss_fn = tf.keras.losses.BinaryCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.SGD(0.1)

with health.watch(model) as seen:
    for step in range(150):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))  # here
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
