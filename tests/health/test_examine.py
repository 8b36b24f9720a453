"""Training health: what is sick is found and named with its line; what is sound is left alone."""

import json
import linecache
import warnings

import numpy as np
import pytest

import minitape as tf
from minitape.health import examine, statistics

pytestmark = pytest.mark.filterwarnings("ignore")


def look(text, **more):
    filename = "<cell health>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    names = {"tf": tf, "np": np}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        exec(compile(text, filename, "exec"), names)
        return examine(names["tape"], names["loss"], names["sources"], **more)


def keys(health):
    return [key for key, _, _ in health.findings]


def test_a_sound_program_has_no_findings():
    health = look(
        "w = tf.Variable([[1.0, -2.0], [0.5, 1.5]])\nx = tf.constant([[1.0, 2.0], [3.0, 4.0]])\n"
        "with tf.GradientTape() as tape:\n    y = tf.tanh(0.1 * (x @ w))\n    loss = "
        "tf.reduce_mean(y ** 2)\nsources = [w]\n"
    )
    assert (
        keys(health) == []
        and "Nothing stands out" in str(health)
        and health.gradients[0].shape == (2, 2)
    )
    json.dumps(health.to_dict(), allow_nan=False)


def test_dead_units_are_counted():
    health = look(
        "w = tf.Variable([[1.0, -1.0, -2.0]])\nx = tf.constant([[1.0], [2.0]])\n"
        "with tf.GradientTape() as tape:\n    h = tf.nn.relu(x @ w)\n    loss = "
        "tf.reduce_sum(h)\nsources = [w]\n"
    )
    assert keys(health) == ["dead"] and health.findings[0][2] == ["cell", 4]
    row = next(row for row in health.cards if row["op"] == "Relu")
    assert (row["units"], row["dead"], row["name"], row["line"]) == (3, 2, "h", 4)


def test_saturation_and_vanishing_gradients():
    health = look(
        "x = tf.constant([[30.0, -30.0]])\nw = tf.Variable([[1.0, 0.0], [0.0, 1.0]])\nwith "
        "tf.GradientTape() as tape:\n"
        "    h = x @ w\n    for i in range(2):\n        h = tf.sigmoid(h)\n    loss = "
        "tf.reduce_sum(h)\nsources = [w]\n"
    )
    assert "saturated" in keys(health) and "vanishing" in keys(health)


def test_exploding_gradients():
    health = look(
        "w = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = w * 1.0\n    for i in "
        "range(12):\n        y = y * 10.0\n"
        "    loss = y\nsources = [w]\n"
    )
    assert keys(health) == ["exploding"]


def test_the_first_bad_number_and_its_line():
    health = look(
        "w = tf.Variable([1.0, 0.0])\nwith tf.GradientTape() as tape:\n    a = w * 2.0\n    b = "
        "tf.math.log(a)\n    c = b * 0.0\n"
        "    loss = tf.reduce_sum(c)\nsources = [w]\n"
    )
    key, text, place = health.findings[0]
    assert (
        key == "nonfinite"
        and place[1] == 4
        and "b (line 4)" in text
        and "-inf" in text
        and keys(health).count("nonfinite") == 1
    )


def test_a_bad_number_that_only_the_play_backwards_meets():
    health = look(
        "w = tf.Variable(0.0)\nwith tf.GradientTape() as tape:\n    loss = tf.sqrt(w)\nsources = "
        "[w]\n"
    )
    assert keys(health)[0] == "nonfinite_backward" and "line 3" in health.findings[0][1]


def test_a_bad_input_is_called_so():
    health = look(
        "w = tf.Variable([1.0, float('nan')])\nwith tf.GradientTape() as tape:\n"
        "    loss = tf.reduce_sum(w * 2.0)\nsources = [w]\n"
    )
    assert keys(health)[0] == "input" and health.findings[0][1].startswith("w ")


def test_none_zero_and_big_steps():
    health = look(
        "a = tf.Variable(1.0)\nb = tf.Variable([1.0])\nc = tf.Variable([0.001, 0.001])\nd, e = "
        "tf.Variable([1.0, 2.0]), "
        "tf.Variable([2.0])\nwith tf.GradientTape() as tape:\n"
        "    loss = tf.reduce_sum(b * 0.0) + tf.reduce_sum(c * 5.0) + tf.reduce_sum(d) + "
        "tf.reduce_sum(3.0 * e)\n"
        "sources = {'a': a, 'b': b, 'c': c, 'd': d, 'e': e}\n"
    )
    assert keys(health) == ["none", "zero", "big_step"] and set(health.gradients) == set("abcde")


DEEP = (
    "x = tf.random.stateless_normal(({n}, 8), seed=[1, 2])\ny = tf.random.stateless_normal(({n}, "
    "1), seed=[3, 4])\n"
    "ws = [tf.Variable(0.4 * tf.random.stateless_normal((8, 8), seed=[k, 5])) for k in "
    "range({depth})]\n"
    "v = tf.Variable(tf.ones((8, 1)) * 0.3)\nwith tf.GradientTape() as tape:\n    h = x\n    for "
    "w in ws:\n"
    "        h = tf.{bend}(h @ w)\n    loss = {scale} * tf.reduce_mean((h @ v - y) ** 2)\n"
    "sources = [*ws, v]\n"
)


@pytest.mark.parametrize("n", [4, 64, 512, 4096])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_neither_the_batch_nor_a_factor_before_the_loss_makes_an_alarm(n, scale):
    assert keys(look(DEEP.format(n=n, depth=2, scale=scale, bend="tanh"))) == []
    assert keys(look(DEEP.format(n=n, depth=9, scale=scale, bend="sigmoid"))) == ["vanishing"]


def test_pruned_units_and_a_sure_classifier_are_healthy():
    tf.random.set_seed(0)  # one seed in a hundred leaves a gradient that is not quite 0
    health = look(
        "w = tf.Variable(np.eye(4, 8, dtype='float32'))\nv = tf.Variable(tf.ones((8, 1)))\nx = "
        "tf.random.uniform((16, 4))\n"
        "with tf.GradientTape() as tape:\n    h = tf.nn.relu(x @ w)\n    p = tf.sigmoid(20.0 * "
        "(h @ v) + 9.0)\n"
        "    loss = tf.reduce_mean((p - 1.0) ** 2)\nsources = [w]\n"
    )
    assert [row["dead"] for row in health.cards if row["op"] == "Relu"] == [4]
    assert [row["saturated"] for row in health.cards if row["op"] == "Sigmoid"] == [1.0] and set(
        keys(health)
    ) <= {"zero"}


def test_layers_are_named():
    health = look(
        "model = tf.keras.Sequential([tf.keras.layers.Dense(3, activation='relu'), "
        "tf.keras.layers.Dense(1)])\n"
        "x = tf.constant([[1.0], [2.0]])\nmodel(x)\nmodel.layers[0].kernel.assign([[-1.0, -1.0, "
        "-1.0]])\n"
        "with tf.GradientTape() as tape:\n    loss = tf.reduce_mean(model(x))\nsources = "
        "model.trainable_variables\n"
    )
    assert {row["layer"] for row in health.cards} == {"Dense1", "Dense2", None}
    assert (
        health.findings[0][0] == "dead"
        and "Dense1" in health.findings[0][1]
        and "3 of 3" in health.findings[0][1]
    )


def test_french():
    health = look(
        "w = tf.Variable(0.0)\nwith tf.GradientTape() as tape:\n    loss = w * 0.0\nsources = "
        "[w]\n",
        language="fr",
    )
    assert "exactement 0" in str(health)


def test_statistics_are_those_of_the_debugger():
    found = statistics(np.array([-1.0, 0.0, 2.0, np.nan, np.inf, -np.inf]))
    assert [found[name] for name in ("negative", "zero", "positive", "nan", "+inf", "-inf")] == [
        1
    ] * 6
    assert found["mean"] == pytest.approx(1 / 3, rel=1e-5) and sum(found["histogram"][0]) == 3
