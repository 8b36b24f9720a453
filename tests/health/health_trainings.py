"""Trainings: `run` runs the text of one; `program(kind, seed)` makes the text of one, another for
every seed.

Data, sizes, losses, their scale, optimizers, batches and the way of writing (layers of Keras, or
variables of one's own) are drawn. The rules in `minitape/health/findings/` were tuned on the
programs in `trainings/` and on seeds below 100; the seeds from 1000 on measure them.
"""

import linecache
import warnings

import numpy as np

KINDS = (
    "dead",
    "saturated",
    "vanishing",
    "exploding",
    "rate_large",
    "rate_small",
    "nonfinite",
    "equal",
    "frozen",
    "labels",
    "inputs",
    "none",
    "healthy",
)

HEAD = """import numpy as np

import minitape as tf
from minitape import health

tf.random.set_seed({seed})
draw = np.random.default_rng({seed})
"""
DATA = {  # name: (text, inputs, outputs, task)
    "moons": ("x, y = tf.data.moons({n}, seed={seed})", 2, 2, "classes"),
    "circles": ("x, y = tf.data.circles({n}, seed={seed})", 2, 2, "classes"),
    "blobs": ("x, y = tf.data.blobs({n}, seed={seed})", 2, 3, "classes"),
    "heaps": (
        "y = draw.integers(0, 4, {n})\nx = (draw.normal(size=(4, 6)) * 1.5)[y] + "
        "draw.normal(size=({n}, 6)) * 0.7\n"
        "x = x.astype('float32')",
        6,
        4,
        "classes",
    ),
    "line": ("x, y = tf.data.line({n}, seed={seed})", 1, 1, "numbers"),
    "plane": (
        "x = draw.normal(size=({n}, 5)).astype('float32')\n"
        "y = (x @ draw.normal(size=(5, 1)) + 0.1 * draw.normal(size=({n}, 1))).astype('float32')",
        5,
        1,
        "numbers",
    ),
    "bend": (
        "x = draw.uniform(-2, 2, size=({n}, 2)).astype('float32')\n"
        "y = (np.sin(2 * x[:, :1]) + x[:, 1:] ** 2).astype('float32')",
        2,
        1,
        "numbers",
    ),
}
LOSSES = {
    "classes": [
        "tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)(yb, out)",
        "tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(yb, out))",
        "tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(tf.one_hot(yb, {outputs}), out))",
    ],
    "numbers": [
        "tf.reduce_mean((out - yb) ** 2)",
        "tf.keras.losses.MeanSquaredError()(yb, out)",
        "tf.keras.losses.Huber()(yb, out)",
    ],
}
RATES = {"SGD({})": 0.1, "SGD({}, momentum=0.9)": 0.02, "Adam({})": 0.01, "RMSprop({})": 0.005}


def run(text, name):
    """Run a program, with its text where Python looks for it; return what it has `seen`."""
    filename = f"<training {name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    names = {"__name__": "training"}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        exec(compile(text, filename, "exec"), names)
    return names["seen"]


class Draw:
    """What is drawn for one program."""

    def __init__(self, kind, seed, **given):
        self.random = np.random.default_rng([KINDS.index(kind), seed])
        self.seed, self.n = seed, int(self.random.choice([160, 240, 400]))
        self.data = given.get("data") or self.of(list(DATA))
        self.text, self.inputs, self.outputs, self.task = DATA[self.data]
        self.loss = self.of(LOSSES[self.task]).format(outputs=self.outputs)
        self.optimizer = given.get("optimizer") or self.of(list(RATES))
        self.rate = RATES[self.optimizer] * (
            0.3 if self.data == "bend" and "SGD" in self.optimizer else 1
        )
        self.scale = self.of([1.0, 1.0, 0.05, 20.0]) if "SGD" not in self.optimizer else 1.0
        self.batch = self.of([0, 0, 32, 64])
        self.width = int(self.of([8, 16, 24, 40]))
        self.bend = self.of(["relu", "tanh"])
        self.steps = int(self.of([120, 180, 240]))

    def of(self, choices):
        """One of several."""
        return choices[int(self.random.integers(len(choices)))]


def keras(sizes, bend, outputs, options=""):
    layers = "".join(
        f"    tf.keras.layers.Dense({n}, activation='{bend}'{options}),  # hidden\n" for n in sizes
    )
    return (
        f"model = tf.keras.Sequential([\n{layers}    tf.keras.layers.Dense({outputs}),\n])\n"
        "model(x[:1])\nvariables = model.trainable_variables\n"
    )


def by_hand(
    sizes,
    bend,
    inputs,
    outputs,
    weight="tf.random.normal(({m}, {n})) * {small}",
    bias="tf.zeros({n})",
    small=None,
):
    ends = list(zip([inputs, *sizes], [*sizes, outputs]))
    sizes_of = [weight.format(m=m, n=n, small=small or round((1.5 / m) ** 0.5, 2)) for m, n in ends]
    lines = [
        f"w{k}, b{k} = tf.Variable({w}), tf.Variable({bias.format(n=n)})"
        for k, (w, (_, n)) in enumerate(zip(sizes_of, ends))
    ]
    names = ", ".join(f"w{k}, b{k}" for k in range(len(ends)))
    inner = "".join(f"    h = tf.nn.{bend}(h @ w{k} + b{k})  # hidden\n" for k in range(len(sizes)))
    return (
        "\n".join(lines)
        + f"\nvariables = [{names}]\n\n\ndef model(h):\n{inner}    return h @ w{len(sizes)} + "
        f"b{len(sizes)}\n\n"
    )


def loop(
    d,
    rate=None,
    before="",
    forward="out = model(xb)",
    watched="variables",
    sources="variables",
    apply=None,
    loss=None,
):
    """The training itself: whole data or batches."""
    batch = (
        f"        k = draw.integers(0, {d.n}, {d.batch})\n        xb, yb = x[k], y[k]\n"
        if d.batch
        else "        xb, yb = x, y\n"
    )
    scale = f"{d.scale} * " if d.scale != 1 else ""
    apply = apply or f"optimizer.apply_gradients(zip(gradients, {sources}))"
    return (
        f"optimizer = tf.keras.optimizers.{d.optimizer.format(rate or d.rate)}\n{before}\n"
        f"with health.watch({watched}) as seen:\n    for step in range({d.steps}):\n"
        f"{batch}        with tf.GradientTape() as tape:\n"
        + "".join(f"            {line}\n" for line in forward.split("\n"))
        + f"            loss = {scale}{loss or d.loss}\n        gradients = tape.gradient(loss, "
        f"{sources})\n        {apply}\n"
    )


def start(d, more=""):
    return HEAD.format(seed=d.seed) + d.text.format(n=d.n, seed=d.seed) + "\n" + more


def either(d, sizes, bend=None):
    bend = bend or d.bend
    return (
        keras(sizes, bend, d.outputs)
        if d.random.random() < 0.5
        else by_hand(sizes, bend, d.inputs, d.outputs)
    )


def program(kind, seed):
    """Return (text, what the first finding may be called). Equal seeds give equal texts."""
    return globals()[f"_{kind}"](Draw(kind, seed))


def _healthy(d):
    way = d.of(
        ["plain", "plain", "deep", "frozen", "wide", "noisy", "finished", "scalar", "dropout"]
    )
    if way == "deep":
        return start(d) + either(d, [d.width] * 4) + loop(d, d.rate / 3), ()
    if way == "frozen":
        return (
            start(d)
            + keras([d.width, d.width], "tanh", d.outputs)
            + "for v in variables[::2]:\n    v.assign(v * 1.5)\n"
            "for v in variables[1::2]:\n    v.assign(tf.random.normal(v.shape) * 0.3)\n"
            "model.layers[0].trainable = False  # it comes from another training\nvariables = "
            "model.trainable_variables\n" + loop(d, watched="model")
        ), ()
    if way == "wide":
        return start(d) + either(d, [160], "relu") + loop(d, d.rate / 2), ()
    if way == "noisy":
        d.batch = 8
        return start(d) + either(d, [d.width]) + loop(d, d.rate / 10), ()
    if way == "finished":  # watched when there is nothing more to learn
        d.steps = 200
        text = loop(d)
        first = text.replace("with health.watch(variables) as seen:\n", "if True:\n")
        return start(d) + either(d, [d.width]) + first + text.split("\n", 1)[1], ()
    if way == "scalar":
        d = Draw("healthy", d.seed, data="line", optimizer="SGD({})")
        d.batch, d.scale = 0, 1.0
        return (
            start(d)
            + "w, b = tf.Variable(0.0), tf.Variable(0.0)\nvariables = [w, b]\n"
            + loop(
                d,
                forward="out = w * xb + b",
                apply="w.assign_sub(0.1 * gradients[0])\n        b.assign_sub(0.1 * gradients[1])",
            )
        ), ()
    if way == "dropout":
        text = keras([d.width, d.width], "relu", d.outputs).replace(
            "  # hidden\n", "\n    tf.keras.layers.Dropout(0.2),\n"
        )
        return start(d) + text + loop(d, d.rate / 2, forward="out = model(xb, training=True)"), ()
    return start(d) + either(d, [d.width, d.width][: int(d.of([1, 2]))]) + loop(d), ()


def _dead(d):
    way = d.of(["bias", "negative", "bias by hand"])
    if way == "bias":
        options = ", bias_initializer=tf.keras.initializers.Constant(-9.0)"
        return start(d) + keras([d.width], "relu", d.outputs, options) + loop(d), ("dead",)
    if way == "negative":  # weights below 0, inputs above
        text = by_hand(
            [d.width, d.width],
            "relu",
            d.inputs,
            d.outputs,
            weight="-tf.abs(tf.random.normal(({m}, {n})))",
        )
        return start(d, "x = x - x.min(0) + 0.1\n") + text + loop(d), ("dead",)
    return start(d) + by_hand(
        [d.width, d.width], "relu", d.inputs, d.outputs, bias="tf.fill([{n}], -12.0)"
    ) + loop(d), ("dead",)


def _saturated(d):
    bend, size = d.of(["tanh", "sigmoid"]), d.of([15.0, 40.0, 100.0])
    d.scale = 1.0
    if d.random.random() < 0.5:
        options = f", kernel_initializer=tf.keras.initializers.RandomNormal(stddev={2 * size})"
        return start(d) + keras([d.width, d.width], bend, d.outputs, options) + loop(
            d, d.rate / 3
        ), ("saturated",)
    return start(d) + by_hand(
        [d.width, d.width], bend, d.inputs, d.outputs, small=2 * size
    ).replace(
        f"w2, b2 = tf.Variable(tf.random.normal(({d.width}, {d.outputs})) * {2 * size})",
        f"w2, b2 = tf.Variable(tf.random.normal(({d.width}, {d.outputs})) * 0.1)",
    ) + loop(d, d.rate / 3), ("saturated",)


def _vanishing(d):
    depth = int(d.of([8, 10, 12]))
    d.optimizer = d.of(["SGD({})", "SGD({}, momentum=0.9)", "Adam({})"])
    d.rate, d.scale, d.width = RATES[d.optimizer] / 2, 1.0, int(d.of([8, 12, 16]))
    if d.random.random() < 0.6 or d.optimizer == "Adam({})":
        return start(d) + keras([d.width] * depth, "sigmoid", d.outputs) + loop(d), ("vanishing",)
    return start(d) + by_hand([d.width] * depth, "tanh", d.inputs, d.outputs, small=0.05) + loop(
        d
    ), ("vanishing",)


def _exploding(d):
    depth, d.width, d.steps, d.scale = int(d.of([7, 9])), int(d.of([24, 32, 48])), 60, 1.0
    if d.random.random() < 0.3:  # one weight, used again and again
        return (
            start(d) + f"w, v = tf.Variable(tf.random.normal(({d.width}, {d.width})) * 0.6), "
            f"tf.Variable(tf.random.normal(({d.width}, {d.outputs})))\n"
            f"u = tf.Variable(tf.random.normal(({d.inputs}, {d.width})))\nvariables = [u, w, v]\n"
            + loop(d, forward="h = xb @ u\nfor turn in range(12):\n    h = h @ w\nout = h @ v")
        ), ("exploding", "swelling")
    if d.random.random() < 0.5:
        options = (
            f", kernel_initializer=tf.keras.initializers.RandomNormal(stddev={d.of([0.8, 1.0])})"
        )
        return start(d) + keras([d.width] * depth, "relu", d.outputs, options) + loop(d), (
            "exploding",
            "swelling",
        )
    return start(d) + by_hand(
        [d.width] * depth, "relu", d.inputs, d.outputs, small=d.of([0.9, 1.2])
    ) + loop(d), ("exploding", "swelling")


def _rate_large(d):
    d.scale = 1.0
    factor = (
        d.of([300.0, 1000.0])
        if "SGD" not in d.optimizer or d.task == "classes"
        else d.of([20.0, 60.0])
    )
    if d.task == "numbers" and "SGD" in d.optimizer and d.random.random() < 0.5:
        d.loss = "tf.reduce_mean((out - yb) ** 2)"
        return (
            start(d)
            + f"w, b = tf.Variable(tf.random.normal(({d.inputs}, 1))), tf.Variable(tf.zeros(1))\n"
            "variables = [w, b]\n"
            + loop(d, 1.5 if "momentum" not in d.optimizer else 4.0, forward="out = xb @ w + b")
        ), ("rate_large",)
    return start(d) + either(d, [d.width, d.width][: int(d.of([1, 2]))]) + loop(
        d, d.rate * factor
    ), ("rate_large",)


def _rate_small(d):
    d.scale = 1.0
    return start(d) + either(d, [d.width, d.width][: int(d.of([1, 2]))]) + loop(
        d, d.rate * d.of([1e-5, 1e-4])
    ), ("rate_small",)


def _nonfinite(d):
    way = d.of(["log", "division", "exp", "root", "later"])
    d = Draw("nonfinite", d.seed, data="heaps" if way in ("log", "exp") else None)
    d.scale = 1.0
    model = either(d, [d.width], "relu")
    if way == "log":
        forward = "out = model(xb) * 40.0\np = tf.nn.softmax(out)\nlogs = tf.math.log(p)"
        return start(d) + model + loop(
            d, forward=forward, loss=f"-tf.reduce_mean(tf.one_hot(yb, {d.outputs}) * logs)"
        ), ("nonfinite",)
    if way == "exp":
        forward = "e = tf.exp(model(xb) * 100.0)\nout = e / tf.reduce_sum(e, axis=1, keepdims=True)"
        return start(d) + model + loop(
            d, forward=forward, loss=f"tf.reduce_mean((out - tf.one_hot(yb, {d.outputs})) ** 2)"
        ), ("nonfinite",)
    if way == "division":
        forward = (
            "h = tf.nn.relu(xb)\nh = h / tf.reduce_sum(h, axis=1, keepdims=True)\nout = model(h)"
        )
        return start(d, "x[0] = -1.0\n") + model + loop(d, forward=forward), ("nonfinite",)
    if way == "root":  # a distance that is 0: only the way back meets it
        d.batch = 0
        return (
            start(d, "x[3] = 0.0\n")
            + model
            + loop(
                d,
                loss=f"0.01 * tf.reduce_mean(size) + {d.loss}",
                forward="size = tf.sqrt(tf.reduce_sum((xb * scale) ** 2, axis=1, "
                "keepdims=True))\nout = model(xb / (size + 1.0))",
                before="scale = tf.Variable(1.0)\nvariables = [*variables, scale]\n",
            )
        ), ("nonfinite",)
    return (
        start(d)
        + model
        + loop(d, forward="out = model(xb)\nif step == 40:\n    out = tf.math.log(out - 1e6)")
    ), ("nonfinite",)


def _equal(d):
    d.width, d.scale = max(8, d.width), 1.0
    value = d.of([0.3, 0.1, 0.0])
    if d.random.random() < 0.5:
        text = keras(
            [d.width],
            d.of(["tanh", "relu"]) if value else "tanh",
            d.outputs,
            f", kernel_initializer=tf.keras.initializers.Constant({value})",
        )
        text = text.replace(
            f"Dense({d.outputs}),\n]", f"Dense({d.outputs}, kernel_initializer='ones'),\n]"
        )
        return start(d) + text + loop(d), ("equal",)
    return (
        start(d)
        + by_hand(
            [d.width, d.width],
            "tanh",
            d.inputs,
            d.outputs,
            weight=f"tf.fill(({{m}}, {{n}}), {value})",
        )
        + loop(d)
    ), ("equal",)


def _frozen(d):
    way = d.of(["old list", "left out", "never trained"])
    d.batch = d.batch or 32
    if way == "old list":
        return (
            start(d)
            + keras([d.width, d.width], d.bend, d.outputs)
            + "model.layers[0].trainable = False\n"
            "variables = model.trainable_variables\nmodel.layers[0].trainable = True\n"
            + loop(d, watched="model")
        ), ("forgotten",)
    if way == "left out":
        return start(d) + by_hand(
            [d.width], d.bend, d.inputs, d.outputs
        ) + "everything, variables = variables, variables[2:]\n" + loop(d, watched="everything"), (
            "forgotten",
        )
    d = Draw("frozen", d.seed, data=d.of(["moons", "circles", "bend"]))
    return (
        start(d) + keras([3, d.width], "relu", d.outputs) + "model.layers[0].trainable = False\n"
        "model.layers[1].trainable = False\nvariables = model.trainable_variables\n"
        + loop(d, watched="model")
    ), ("frozen",)


def _labels(d):
    way = d.of(["shuffled", "rolled", "from 1", "shuffled"])
    d = Draw("labels", d.seed, data=d.of(["moons", "circles"]) if way == "from 1" else None)
    d.batch, d.scale = d.batch or 32, 1.0
    d.n = 600 if way != "from 1" else d.n
    spoil = {
        "shuffled": "x = x[draw.permutation(len(x))]\n",
        "rolled": "order = draw.permutation(len(x))\nx, y = x[order], y[order]\n"
        "x = np.roll(x, 1, axis=0)\n",
        "from 1": "y = (y[:, None] + 1).astype('float32')  # 1 and 2\n",
    }[way]
    if way == "from 1":
        d.outputs, d.loss = 1, "tf.keras.losses.BinaryCrossentropy(from_logits=True)(yb, out)"
    return start(d, spoil) + either(d, [d.width]) + loop(d), ("labels", "labels.range")


def _inputs(d):
    way = d.of(["columns", "pixels", "money"])
    if way == "columns":
        d = Draw(
            "inputs", d.seed, data=d.of(["plane", "heaps"]), optimizer=d.of(["SGD({})", "Adam({})"])
        )
        spoil = "x = x * np.logspace(0, 4, x.shape[1]).astype('float32')\n"
    elif way == "pixels":
        d = Draw(
            "inputs",
            d.seed,
            data=d.of(["heaps", "blobs"]),
            optimizer=d.of(["SGD({})", "SGD({}, momentum=0.9)"]),
        )
        spoil = "x = 255 * (x - x.min()) / (x.max() - x.min())\n"
    else:
        d = Draw("inputs", d.seed, data="plane", optimizer="SGD({})")
        spoil = "x[:, 0] = 40000 + 15000 * x[:, 0]\n"
    d.scale = 1.0
    return start(d, spoil) + either(d, [d.width]) + loop(d), ("inputs", "inputs.large")


def _none(d):
    way = d.of(["numpy", "unused", "rounded", "made before"])
    d.scale = 1.0
    text = by_hand([d.width], d.bend, d.inputs, d.outputs)
    if way == "numpy":
        return start(d) + text + loop(
            d, forward="h = np.tanh((xb @ w0 + b0).numpy())  # here\nout = h @ w1 + b1"
        ), ("none",)
    if way == "unused":
        before = "extra = tf.Variable(tf.random.normal((4, 4)))\nvariables = [*variables, extra]\n"
        return start(d) + text + loop(d, before=before), ("none",)
    if way == "rounded":
        return start(d) + text + loop(
            d, forward="h = tf.round(4 * tf.tanh(xb @ w0 + b0)) / 4  # here\nout = h @ w1 + b1"
        ), ("none",)
    return start(d) + text + loop(
        d, before="hidden = tf.tanh(x @ w0 + b0)\n", forward="out = hidden @ w1 + b1"
    ).replace("xb, yb = x[k], y[k]", "xb, yb = x, y"), ("none",)
