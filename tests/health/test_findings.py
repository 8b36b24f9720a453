"""What watching finds in a training, and in what it finds nothing."""

import re

import pytest
from foreign import foreign
from health_trainings import run

import minitape as tf
from minitape import health
from minitape.health.findings import RULES, find
from minitape.health.seen.history import History
from minitape.health.words import catalogue
from minitape.sentences import COMPLETE, LANGUAGES
from minitape_widgets.training.payload import WORDS as VIEW

LINES = """import numpy as np
import minitape as tf
from minitape import health
tf.random.set_seed(1)
x, y = tf.data.moons(100, seed=1)
yb = y.astype("float32")[:, None]
w1, w2, v = [tf.Variable(tf.random.normal(shape) * 0.5) for shape in ((2, 8), (8, 8), (8, 1))]
u = tf.Variable(tf.random.normal((8, 8)) * 0.5)
weights = [w1, w2, u, v]
with health.watch(weights, every=1) as seen:
    for step in range(40):
        with tf.GradientTape() as tape:
            h = tf.tanh(tf.tanh(tf.tanh(x @ w1) @ w2) @ u)
            loss = {loss}
        g = tape.gradient(loss, weights)
        {update}
"""
MSE = "tf.reduce_mean((h @ v - yb) ** 2)"


@pytest.mark.parametrize(
    ("key", "loss", "update"),
    [
        (None, MSE, "[w.assign_sub(0.1 * d) for w, d in zip(weights, g)]"),
        ("uphill", MSE, "[w.assign_add(0.1 * d) for w, d in zip(weights, g)]"),
        ("swapped", MSE, "[w.assign_sub(0.1 * d) for w, d in zip([w1, u, w2, v], g)]"),
        (
            "not_applied",
            MSE,
            "[w.assign_sub(0.1 * d) for w, d in zip([w1, w2, v], [g[0], g[1], g[3]])]",
        ),
        ("nothing_moves", MSE, "pass"),
        (
            "labels.range",
            "tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=yb + 1.0, logits=h @ "
            "v))",
            "[w.assign_sub(0.1 * d) for w, d in zip(weights, g)]",
        ),
        ("input", "tf.reduce_mean((h @ v + tf.constant(np.nan, tf.float32) - yb) ** 2)", "pass"),
        (
            "nonfinite",
            "tf.reduce_mean(tf.sqrt(tf.nn.relu(h @ v - 9.0)))",
            "[w.assign_sub(0.1 * d) for w, d in zip(weights, g)]",
        ),
    ],
)
def test_what_must_hold_in_every_step(key, loss, update):
    seen = run(LINES.format(loss=loss, update=update), key)
    assert seen.failed is None and [f.key for f in seen.findings][:1] == ([key] if key else []), (
        str(seen)
    )


def test_a_bias_of_0_that_tiny_steps_move_is_no_weight_that_is_trained():
    seen = run(
        """import minitape as tf
from minitape import health
model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)])
x, y = tf.random.normal([16, 3], seed=1), tf.random.normal([16, 1], seed=2)
model(x)
optimizer = tf.keras.optimizers.SGD(0.1, clipnorm=1e-9)
with health.watch(model) as seen:
    for step in range(12):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
""",
        "clipped",
    )
    assert [f.key for f in seen.findings] == ["nothing_moves"], str(seen)


@pytest.mark.parametrize("made", ["build", "call"])
def test_a_weight_without_a_gradient_after_the_first_step(made):
    kernel = {"build": "", "call": ""} | {made: "self.kernel = 2.0 * self.w"}
    text = f"""
import minitape as tf
from minitape import health
class Scaled(tf.keras.layers.Layer):
    def build(self, shape):
        self.w = self.add_weight(shape=(2, 1), initializer="ones", name="w")
        self.b = self.add_weight(shape=(1,), initializer="zeros", name="b")
        {kernel["build"]}
    def call(self, x):
        {kernel["call"]}
        return x @ self.kernel + self.b
layer, optimizer = Scaled(), tf.keras.optimizers.SGD(1e-3)
x, t = tf.random.normal([8, 2], seed=1), tf.random.normal([8, 1], seed=2)
with health.watch(layer) as seen:
    for step in range(8):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((layer(x) - t) ** 2)
        gradients = tape.gradient(loss, layer.trainable_variables)
        pairs = zip(gradients, layer.trainable_variables)
        optimizer.apply_gradients((g, v) for g, v in pairs if g is not None)
"""
    seen = run(text, f"made in {made}")
    assert [f.key for f in seen.findings][:1] == ["none"] * (made == "build"), seen
    for found in seen.findings[:1]:  # a busy machine looks at fewer steps
        assert found.step >= 1 and found.explained.category == "computed-before", seen
        assert found.explained.lineno == 8 and "`call`" in str(seen), seen


def test_layers_that_are_dead_from_the_same_step_on_are_one_finding():
    seen = run(
        """import minitape as tf
from minitape import health
bias = tf.keras.initializers.Constant(-9.0)
dead = [tf.keras.layers.Dense(8, activation="relu", bias_initializer=bias) for _ in range(4)]
model = tf.keras.Sequential([*dead, tf.keras.layers.Dense(1)])
x, y = tf.random.normal([32, 4], seed=1), 1.0 + 0.01 * tf.random.normal([32, 1], seed=2)
with health.watch(model) as seen:
    for step in range(12):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        tf.keras.optimizers.SGD(1e-4).apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
""",
        "deads",
    )
    assert [(f.key, f.layer) for f in seen.findings] == [("dead", "Dense1")], str(seen)
    assert "All units of Dense2, Dense3, Dense4 are dead, too." in " ".join(str(seen).split())
    first, last = re.search(r"loss (\S+) to (\S+),", str(seen)).groups()
    assert float(first) > float(last), "not from 1 to 1"


def test_a_bad_number_that_only_the_way_back_meets():
    seen = run(
        LINES.format(
            loss="tf.reduce_mean(tf.sqrt(tf.nn.relu(h @ v - 9.0)))",
            update="[w.assign_sub(0.1 * d) for w, d in zip(weights, g)]",
        ),
        "backward",
    )
    first = seen.findings[0]
    assert first.params["way"] == "backward" and first.params["op"] == "Sqrt" and first.step == 0
    assert seen.to_dict()["bad"]["place"]["line"] == 14 and "Forwards all is finite" in str(seen)
    assert first.params["why"] == "root" and "a root has no slope at 0" in " ".join(
        str(seen).split()
    )


def test_no_alarm_from_a_factor_before_the_loss_or_another_batch():
    for scale in ("1e-6 * ", "", "1e4 * "):
        for data in ("x[:8]", "x"):
            text = LINES.format(
                loss=f"{scale}tf.reduce_mean((h @ v - yb[:len(h)]) ** 2)",
                update="adam.apply_gradients(zip(g, weights))",
            )
            text = text.replace("(x @ w1)", f"({data} @ w1)").replace(
                "weights =", "adam = tf.keras.optimizers.Adam(0.01)\nweights =", 1
            )
            seen = run(text, "scaled")
            assert seen.findings == [] and seen.failed is None, str(seen)


def test_frozen_weights_that_were_never_trained_are_no_fault_where_they_do():
    tf.random.set_seed(5)
    x, y = tf.data.moons(200, seed=5)
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(200, activation="tanh"), tf.keras.layers.Dense(2)]
    )
    model(x)
    model.layers[0].trainable = False  # random features
    optimizer = tf.keras.optimizers.Adam(0.02)
    with health.watch(model) as seen:
        for _ in range(150):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(
                    tf.nn.sparse_softmax_cross_entropy_with_logits(y, model(3 * x))
                )
            optimizer.apply_gradients(
                zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
            )
    assert seen.findings == [] and not any(
        w.moved for w in seen.history.weights.values() if w.frozen
    ), str(seen)


def test_predictions_that_are_all_the_same():
    text = LINES.format(
        loss=MSE, update="[w.assign_sub(0.1 * d) for w, d in zip(weights, g)]"
    ).replace("x @ w1", "tf.ones((100, 2)) @ w1")
    assert [f.key for f in run(text, "same").findings] == ["same_output"]


def test_an_empty_history_has_no_findings():
    assert find(History()) == [] and len(RULES) > 10
    with health.watch() as seen:
        pass
    assert "No step was seen" in str(seen) and repr(seen).startswith("<Watch: 0 steps")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_finding_has_a_sentence_and_a_cure(language):
    from pathlib import Path
    from re import findall

    code = "\n".join(
        path.read_text(encoding="utf-8")
        for path in Path(health.__file__).parent.glob("findings/*.py")
    )
    keys = set(findall(r'Finding\("([\w.]+)"', code)) | {
        "labels.range",
        "not_applied",
        "nothing_moves",
        "input",
        "bad_weight",
    }
    for key in keys - {"nonfinite"}:
        assert f"watch.{key}" in catalogue(language) and f"watch.{key}.cure" in catalogue(
            language
        ), key
    for why in ("log", "division", "root", "power", "overflow"):
        assert f"watch.heal.{why}" in catalogue(language) and f"watch.nonfinite.{why}" in catalogue(
            language
        )


OF_TENSORFLOW = ("watch.traced", "watch.reversed.cure")  # what only its programs can have


@pytest.mark.parametrize("language", COMPLETE)
def test_every_sentence_has_words_of_pytorch(language):
    """Findings by the library's name, the view by the word for what is recorded."""
    said = {
        key: sentences.pattern(f"{key}.{own}", language)
        for sentences, own in ((catalogue, "torch"), (VIEW, "graph"))
        for key in sentences(language)
        if own == "graph" or key.startswith("watch.") and key not in OF_TENSORFLOW
    }
    others = {key for key in said if key.endswith((".torch", ".graph"))}
    assert {k: text for k, text in said.items() if k not in others and foreign(text)} == {}
    assert len(others) > 30 and not [key for key in others if foreign(said[key])]
