"""Trainings that do not learn, four ways of writing for each kind.

`KINDS`: {kind: [(style, *edits)]}; a `style` is a healthy training, the edits make it sick, and
`# here` stands on the guilty line. `program` makes the text; `explaining.py` has it explained.
"""

HEAD = """import numpy as np
import {library} as tf

draw = np.random.default_rng(0)
tf.keras.utils.set_random_seed(1)
x = draw.normal(size=(96, 3)).astype("float32")
y = (x @ np.array([[1.0], [-2.0], [0.5]]) + 0.3 * x[:, :1] ** 2).astype("float32")
"""
MODEL = """model = tf.keras.Sequential([
    tf.keras.layers.Dense(3, activation="tanh"),
    tf.keras.layers.Dense(3, activation="tanh"),
    tf.keras.layers.Dense(1),
])
model(x[:1])
"""
STYLES = {
    "own": HEAD
    + """w = tf.Variable(draw.normal(size=(3, 1)).astype("float32"))
v = tf.Variable(draw.normal(size=(3, 1)).astype("float32"))
rate = 0.05
for step in range(60):
    with tf.GradientTape() as tape:
        pred = x @ w + x**2 @ v
        loss = tf.reduce_mean((pred - y) ** 2)
    dw, dv = tape.gradient(loss, [w, v])
    w.assign_sub(rate * dw)
    v.assign_sub(rate * dv)
    losses.append(float(loss))
""",
    "keras": HEAD
    + MODEL
    + """loss_fn = tf.keras.losses.MeanSquaredError()
optimizer = tf.keras.optimizers.Adam(0.02)
for step in range(60):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    losses.append(float(loss))
""",
    "function": HEAD
    + MODEL
    + """optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        pred = model(x)
        loss = tf.reduce_mean((pred - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for step in range(60):
    losses.append(float(train_step(x, y)))
""",
    "class": HEAD
    + MODEL
    + """

class Trainer:
    def __init__(self, model, rate=0.1):
        self.model, self.rate = model, rate
        self.weights = model.trainable_variables

    def gradients(self, x, y):
        with tf.GradientTape() as tape:
            pred = self.model(x)
            loss = tf.reduce_mean((pred - y) ** 2)
        return loss, tape.gradient(loss, self.weights)

    def step(self, x, y):
        loss, grads = self.gradients(x, y)
        for weight, grad in zip(self.weights, grads):
            weight.assign_sub(self.rate * grad)
        return loss


trainer = Trainer(model)
for step in range(60):
    losses.append(float(trainer.step(x, y)))
""",
}
APPLY = "    optimizer.apply_gradients(zip(grads, model.trainable_variables))\n"
GRADS = "    grads = tape.gradient(loss, model.trainable_variables)\n"
TAKES = """        for weight, grad in zip(self.weights, grads):
            weight.assign_sub(self.rate * grad)
"""
TWIN = "twin = [tf.Variable(w) for w in model.trainable_variables]\noptimizer ="
MSE = "loss = tf.reduce_mean((pred - y) ** 2)\n"
HERE = "  # here\n"

KINDS = {
    "nothing_moves": [
        (
            "own",
            ("    w.assign_sub(rate * dw)\n    v.assign_sub(rate * dv)\n", ""),
            ("[w, v])\n", "[w, v])" + HERE),
        ),
        ("keras", (APPLY, ""), (GRADS, GRADS[:-1] + HERE)),
        ("function", (APPLY, ""), (GRADS, GRADS[:-1] + HERE)),
        ("later", (APPLY, "    if step > 100:\n    " + APPLY[:-1] + HERE)),
        (
            "class",
            (TAKES, ""),
            ("tape.gradient(loss, self.weights)\n", "tape.gradient(loss, self.weights)" + HERE),
        ),
    ],
    "copied": [
        (
            "own",
            ("rate =", "u, t = tf.Variable(w), tf.Variable(v)\nrate ="),
            ("    w.assign_sub(rate * dw)\n", "    u.assign_sub(rate * dw)" + HERE),
            ("    v.assign_sub(rate * dv)\n", "    t.assign_sub(rate * dv)\n"),
        ),
        (
            "keras",
            (
                "loss_fn =",
                MODEL.replace("model", "twin") + "loss_fn =",
            ),
            (APPLY, APPLY.replace("model.", "twin.")[:-1] + HERE),
        ),
        (
            "function",
            ("optimizer =", TWIN),
            (APPLY, APPLY.replace("model.trainable_variables", "twin")[:-1] + HERE),
        ),
        (
            "class",
            (
                "        self.weights = model",
                "        self.twin = [tf.Variable(w) for w in model.trainable_variables]\n"
                "        self.weights = model",
            ),
            ("in zip(self.weights, grads)", "in zip(self.twin, grads)"),
            ("(self.rate * grad)\n", "(self.rate * grad)" + HERE),
        ),
    ],
    "swapped": [
        (
            "own",
            ("dw, dv =", "dv, dw ="),
            ("w.assign_sub(rate * dw)\n", "w.assign_sub(rate * dw)\n"),
        ),
        (
            "keras",
            (
                "loss_fn =",
                "first, second, last = [layer.trainable_variables for layer in model.layers]\n"
                "loss_fn =",
            ),
            (APPLY, "    optimizer.apply_gradients(zip(grads, [*second, *first, *last]))" + HERE),
        ),
        (
            "function",
            (
                "optimizer =",
                "first, second, last = [layer.trainable_variables for layer in model.layers]\n"
                "optimizer =",
            ),
            (GRADS, "    grads = tape.gradient(loss, [*second, *first, *last])\n"),
            (APPLY, APPLY[:-1] + HERE),
        ),
        (
            "class",
            (
                "zip(self.weights, grads)",
                "zip(self.weights, [*grads[2:4], *grads[:2], *grads[4:]])",
            ),
            ("(self.rate * grad)\n", "(self.rate * grad)" + HERE),
        ),
    ],
    "rate_zero.whole": [
        ("own", ("rate = 0.05\n", "rate = 1 // 20" + HERE)),
        ("keras", ("Adam(0.02)\n", "Adam(float(2 // 100))" + HERE)),
        (
            "function",
            (
                "optimizer = tf.keras.optimizers.SGD(0.1)\n",
                "def rate(step):\n    return float(1 // (2 + step))" + HERE + "\n\n"
                "optimizer = tf.keras.optimizers.SGD(rate(0))\n",
            ),
        ),
        (
            "keras",
            (
                "optimizer = tf.keras.optimizers.Adam(0.02)\n",
                "class Slow(tf.keras.optimizers.schedules.LearningRateSchedule):\n"
                "    def __call__(self, step):\n"
                "        return tf.constant(0.1 * (1 // (4 * int(step) + 1)))" + HERE + "\n\n"
                "optimizer = tf.keras.optimizers.SGD(Slow())\n",
            ),
        ),
        (
            "class",
            ("self.rate = model, rate\n", "self.start = model, rate\n        self.count = 0\n"),
            ("        loss, grads =", "        self.count += 1\n        loss, grads ="),
            (
                "        for weight, grad",
                "        self.rate = 1 // (9 + self.count)" + HERE + "        for weight, grad",
            ),
        ),
    ],
    "rate_zero": [
        ("own", ("rate = 0.05\n", "rate = 0.0" + HERE)),
        ("keras", ("Adam(0.02)\n", "Adam(learning_rate=0.0)" + HERE)),
        (
            "function",
            (
                "optimizer = tf.keras.optimizers.SGD(0.1)\n",
                "rate = 0.0" + HERE + "optimizer = tf.keras.optimizers.SGD(rate)\n",
            ),
        ),
        ("class", ("model, rate=0.1):\n", "model, rate=0.0):" + HERE)),
        (
            "keras",
            ("Adam(0.02)\n", "Adam(0.02)\noptimizer.learning_rate.assign(0.0)" + HERE),
        ),
    ],
    "renamed": [
        (
            "helper",
            (
                "loss_fn =",
                "def update(weights, grads, lr=0.1):\n"
                "    new = []\n"
                "    for w, g in zip(weights, grads):\n"
                "        new.append(w - lr * g)" + HERE + "    return new\n\n"
                "loss_fn =",
            ),
            (APPLY, "    weights = update(model.trainable_variables, grads)\n"),
        ),
        (
            "numpy",
            ("rate =", "values = w.numpy()\nrate ="),
            (
                "    w.assign_sub(rate * dw)\n    v.assign_sub(rate * dv)\n",
                "    values -= rate * dw.numpy()" + HERE,
            ),
        ),
        (
            "own",
            ("rate =", "weights = [w, v]\nrate ="),
            ("dw, dv = tape.gradient(loss, [w, v])", "grads = tape.gradient(loss, weights)"),
            (
                "    w.assign_sub(rate * dw)\n    v.assign_sub(rate * dv)\n",
                "    for each, grad in zip(weights, grads):\n        each = each - rate * grad"
                + HERE,
            ),
        ),
        (
            "keras",
            (
                APPLY,
                "    weights = model.get_weights()\n"
                "    weights = [w - 0.1 * g for w, g in zip(weights, grads)]" + HERE,
            ),
        ),
        (
            "function",
            (
                APPLY,
                "    for weight, grad in zip(model.trainable_variables, grads):\n"
                "        weight = weight - 0.1 * grad" + HERE,
            ),
        ),
        (
            "class",
            (
                "            weight.assign_sub(self.rate * grad)\n",
                "            weight = weight - self.rate * grad" + HERE,
            ),
        ),
    ],
    "not_applied": [
        (
            "own",
            ("    v.assign_sub(rate * dv)\n", ""),
            ("assign_sub(rate * dw)\n", "assign_sub(rate * dw)" + HERE),
        ),
        (
            "keras",
            (
                APPLY,
                APPLY.replace(
                    "zip(grads, model.trainable_variables)",
                    "[*zip(grads, model.trainable_variables)][:2]",
                )[:-1]
                + HERE,
            ),
        ),
        ("function", (APPLY, APPLY.replace("model.", "model.layers[0].")[:-1] + HERE)),
        (
            "class",
            ("zip(self.weights, grads)", "zip(self.weights[:2], grads)"),
            ("(self.rate * grad)\n", "(self.rate * grad)" + HERE),
        ),
    ],
    "left_alone": [
        (
            "own",
            ("dw, dv = tape.gradient(loss, [w, v])\n", "dw = tape.gradient(loss, w)" + HERE),
            ("    v.assign_sub(rate * dv)\n", ""),
        ),
        (
            "keras",
            (GRADS, GRADS.replace("model.", "model.layers[0].")[:-1] + HERE),
            (APPLY, APPLY.replace("model.", "model.layers[0].")),
        ),
        (
            "function",
            ("optimizer =", "variables = model.trainable_variables[:4]\noptimizer ="),
            (GRADS, GRADS.replace("model.trainable_variables", "variables")[:-1] + HERE),
            (APPLY, APPLY.replace("model.trainable_variables", "variables")),
        ),
        (
            "class",
            ("self.weights = model.trainable_variables", "self.weights = model.weights[2:]"),
            ("tape.gradient(loss, self.weights)\n", "tape.gradient(loss, self.weights)" + HERE),
        ),
        (
            "keras",
            ("loss_fn =", "scale = tf.Variable(0.5)\nloss_fn ="),
            ("model(x))", "scale * model(x))"),
            (GRADS, GRADS[:-1] + HERE),
        ),
    ],
    "put_back": [
        (
            "own",
            ("rate =", "old_w, old_v = w.numpy(), v.numpy()\nrate ="),
            ("(rate * dv)\n", "(rate * dv)\n    w.assign(old_w)" + HERE + "    v.assign(old_v)\n"),
        ),
        (
            "keras",
            ("loss_fn =", "best = model.get_weights()\nloss_fn ="),
            (APPLY, APPLY + "    model.set_weights(best)" + HERE),
        ),
        (
            "function",
            ("optimizer =", "old = [np.array(w) for w in model.trainable_variables]\noptimizer ="),
            (
                "train_step(x, y)))\n",
                "train_step(x, y)))\n    for w, o in zip(model.trainable_variables, old):\n"
                "        w.assign(o)" + HERE,
            ),
        ),
        (
            "class",
            (
                "self.weights = model",
                "self.start = model.get_weights()\n        self.weights = model",
            ),
            ("        return loss\n\n\nt", "        self.reset()\n        return loss\n\n\nt"),
            (
                "    def step(",
                "    def reset(self):\n        self.model.set_weights(self.start)"
                + HERE
                + "\n    def step(",
            ),
        ),
    ],
    "own_label": [
        (
            "own",
            ("        loss = tf", "        label = tf.round(pred)" + HERE + "        loss = tf"),
            ("pred - y", "pred - label"),
        ),
        (
            "keras",
            (
                "        loss = loss_fn(y, model(x))\n",
                "        pred = model(x)\n        label = tf.cast(pred > 0.0, tf.float32)"
                + HERE
                + "        loss = loss_fn(label, pred)\n",
            ),
        ),
        (
            "function",
            (
                "        " + MSE,
                "        labels = tf.sign(pred)"
                + HERE
                + "        loss = tf.reduce_mean((labels - pred) ** 2)\n",
            ),
        ),
        (
            "class",
            (
                "            " + MSE,
                "            loss = tf.reduce_mean(tf.square(tf.round(pred) - pred))" + HERE,
            ),
        ),
    ],
    "summed": [
        ("own", ("reduce_mean((pred - y) ** 2)\n", "reduce_sum((pred - y) ** 2)" + HERE)),
        (
            "keras",
            ("MeanSquaredError()", 'MeanSquaredError(reduction="sum")'),
            ("Adam(0.02)", "SGD(0.1)"),
            ("model(x))\n", "model(x))" + HERE),
        ),
        (
            "function",
            ("SGD(0.1)", "SGD(0.04)"),
            ("reduce_mean((pred - y) ** 2)\n", "reduce_sum((pred - y) ** 2)" + HERE),
        ),
        (
            "class",
            (MSE, "loss = (pred - y) ** 2" + HERE),
            ("return loss\n\n\ntrainer", "return tf.reduce_mean(loss)\n\n\ntrainer"),
        ),
    ],
    "same_batch": [
        (
            "own",
            ("    with tf", "    xb, yb = x[:16], y[:16]" + HERE + "    with tf"),
            ("x @ w + x**2 @ v", "xb @ w + xb**2 @ v"),
            ("pred - y", "pred - yb"),
        ),
        (
            "keras",
            ("loss_fn =", "data = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)\nloss_fn ="),
            ("    with tf", "    xb, yb = next(iter(data))" + HERE + "    with tf"),
            ("loss_fn(y, model(x))", "loss_fn(yb, model(xb))"),
        ),
        (
            "function",
            (
                "for step in range(60):\n    losses.append(float(train_step(x, y)))\n",
                "data = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)\nfor step in range(60):\n"
                "    for xb, yb in data.take(1):"
                + HERE
                + "        losses.append(float(train_step(xb, yb)))\n",
            ),
        ),
        (
            "class",
            (
                "trainer = Trainer(model)\n",
                "trainer = Trainer(model)\ndata = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)\n"
                "xb, yb = next(iter(data))" + HERE,
            ),
            ("trainer.step(x, y)", "trainer.step(xb, yb)"),
        ),
    ],
    "same_network": [
        (
            "own",
            ("rate =", "target = w" + HERE + "rate ="),
            ("(pred - y)", "(pred - y - 0.1 * tf.stop_gradient(x @ target))"),
        ),
        (
            "keras",
            ("loss_fn =", "target = model" + HERE + "loss_fn ="),
            ("loss_fn(y, model(x))", "loss_fn(y + 0.5 * tf.stop_gradient(target(x)), model(x))"),
        ),
        (
            "function",
            (
                "optimizer =",
                "slow_model = tf.keras.Sequential(model.layers)" + HERE + "optimizer =",
            ),
            ("pred - y", "pred - y - 0.1 * tf.stop_gradient(slow_model(x))"),
        ),
        (
            "class",
            (
                "        self.weights = model",
                "        self.target = self.model" + HERE + "        self.weights = model",
            ),
            ("pred - y", "pred - y - 0.1 * tf.stop_gradient(self.target(x))"),
        ),
    ],
}
# where the guilty line is another: the last assignment, of all that the swapped pairs make
KINDS["swapped"][0] = (
    "own",
    ("dw, dv =", "dv, dw ="),
    ("    w.assign_sub(rate * dw)\n", "    w.assign_sub(rate * dw)" + HERE),
)


def program(style, edits, library="minitape"):
    """Return the text of a training, with some pieces of it replaced."""
    style = {"helper": "keras", "later": "keras", "numpy": "own"}.get(style, style)
    text = "losses = []\n" + STYLES[style].replace("{library}", library)
    for old, new in edits:
        assert old in text, (style, old)
        text = text.replace(old, new, 1)
    return text
