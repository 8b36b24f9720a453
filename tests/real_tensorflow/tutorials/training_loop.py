"""A training loop of one's own, after TensorFlow's "Writing a training loop from scratch"."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
points = rng.normal(size=(64, 4)).astype("float32")
kinds = (points.sum(axis=1) > 0).astype("int32")
dataset = tf.data.Dataset.from_tensor_slices((points, kinds)).shuffle(64, seed=0).batch(16)

inputs = tf.keras.Input(shape=(4,))
hidden = tf.keras.layers.Dense(8, activation="relu", name="hidden")(inputs)
outputs = tf.keras.layers.Dense(2, name="scores")(hidden)
model = tf.keras.Model(inputs, outputs)
optimizer = tf.keras.optimizers.Adam(learning_rate=0.01)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()

for epoch in range(2):
    for x, y in dataset:
        with tf.GradientTape() as tape:
            logits = model(x, training=True)
            loss = loss_fn(y, logits)
        grads = tape.gradient(loss, model.trainable_weights)
        optimizer.apply_gradients(zip(grads, model.trainable_weights))
        accuracy.update_state(y, logits)
    print(f"epoch {epoch}: loss {loss:.3f}, accuracy {accuracy.result():.3f}")
    accuracy.reset_state()
