"""Spans are exact and names are the learner's, in every place where code can stand."""

import linecache
import textwrap

import numpy as np
import pytest

import minitape as tf
from minitape.storyboard import Film, build, develop
from minitape.storyboard.contract import fault
from minitape.storyboard.film.source import Sources
from minitape.storyboard.text.captions import with_times


def executed(text, filename="/tmp/ipykernel_4321/1234567890.py"):
    """Runs a program as ipykernel would, and returns its names."""
    text = textwrap.dedent(text)
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    names = {"tf": tf, "np": np}
    exec(compile(text, filename, "exec"), names)
    return names


def run(text, *filename):
    """Runs a program, and returns the storyboard of `tape`, `y` and `x`."""
    names = executed(text, *filename)
    return build(names["tape"], names["y"], names.get("x"), engine="layers")


def leaves_of_film(text):
    """Runs a program before a film, and returns what the film calls its leaves."""
    with Film() as film:
        executed(text)
    return leaves(develop(film, engine="layers", explain=False))


def pieces(board):
    """What is marked for each card, in order."""
    found = []
    for card in board["cards"]:
        source, line, column, end_line, end_column = card["where"]
        lines = board["sources"][source]["text"].split("\n")[line - 1 : end_line]
        lines[-1] = lines[-1][:end_column]
        lines[0] = lines[0][column:]
        found.append("\n".join(lines))
    return found


def labels(board):
    return [
        board["nodes"][node]["label"] or board["nodes"][node]["text"]
        for card in board["cards"]
        for node in card["outputs"]
    ]


def leaves(board):
    return {node["label"] for node in board["nodes"] if node["card"] is None and node["label"]}


def test_an_expression_over_several_lines():
    board = run("""\
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = (x * x
                 + 3.0
                 * x)
        """)
    assert pieces(board) == ["x * x", "3.0\n         * x", "x * x\n         + 3.0\n         * x"]
    assert labels(board) == ["x × x", "3.0 × x", "y"]


def test_columns_are_counted_in_characters():
    board = run("""\
        größe = x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            é = "äöü"; y = größe * größe   # ✓
        """)
    assert pieces(board) == ["größe * größe"]
    assert board["nodes"][board["cards"][0]["inputs"][0]]["label"] == "größe"


def test_a_method_a_decorator_and_attributes():
    board = run("""\
        def twice(f):
            def inner(*args):
                return f(*args) * 2.0
            return inner

        class Model:
            def __init__(self):
                self.w = tf.Variable(3.0)

            @twice
            def predict(self, u):
                return self.w * u

        model = Model()
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = model.predict(x)
        """)
    assert pieces(board) == ["self.w * u", "f(*args) * 2.0"]
    assert leaves(board) == {"self.w", "x"}


@pytest.mark.parametrize(
    "line, expected",
    [
        ("y = x * 2.0", ["y"]),
        ("a = x * 2.0; y = a + 1.0", ["a", "y"]),
        ("a, b = x * 2.0, x * 3.0; y = a + b", ["a", "b", "y"]),
        ("y = x * 1.0; y *= 2.0; y += 1.0", ["y₁", "y₂", "y₃"]),
        ("y = (z := x * 2.0) + 1.0", ["z", "y"]),
        ("y: object = x * 2.0", ["y"]),
        ("y = x * 2.0 if True else x", ["y"]),
        ("y = (lambda t: t * 2.0)(x)", ["t × 2.0"]),
        ("f = lambda t: t * t; y = f(x)", ["y"]),
        ("d = {}; d['k'] = x * 2.0; y = d['k'] + 1.0", ["d['k']", "y"]),
        ("y = -x", ["y"]),
        ("ys = [x * c for c in (1.0, 2.0)]; y = ys[0] + ys[1]", ["ys[0]", "ys[1]", "y"]),
    ],
)
def test_names_come_from_assignments(line, expected):
    assert (
        labels(run(f"x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    {line}\n"))
        == expected
    )


def test_a_function_called_once_gives_its_callers_name_and_called_twice_its_own():
    once = run(
        "def f(a):\n    return a * a\nx = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    "
        "y = f(x)\n"
    )
    assert labels(once) == ["y"]
    twice = run(
        "def f(a):\n    return a * a\nx = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    "
        "y = f(x) + f(x)\n"
    )
    assert labels(twice) == ["f()₁", "f()₂", "y"]


def test_a_loop_counts_primes():
    board = run(
        "x = y = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    for i in range(5):\n"
        "        y = y * x\n"
    )
    assert labels(board) == ["y₁", "y₂", "y₃", "y₄", "y₅"]


MADE = "def make():\n    w = tf.Variable(2.0)\n    return w\na, b = make(), make()\nws = [a, b]\n"
MADE += "with tf.GradientTape() as tape:\n    y = a * b\n"


@pytest.mark.parametrize(
    "sources, expected",
    [
        ("[a, b]", {"a", "b"}),
        ("b", {"w", "b"}),
        ("sources=(a,)", {"a", "w"}),
        ("ws[1]", {"w", "ws[1]"}),
        ("ws", {"w₁", "w₂"}),
    ],
)
def test_variables_that_were_made_under_one_name_are_called_as_a_play_asks_for_them(
    sources, expected
):
    assert leaves_of_film(f"{MADE}g = tape.gradient(y, {sources})\n") == expected


def test_a_variable_with_a_name_of_its_own_keeps_it():
    text = (
        "w = tf.Variable(2.0)\nv = w\nwith tf.GradientTape() as tape:\n    y = v * w\ng = "
        "tape.gradient(y, v)\n"
    )
    assert leaves_of_film(text) == {"w"}


def test_a_cell_has_a_name_without_numbers_of_this_process():
    board = run("x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * x\n")
    assert board["sources"][0]["name"] == "cell"
    assert "ipykernel" not in board.to_json() and "/tmp" not in board.to_json()


def test_a_cell_with_magics_still_has_names():
    text = "# %%tape\nx = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * x\n"
    assert labels(run(text)) == ["y"]
    sources = Sources()
    filename = "<cell magics>"
    linecache.cache[filename] = (1, None, ["%matplotlib inline\n", "!ls\n", "a = 1\n"], filename)
    sources.locate((compile("1", filename, "exec"), 0))
    assert sources.text.file(filename).tree is not None


def test_the_branch_that_was_not_taken_is_dimmed():
    board = run("""\
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            if True:
                y = x * x
            else:
                y = x + x
        """)
    lines = {
        line for first, last in board["sources"][0]["lines"] for line in range(first, last + 1)
    }
    assert 4 in lines and 6 not in lines


def test_code_without_text_still_makes_a_storyboard():
    names = {"tf": tf}
    exec(
        compile(
            "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * x\n",
            "<nowhere>",
            "exec",
        ),
        names,
    )
    board = build(names["tape"], names["y"], names["x"], engine="layers")
    assert (
        board["cards"][0]["where"] is None and board["sources"] == [] and labels(board) == ["Mul 1"]
    )


def test_names_that_are_given_come_first():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
    board = build(tape, {"loss": y}, {"weight": x}, engine="layers")
    assert leaves(board) == {"weight"} and labels(board) == ["loss"]
    assert set(board.gradients) == {"weight"}


def test_a_long_file_is_cut_down_to_what_took_part():
    text = (
        "x = tf.Variable(2.0)\n"
        + "pass\n" * 300
        + "with tf.GradientTape() as tape:\n    y = x * x\n"
        + "pass\n" * 300
    )
    board = run(text, "/somewhere/model.py")
    assert pieces(board) == ["x * x"]
    assert board["sources"][0]["name"] == "model.py" and board["cards"][0]["where"][1] == 1
    assert (
        board["sources"][0]["first"] == 303
        and "\n303 |     y = x * x\n" in board.text()
        and "line 303: x * x" in board.text()
    )


@pytest.mark.parametrize(
    "between", ["    pass\n" * 6000, "    pass\n" + "    # " + "x" * 300_000 + "\n"]
)
def test_what_stands_further_down_than_the_pane_goes_has_no_place_there(between):
    text = f"with tf.GradientTape() as tape:\n    y = x * x\n{between}    z = y * x\n"
    names = {"tf": tf, "x": tf.Variable(2.0)}
    linecache.cache["far.py"] = (len(text), None, text.splitlines(True), "far.py")
    with Film() as film:
        exec(compile(text, "far.py", "exec"), names)
    board = develop(film)
    assert fault(board) == ""
    assert [card["where"] is None for card in board["cards"]] == [False, True]


def test_many_files_share_the_panes():
    names = {"tf": tf, "x": tf.Variable(2.0)}
    with Film() as film, tf.GradientTape() as tape:
        tape.watch(names["x"])
        for k in range(40):
            text = f"x{k} = x * {k}.0\n" + "pass\n" * 200
            linecache.cache[f"part{k}.py"] = (len(text), None, text.splitlines(True), f"part{k}.py")
            exec(compile(text, f"part{k}.py", "exec"), names)
    board = develop(film)
    assert fault(board) == "" and len(board["sources"]) >= 40


def test_what_is_given_in_another_order_than_it_is_computed_with_keeps_its_name():
    board = run("""
        labels, w = tf.constant([0, 1]), tf.Variable([[2.0, 1.0], [0.5, 1.0]], name="w")
        with tf.GradientTape() as tape:
            logits = w * 2.0
            y = tf.keras.losses.sparse_categorical_crossentropy(labels, logits, from_logits=True)
        x = w
    """)
    assert [node["label"] for node in board["nodes"]] == ["w", "", "logits", "labels", "y"]


def test_a_model_of_layers_names_what_each_layer_gives():
    """`self` in self.hidden(x) is no value, and the call's text is the name of its last card, not
    of the product inside.
    """
    board = run("""\
        class Net(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.hidden = tf.keras.layers.Dense(4, activation="relu")
                self.out = tf.keras.layers.Dense(1)

            def call(self, inputs):
                return self.out(self.hidden(inputs))

        net = Net()
        data = tf.ones([3, 2])
        with tf.GradientTape() as tape:
            y = tf.reduce_mean(net(data))
        x = net.trainable_variables
        """)
    assert labels(board)[:4] == ["inputs @ kernel", "… + bias", "self.hidden(inputs)", "… @ kernel"]
    assert labels(board)[5] == "y"
    assert not any(
        node["label"].startswith("self") and node["op"] is None for node in board["nodes"]
    ), leaves(board)
    assert not leaves(board).isdisjoint({"inputs", "data"})


@pytest.mark.parametrize(
    "asked, called", [("x[0]", "x[0]"), ("tf.constant(2.0)", "tf.constant(2.0)")]
)
def test_a_source_without_a_name_is_called_as_it_was_written(asked, called):
    filename = "/tmp/ipykernel_4321/asked.py"
    text = (
        "v = tf.Variable([1.0, 2.0])\nx = v\nwith tf.GradientTape() as tape:\n    y = v[0] * "
        f"3.0\nother = [{asked}]\n"
    )
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    names = {"tf": tf}
    exec(compile(text, filename, "exec"), names)
    board = build(names["tape"], names["y"], names["other"][0], engine="layers")
    assert called in [node["label"] for node in board["nodes"]]


@pytest.mark.parametrize(
    "written, said",
    [
        ("x * x", "x × x"),
        ("x*x + 3*x", "x×x + 3×x"),
        ("(a + b) * -c[0]", "(a + b) × -c[0]"),
        ("x ** 2", "x ** 2"),
        ("x**2", "x**2"),
        ("f(*xs, **named)", "f(*xs, **named)"),
        ("[*a, *b]", "[*a, *b]"),
    ],
)
def test_times_has_one_sign_in_a_picture(written, said):
    """Formulas say ȳ × x; so does the name of a value that is called by its expression."""
    assert with_times(written) == said
