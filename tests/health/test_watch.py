"""Watching changes nothing, costs little, stays small, lets go; and what it says holds."""

import gc
import json
import sys
import weakref

import numpy as np
import pytest
from health_trainings import run

import minitape as tf
from minitape import health
from minitape.engine.base.listeners import Onlooker, assignments_are_seen, looking_on, onlookers
from minitape.health.pace import Pace
from minitape.health.seen.history import MEASURES, History, Losses
from minitape.health.seen.look import Look
from minitape.health.words import say, short


def train(optimizer="SGD", steps=30, **watch):
    """Train a small net with dropout; return (its weights, what was seen)."""
    tf.random.set_seed(3)
    x, y = tf.data.moons(64, seed=1)
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Dense(8, activation="relu"),
            tf.keras.layers.Dropout(0.2),
            tf.keras.layers.BatchNormalization(),
            tf.keras.layers.Dense(2),
        ]
    )
    optimizer, seen = getattr(tf.keras.optimizers, optimizer)(0.02), None

    def loop():
        for _ in range(steps):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(
                    tf.nn.sparse_softmax_cross_entropy_with_logits(y, model(x, training=True))
                )
            optimizer.apply_gradients(
                zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
            )
        return loss

    if watch:
        with health.watch(model, **watch) as seen:
            loss = loop()
    else:
        loss = loop()
    return [v.numpy().tobytes() for v in [*model.weights, *optimizer.variables, loss]], seen


@pytest.mark.parametrize("optimizer", ["SGD", "Adam", "RMSprop"])
def test_what_a_program_computes_stays_the_same_bit_for_bit(optimizer):
    alone, _ = train(optimizer)
    assert (
        alone
        == train(optimizer, every=1)[0]
        == train(optimizer, every=None)[0]
        == train(optimizer, every=7)[0]
    )


PARTS = {  # name: (lines of the block, what gradients are asked of, is it left out?)
    "penalty": (
        "penalty = 0.1 * tf.reduce_sum(w * w)\nloss = tf.reduce_mean((x @ w - y)**2)\ntotal = "
        "loss + penalty",
        ["loss"],
        True,
    ),
    "penalty, further on": (
        "loss = tf.reduce_mean((x @ w - y)**2)\ntotal = 2.0 * loss\ntotal += tf.reduce_sum(w * w)",
        ["loss"],
        True,
    ),
    "the sum": (
        "loss = tf.reduce_mean((x @ w - y)**2)\nloss = loss + tf.reduce_sum(w * w)",
        ["loss"],
        False,
    ),
    "each by itself": (
        "a = tf.reduce_mean((x @ w - y)**2)\nb = tf.reduce_sum(w * w)\ntotal = a + b",
        ["a", "b"],
        False,
    ),
    "both together": (
        "a = tf.reduce_mean((x @ w - y)**2)\nb = tf.reduce_sum(w * w)\ntotal = a + b",
        ["[a, b]"],
        False,
    ),
    "another measure": (
        "loss = tf.reduce_mean((x @ w - y)**2)\nsize = tf.sqrt(loss)\nfar = "
        "tf.reduce_mean(tf.abs(x @ w - y)) + 1.0",
        ["loss"],
        False,
    ),
    "a number added": (
        "loss = tf.reduce_mean((x @ w - y)**2)\nshown = 100.0 * loss + 1.0",
        ["loss"],
        False,
    ),
}


@pytest.mark.parametrize("name", PARTS)
def test_what_is_added_to_a_loss_behind_it_is_missed(name):
    lines, asked, left_out = PARTS[name]
    block = "".join(f"            {line}\n" for line in lines.split("\n"))
    plays = "".join(
        f"        w.assign_sub(0.01 * tape.gradient({target}, w))\n" for target in asked
    )
    seen = run(
        "import minitape as tf\nfrom minitape import health\nx, y = tf.data.line(50, seed=2)\nw "
        "= tf.Variable([[0.5]])\n"
        "with health.watch(w, every=1) as seen:\n    for step in range(30):\n"
        f"        with tf.GradientTape(persistent=True) as tape:\n{block}{plays}",
        f"parts of a loss, {name}",
    )
    assert [finding.key for finding in seen.findings if finding.key == "left_out"] == [
        "left_out"
    ] * left_out, str(seen)
    if left_out:
        place = next(one["place"] for one in seen.to_dict()["findings"] if one["key"] == "left_out")
        assert place["code"].strip().startswith("total") and place["line"] == 8 + lines.count("\n")


def test_a_loop_by_hand():
    def descend(watched):
        w, b = tf.Variable([[0.0]]), tf.Variable([0.0])
        x, y = tf.data.line(50, seed=2)

        def loop():
            for _ in range(40):
                with tf.GradientTape(persistent=True) as tape:
                    loss = tf.reduce_mean((x @ w + b - y) ** 2)
                w.assign_sub(0.1 * tape.gradient(loss, w))
                b.assign_sub(0.1 * tape.gradient(loss, b))

        if not watched:
            loop()
            return (w.numpy(), b.numpy()), None
        with health.watch([w, b], every=1) as seen:
            loop()
        return (w.numpy(), b.numpy()), seen

    (alone, _), (watched, seen) = descend(False), descend(True)
    # two plays with one target are one step
    assert alone == watched and seen.steps == 40 and seen.findings == []
    assert list(seen.history.layers.values())[0].name == "w" and [
        w.name for w in seen.history.weights.values()
    ] == ["w", "b"]


def test_nothing_stays_when_the_block_is_left():
    assert onlookers.get() == ()
    with pytest.raises(KeyError), health.watch() as seen:
        # optimizers go their short way
        assert onlookers.get() == (seen,) and not assignments_are_seen()
        raise KeyError
    assert onlookers.get() == ()
    _, seen = train(every=1)
    gc.collect()
    w = tf.Variable(1.0)
    with health.watch(w) as seen:
        with tf.GradientTape() as tape:
            loss = w * 2.0
        tape.gradient(loss, w)
    kept = [weakref.ref(tape), weakref.ref(w._tensor)]
    del w, tape, loss
    gc.collect()
    assert [ref() for ref in kept] == [None, None] and seen.steps == 1 and "1 step" in str(seen)


def test_a_look_that_fails_does_not_end_a_training(monkeypatch):
    monkeypatch.setattr("minitape.health.seen.look.Look._value", lambda *_: 1 / 0)
    weights, seen = train(every=1)
    assert (
        weights == train()[0]
        and isinstance(seen.failed[1], ZeroDivisionError)
        and "given up at step 1" in str(seen)
    )


@pytest.fixture
def clock(monkeypatch):
    """clock(step, look): from now on a step takes so many seconds, and a look at it so many more,
    however busy the machine is.
    """
    now = [0.0]
    monkeypatch.setattr("minitape.health.pace.perf_counter", lambda: now[0])
    close, add = Look.close, Losses.add

    def later(method, seconds):
        return lambda *about: (now.__setitem__(0, now[0] + seconds), method(*about))[1]

    def set_to(step, look):
        monkeypatch.setattr(Look, "close", later(close, look))
        monkeypatch.setattr(Losses, "add", later(add, step))

    return set_to


@pytest.mark.parametrize(("look", "most"), [(0.0005, 300), (0.01, 20)])
def test_the_time_of_all_looks_is_a_small_share(look, most, clock):
    clock(step=0.0003, look=look)
    _, seen = train(steps=600, every=None)
    assert Pace.least <= seen.history.looks < most  # looks that are slow are few
    assert seen.pace.paid < 0.01 * seen.seconds + 0.0071 + (Pace.least + 2) * look


def test_looks_at_quick_steps_are_spread_over_a_training(clock):
    clock(step=0.0003, look=0.0005)
    for steps in (150, 300, 600):
        _, seen = train(steps=steps, every=None)
        gaps = np.diff([*seen.history.steps, steps])
        assert max(gaps) < steps // 2 and seen.pace.paid < 0.01 * seen.seconds + 0.0071


def test_who_wants_to_be_told_of_assignments_is_told():
    class Recorder(Onlooker):
        def assigned(self, variable, how, operand, before, after):
            names.append(variable.name)

    w, names = tf.Variable([1.0]), []
    for wants in (True, False):
        content = Recorder()
        content.sees_assignments = wants
        with looking_on(content):
            tf.keras.optimizers.SGD(0.1, momentum=0.9).apply_gradients([(tf.constant([1.0]), w)])
        assert bool(names) == wants
        names.clear()


def long_history(steps, layers):
    draw, history = np.random.default_rng(0), History()
    for step in range(steps):
        history.losses.add(float(draw.random()))
        history.begin(step)
        for key in range(layers):
            layer = history.layer(key)
            for measure in MEASURES:
                layer.columns[measure][-1] = float(draw.normal())
    return history


def test_ten_thousand_steps_of_fifty_layers_stay_light():
    seen = health.watch()
    seen.history, seen.steps = long_history(10_000, 50), 10_000
    text = json.dumps(seen.to_dict(), allow_nan=False)
    assert len(text) < 2_000_000, len(text)
    history = seen.history
    assert (
        history.steps[0] == 0
        and history.steps[-1] == 9_999
        and history.steps == sorted(set(history.steps))
        and len(history.steps) > 100
    )
    assert {
        len(column) for layer in history.layers.values() for column in layer.columns.values()
    } == {len(history.steps)}
    assert sys.getsizeof(history.losses.mean) < 10_000


def test_losses_that_are_joined_keep_their_extremes():
    losses = Losses()
    for k in range(5_000):
        losses.add(1000.0 if k == 3_210 else float("nan") if k == 7 else float(k % 5))
    losses.close()
    assert (
        losses.steps == 5_000
        and losses.each == 8
        and max(losses.high) == 1000.0
        and min(losses.low) == 0.0
    )
    assert len(losses.mean) == 625 and losses.mean[0] is not None


def test_a_loop_inside_of_a_function_that_is_compiled_says_so():
    w = tf.Variable([1.0, 2.0])

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * w)
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    with health.watch(w) as seen:
        for _ in range(5):
            step()
    assert seen.steps == 0 and "tf.function" in str(seen)


def test_a_model_that_is_not_built_yet_and_frozen_layers():
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)]
    )
    optimizer, x = tf.keras.optimizers.SGD(0.1), tf.ones((4, 3))
    with health.watch(model, every=1) as seen:
        for _ in range(4):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x) ** 2)
            model.layers[0].trainable = False
            variables = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    assert [(w.name, w.frozen) for w in seen.history.weights.values()][:2] == [
        ("Dense1.kernel", True),
        ("Dense1.bias", True),
    ]
    assert "Dense1 (frozen)" in str(seen) and seen.findings == []


@pytest.mark.parametrize("wrong", [3.0, "model", [tf.constant(1.0)], np.ones(3)])
def test_what_cannot_be_watched_is_refused(wrong):
    with pytest.raises(TypeError, match="health.watch looks at a model, a layer, or variables"):
        health.watch(wrong)
    with pytest.raises(ValueError, match="every must be at least 1"):
        health.watch(every=0)


def test_it_can_be_read_while_the_training_runs():
    model, content = (
        tf.keras.Sequential(
            [tf.keras.layers.Dense(4, activation="relu", name="first"), tf.keras.layers.Dense(1)]
        ),
        [],
    )
    x, optimizer = tf.data.moons(40)[0], tf.keras.optimizers.SGD(0.01)
    with health.watch(model, every=2) as seen:
        for step in range(9):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(x) - 1.0) ** 2)
            optimizer.apply_gradients(
                zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
            )
            if step == 5:
                content = [seen.to_dict(), str(seen)]
    assert (
        content[0]["steps"] == 6
        and [layer["name"] for layer in content[0]["layers"]] == ["first", "Dense"]
        and "6 steps" in content[1]
    )
    assert (
        seen.to_dict()["looked"] == [0, 2, 4, 6, 8]
        and seen.to_dict()["layers"][0]["update"][-1] > 0
    )


def test_plain_data():
    _, seen = train(every=1, steps=5)
    data = json.loads(json.dumps(seen.to_dict(), allow_nan=False))
    assert (data["format"], data["version"], data["steps"], data["looked"]) == (
        "minitape.health",
        1,
        5,
        [0, 1, 2, 3, 4],
    )
    assert [layer["name"] for layer in data["layers"]] == [
        "Dense1",
        "BatchNormalization",
        "Dense2",
    ] and data["bad"] is None
    first = data["layers"][0]
    assert first["weights"] == ["Dense1.kernel", "Dense1.bias"] and all(
        len(first[m]) == 5 for m in ("value", "adjoint", "update", "dead")
    )
    assert (
        first["place"]["file"].endswith("test_watch.py")
        and "model(x, training=True)" in first["place"]["code"]
    )
    assert len(data["losses"]["mean"]) == 5 and data["losses"]["each"] == 1


@pytest.mark.parametrize(
    ("number", "english", "french"),
    [
        (0.00123, "0.0012", "0,0012"),
        (4.54, "4.5", "4,5"),
        (31.4, "31", "31"),
        (5600.0, "5600", "5600"),
        (3.6e14, "3.6e+14", "3,6e+14"),
    ],
)
def test_numbers_are_short_and_have_the_sign_of_their_language(number, english, french):
    assert short(number, "en") == english and short(number, "fr") == french
    losses = dict(first=number, last=number, low=number)
    assert french in say("watch.loss", "fr", **losses) and english in say(
        "watch.loss", "en", **losses
    )
