"""Models: cards are folded by layer, weights have their layer's name, and nothing depends on how
many layers Keras has numbered.
"""

import linecache
from itertools import groupby

import storyboard_contract as contract

import minitape as tf
from minitape.storyboard import Film, build, develop

MODEL = """\
model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1, name="head")])
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
model(x)
"""
STEP = """\
with tf.GradientTape() as tape:
    y = model(x)
    loss = tf.reduce_mean(y ** 2)
"""


def run(text):
    filename = "<cell models>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    names = {"tf": tf, "Film": Film}
    exec(compile(text, filename, "exec"), names)
    return names


def board_of(names, **more):
    return build(
        names["tape"], names["loss"], names["model"].trainable_variables, engine="layers", **more
    )


def test_cards_are_folded_by_layer():
    tf.keras.utils.set_random_seed(3) if hasattr(tf.keras, "utils") else None
    board = board_of(run(MODEL + STEP), folded=True)
    contract.check(board)
    assert [(group["label"], group["kind"]) for group in board["groups"]] == [
        ("Dense", "layer"),
        ("head", "layer"),
    ]
    first, second = board["groups"]
    assert [board["cards"][k]["op"] for k in range(first["cards"][0], first["cards"][1] + 1)][
        -1
    ] == "Relu"
    assert {item.get("group") for item in board["drawings"][0]["nodes"]} >= {0, 1}


def test_weights_have_their_layers_name_and_the_result_the_learners():
    board = board_of(run(MODEL + STEP))
    labels = [node["label"] for node in board["nodes"] if node["role"] == "variable"]
    assert labels == ["Dense.kernel", "Dense.bias", "head.kernel", "head.bias"]
    assert [node["label"] for node in board["nodes"] if node["op"]][-3:] == ["y", "", "loss"]
    assert "x" in {node["label"] for node in board["nodes"]}


def test_numbers_of_keras_do_not_show():
    texts = []
    for _ in range(2):
        names = run(MODEL + STEP)
        for variable in names["model"].trainable_variables:
            variable.assign(variable * 0.0 + 0.5)
        names = {**names, **_again(names)}
        texts.append(board_of(names).to_json())
    assert texts[0] == texts[1]


def _again(names):
    with tf.GradientTape() as tape:
        y = names["model"](names["x"])
        loss = tf.reduce_mean(y**2)
    return {"tape": tape, "loss": loss}


def test_a_training_loop_with_an_optimizer():
    text = (
        MODEL
        + """\
optimizer = tf.keras.optimizers.SGD(0.01)
with Film() as film:
    for step in range(3):
        with tf.GradientTape() as tape:
            y = model(x)
            loss = tf.reduce_mean(y ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""
    )
    board = develop(run(text)["film"], engine="layers")
    contract.check(board)
    losses = [board["values"][chapter["loss"]]["number"] for chapter in board["chapters"]]
    assert len(losses) == 3 and losses == sorted(losses, reverse=True)
    assert [group["label"] for group in board["groups"]].count("Dense") == 3
    assert all(node["label"] != "gradients" for node in board["nodes"])


PICTURES = """\
k = tf.keras
model = k.Sequential([k.layers.Conv2D(2, 3, activation="relu"), k.layers.MaxPool2D(), k.layers.Flatten(), k.layers.Dropout(0.5),
                      k.layers.Dense(3), k.layers.ReLU(), k.layers.Dense(1, name="head")])
x = tf.random.normal([2, 8, 8, 1], seed=1)
model(x)
with tf.GradientTape() as tape:
    y = model(x, training=True)
    loss = tf.reduce_mean(y ** 2)
"""


def layers_of(board):
    """The layers of the cards in a row, each call once."""
    return [
        described and described[1]
        for described, _ in groupby(card["layer"] for card in board["cards"])
    ]


def test_layers_without_weights_are_boxes_and_steps_of_their_own():
    board = board_of(run(PICTURES), folded=True)
    contract.check(board)
    named = ["Conv2D", "MaxPooling2D", "Flatten", "Dropout", "Dense", "ReLU", "head"]
    assert layers_of(board) == [*named, None]
    assert [group["label"] for group in board["groups"] if group["kind"] == "layer"] == named


def test_a_layer_without_weights_that_is_called_twice():
    text = """\
relu, dense = tf.keras.layers.ReLU(), tf.keras.layers.Dense(2)
x = tf.Variable([[1.0, 2.0]])
with tf.GradientTape() as tape:
    y = relu(dense(relu(x)) * 3.0)
    loss = tf.reduce_sum(y)
model = dense
"""
    board = board_of(run(text))
    assert layers_of(board) == ["ReLU", "Dense", None, "ReLU", None]
    first, last = [card["layer"][0] for card in board["cards"] if card["op"] == "Relu"]
    assert first != last, "each call is a step of its own"


def test_a_layer_whose_weights_it_did_not_make_and_one_that_fails():
    text = """\
class Scale(tf.keras.layers.Layer):
    def __init__(self, by):
        super().__init__(name="scale")
        self.by = by
    def call(self, x):
        return self.broken(x) if self.by is None else x * self.by
model, x = Scale(tf.Variable(2.0)), tf.Variable(3.0)
with tf.GradientTape() as tape:
    before = x * x
    try:
        Scale(None)(before)
    except AttributeError:
        y = model(before) + before
    loss = y * y
"""
    assert layers_of(board_of(run(text))) == [None, "scale", None]


def test_a_model_among_the_layers_of_another_is_one_box():
    text = """\
k = tf.keras
base = k.Sequential([k.layers.Dense(3), k.layers.ReLU(), k.layers.Dense(2)], name="base")
model, x = k.Sequential([base, k.layers.Flatten(), k.layers.Dense(1)]), tf.ones([2, 2])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model(x) ** 2)
"""
    groups = board_of(run(text), folded=True)["groups"]
    assert [
        group["label"] for group in groups if group["parent"] is None and group["kind"] == "layer"
    ] == ["base", "Flatten", "Dense3"]
    assert [group["label"] for group in groups if group["parent"] == 0] == [
        "Dense1",
        "ReLU",
        "Dense2",
    ]
