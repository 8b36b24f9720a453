"""Rows about networks: one SGD step of an MLP and of a small CNN, softmax cross-entropy, layer normalisation, an
embedding. Each beside the same mathematics written by hand in NumPy, as fast as we could, with everything in place.
"""

import importlib.util

import numpy as np

import minitape as tf
from minitape import keras

F = np.float32


def installed(name):
    """Return True where a peer can be imported."""
    return importlib.util.find_spec(name) is not None


def normal(rng, *shape, scale=1.0):
    """Return normal numbers, float32."""
    return (rng.standard_normal(shape) * scale).astype(F)


# ---- by hand


def cross_entropy(logits, labels):
    """Return the mean loss and its gradient with respect to the logits, which are overwritten."""
    n = np.arange(len(labels))
    logits -= logits.max(1, keepdims=True)
    chosen = logits[n, labels]
    p = np.exp(logits, out=logits)
    total = p.sum(1, keepdims=True)
    loss = (np.log(total[:, 0]) - chosen).mean()
    p /= total
    p[n, labels] -= 1
    p /= F(len(labels))
    return loss, p


def numpy_mlp(x, labels, weights, rate):
    """Return one step of SGD on a 784-128-10 network."""
    w1, b1, w2, b2 = (w.copy() for w in weights)

    def step():
        h = x @ w1
        h += b1
        np.maximum(h, 0, out=h)
        z = h @ w2
        z += b2
        loss, dz = cross_entropy(z, labels)
        dw2, db2 = h.T @ dz, dz.sum(0)
        dh = dz @ w2.T
        dh *= h > 0
        dw1, db1 = x.T @ dh, dh.sum(0)
        for w, d in ((w1, dw1), (b1, db1), (w2, dw2), (b2, db2)):
            d *= rate
            w -= d
        return loss
    return step


def columns(x, k):
    """Return all k x k windows as rows of a matrix."""
    n, h, w, c = x.shape
    s = x.strides
    v = np.lib.stride_tricks.as_strided(x, (n, h - k + 1, w - k + 1, k, k, c), (*s[:3], s[1], s[2], s[3]), writeable=False)
    return v.reshape(n * (h - k + 1) * (w - k + 1), k * k * c)


def image_gradient(g, w, shape, k):
    """Return the gradient of a convolution with respect to its images: the windows added back."""
    n, h, wide, c = shape
    oh, ow = h - k + 1, wide - k + 1
    parts = (g @ w.T).reshape(n, oh, ow, k, k, c)
    out = np.zeros(shape, F)
    for i in range(k):
        for j in range(k):
            out[:, i:i + oh, j:j + ow] += parts[:, :, :, i, j]
    return out


def pool(x):
    """Return the largest of each 2 x 2 window, and where each of the four places wins."""
    places = [x[:, i::2, j::2] for i in (0, 1) for j in (0, 1)]
    y = np.maximum(np.maximum(places[0], places[1]), np.maximum(places[2], places[3]))
    return y, places


def unpool(g, y, places, shape):
    """Return the gradient of the pooling: the first largest number of each window gets all."""
    out = np.zeros(shape, F)
    free = None
    for place, (i, j) in zip(places, ((0, 0), (0, 1), (1, 0), (1, 1))):
        won = place == y
        if free is not None:
            won &= free
        np.multiply(g, won, out=out[:, i::2, j::2])
        free = ~won if free is None else free & ~won
    return out


def numpy_cnn(x, labels, weights, rate):
    """Return one step of SGD on conv 3x3x8, pool, conv 3x3x16, pool, dense 10, im2col throughout."""
    k1, c1, k2, c2, w, b = (v.copy() for v in weights)

    def step():
        n = len(x)
        col1 = columns(x, 3)
        a1 = col1 @ k1
        a1 += c1
        np.maximum(a1, 0, out=a1)
        a1 = a1.reshape(n, 26, 26, 8)
        p1, places1 = pool(a1)
        col2 = columns(p1, 3)
        a2 = col2 @ k2
        a2 += c2
        np.maximum(a2, 0, out=a2)
        a2 = a2.reshape(n, 11, 11, 16)[:, :10, :10]
        p2, places2 = pool(a2)
        f = p2.reshape(n, -1)
        z = f @ w
        z += b
        loss, dz = cross_entropy(z, labels)
        dw, db = f.T @ dz, dz.sum(0)
        dp2 = (dz @ w.T).reshape(p2.shape)
        da2 = np.zeros((n, 11, 11, 16), F)
        da2[:, :10, :10] = unpool(dp2, p2, places2, a2.shape)
        da2[:, :10, :10] *= a2 > 0
        da2 = da2.reshape(-1, 16)
        dk2, dc2 = col2.T @ da2, da2.sum(0)
        dp1 = image_gradient(da2, k2, p1.shape, 3)
        da1 = unpool(dp1, p1, places1, a1.shape)
        da1 *= a1 > 0
        da1 = da1.reshape(-1, 8)
        dk1, dc1 = col1.T @ da1, da1.sum(0)
        for v, d in ((k1, dk1), (c1, dc1), (k2, dk2), (c2, dc2), (w, dw), (b, db)):
            d *= rate
            v -= d
        return loss
    return step


# ---- the rows


def minitape_step(model, x, labels, rate):
    """Return one step of SGD on a Keras model, the loop that a learner writes."""
    optimizer, loss_fn = keras.optimizers.SGD(rate), keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def step():
        with tf.GradientTape() as tape:
            loss = loss_fn(labels, model(x))
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss
    return step


def torch_step(model, x, labels, rate):
    """Return one step of SGD in PyTorch eager."""
    import torch
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    x, labels = torch.tensor(x), torch.tensor(labels).long()

    def step():
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), labels)
        loss.backward()
        optimizer.step()
        return loss
    return step


def mlp(batch, whole=False):
    """Return the candidates for one SGD step of a 784-128-10 network; with `whole`, minitape's step is a `tf.function`."""
    rng = np.random.default_rng(0)
    x, labels = normal(rng, batch, 784), rng.integers(0, 10, batch)
    weights = [normal(rng, 784, 128, scale=0.05), np.zeros(128, F), normal(rng, 128, 10, scale=0.1), np.zeros(10, F)]
    model = keras.Sequential([keras.layers.Dense(128, activation="relu"), keras.layers.Dense(10)])
    model.build((batch, 784))
    model.set_weights(weights)
    step = minitape_step(model, tf.constant(x), tf.constant(labels), 0.01)
    found = {"minitape": tf.function(step) if whole else step, "numpy": numpy_mlp(x, labels, weights, F(0.01))}
    if installed("torch"):
        from torch.nn import Linear, ReLU, Sequential
        found["torch"] = torch_step(Sequential(Linear(784, 128), ReLU(), Linear(128, 10)), x, labels, 0.01)
    return found


def cnn(batch=32):
    """Return the candidates for one SGD step of a small convolutional network on 28 x 28 images."""
    rng = np.random.default_rng(0)
    x, labels = normal(rng, batch, 28, 28, 1), rng.integers(0, 10, batch)
    weights = [normal(rng, 9, 8, scale=0.3), np.zeros(8, F), normal(rng, 72, 16, scale=0.1), np.zeros(16, F),
               normal(rng, 400, 10, scale=0.05),
               np.zeros(10, F)]
    layers = keras.layers
    model = keras.Sequential([layers.Conv2D(8, 3, activation="relu"), layers.MaxPool2D(), layers.Conv2D(16, 3, activation="relu"),
                              layers.MaxPool2D(), layers.Flatten(), layers.Dense(10)])
    model.build(x.shape)
    model.set_weights([weights[0].reshape(3, 3, 1, 8), weights[1], weights[2].reshape(3, 3, 8, 16), *weights[3:]])
    found = {"minitape": minitape_step(model, tf.constant(x), tf.constant(labels), 0.01), "numpy": numpy_cnn(x, labels, weights, F(0.01))}
    if installed("torch"):
        from torch.nn import Conv2d, Flatten, Linear, MaxPool2d, ReLU, Sequential
        found["torch"] = torch_step(Sequential(Conv2d(1, 8, 3), ReLU(), MaxPool2d(2), Conv2d(8, 16, 3), ReLU(), MaxPool2d(2), Flatten(),
                                               Linear(400, 10)), x.transpose(0, 3, 1, 2).copy(), labels, 0.01)
    return found


def softmax_cross_entropy(n=1000):
    """Return the candidates for the mean softmax cross-entropy of n x n logits, forward and backward."""
    rng = np.random.default_rng(0)
    x, labels = normal(rng, n, n), rng.integers(0, n, n)
    tx, tl = tf.constant(x), tf.constant(labels)

    def minitape():
        with tf.GradientTape() as tape:
            tape.watch(tx)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(tl, tx))
        return tape.gradient(loss, tx)

    found = {"minitape": minitape, "numpy": lambda: cross_entropy(x.copy(), labels)}
    if installed("torch"):
        import torch
        px, pl = torch.tensor(x, requires_grad=True), torch.tensor(labels)

        def torch_eager():
            px.grad = None
            torch.nn.functional.cross_entropy(px, pl).backward()
        found["torch"] = torch_eager
    return found


def layer_norm(n=1000):
    """Return the candidates for the layer normalisation of n x n numbers, forward and backward."""
    rng = np.random.default_rng(0)
    x, gamma, beta, seed = normal(rng, n, n), normal(rng, n), normal(rng, n), normal(rng, n, n)
    layer = keras.layers.LayerNormalization()
    layer.build((n, n))
    layer.set_weights([gamma, beta])
    tx, ts = tf.constant(x), tf.constant(seed)

    def minitape():
        with tf.GradientTape() as tape:
            tape.watch(tx)
            y = layer(tx)
        return y, tape.gradient(y, [tx, layer.gamma, layer.beta], output_gradients=ts)

    def by_hand():
        centred = x - x.mean(1, keepdims=True)
        r = 1 / np.sqrt(np.einsum("ij,ij->i", centred, centred)[:, None] / F(n) + F(1e-3))
        centred *= r
        y = centred * gamma
        y += beta
        dgamma, dbeta = np.einsum("ij,ij->j", seed, centred), seed.sum(0)
        g = seed * gamma
        mean, along = g.mean(1, keepdims=True), np.einsum("ij,ij->i", g, centred)[:, None] / F(n)
        g -= mean
        centred *= along
        g -= centred
        g *= r
        return y, g, dgamma, dbeta

    found = {"minitape": minitape, "numpy": by_hand}
    if installed("torch"):
        import torch
        px, ps = torch.tensor(x, requires_grad=True), torch.tensor(seed)
        module = torch.nn.LayerNorm(n, eps=1e-3)

        def torch_eager():
            px.grad = module.weight.grad = module.bias.grad = None
            y = module(px)
            y.backward(ps)
            return y
        found["torch"] = torch_eager
    return found


def embedding(ids=4096, rows=10_000, width=64):
    """Return the candidates for looking up rows of a table, forward and backward."""
    rng = np.random.default_rng(0)
    table, places, seed = normal(rng, rows, width), rng.integers(0, rows, ids), normal(rng, ids, width)
    variable, tp, ts = tf.Variable(table), tf.constant(places), tf.constant(seed)

    def minitape():
        with tf.GradientTape() as tape:
            y = tf.nn.embedding_lookup(variable, tp)
        return tape.gradient(y, variable, output_gradients=ts)

    def by_hand():
        y = table[places]
        order = np.argsort(places, kind="stable")
        found = places[order]
        starts = np.flatnonzero(np.r_[True, found[1:] != found[:-1]])
        out = np.zeros_like(table)
        out[found[starts]] = np.add.reduceat(seed[order], starts)
        return y, out

    found = {"minitape": minitape, "numpy": by_hand}
    if installed("torch"):
        import torch
        pt, pp, ps = torch.tensor(table, requires_grad=True), torch.tensor(places), torch.tensor(seed)

        def torch_eager():
            pt.grad = None
            torch.nn.functional.embedding(pp, pt).backward(ps)
        found["torch"] = torch_eager
    return found


ROWS = [
    ("784-128-10 MLP, one SGD step, batch 32", "1.3 x NumPy by hand, faster than PyTorch", lambda: mlp(32)),
    ("784-128-10 MLP, one SGD step, batch 256", "1.3 x NumPy by hand, faster than PyTorch", lambda: mlp(256)),
    ("784-128-10 MLP, the same as a tf.function, batch 32", "1.3 x NumPy by hand", lambda: mlp(32, whole=True)),
    ("784-128-10 MLP, the same as a tf.function, batch 256", "1.3 x NumPy by hand", lambda: mlp(256, whole=True)),
    ("small CNN on 28x28, one SGD step, batch 32", "1.5 x NumPy by hand", cnn),
    ("softmax cross-entropy, 1000x1000", "", softmax_cross_entropy),
    ("layer normalisation, 1000x1000", "", layer_norm),
    ("embedding, 4,096 ids of 10,000", "", embedding),
]
