"""The exercises of the lesson on PyTorch: what lies in `.grad`, the line that loses it, and what
`backward` does, written down.

PyTorch need not be installed: beside each program of its stands a twin, which runs here.
`tests/real_torch` holds both equal.
"""

from minitape.exercises import Catalogue, Function, Line, Number, Wrong

TEXTS = Catalogue(__name__)

cleared = Number(
    id="in_pytorch.cleared",
    texts=TEXTS,
    numbers={"w": (3.0, 5.0, 7.0), "n": (4, 5)},
    right="g",
    program="""w = torch.tensor({w}, requires_grad=True)
for step in range({n}):
    loss = w * w
    loss.backward()
    if step == 1:
        w.grad = None
g = w.grad
""",
    twin="""w = tf.Variable({w})
n = {n}
g = 0.0
for step in range(n):
    with tf.GradientTape() as tape:
        loss = w * w
    g = g + tape.gradient(loss, w)
    if step == 1:
        g = 0.0
""",
    wrong=(
        Wrong("never-cleared", "n * 2 * w"),
        Wrong("one-cleared", "(n - 1) * 2 * w"),
        Wrong("overwritten", "2 * w"),
        Wrong("loss", "w * w"),
        Wrong("before", "4 * w if n == 5 else ..."),
        Wrong("losses", "w * w * (n - 2) if w > 3 else ..."),
        Wrong("emptied-last", "0"),
        Wrong("half", "w * (n - 2) if n == 5 else ..."),
        Wrong("gone", "None"),
    ),
)

guilty = Line(
    id="in_pytorch.guilty",
    texts=TEXTS,
    program="""w = torch.tensor(2.0, requires_grad=True)    #! leaf
b = torch.tensor(0.5, requires_grad=True)    #! leaf
h = torch.tanh(w * 3.0)                      #! recorded
seen = [h.item()]                            #! only-seen
size = max(0.1, float(h))                    #! here
y = size * b                                 #! after
y.backward()                                 #! played
print(seen, w.grad)                          #! shows
""",
    twin="""w = tf.Variable(2.0)
b = tf.Variable(0.5)
with tf.GradientTape() as tape:
    h = tf.tanh(w * 3.0)
    seen = [h.numpy()]
    size = max(0.1, float(h))
    y = size * b
print(seen, tape.gradient(y, w))
""",
)

backward = Function(
    id="in_pytorch.backward",
    texts=TEXTS,
    inputs={"w": (), "xs": ("n",)},
    by_hand=False,
    program="""def after_backward(w, xs):
    w = tf.Variable(w)
    grad = None
    for x in xs:
        with tf.GradientTape() as tape:
            loss = w * w * x
        arrives = tape.gradient(loss, w)
        #: leaves
        grad = «arrives if grad is None else grad + arrives»
    return grad
""",
    wrong=(
        Wrong("overwritten", {"grad": "arrives"}),
        Wrong("from-none", {"grad": "grad + arrives"}),
        Wrong("from-none", {"grad": "sum([grad, arrives])"}),
        Wrong("first-kept", {"grad": "arrives if grad is None else grad"}),
        Wrong("mean", {"grad": "arrives if grad is None else (grad + arrives) / 2"}),
        Wrong("loss", {"grad": "loss if grad is None else grad + loss"}),
    ),
)

translated = Function(
    id="in_pytorch.translated",
    texts=TEXTS,
    form="tensor",
    by_hand=False,
    by_tape=True,
    inputs={
        "w": (),
        "x": ("n",),
        "t": ("n",),
        "rate": lambda chance: round(float(chance.uniform(0.1, 0.4)), 2),
    },
    program="""def step(w, x, t, rate):
    #: torch
    «w = tf.Variable(w)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x - t) ** 2)
    w.assign_sub(rate * tape.gradient(loss, w))
    return w <- return ...»
""",
    wrong=(
        Wrong("uphill", {"assign_sub": "assign_add"}),
        Wrong("not-watched", {"gradient(loss, w)": "gradient(loss, x)"}),
        Wrong("no-rate", {"rate * tape": "tape"}),
        Wrong("sum", {"reduce_mean": "reduce_sum"}),
        Wrong("not-squared", {" ** 2": ""}),
        Wrong("the-gradient", {"return w": "return tape.gradient(loss, w)"}),
        Wrong("the-gradient", {"    w.assign_sub(rate * ": "    return (", "    return w": ""}),
        Wrong("step-alone", {"w.assign_sub(": "w.assign("}),
        Wrong("not-moved", {"    w.assign_sub(rate * tape.gradient(loss, w))\n": ""}),
        Wrong("turned", {"w * x - t": "w * x + t"}),
        Wrong("no-grad-here", {"tape.gradient(loss, w)": "w.grad"}),
        Wrong("no-grad-here", {"w.assign_sub(": "loss.backward()\n    w.assign_sub("}),
        Wrong("in-torch", {"tf.Variable(w)": "torch.tensor(w, requires_grad=True)"}),
        Wrong("not-watched", {"tf.Variable(w)": "tf.constant(w)"}),
    ),
)
