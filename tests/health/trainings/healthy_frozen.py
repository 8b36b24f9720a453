# kind: healthy
import minitape as tf
from minitape import health

tf.random.set_seed(16)
x, y = tf.data.moons(300, seed=16)
x, y = tf.constant(x), tf.constant(y)
body = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(16, activation="relu")])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def train(model, steps):
    optimizer = tf.keras.optimizers.Adam(0.02)
    for step in range(steps):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))


train(tf.keras.Sequential([body, tf.keras.layers.Dense(2)]), 100)
body.trainable = False  # what it has learned is kept, and a new head is trained
tuned = tf.keras.Sequential([body, tf.keras.layers.Dense(2)])
tuned(x)
with health.watch(tuned) as seen:
    train(tuned, 150)
