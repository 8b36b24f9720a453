"""What a learner keeps beside the program: a layer, a loss, a step."""
import tensorflow as tf


class Scale(tf.keras.layers.Layer):
    def build(self, shape):
        self.factor = self.add_weight(shape=shape[-1:], initializer="ones")

    def call(self, x):
        return x * self.factor + tf.sin(x)


def softened(true, pred):
    return tf.reduce_mean(tf.sqrt(tf.square(true - pred) + 1.0) - 1.0)


def step(model, x, y, rate=0.1):
    with tf.GradientTape() as tape:
        loss = softened(y, model(x))
    variables = model.trainable_variables
    for variable, gradient in zip(variables, tape.gradient(loss, variables)):
        variable.assign_sub(rate * gradient)
    return loss
