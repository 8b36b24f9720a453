"""How a cure is written: which lines it replaces, and in whose names."""

import html

import pytest

from minitape.explain import set_language
from tests.explain.pasting import ran
from tests.explain.programs import Program, as_file, programs

pytestmark = pytest.mark.filterwarnings("ignore")


def test_what_shares_its_line_with_another_statement_is_not_pasted_over_it():
    code = (
        "w, m = tf.Variable(1.0), tf.Variable(0.0)\nwith tf.GradientTape() as tape:\n"
        "    m.assign(w * 2.0); loss = m * 3.0\ne = tape.explain(loss, w)\n"
    )
    assert ran(Program("shared", "", code))[0].cure == []


def test_the_lines_that_are_replaced_are_said():
    e, _ = ran(next(p for p in programs() if p.name == "state/running-sum"))
    assert e.replaced == (
        4,
        6,
    ) and "In place of lines 4 to 6:\n\n    new_total = total.read_value()\n" in str(e)
    assert "In place of lines 4 to 6:" in e.html()
    set_language("fr")
    try:
        assert "À la place des lignes 4 à 6\u00a0:" in str(e)
    finally:
        set_language("en")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            "In place of line 1 of the cell that begins with `with tf.GradientTape() as "
            "tape:`:\n\n    with tf.GradientTape() as tape:\n",
        ),
        (
            "fr",
            "À la place de la ligne 1 de la cellule qui commence par `with tf.GradientTape() as "
            "tape:`\u00a0:\n\n    with tf.Gra",
        ),
    ],
)
def test_lines_of_another_cell_are_named_by_the_cell(language, said):
    e, _ = ran(next(p for p in programs("real_programs") if "features-in-another-cell" in p.name))
    set_language(language)
    try:
        assert e.replaced is None and said in str(e), e
        assert "<code>with tf.GradientTape() as tape:</code>" in e.html()
    finally:
        set_language("en")


def test_lines_of_another_file_are_named_by_the_file(tmp_path, monkeypatch):
    (tmp_path / "features_of_cure.py").write_text(
        "import minitape as tf\nw = tf.Variable([1.0, 2.0])\nrows = tf.gather(w, [0])\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    code = (
        "from features_of_cure import w, rows\nwith tf.GradientTape() as tape:\n    loss = "
        "tf.reduce_sum(rows)\n"
    )
    names, _ = as_file(Program("", "", code + "e = tape.explain(loss, w)\n"), tmp_path)
    assert names["e"].place == "features_of_cure.py, line 3"
    assert (
        "In place of line 2 of program.py:\n\n    with tf.GradientTape() as tape:\n        rows = "
        in str(names["e"])
    ), names["e"]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("state/guide-state", ["new_x1 = x1 + x0", "x1.assign(new_x1)", "y = new_x1 ** 2"]),
        ("connections/wrapped", ["h = w * 3.0"]),
        (
            "more_real_programs/variables made in call",
            ["if not hasattr(self, 'w'):", "    self.w = tf.Variable(2.0)"],
        ),
        ("python_escapes/a round trip through pickle", ["loss = hidden * 3.0"]),
        (
            "carried/the hidden state of the last step",
            [
                "with tf.GradientTape() as tape:",
                "    for x in [1.0, -0.5, 2.0]:",
                "        h = tf.tanh(w * h + x)",
                "        loss = (h - 0.3) ** 2",
                "g = tape.gradient(loss, w)",
            ],
        ),
        (
            "batch/enumerate and an old name",
            ["logits = model(x_batch, training=True)", "loss = loss_fn(y_batch, logits)"],
        ),
        ("batch/only the penalty is left of the loss", []),
        ("state/hidden-state-of-a-cell", []),
        (
            "python_escapes/list-of-floats",
            ["losses.append((w - t) ** 2)", "loss = tf.reduce_mean(tf.convert_to_tensor(losses))"],
        ),
        (
            "more_programs/rotation-matrix",
            [
                "c, s = (tf.cos(angle), tf.sin(angle))",
                "return tf.convert_to_tensor([[c, -s], [s, c]], dtype=tf.float32)",
            ],
        ),
        ("real_programs/keras-numpy", ["pred = model(x)"]),
        ("dtypes/guide-integer", ["x = tf.constant(10.0)"]),
        ("styles/a property gives an array", ["return tf.nn.softmax(self.table[self._state])"]),
        ("styles/a list of decayed variables", ["for p in params:", "    p.assign(p * 0.99)"]),
        (
            "styles/a context manager of one's own",
            [
                "with recording(persistent=True) as tape:",
                "    product = v[0] * v[1]",
                "    penalty = tf.reduce_sum(v**2)  # <-",
            ],
        ),
        ("styles/a stage of a list stops", []),  # the name is another function each turn
        ("styles/a generator predicts ahead", []),
        ("piecewise/round", ["y = (x + tf.stop_gradient(tf.round(x) - x)) * 2.0"]),
        (
            "found_wrong/stretched, asked after gradient",
            ["loss = tf.reduce_mean((tf.squeeze(x @ w, axis=1) - t) ** 2)"],
        ),
        (
            "more_real_programs/sklearn-like metric written in numpy",
            [
                "a = tf.convert_to_tensor(a)",
                "b = tf.convert_to_tensor(b)",
                "return tf.sqrt(tf.reduce_mean((a - b) ** 2))",
            ],
        ),
        (
            "real_programs/softmax-by-hand",
            ["exps = tf.exp(z - tf.reduce_max(z))", "return exps / tf.reduce_sum(exps)"],
        ),
        (
            "python_escapes/formatting",
            ["rounded = y + tf.stop_gradient(tf.round(y * 100.0) / 100.0 - y)"],
        ),
        ("more_real_programs/map float", ["numbers = list(parts)"]),
        (
            "more_programs/numpy-int-cast",
            [
                "y = tf.reduce_sum(tf.nn.softmax(-(x[:, None] - tf.range(4, dtype=tf.float32)) "
                "** 2) * [1.0, 2.0, 3.0, 4.0])"
            ],
        ),
        (
            "outside/loss-after",
            [
                "with tf.GradientTape() as tape:",
                "    prediction = w * 3.0",
                "    error = prediction - t  # <-",
                "    loss = tf.reduce_mean(error ** 2)",
            ],
        ),
        ("outside/stopped", ["y = x * x  # <-"]),
        (
            "outside/gradient-penalty",
            [
                "with tf.GradientTape() as outer:",
                "    with tf.GradientTape() as inner:",
                "        y = tf.reduce_sum(x ** 3)",
                "    g = inner.gradient(y, x)",
                "    penalty = tf.reduce_sum(g ** 2)",
            ],
        ),
        ("replaced/two-at-once", ["w.assign_sub(0.1 * grads[0])", "b.assign_sub(0.1 * grads[1])"]),
        (
            "replaced/list-comprehension",
            ["for p, g in zip(params, grads):", "    p.assign_sub(0.1 * g)"],
        ),
        ("replaced/update-function", ["w.assign_sub(lr * g)", "return w"]),
        ("connections/identity-copy", ["g = tape.gradient(y, x)"]),
        ("more_programs/power-at-zero", ["y = tf.reduce_sum((x + 1e-12) ** 0.5)"]),
        (
            "real_programs/distance-to-itself",
            ["d = tf.sqrt(tf.reduce_sum((points[0] - points[1]) ** 2) + 1e-12)"],
        ),
        ("real_programs/sign", ["y = tf.reduce_sum(tf.tanh(x) * x.shape[0])"]),
        ("numbers/dead-relu", ["h = tf.nn.leaky_relu(w * 2.0 + b)"]),
        (
            "more_real_programs/relu dead because of a large bias",
            ["h = tf.nn.leaky_relu(w * x + b)"],
        ),
        ("numbers/where-other-branch", ["log = tf.math.log(tf.where(x > 0.0, x, 1.0))"]),
        ("more_programs/masked-division", ["ratio = 1.0 / tf.where(x == 0.0, 1.0, x)"]),
        ("more_programs/softmax-of-large", ["loss = tf.reduce_logsumexp(z)"]),
        ("numbers/overflow", ["return tf.math.softplus(x)"]),
        ("watching/late", ["with tf.GradientTape() as tape:", "    tape.watch(x)"]),
    ],
)
def test_the_cure_is_in_the_learners_names(name, lines):
    e, _ = ran(next(p for p in programs() if p.name == name))
    assert e.cure == lines and all(f"    {line}" in str(e) for line in lines), e
    assert all(line in html.unescape(e._repr_html_()) for line in lines)
