# kind: dead
import minitape as tf
from minitape import health

tf.random.set_seed(1)
x, y = tf.data.moons(200, seed=1)
x, y = tf.constant(x), tf.constant(y)
model = tf.keras.Sequential([
    tf.keras.layers.Dense(16, activation="relu", bias_initializer=tf.keras.initializers.Constant(-6.0)),
    tf.keras.layers.Dense(2),
])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.SGD(0.1)

with health.watch(model) as seen:
    for step in range(150):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))  # here
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
