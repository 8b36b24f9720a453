"""The tapes that a watch keeps: few, evenly spread, those that tell most among them; with the
values of their steps, and nothing else.
"""

import gc
import weakref

import numpy as np
import pytest
from health_trainings import run

import minitape as tf
from minitape import health, storyboard
from minitape.health.seen import tapes
from minitape.health.seen.tapes import MOST
from minitape.health.words import cure, sentence


def train(steps=300, optimizer="Adam", size=8):
    """Train a small net; return (what was seen, its weights, {step: (loss, gradients)})."""
    tf.random.set_seed(3)
    x, y = tf.data.moons(64, seed=1)
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Dense(size, activation="relu"),
            tf.keras.layers.Dropout(0.2),
            tf.keras.layers.Dense(2),
        ]
    )
    optimizer, was = getattr(tf.keras.optimizers, optimizer)(0.02), {}
    with health.watch(model, every=1) as seen:
        for step in range(steps):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(
                    tf.nn.sparse_softmax_cross_entropy_with_logits(y, model(x, training=True))
                )
            gradients = tape.gradient(loss, model.trainable_variables)
            was[step] = loss.numpy(), [g.numpy() for g in gradients]
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return seen, model.trainable_variables, was


@pytest.mark.parametrize("optimizer", ["SGD", "Adam"])
def test_a_kept_tape_has_the_values_of_its_step(optimizer):
    seen, weights, was = train(optimizer=optimizer)
    assert (
        seen.failed is None
        and seen.kept[0] == 0
        and seen.kept[-1] == 299
        and len(seen.kept) == MOST
    )
    for step in seen.kept:
        tape, (loss, gradients) = seen.tape(step), was[step]
        assert tape.step == step and tape.target.numpy() == loss and tape.output_gradients is None
        for sources in (tape.sources, weights):  # the learner's own variables lead there as well
            assert all(map(np.array_equal, tape.gradient(tape.target, sources), gradients)), (
                "as often as one likes"
            )
    early, late = (seen.tape(step).sources[0].numpy() for step in (0, 299))
    assert not np.array_equal(early, late), "the variables are as they were"


def test_its_picture_is_that_of_its_step():
    seen, _, was = train(40)
    step = seen.kept[3]
    tape = seen.tape(step)
    board = storyboard.build(tape, tape.target, tape.sources)
    loss = next(node for node in board["nodes"] if node["label"] == "loss")
    assert board["values"][loss["value"]]["number"] == pytest.approx(float(was[step][0]), rel=1e-4)
    assert {"Dense1.kernel", "Dense2.bias"} <= {node["label"] for node in board["nodes"]}
    ops = [entry.op for entry in tape.entries]
    assert [ops[k] for k in tape.layers.values()] == ["Relu", "Add"], (
        "where each layer gives its output"
    )


def test_they_lie_evenly_and_no_step_is_far_from_one():
    seen, _, _ = train(500)
    gaps = np.diff(seen.kept)
    assert gaps.max() <= 3 * 500 / MOST


def test_the_memory_is_bounded(monkeypatch):
    one = sum(train(1)[0].tape(0).sizes.values())
    monkeypatch.setattr(tapes, "MOST_BYTES", 4 * one)
    seen, _, _ = train(100)
    held = {}
    for step in seen.kept:
        held |= seen.tape(step).sizes
    assert (
        3 <= len(seen.kept) < MOST and sum(held.values()) <= 4 * one and {0, 99} <= set(seen.kept)
    )
    monkeypatch.setattr(tapes, "LARGEST", one - 1)
    seen, _, _ = train(5)
    with pytest.raises(ValueError, match="No tape is kept: that of one step holds 0 MB"):
        seen.tape(0)


BAD = """import minitape as tf
from minitape import health
w = tf.Variable([2.0, 3.0])
with health.watch(w, every=EVERY) as seen:
    for step in range(60):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.sqrt(w))
        g = tape.gradient(loss, w)
        w.assign(BY)
"""


@pytest.mark.parametrize(
    ("by", "way"), [("w - 0.05", "forward"), ("tf.maximum(w - 0.05, 0.0)", "backward")]
)
@pytest.mark.parametrize("every", ["1", "9", "None"])
def test_the_first_bad_number_and_the_look_before_it(by, way, every):
    seen = run(BAD.replace("BY", by).replace("EVERY", every), f"bad {way} {every}")
    bad = seen.to_dict()["bad"]
    assert bad["way"] == way and bad["step"] in seen.kept, (bad, seen.kept)
    tape = seen.tape(bad["step"])
    assert tape.entries[bad["entry"]].op == bad["op"] == "Sqrt"
    (gradient,) = tape.gradient(tape.target, tape.sources)
    assert not np.isfinite(gradient.numpy()).all() and not np.isfinite(float(tape.target)) == (
        way == "forward"
    )
    before = seen.tape(max(step for step in seen.kept if step < bad["step"]))
    assert np.isfinite(before.gradient(before.target, before.sources)[0].numpy()).all()
    if every == "1":
        assert before.step == bad["step"] - 1


def test_where_a_finding_begins_a_tape_is_near():
    tapes_of = tapes.Tapes()
    seen, _, _ = train(1)
    tapes_of.begins = {17}
    for step in range(400):
        one = tapes.KeptTape.around(seen.tape(0)._tape)
        one.step, one.sizes = step, {}
        tapes_of.take(one)
    assert (
        17 in tapes_of.of
        and sorted(tapes_of.of)[0] == 0
        and 399 in tapes_of.of
        and len(tapes_of.of) == MOST
    )


def test_all_that_was_asked_of_a_step_is_asked_of_its_tape():
    w, b = tf.Variable([1.0, 2.0]), tf.Variable(0.5)
    with health.watch([w, b], every=1) as seen:
        with tf.GradientTape(persistent=True) as tape:
            y = w * w + b
        tape.gradient(y, w, output_gradients=tf.constant([1.0, 10.0])), tape.gradient(y, b)
    kept = seen.tape(0)
    assert [source.id for source in kept.sources] == [w.id, b.id]
    w.assign([0.0, 0.0])
    gradient = kept.gradient(kept.target, kept.sources[0], kept.output_gradients)
    assert gradient.numpy().tolist() == [2.0, 40.0]


def test_a_tape_that_goes_on_recording_is_kept_as_it_was():
    w = tf.Variable([1.0, 2.0])
    with health.watch(w, every=1) as seen:
        with tf.GradientTape(persistent=True) as tape:
            y = tf.reduce_sum(w * w)
        tape.gradient(y, w)
        with tape:
            tf.exp(w) * 2.0
    assert len(seen.tape(0).entries) == 3 < len(tape.entries)


def test_nothing_else_is_kept_alive():
    seen, weights, _ = train(30, size=4)
    kept = seen.tape(seen.kept[2])
    own = [weakref.ref(obj) for obj in (*weights, *(w._tensor for w in weights))]
    held = weakref.ref(kept.target)
    del weights
    gc.collect()
    assert [ref() for ref in own] == [None] * len(own), "the learner's variables go"
    assert held() is kept.target
    del seen, kept
    gc.collect()
    assert held() is None, "with the watch the tapes go"


def test_errors_say_what_to_do():
    seen, _, _ = train(40)
    assert 1 not in seen.kept or 2 not in seen.kept
    missing = next(step for step in range(40) if step not in seen.kept)
    with pytest.raises(
        ValueError,
        match=rf"step {missing} was not kept.*nearest one is seen.tape\(\d+\); kept are the "
        r"steps 0, ",
    ):
        seen.tape(missing)
    for wrong in ("3", 1.0, True, None):
        with pytest.raises(TypeError, match="A step is a whole number"):
            seen.tape(wrong)
    with health.watch() as seen:
        pass
    with pytest.raises(ValueError, match="No tape is kept: no step was seen"):
        seen.tape(0)


def test_they_can_be_asked_for_while_the_training_runs():
    w = tf.Variable(2.0)
    with health.watch(w, every=1) as seen:
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = w * w
            w.assign_sub(0.1 * tape.gradient(loss, w))
        assert seen.kept == [0, 1, 2] and float(seen.tape(1).target) == pytest.approx(1.6**2)


def test_a_number_outside_of_a_domain_is_told():
    program = BAD.replace("tf.sqrt(w)", "tf.acos(w - 2.45)").replace("BY", "w + 0.1")
    seen = run(program.replace("EVERY", "1"), "domain")
    (finding,) = (finding for finding in seen.findings if finding.key == "nonfinite")
    reported = sentence(finding, "en")
    assert "Acos: it is defined where -1 <= x <= 1, and it was given numbers from" in reported
    assert "tf.clip_by_value" in cure(finding, "en")
