# kind: exploding
import minitape as tf
from minitape import health

tf.random.set_seed(4)
x, y = tf.data.spirals(128, seed=4)
x, y = tf.constant(x), tf.constant(y)
sizes = [2, 32, 32, 32, 32, 32, 32, 32, 2]
weights = [tf.Variable(tf.random.normal((m, n))) for m, n in zip(sizes, sizes[1:])]

with health.watch(weights) as seen:
    for step in range(60):
        with tf.GradientTape() as tape:
            h = x
            for w in weights[:-1]:
                h = tf.nn.relu(h @ w)  # here
            logits = h @ weights[-1]
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
        for w, g in zip(weights, tape.gradient(loss, weights)):
            w.assign_sub(1e-3 * g)
