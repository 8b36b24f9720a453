# kind: inputs
import numpy as np

import minitape as tf
from minitape import health

tf.random.set_seed(13)
draw = np.random.default_rng(13)
rooms, area, year = draw.integers(1, 7, 300), draw.uniform(30, 250, 300), draw.uniform(1900, 2020, 300)
price = 0.2 * rooms + 0.01 * area + 0.005 * (year - 1900) + 0.1 * draw.normal(size=300)
x, y = tf.constant(np.stack([rooms, area, year], 1), tf.float32), tf.constant(price[:, None], tf.float32)
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(1e-8)

with health.watch(model) as seen:
    for step in range(200):
        with tf.GradientTape() as tape:
            prediction = model(x)  # here
            loss = tf.reduce_mean((prediction - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
