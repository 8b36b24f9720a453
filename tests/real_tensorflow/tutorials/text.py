"""Letters that follow letters: embedding, LSTM and logits, after "Text generation with an RNN"."""
import numpy as np
import tensorflow as tf

text = "to be or not to be that is the question "
vocab = sorted(set(text))
ids = np.array([vocab.index(letter) for letter in text], "int32")
batch = np.stack([ids[k:k + 9] for k in range(0, 24, 8)])


class MyModel(tf.keras.Model):
    def __init__(self, vocab_size, embedding_dim, rnn_units):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(vocab_size, embedding_dim)
        self.rnn = tf.keras.layers.LSTM(rnn_units, return_sequences=True)
        self.dense = tf.keras.layers.Dense(vocab_size)

    def call(self, x):
        return self.dense(self.rnn(self.embedding(x)))


model = MyModel(len(vocab), 4, 6)
optimizer = tf.keras.optimizers.Adam(0.01)
loss_fn = tf.losses.SparseCategoricalCrossentropy(from_logits=True)

with tf.GradientTape() as tape:
    predictions = model(batch[:, :-1])
    loss = loss_fn(batch[:, 1:], predictions)
grads = tape.gradient(loss, model.trainable_variables)
clipped, norm = tf.clip_by_global_norm(grads, 1.0)
optimizer.apply_gradients(zip(clipped, model.trainable_variables))
