# kind: none
import numpy as np

import minitape as tf
from minitape import health

tf.random.set_seed(14)
x, y = tf.data.moons(200, seed=14)
x, y = tf.constant(x), tf.constant(y)
first = tf.keras.layers.Dense(16, activation="relu")
second = tf.keras.layers.Dense(2)
first(x), second(tf.zeros((1, 16)))
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(0.01)
variables = first.trainable_variables + second.trainable_variables

with health.watch(variables) as seen:
    for step in range(150):
        with tf.GradientTape() as tape:
            h = np.clip(first(x).numpy(), 0, 6)  # here
            loss = loss_fn(y, second(h))
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
