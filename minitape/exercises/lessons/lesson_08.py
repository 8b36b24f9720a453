"""The exercises of the lesson on layers: count variables, go the way back of two layers by hand,
write a layer, train a small CNN; in the extras, a layer with a loss of its own, and a frozen one.
"""

from __future__ import annotations

import numpy as np

from minitape.exercises import Catalogue, Function, Prediction, Wrong
from minitape.exercises.lessons import each, extras_08
from minitape.exercises.ready import Own

TEXTS = Catalogue(__name__)
# pieces of a layer and of a training step, which wrong answers change
KERNEL, BIAS = "(input_shape[-1], self.units)", "(self.units,)"
TURNED = "(self.units, input_shape[-1])"
OUT = "dense(flat(conv(images)))"
LOSS = f"loss_function(labels, {OUT})"
ALL = "conv.trainable_variables + dense.trainable_variables"
ASKED = "(loss, weights)"
PAIRS = "zip(gradients, weights)"
APPLIED = f"optimizer.apply_gradients({PAIRS})"
BY_HAND = "[v.assign_sub({} * g) for g, v in zip(gradients, weights)]"
RETURN = "return dense.kernel, dense.bias, conv.kernel, conv.bias"
# of the loss, at two near biases, unit by unit
DIFFERENCES = (
    "np.array([(lambda f: (f(b1 + e) - f(b1)) / 1e-6)(lambda b: np.sum((np.maximum(x @ W1 + b, 0)"
    " @ W2 + b2 - t) ** 2)) for e in 1e-6 * np.eye(len(b1))])"
)
STEP = f"""with tf.GradientTape() as tape:
        loss = {LOSS}
    weights = {ALL}
    gradients = tape.gradient{ASKED}
    {APPLIED}
"""


recall = Prediction(
    id="08.recall",
    texts=TEXTS,
    numbers={"w": (2.0, 3.0, 4.0), "t": (1.0, 5.0, 7.0), "rate": (0.1, 0.2)},
    right="w",
    program="""w, rate = tf.Variable({w}), {rate}
with tf.GradientTape() as tape:
    loss = (w - {t}) ** 2
slope = tape.gradient(loss, w)
w.assign_sub(rate * slope)
""",
    wrong=(
        Wrong("uphill", "w + 2 * rate * slope"),
        Wrong("rate", "w + rate * slope - slope"),
        Wrong("the-step", "rate * slope"),
        Wrong("the-step", "-rate * slope"),
        Wrong("the-slope", "slope"),
        Wrong("not-moved", "w + rate * slope"),
        Wrong("no-two", "w + rate * slope / 2"),
        Wrong("the-loss", "loss"),
        Wrong("at-the-goal", "w + rate * slope - slope / 2"),
        Wrong("by-the-rate", "w + rate * slope - rate"),
        Wrong("by-the-loss", "w + rate * slope - rate * loss"),
        Wrong("goal-forgotten", "(w + rate * slope) * (1 - 2 * rate)"),
        Wrong("of-itself", "(w + rate * slope) * (1 - rate)"),
        Wrong("of-itself", "(w + rate * slope) * rate"),
    ),
)

variables = Prediction(
    id="08.variables",
    texts=TEXTS,
    numbers={"a": (3, 4, 8), "b": (5, 6, 7), "m": (2, 9), "bias": (True, False)},
    right="count",
    program="""model = tf.keras.Sequential([
    tf.keras.layers.Dense({a}, activation="relu"),
    tf.keras.layers.Dense({b}, activation="relu"),
    tf.keras.layers.Dense(1, use_bias={bias})])
y = model(tf.zeros([10, {m}]))
count = len(model.variables)
""",
    wrong=(
        Wrong("layers", "len(model.layers)"),
        Wrong("single-numbers", "sum(v.numpy().size for v in model.variables)"),
        Wrong("units", "sum(layer.units for layer in model.layers)"),
        Wrong("use-bias", "6 if count == 5 else ..."),
        Wrong("bias-there", "5 if count == 6 else ..."),
        Wrong("input-layer", "4 if count == 6 else ..."),
        Wrong("last-layer", "4 if count == 5 else ..."),
        Wrong("relu-too", "count + 2"),
        Wrong("rows", "10 * count"),
        Wrong("rows", "10"),
        Wrong("one-layer", "2"),
        Wrong("one-model", "1"),
        Wrong(
            "single-numbers", "sum(v.numpy().size for v in model.variables if v.numpy().ndim == 2)"
        ),
        Wrong("before-the-call", "0"),
    ),
)

nones = Prediction(
    id="08.nones",
    texts=TEXTS,
    numbers={"units": (2, 3, 4), "n": (4, 6), "bias": (True, False)},
    right="nones",
    program="""a = tf.keras.layers.Dense({units})
b = tf.keras.layers.Dense({units}, use_bias={bias})
c = tf.keras.layers.Dense(1)

with tf.GradientTape() as tape:
    h = a(tf.ones([{n}, 3]))
    side = b(h)
    y = c(h)
    loss = tf.reduce_mean(y * y)

gradients = tape.gradient(loss, a.variables + b.variables + c.variables)
nones = sum(gradient is None for gradient in gradients)
""",
    wrong=(
        Wrong("none-at-all", "0"),
        Wrong("layers", "1 if nones == 2 else ..."),
        Wrong("use-bias", "2 if nones == 1 else ..."),
        Wrong("a-too", "nones + 2"),
        Wrong("all", "len(gradients)"),
        Wrong("single-numbers", "sum(v.numpy().size for v in b.variables)"),
        Wrong("a-list", "None"),
        Wrong("the-others", "len(gradients) - nones if nones == 1 else ..."),
    ),
)

filters = Prediction(
    id="08.filters",
    texts=TEXTS,
    numbers={"filters": (3, 4, 5), "size": (2, 3), "pixels": (14, 28)},
    right="count",
    program="""layer = tf.keras.layers.Conv2D({filters}, {size})
x = tf.zeros([1, {pixels}, {pixels}, 1])
y = layer(x)
count = sum(v.numpy().size for v in layer.variables)
""",
    wrong=(
        Wrong("no-bias", "count - y.shape[-1]"),
        Wrong("one-side", "(layer.kernel.shape[0] + 1) * y.shape[-1]"),
        Wrong("one-side", "layer.kernel.shape[0] * y.shape[-1]"),
        Wrong("variables", "2"),
        Wrong("filters", "y.shape[-1]"),
        Wrong("one-bias", "count - y.shape[-1] + 1"),
        Wrong("one-filter", "layer.kernel.shape[0] ** 2 + 1"),
        Wrong("one-filter", "layer.kernel.shape[0] ** 2"),
        Wrong("every-place", "y.numpy().size"),
        Wrong("colours", "3 * count - 2 * y.shape[-1]"),
        Wrong("every-place", "y.numpy()[..., 0].size * layer.kernel.numpy().size"),
        Wrong("like-dense", "(x.shape[1] * x.shape[2] + 1) * y.shape[-1]"),
        Wrong("like-dense", "x.shape[1] * x.shape[2] * y.shape[-1]"),
        Wrong("like-dense", "x.shape[1] * x.shape[2]"),
        Wrong("bias-each", "2 * (count - y.shape[-1])"),
        Wrong("every-place", "count * x.shape[1]"),
        Wrong("every-place", "x.shape[1] * x.shape[2] * (count - y.shape[-1])"),
        Wrong("exchanged", "layer.kernel.shape[0] * (y.shape[-1] ** 2 + 1)"),
        Wrong("filters-added", "y.shape[-1] + layer.kernel.shape[0] ** 2"),
    ),
)

back = Function(
    id="08.back",
    texts=TEXTS,
    inputs={
        "x": ("n", "m"),
        "t": ("n", "o"),
        "W1": ("m", "k"),
        "b1": ("k",),
        "W2": ("k", "o"),
        "b2": ("o",),
    },
    program="""def way_back(x, t, W1, b1, W2, b2):
    #: forwards
    z = x @ W1 + b1
    h = np.maximum(z, 0)
    y = h @ W2 + b2

    #: backwards
    dy = 2 * (y - t)
    dW2 = h.T @ dy
    db2 = «dy.sum(axis=0)»
    dh = «dy @ W2.T»
    dz = «dh * (z > 0)»
    dW1 = «x.T @ dz»
    db1 = «dz.sum(axis=0)»
    return db2, dh, dz, dW1, db1
""",
    wrong=(
        *each("unsummed-bias", "db2", "dy"),
        *each("whole-sum", "db2", "dy.sum()", "dy.mean()"),
        *each("bias-mean", "db2", "dy.mean(axis=0)"),
        *each("other-axis", "db2", "dy.sum(axis=1)"),
        *each("bias-value", "db2", "b2", "(dy * b2).sum(axis=0)", "np.ones_like(b2)", "1.0"),
        *each("kept-axis", "db2", "dy.sum(axis=0, keepdims=True)"),
        *each("no-two", "db2", "(y - t).sum(axis=0)"),
        *each("no-two", "dh", "(y - t) @ W2.T"),
        *each("not-turned", "dh", "dy @ W2"),
        *each("kernel-first", "dh", "W2 @ dy", "W2.T @ dy", "W2 @ dy.T"),
        *each("relu-early", "dh", "(dy @ W2.T) * (z > 0)", "dy @ W2.T * h", "dy @ W2.T * z"),
        *each("elementwise", "dh", "dy * W2", "dy * W2.T"),
        *each("other-kernel", "dh", "dy @ W1.T", "dy @ W1"),
        *each("not-through", "dh", "dy"),
        *each("value-back", "dh", "y @ W2.T", "h"),
        *each("of-the-kernel", "dh", "h.T @ dy"),
        *each("by-an-adjoint", "dh", "dy @ dW2.T"),
        *each("no-relu", "dz", "dh"),
        *each("relu-of-adjoint", "dz", "np.maximum(dh, 0)"),
        *each("relu-value", "dz", "dh * h", "dh * z", "dh * np.sign(z)"),
        *each("of-the-output", "dz", "dh * (y > 0)"),
        *each("picked", "dz", "dh[z > 0]"),
        *each("slope-alone", "dz", "z > 0", "np.where(z > 0, 1.0, 0.0)"),
        *each("decides-once", "dz", "dh if z > 0 else 0", "dh * max(z, 0)"),
        *each("value-back", "dz", "z", "h"),
        *each("wrong-side", "dz", "dh * (z < 0)"),
        *each("past-the-relu", "dW1", "x.T @ dh"),
        *each("turned", "dW1", "dz.T @ x"),
        *each("x-not-turned", "dW1", "x @ dz"),
        *each("wrong-input", "dW1", "h.T @ dz", "z.T @ dz", "h.T @ dh", "z.T @ dh", "h.T @ dy"),
        *each("on-to-x", "dW1", "dz @ W1.T"),
        *each("last-adjoint", "dW1", "x.T @ dy"),
        *each("last-adjoint", "db1", "db2"),
        *each("elementwise-kernel", "dW1", "x * dz", "W1 * dz"),
        *each("as-a-bias", "dW1", "dz.sum(axis=0)"),
        *each("bias-mean", "dW1", "x.T @ dz / len(x)"),
        *each("past-the-relu", "db1", "dh.sum(axis=0)"),
        *each("unsummed-bias", "db1", "dz"),
        *each("whole-sum", "db1", "dz.sum()"),
        *each("bias-mean", "db1", "dz.mean(axis=0)"),
        *each("other-axis", "db1", "dz.sum(axis=1)"),
        *each("as-a-kernel", "db1", "dW1.sum(axis=0)", "dW1"),
        *each("value-back", "db1", "z.sum(axis=0)", "b1"),
        *each("first-row", "db2", "dy[0]"),
        *each("first-row", "db1", "dz[0]"),
        *each("value-added", "dh", "dy @ W2.T + h"),
        *each("by-trying", "db1", DIFFERENCES),
        *each("of-the-input", "dz", "dh * (x > 0)"),
        *each("x-not-turned", "dW1", "dz @ x.T"),
        *each("elementwise-kernel", "dW1", "W1 * dz.sum(axis=0)"),
        *each("value-added", "dh", "dy @ W2.T + b2"),
        *each("as-a-bias", "dW1", "(x.T @ dz).sum(axis=0)"),
        *each("bias-axis", "db1", "dz.sum(axis=0, keepdims=True)"),
        *each("two-again", "dW1", "2 * x.T @ dz"),
        *each("two-again", "db1", "2 * dz.sum(axis=0)"),
        *each("two-again", "dh", "2 * dy @ W2.T"),
    ),
)

pull = Prediction(
    id="08.pull",
    texts=TEXTS,
    numbers={"p": ([0.1, 0.2, 0.7], [0.5, 0.4, 0.1], [0.3, 0.1, 0.6]), "label": (0, 1, 2)},
    right="slopes",
    program="""p, label = np.array({p}), {label}
logits = tf.Variable(np.log(p))

with tf.GradientTape() as tape:
    loss = -tf.math.log(tf.nn.softmax(logits)[label])
slopes = tape.gradient(loss, logits)
""",
    wrong=(
        Wrong("shares", "p"),
        Wrong("sign", "-slopes"),
        Wrong("right-only", "np.where(np.arange(3) == label, p - 1, 0)"),
        Wrong("minus-all", "p - 1"),
        Wrong("wrong-only", "np.where(np.arange(3) == label, 0, p)"),
        Wrong("one-hot", "np.eye(3)[label]"),
        Wrong("log-alone", "-np.eye(3)[label] / p"),
        Wrong("what-is-missing", "1 - p"),
        Wrong("one-number", "loss"),
        Wrong("the-logits", "logits"),
        Wrong("one-sign", "np.abs(slopes)"),
        Wrong("minus-p", "np.where(np.arange(3) == label, -p, p)"),
        Wrong("from-one", "p - np.eye(3)[label - 1] if label else ..."),
    ),
)

dense = Own(
    id="08.dense",
    texts=TEXTS,
    ready=("keras.layers.Dense.call",),
    by_hand=False,
    form="tensor",
    inputs={"x": ("n", "m"), "kernel": ("m", "k"), "bias": ("k",)},
    program="""class MyDense(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def build(self, input_shape):
        #: build
        self.kernel = self.add_weight(name="kernel", shape=«(input_shape[-1], self.units)», initializer="zeros")
        self.bias = self.add_weight(name="bias", shape=«(self.units,)», initializer="zeros")

    def call(self, x):
        #: call
        return «x @ self.kernel + self.bias»

#: trial
def trial(x, kernel, bias):
    layer = MyDense(kernel.shape[1])
    layer(x)
    count = len(layer.trainable_variables)
    kernel_shape, bias_shape = layer.kernel.shape, layer.bias.shape
    layer.kernel.assign(kernel)
    layer.bias.assign(bias)
    with tf.GradientTape() as tape:
        y = layer(x)
    kernel_gradient, bias_gradient = tape.gradient(y, [layer.kernel, layer.bias])
    return count, kernel_shape, bias_shape, y, kernel_gradient, bias_gradient
""",
    wrong=(
        *each("no-self", "return", "x @ kernel + bias"),
        *each("no-self", KERNEL, "(input_shape[-1], units)"),
        *each("too-early", KERNEL, "(x.shape[-1], self.units)"),
        *each("no-bias", "return", "x @ self.kernel + 0.0 * self.bias"),
        *each("minus", "return", "x @ self.kernel - self.bias"),
        *each("not-used", "return", "x @ self.kernel"),
        *each("bent", "return", "tf.nn.relu(x @ self.kernel + self.bias)"),
        *each("pressed", "return", "tf.sigmoid(x @ self.kernel + self.bias)"),
        *each("pressed", "return", "tf.tanh(x @ self.kernel + self.bias)"),
        *each("bias-first", "return", "(x + self.bias) @ self.kernel"),
        *each("no-product", "return", "x + self.kernel + self.bias", "self.kernel + self.bias"),
        *each("numpy", "return", "x.numpy() @ self.kernel.numpy() + self.bias.numpy()"),
        *each("doubled", "return", "2.0 * (x @ self.kernel + self.bias)"),
        *each("bias-inside", "return", "x @ self.kernel * self.bias"),
        *each("bias-inside", "return", "x @ (self.kernel + self.bias)"),
        *each("elementwise", "return", "x * self.kernel + self.bias"),
        *each("elementwise", "return", "self.kernel * x + self.bias"),
        *each("x-first", "return", "self.kernel @ x + self.bias"),
        *each("x-first", "return", "tf.matmul(self.kernel, x) + self.bias"),
        *each("rows", KERNEL, "(input_shape[0], self.units)"),
        *each("kernel-rows", KERNEL, "(self.units, self.units)", "(input_shape, self.units)"),
        *each("kernel-rows", KERNEL, "input_shape", "input_shape[-1]", "self.units"),
        *each("kernel-rows", KERNEL, "input_shape[-1] * self.units"),
        *each("bias-shape", BIAS, "(1,)", "(self.units, 1)", "(1, self.units)", "()", "self.units"),
        *each("bias-shape", BIAS, "(input_shape[-1],)", "(input_shape[0], self.units)"),
        *each("bias-shape", BIAS, "(self.units, self.units)", "input_shape"),
        *each("turned", KERNEL, TURNED),
        Wrong("turned", {KERNEL: TURNED, "x @ self.kernel": "x @ tf.transpose(self.kernel)"}),
        *each("fixed", KERNEL, "(3, 2)"),
        *each("bias-shape", BIAS, KERNEL),
        *each("pressed", "return", "tf.nn.softmax(x @ self.kernel + self.bias)"),
        *each("called-kernel", "return", "self.kernel(x) + self.bias"),
    ),
)


def pictures(chance: np.random.Generator) -> np.ndarray:
    """Return three images of 5 times 5 pixels."""
    return np.round(chance.uniform(0, 1, (3, 5, 5, 1)), 3)


def labels(chance: np.random.Generator) -> np.ndarray:
    """Return what they show, one of three classes each."""
    return chance.permutation(3)


cnn = Function(
    id="08.cnn",
    texts=TEXTS,
    by_hand=False,
    form="tensor",
    inputs={"images": pictures, "labels": labels, "filters": (3, 3, 1, 2), "kernel": (18, 3)},
    program="""def train_once(images, labels, filters, kernel):
    conv = tf.keras.layers.Conv2D(2, 3, activation="relu")
    flat = tf.keras.layers.Flatten()
    dense = tf.keras.layers.Dense(3)
    dense(flat(conv(images)))
    conv.kernel.assign(filters)
    dense.kernel.assign(kernel)
    loss_function = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = tf.keras.optimizers.SGD(0.5)

    #: step
"""
    f"    «{STEP}    {RETURN}»\n",
    wrong=(
        Wrong("head-only", {PAIRS: f"list({PAIRS})[2:]"}),
        Wrong("kernels-only", {PAIRS: f"list({PAIRS})[::2]"}),
        Wrong("pairs-turned", {PAIRS: "zip(weights, gradients)"}),
        Wrong("not-moved", {APPLIED: "pass"}),
        Wrong("uphill", {APPLIED: f"gradients = [-g for g in gradients]\n    {APPLIED}"}),
        Wrong("order", {RETURN: "return conv.kernel, conv.bias, dense.kernel, dense.bias"}),
        Wrong("order", {RETURN: "return dense.bias, dense.kernel, conv.bias, conv.kernel"}),
        Wrong("the-gradients", {RETURN: "return gradients"}),
        *each("no-pairs", PAIRS, "weights", "gradients", "gradients, weights"),
        Wrong("softmax", {LOSS: f"loss_function(labels, tf.nn.softmax({OUT}))"}),
        Wrong("answers", {LOSS: f"loss_function(labels, tf.argmax({OUT}, axis=1))"}),
        Wrong("not-flat", {LOSS: "loss_function(labels, dense(conv(images)))"}),
        Wrong("no-dense", {LOSS: "loss_function(labels, conv(images))"}),
        Wrong("half-asked", {ASKED: "(loss, dense.trainable_variables)"}),
        Wrong("half-asked", {ASKED: "(loss, [conv.kernel, dense.kernel])"}),
        Wrong(
            "half-asked", {ASKED: "(loss, dense.trainable_variables + conv.trainable_variables)"}
        ),
        Wrong("the-layers", {ALL: "[conv, dense]"}),
        Wrong("nested", {ALL: "[conv.trainable_variables, dense.trainable_variables]"}),
        Wrong("squares", {LOSS: f"tf.reduce_mean((labels - {OUT}) ** 2)"}),
        Wrong("loss-turned", {LOSS: f"loss_function({OUT}, labels)"}),
        Wrong("twice", {LOSS: f"{LOSS} * 3"}),
        Wrong("twice", {APPLIED: f"[{APPLIED} for _ in range(2)]"}),
        Wrong("twice", {RETURN: f"{STEP}    {RETURN}"}),
        *each("own-rate", APPLIED, *(BY_HAND.format(rate) for rate in (0.1, 0.01, 0.001))),
        Wrong("squares", {LOSS: f"tf.reduce_mean(({OUT} - labels) ** 2)"}),
        Wrong("not-called", {LOSS: "loss_function(labels, dense)"}),
        Wrong("of-labels", {LOSS: "loss_function(labels, dense(flat(conv(labels))))"}),
        Wrong("minimize", {APPLIED: "optimizer.step()"}),
        Wrong(
            "minimize",
            {f"gradients = tape.gradient{ASKED}\n    {APPLIED}": "optimizer.minimize(loss)"},
        ),
        Wrong("half-asked", {PAIRS: "zip(gradients, [conv.kernel, dense.kernel])"}),
        Wrong("averaged", {LOSS: f"{LOSS} / len(labels)"}),
        Wrong("one-hot", {LOSS: f"loss_function(tf.one_hot(labels, 3), {OUT})"}),
    ),
)

own_loss, freeze = extras_08.own_loss, extras_08.freeze
