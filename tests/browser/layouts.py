"""What tests of the player's arrangement share: programs whose plays differ in form, a page that the
player fills, and its height.
"""
# ruff: noqa: E501  (lines of JavaScript)

from minitape_widgets.pitfalls.programs import run
from tests.browser.stage import handmade, loop

SEEN = 641  # pixels
PARABOLA = "x = tf.Variable(2.0)\n\nwith tf.GradientTape() as tape:\n    y = x*x + 3*x\n\ntape.gradient(y, x)"
LOOP = (
    "w = tf.Variable(1.0)\n\nfor step in range(8):\n    with tf.GradientTape() as tape:\n        loss = (2.0 * w - 6.0)**2\n"
    "    slope = tape.gradient(loss, w)\n    w.assign_sub(0.05 * slope)"
)
ESCAPE = (
    "v = tf.Variable([1.0, 2.0, 3.0])\n\nwith tf.GradientTape() as tape:\n    squares = v * v\n    m = np.mean(squares)\n"
    "    loss = tf.constant(m) * 2.0\n\nslope = tape.gradient(loss, v)"
)
PROGRAMS = {
    "parabola": PARABOLA,
    "loop": LOOP,
    "escape": ESCAPE,
    "nested": "x = tf.Variable(3.0)\nwith tf.GradientTape() as outer:\n    with tf.GradientTape() as inner:\n        y = x * x * x\n    slope = inner.gradient(y, x)\nouter.gradient(slope, x)",
    "jacobian": "x = tf.Variable([1.0, 2.0, 3.0])\nwith tf.GradientTape() as tape:\n    y = x * x\ntape.jacobian(y, x)",
    "targets": "x = tf.Variable(3.0)\nz = tf.Variable(2.0)\nwith tf.GradientTape(persistent=True) as tape:\n    a = x * z\n    b = x ** 2\ntape.gradient([a, b], [x, z])\ntape.gradient(b, x)",
    "model": "model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation='relu'), tf.keras.layers.Dense(1)])\nxs = tf.constant([[0.0], [1.0], [2.0]])\n"
    "ts = tf.constant([[1.0], [3.0], [5.0]])\nmodel(xs)\n\nwith tf.GradientTape() as tape:\n    guess = model(xs)\n    loss = tf.reduce_mean((guess - ts)**2)\n\n"
    "slopes = tape.gradient(loss, model.trainable_variables)",
    "model in a loop": "model = tf.keras.Sequential([tf.keras.layers.Dense(3, activation='tanh'), tf.keras.layers.Dense(1)])\nopt = tf.keras.optimizers.SGD(0.1)\n"
    "xs = tf.constant([[0.0], [1.0], [2.0]])\nts = tf.constant([[1.0], [3.0], [5.0]])\nfor step in range(3):\n    with tf.GradientTape() as tape:\n"
    "        loss = tf.reduce_mean((model(xs) - ts)**2)\n    slopes = tape.gradient(loss, model.trainable_variables)\n"
    "    opt.apply_gradients(zip(slopes, model.trainable_variables))",
}
HEIGHTS = """() => { const host = document.querySelector('.minitape'), p = host.player, found = new Set();
    for (let k = 0; k <= p.total; k += Math.max(1, Math.floor(p.total / 200))) { p.go(k); found.add(host.getBoundingClientRect().height); }
    for (let k = p.total; k >= 0; k -= 7) { p.go(k); found.add(host.getBoundingClientRect().height); }
    return [...found]; }"""


def board(name):
    """The storyboard of a program; "folded" is a long loop, "asked" a play with questions."""
    return (
        {"folded": lambda: loop(150), "asked": handmade.asked}[name]()
        if name in ("folded", "asked")
        else run(PROGRAMS[name], explain=False).board
    )


def shown(stage, trace, width, height=768, **page):
    """A page in which the player takes the whole width."""
    return stage(
        trace, style="body { margin: 0 } h1 { display: none }", width=width, height=height, **page
    )


def height(page):
    """The one height that the player has at all moments."""
    found = page.evaluate(HEIGHTS)
    assert len(found) == 1, f"the page moves while it plays: {sorted(found)}"
    return found[0]


def inside(page, *places):
    """Whether each of these panes is in the player whole, and not squeezed to nothing."""
    for place in places:
        box, outer = (
            page.locator(place).first.bounding_box(),
            page.locator(".minitape").bounding_box(),
        )
        assert (
            box["height"] >= 75 and box["y"] + box["height"] <= outer["y"] + outer["height"] + 1
        ), (place, box, outer)


def pair(**options):
    """The trace of a broken program beside the mended one."""
    fixed = run(
        ESCAPE.replace("np.mean", "tf.reduce_mean").replace("tf.constant(m)", "m"), explain=False
    ).board
    return {"pair": [board("escape"), fixed], "options": {"names": ["broken", "fixed"], **options}}
