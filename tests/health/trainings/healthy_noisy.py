# kind: healthy
import numpy as np

import minitape as tf
from minitape import health

tf.random.set_seed(18)
x, y = tf.data.line(400, noise=1.5, seed=18)
draw = np.random.default_rng(18)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dropout(0.3), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.001, momentum=0.9)

with health.watch(model) as seen:
    for step in range(300):
        batch = draw.integers(0, 400, 4)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x[batch], training=True) - y[batch]) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
