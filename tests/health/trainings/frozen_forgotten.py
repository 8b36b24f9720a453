# kind: frozen
import minitape as tf
from minitape import health

tf.random.set_seed(11)
x, y = tf.data.spirals(200, seed=11)
x, y = tf.constant(x), tf.constant(y)
body = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="tanh"), tf.keras.layers.Dense(16, activation="tanh")])
head = tf.keras.layers.Dense(2)
model = tf.keras.Sequential([body, head])
body.trainable = False
model(x)
variables = model.trainable_variables
body.trainable = True  # ... and the list is an old one
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(0.01)

with health.watch(model) as seen:
    for step in range(150):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))  # here
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
