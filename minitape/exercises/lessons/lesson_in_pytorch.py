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
        "xs": (3,),
        "rate": lambda chance: round(float(chance.uniform(0.1, 0.4)), 2),
    },
    program="""def step(w, xs, rate):
    #: torch
    «w, h, grad = tf.Variable(w), 1.0, 0.0
    for x in xs:
        with tf.GradientTape() as tape:
            h = w * x + tf.stop_gradient(h)
            loss = h**2
        grad += tape.gradient(loss, w)
    w.assign_sub(rate * grad)
    return w <- return ...»
""",
    wrong=(
        Wrong("last-alone", {"grad +=": "grad ="}),
        Wrong(
            "each-time",
            {
                "        grad += tape.gradient(loss, w)\n    w.assign": "        w.assign",
                "rate * grad": "rate * tape.gradient(loss, w)",
                "    w.assign_sub": "        w.assign_sub",
            },
        ),
        Wrong(
            "history",
            {
                "    for x in xs:\n        with tf.GradientTape() as tape:\n": (
                    "    with tf.GradientTape() as tape:\n        for x in xs:\n"
                ),
                "tf.stop_gradient(h)": "h",
                "loss = h**2": "grad += h**2",
                "        grad += tape.gradient(loss, w)\n": "",
                "rate * grad": "rate * tape.gradient(grad, w)",
            },
        ),
        Wrong(
            "not-carried", {"h = w * x + tf.stop_gradient(h)": "y = w * x + 1.0", "h**2": "y**2"}
        ),
        Wrong("mean", {"rate * grad": "rate * grad / len(xs)"}),
        Wrong("uphill", {"assign_sub": "assign_add"}),
        Wrong("no-rate", {"rate * grad": "grad"}),
        Wrong("the-gradient", {"return w": "return grad"}),
        Wrong("step-alone", {"w.assign_sub(": "w.assign("}),
        Wrong("not-moved", {"    w.assign_sub(rate * grad)\n": ""}),
        Wrong("not-squared", {"h**2": "h"}),
        Wrong("no-grad-here", {"tape.gradient(loss, w)": "w.grad"}),
        Wrong("no-grad-here", {"grad += tape.gradient(loss, w)": "loss.backward()"}),
        Wrong("in-torch", {"tf.Variable(w)": "torch.tensor(w, requires_grad=True)"}),
        Wrong("not-watched", {"gradient(loss, w)": "gradient(loss, x)"}),
        Wrong("not-watched", {"tf.Variable(w)": "tf.constant(w)"}),
    ),
)
