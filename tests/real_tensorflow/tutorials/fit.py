"""`fit` with functions eager, and a train_step of one's own, after "Customizing what happens in fit()"."""
import numpy as np
import tensorflow as tf


class CustomModel(tf.keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(y=y, y_pred=y_pred)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply(gradients, self.trainable_variables)
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(y, y_pred)
        return {metric.name: metric.result() for metric in self.metrics}


rng = np.random.default_rng(0)
x, y = rng.normal(size=(32, 6)).astype("float32"), rng.normal(size=(32, 1)).astype("float32")
inputs = tf.keras.Input(shape=(6,))
hidden = tf.keras.layers.Dense(5, activation="tanh", kernel_regularizer="l2")(inputs)
own = CustomModel(inputs, tf.keras.layers.Dense(1)(hidden))
own.compile(optimizer="adam", loss="mse", metrics=["mae"], run_eagerly=True)
own.fit(x, y, epochs=1, batch_size=16, verbose=0)

plain = tf.keras.Sequential([tf.keras.layers.Dense(5, activation="relu"), tf.keras.layers.Dense(1)])
plain.compile(optimizer="sgd", loss="mse", run_eagerly=True)
plain.fit(x, y, epochs=1, batch_size=16, verbose=0)
