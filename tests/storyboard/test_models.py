"""Models: cards are folded by layer, weights have their layer's name, and nothing depends on how many layers Keras has numbered."""

import linecache

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
    return build(names["tape"], names["loss"], names["model"].trainable_variables, engine="layers", **more)


def test_cards_are_folded_by_layer():
    tf.keras.utils.set_random_seed(3) if hasattr(tf.keras, "utils") else None
    board = board_of(run(MODEL + STEP), folded=True)
    contract.check(board)
    assert [(group["label"], group["kind"]) for group in board["groups"]] == [("Dense", "layer"), ("head", "layer")]
    first, second = board["groups"]
    assert [board["cards"][k]["op"] for k in range(first["cards"][0], first["cards"][1] + 1)][-1] == "Relu"
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
        loss = tf.reduce_mean(y ** 2)
    return {"tape": tape, "loss": loss}


def test_a_training_loop_with_an_optimizer():
    text = MODEL + """\
optimizer = tf.keras.optimizers.SGD(0.01)
with Film() as film:
    for step in range(3):
        with tf.GradientTape() as tape:
            y = model(x)
            loss = tf.reduce_mean(y ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""
    board = develop(run(text)["film"], engine="layers")
    contract.check(board)
    losses = [board["values"][chapter["loss"]]["number"] for chapter in board["chapters"]]
    assert len(losses) == 3 and losses == sorted(losses, reverse=True)
    assert [group["label"] for group in board["groups"]].count("Dense") == 3
    assert all(node["label"] != "gradients" for node in board["nodes"])
