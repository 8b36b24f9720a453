"""Gradients that are numbers and still not what was meant: each is spoken of only where tape and
text prove it.
"""

import pytest

import minitape as tf
from tests.explain.programs import Program, as_cells, as_file, programs

pytestmark = pytest.mark.filterwarnings("ignore")


def explained(code):
    return as_cells(Program("", "", code), None)[0]["e"]


RECURRENCE = """
w, h = tf.Variable(0.5), tf.constant(1.0)
for x in {steps}:
    with tf.GradientTape() as tape:
        h = tf.tanh(w * h + x)
        loss = h ** 2
e = tape.explain(loss, w)
"""


def test_the_first_step_of_a_recurrence_is_whole_and_the_second_truncated():
    assert explained(RECURRENCE.format(steps="[1.0]")).healthy
    second = explained(RECURRENCE.format(steps="[1.0, 2.0]"))
    assert (second.category, second.answer) == (
        "carried-over",
        "The gradient of loss with respect to w is not complete.",
    )
    assert (
        "h comes into this block from an earlier tape" in second.message
        and "truncated" in second.message
    )


def test_what_an_earlier_tape_recorded_is_known_by_its_number():
    x, w = tf.Variable(2.0), tf.Variable(3.0)
    beside = x * 2.0
    with tf.GradientTape():
        carried = x * 3.0
    between = x * 4.0
    with tf.GradientTape() as tape:
        loss = (beside + carried + between) * w
    recording = tape.recording
    assert [recording.of_earlier_tape(t.id) for t in (beside, carried, between, loss)] == [
        False,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    "divisor, count",
    [
        ("len(x)", 4),
        ("x.shape[0]", 4),
        ("batch_size", 4),
        ("tf.cast(tf.shape(x)[0], tf.float32)", 4),
        ("4", 0),
        ("len(batches)", 0),
        ("accumulate", 0),
        ("n_classes", 0),
        ("2.0", 0),
    ],
)
def test_a_mean_is_called_divided_twice_only_where_the_divisor_counts_the_examples(divisor, count):
    e = explained(f"""
x = tf.constant([1.0, 2.0, 3.0, 4.0])
batches, batch_size, accumulate, n_classes = [x, x, x, x], 4, 4, 4
w = tf.Variable(0.5)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((w * x - 1.0) ** 2) / {divisor}
e = tape.explain(loss, w)
""")
    assert e.params.get("count", 0) == count and e.healthy == (count == 0), e
    if count:
        assert "4 times smaller" in e.message and e.cure == [
            "loss = tf.reduce_mean((w * x - 1.0) ** 2)"
        ]


@pytest.mark.parametrize(
    "divided",
    [
        "loss = m / len(x)",
        "loss = 1 / len(x) * m",
        "loss = m * (1.0 / len(x))",
        "loss = m\n    loss /= len(x)",
    ],
)
def test_a_division_is_seen_in_all_its_forms(divided):
    e = explained(f"""
x, w = np.ones(3, "float32"), tf.Variable(0.5)
with tf.GradientTape() as tape:
    m = tf.reduce_mean((w * x - 2.0) ** 2)
    {divided}
e = tape.explain(loss, w)
""")
    assert (e.category, e.params["count"]) == ("divided-twice", 3), e


@pytest.mark.parametrize(
    "penalty, twice",
    [
        ("0.1 * tf.reduce_sum(w * w)", True),
        ("tf.nn.l2_loss(w)", True),
        ("tf.reduce_sum(w ** 2) / 2", True),
        ("tf.reduce_sum(w ** 3)", False),
        ("tf.reduce_sum(tf.abs(w))", False),
        ("tf.reduce_sum(tf.square(v))", False),
        ("tf.reduce_sum(w * v)", False),
    ],
)
def test_two_penalties_are_the_same_only_where_they_are(penalty, twice):
    e = explained(f"""
w, v = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = (tf.reduce_sum(w * [3.0, 4.0]) - 1.0) ** 2 + 0.1 * tf.reduce_sum(tf.square(w))
    loss = loss + {penalty}
e = tape.explain(loss, w)
""")
    assert (e.category == "counted-twice") == twice and e.healthy != twice, e


def test_a_penalty_of_another_variable_is_no_matter_of_this_one():
    code = """
w, v = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(w * [3.0, 4.0]) ** 2 + tf.nn.l2_loss(v)
    loss = loss + tf.nn.l2_loss(v)
e = tape.explain(loss, {asked})
"""
    assert (
        explained(code.format(asked="w")).healthy
        and explained(code.format(asked="v")).category == "counted-twice"
    )


@pytest.mark.parametrize(
    "name, flows",
    [
        ("target", True),
        ("y_true", True),
        ("soft_labels", True),
        ("other", False),
        ("targeted", False),
    ],
)
def test_a_label_is_what_the_learner_calls_so(name, flows):
    e = explained(f"""
w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    {name} = tf.sin(w)
    loss = (w * 3.0 - {name}) ** 2
e = tape.explain(loss, w)
""")
    assert (e.category == "own-label") == flows and e.healthy != flows, e
    if flows:
        assert e.cure == [f"{name} = tf.stop_gradient(tf.sin(w))"]


def test_a_stopped_label_is_healthy_and_so_is_one_of_another_variable():
    for made in ("tf.stop_gradient(tf.sin(w))", "tf.sin(v)", "tf.sin(tf.constant(2.0))"):
        assert explained(f"""
w, v = tf.Variable(2.0), tf.Variable(2.0)
with tf.GradientTape() as tape:
    target = {made}
    loss = (w * 3.0 - target) ** 2
e = tape.explain(loss, w)
""").healthy, made


@pytest.mark.parametrize("read", ["loss = tf.reduce_mean(w * x)", "print(x[0])", "self_x = x"])
def test_a_batch_that_is_read_anywhere_in_the_loop_is_not_called_unused(read):
    code = f"""
w, data = tf.Variable(2.0), tf.constant([[1.0, 2.0], [3.0, 4.0]])
for x in data:
    with tf.GradientTape() as tape:
        loss = w * w
        {read}
e = tape.explain(loss, w)
"""
    assert (
        explained(code).healthy
        and explained(code.replace(read, "pass")).category == "batch-not-used"
    )


def test_what_is_left_of_parts_that_cancel_is_called_rounding():
    code = """
w = tf.Variable([1.0, 2.0, 0.5], dtype="{dtype}")
with tf.GradientTape() as tape:
    p = tf.exp(w) / tf.reduce_sum(tf.exp(w))
    loss = tf.reduce_sum(p){small}
g = tape.gradient(loss, w)
e = tape.explain(loss, w)
"""
    for dtype in ("float32", "float64"):
        assert explained(code.format(dtype=dtype, small="")).category == "zero-cancel"
        e = explained(code.format(dtype=dtype, small=" + 1e-8 * tf.reduce_sum(w * w)"))
        assert e.healthy == (dtype == "float64"), (dtype, e)  # there it is no rounding


def test_names_of_one_object_are_said_in_french(tmp_path):
    from minitape.explain import set_language

    names, _ = as_file(
        Program(
            "",
            "",
            "a = tf.Variable(2.0)\nb = a\nwith tf.GradientTape() as tape:\n    y = a * 2.0 + b\n"
            "e = tape.explain(y, b)\n",
        ),
        tmp_path,
    )
    set_language("fr")
    try:
        assert "ne fait pas de copie" in str(names["e"])
    finally:
        set_language("en")


@pytest.mark.parametrize(
    ("call", "category", "domain"),
    [
        ("tf.acos(x)", "nan-forward", "-1 <= x <= 1"),
        ("tf.math.lgamma(x - 0.5)", "inf-forward", "x > 0 or x % 1 != 0"),
        ("tf.math.log(x)", "nan-forward", ""),
        ("tf.exp(-100.0 * x)", "inf-forward", ""),
    ],
)
def test_an_operation_outside_of_its_domain(call, category, domain):
    e = explained(
        "x = tf.Variable(-1.5)\nwith tf.GradientTape() as tape:\n"
        f"    y = {call} * 2.0\ne = tape.explain(y, x)\n"
    )
    assert e.category == category
    assert ("it is defined where" in e.message) is bool(domain) and domain in e.message
    assert ("clip_by_value" in e.fix) is bool(domain)


@pytest.mark.parametrize("call", ["tf.nn.softsign(x)", "tf.nn.gelu(-x)", "tf.math.erf(x)"])
def test_all_that_flattens_out_is_called_saturated(call):
    e = explained(
        "x = tf.Variable(1e25)\nwith tf.GradientTape() as tape:\n"
        f"    y = {call}\ne = tape.explain(y, x)\n"
    )
    assert e.category == "zero-flat" and "is saturated" in e.message


def test_a_second_slope_is_given_a_curve_and_no_other_straight_pieces():
    program = next(p for p in programs("pieces") if "relu(" in p.code)
    cure = as_cells(program, None)[0]["e"].cure
    assert "softplus(" in cure[0] and "relu" not in cure[0], cure


def test_equal_numbers_are_not_taken_for_one_computation():
    """Both begin at 0, and only the offset cancels."""
    code = """
w, b = tf.Variable([[0.0], [0.0]]), tf.Variable(0.5)
with tf.GradientTape() as tape:
    better, worse = tf.ones([3, 2]) @ w + b, tf.zeros([3, 2]) @ w + b
    loss = tf.reduce_sum(tf.math.softplus(worse - better))
e = tape.explain(loss, b)
"""
    said = explained(code)
    assert said.category == "zero-cancel" and "used 2 times" in said.message, said
