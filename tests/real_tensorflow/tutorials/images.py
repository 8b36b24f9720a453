"""A small CNN with batch normalisation and dropout, as a subclass of Model, after "TensorFlow 2 quickstart for experts"."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
pictures = rng.normal(size=(8, 12, 12, 1)).astype("float32")
digits = np.arange(8) % 3


class MyModel(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.conv1 = tf.keras.layers.Conv2D(4, 3, activation="relu")
        self.norm = tf.keras.layers.BatchNormalization()
        self.pool = tf.keras.layers.MaxPooling2D()
        self.flatten = tf.keras.layers.Flatten()
        self.drop = tf.keras.layers.Dropout(0.25)
        self.d1 = tf.keras.layers.Dense(3)

    def call(self, x, training=False):
        x = self.pool(self.norm(self.conv1(x), training=training))
        x = self.drop(self.flatten(x), training=training)
        return self.d1(x)


model, optimizer = MyModel(), tf.keras.optimizers.Adam()
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def train_step(images, labels):
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = loss_object(labels, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for _ in range(2):
    loss = train_step(pictures, digits)
