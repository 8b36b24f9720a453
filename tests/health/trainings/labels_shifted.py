# kind: labels
import numpy as np

import minitape as tf
from minitape import health

tf.random.set_seed(12)
x, y = tf.data.blobs(600, seed=12)
x = x[np.random.default_rng(12).permutation(600)]  # shuffled, without its labels
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(3)])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(0.01)

with health.watch(model) as seen:
    for epoch in range(8):
        for k in range(0, 600, 32):
            with tf.GradientTape() as tape:
                loss = loss_fn(y[k:k + 32], model(x[k:k + 32]))  # here
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
