"""Why does it not learn? The line is named, the cure mends, and healthy trainings are left alone."""

import warnings

import pytest
from explaining import STOPS, check, explained
from learning_oddly import ODD
from learning_well import HEALTHY, healthy
from not_learning import KINDS, program

from minitape.health.script import looking_on

CASES = [(kind, style, edits) for kind, ways in KINDS.items() for style, *edits in ways]
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize(("kind", "style", "edits"), CASES, ids=[f"{k}-{s}" for k, s, _ in CASES])
def test_a_training_that_does_not_learn_is_told_why_with_its_line(kind, style, edits, tmp_path):
    check(kind, style, edits, tmp_path)


def test_a_rate_that_a_function_gives_is_looked_into(tmp_path):
    given = "def rate(step):\n    return 0.3 * (1 // (step + 2))  # here\n"
    edits = (
        ("rate = 0.05\n", given),
        ("rate * dw", "rate(step) * dw"),
        ("rate * dv", "rate(step) * dv"),
    )
    check("rate_zero.whole", "own", edits, tmp_path)


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_training_is_left_alone(name):
    with warnings.catch_warnings(), looking_on(True) as learning:
        exec(compile(healthy(name), f"<{name}>", "exec"), {"__name__": "__main__"})
        assert learning.certain(True) is None and learning.questions() == {}
    assert learning.watches
    assert all(seen.failed is None for seen in learning.watches)


def test_a_healthy_script_runs_to_its_end(tmp_path):
    for style in ("own", "keras", "function", "class"):
        status, said, _ = explained(program(style, []), tmp_path)
        assert status == 0 and said.endswith("nothing surprising."), said


@pytest.mark.parametrize("name", ODD)
def test_a_healthy_script_is_not_stopped(name, tmp_path):
    status, said, _ = explained(healthy(name), tmp_path)
    assert status == 0 and "nothing surprising" in said, said


SHORT = [
    (kind, *KINDS[kind][k]) for kind in ("nothing_moves", "copied", "put_back") for k in (0, 1)
]
SHORT += [("same_network", *KINDS["same_network"][3]), ("left_alone", *KINDS["left_alone"][4])]


@pytest.mark.parametrize(("kind", "style", "edits"), [(k, s, e) for k, s, *e in SHORT])
def test_four_steps_are_enough(kind, style, edits, tmp_path):
    short = [*edits, ("range(60)", "range(4)")]
    line = next(k for k, t in enumerate(program(style, short).splitlines(), 1) if "# here" in t)
    status, said, findings = explained(program(style, short), tmp_path)
    assert kind in [finding.key for finding in findings] and f"train.py, line {line}" in said, said
    assert status == (kind in STOPS)


@pytest.mark.parametrize("made", ["def", "for"])
def test_a_network_of_its_own_for_each_step(made, tmp_path):
    step = healthy("full_batch").partition("w, b")[0] + (
        "{}:\n    model, optimizer = net(4, 1), tf.keras.optimizers.SGD(0.1)\n"
        "    with tf.GradientTape() as tape:\n"
        "        loss = tf.reduce_mean((model(x) - y) ** 2)\n"
        "    grads = tape.gradient(loss, model.trainable_variables)\n"
        "    optimizer.apply_gradients(zip(grads, model.trainable_variables))\n"
    )
    loop = "for k in range(5)"
    text = step.format("def step()") + loop + ": step()\n" if made == "def" else step.format(loop)
    line = next(k for k, each in enumerate(text.splitlines(), 1) if "model, optim" in each)
    status, said, _ = explained(text, tmp_path)
    assert status == 0 and "a new one at each step" in said and f"line {line}," in said, said


def test_in_french_too(tmp_path):
    for ways in KINDS.values():
        style, *edits = ways[0]
        said = explained(program(style, edits), tmp_path, "--language", "fr")[1]
        assert "{" not in said and "Que faire : " in said, said


def test_one_of_two_trainings_that_does_not_learn_is_found(tmp_path):
    text = healthy("gan").replace(
        "    g_opt.apply_gradients(zip(g_grads, generator.trainable_variables))\n", ""
    )
    line = next(k for k, each in enumerate(text.splitlines(), 1) if "g_grads =" in each)
    status, said, _ = explained(text, tmp_path)
    assert status == 1 and f"no weight ever moves. (train.py, line {line}," in said, said
