"""The front end's pure modules, without a browser: tests/frontend/*.test.js in Node's own test
runner.

They look at storyboards that minitape has just made, so the contract and the code that reads it are
tested together. Where no Node is found they are skipped, and the last lines of the run say so
(tests/conftest.py).
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import minitape as tf
from minitape import own_tape
from minitape.storyboard.contract import fault
from minitape.storyboard.text.captions import caption
from minitape_widgets import link, load, module, valley
from tests.frontend.replayed import replayed

HERE = Path(__file__).parent
TESTS = sorted(HERE.glob("*.test.js"))
LINKS = """k0 k12 play end large folded unfolded k3.hide-code-graph.large.folded hide-tape hide- hide-x-tape k-4 k12345678901 ..k1..
           by-line k2.by-way.large by-mile by- knows-value k3.unfolded.knows-adjoint-value-x knows- knows-x hide--
           k3.hide-nothing-tape.<script> unfolded.folded Large hide-inspector.hide-code k٣""".split()
CELL = """é = tf.Variable(2.0)
with tf.GradientTape() as tape:
    s = len("😀😀")
    y = (é * é
         + tf.sin(é)) * s
board = build(tape, y, é, engine="layers", predict=True)
"""

TRAINING = """model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
x, t = tf.ones((4, 2)), tf.ones((4, 1))
mse, optimizer = tf.keras.losses.MeanSquaredError(), tf.keras.optimizers.SGD(0.1)
model(x)
with Film() as film:
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = mse(t, model(x))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
board = develop(film, engine="layers")
"""

DIAMOND = """x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    a = 3 * x
    b = a * a
    c = 5 * a
    y = b + c
board = build(tape, y, x, engine="layers", order=[4, 3, 1, 2])
"""

# y = a*a + 5*a, a = 3*x, on a tape of one's own: a part has the wrong sign, and parts are
# overwritten.
OWN = (
    [
        ("*", (0, 1), 2, (3, 2, 6)),
        ("*", (2, 2), 3, (6, 6, 36)),
        ("*", (4, 2), 5, (5, 6, 30)),
        ("+", (3, 5), 6, (36, 30, 66)),
    ],
    [(3, 1, {0: 1, 1: 1}), (2, 1, {1: 5}), (1, 1, {0: 6, 1: -6}), (0, -6, {1: -18})],
    {1: -18},
)


def cell_text(board, span):
    """What a span marks of each of its lines: from the first letter of a line that goes on."""
    source, first, start, last, end = span
    lines = board["sources"][source]["text"].split("\n")
    if first == last:
        return [lines[first - 1][start:end]]
    return [
        lines[first - 1][start:],
        *(line.strip(" ") for line in lines[first : last - 1]),
        lines[last - 1][:end].lstrip(),
    ]


def valleys():
    """Traces of valleys: of one and of two variables; one whose storyboard turns at an `if`, one
    that asks NumPy.
    """

    def bent(w):
        return w * w if w > 0.0 else -w

    def outside(w):
        return w * w + tf.constant(float(w)) * w

    made = {
        "bowl": valley(lambda w: (w - 1.0) ** 2 + 0.5, -1.5),
        "bent": valley(bent, 1.0),
        "outside": valley(outside, 1.0),
        "egg": valley(lambda u, v: 0.5 * u**2 + 2.0 * v**2, (-3.0, 1.0), rates=(0.01, 0.6)),
    }
    return {
        name: {key: one.trace[key] for key in ("valley", "storyboard")}
        for name, one in made.items()
    }


def given():
    """Storyboards and what Python says about them, as JSON."""
    sys.path.insert(0, str(HERE.parent / "storyboard"))
    import storyboard_programs as programs

    from tests.browser.stage import loop

    boards = {name: programs.storyboard(name) for name in programs.PROGRAMS}
    boards |= {
        "letters": programs.run("letters", CELL)["board"],
        "folded": loop(30),
        "training": programs.run("training", TRAINING)["board"],
        "too_early": programs.run("too_early", DIAMOND)["board"],
        "own": own_tape.storyboard(*OWN, names={1: "x", 2: "a", 6: "y"}, engine="layers"),
    }
    captions = {
        name: {
            language: [
                caption({**board, "language": language}, k) for k in range(len(board["frames"]) + 1)
            ]
            for language in module.LANGUAGES
        }
        for name, board in boards.items()
    }
    spans = [
        {
            "text": board["sources"][card["where"][0]]["text"],
            "span": card["where"],
            "marked": cell_text(board, card["where"]),
        }
        for board in boards.values()
        for card in board["cards"]
        if card["where"]
    ]
    links = [{"text": text, "read": link.read_link(text)} for text in LINKS]
    return {
        "boards": boards,
        "captions": captions,
        "spans": spans,
        "links": links,
        "catalogues": {language: module.words(language) for language in module.LANGUAGES},
        "valleys": valleys(),
        "health": cells(),
    }


def cells():
    """Letters of a training's cells, and their outlines as the still picture draws them."""
    from minitape_widgets.training import still

    letters, edges = ["0123", "4567", "8zx.", "zz44", "8880"], [3.25, 10.0, 17.5, 90.0, 200.0]
    return {
        "letters": letters,
        "edges": edges,
        "row": 12.371,
        "paths": {
            str(share): still.paths(letters, edges, 12.371, share) for share in (True, False)
        },
    }


def changed(boards, many):
    """Mutated traces of these storyboards, and what Python finds wrong with them."""
    import mutated

    real = [{"storyboard": boards[name]} for name in sorted(boards)] + [
        {"pair": [boards["fan_out"], boards["none_by_escape"]]}
    ]
    return [
        described(json.loads(json.dumps(trace), parse_float=as_a_page_writes))
        for trace in mutated.mutated(real, many)
    ]


def described(trace):
    """A trace, whether it can be loaded, and the fault of each of its storyboards."""
    pair = trace.get("pair")
    return {
        "trace": trace,
        "fits": fits(trace),
        "faults": [
            fault(board)
            for board in (pair if isinstance(pair, list) else [])
            + ([trace["storyboard"]] if "storyboard" in trace else [])
        ],
    }


def as_a_page_writes(text):
    """A page has one kind of number, and writes 2.0 as 2."""
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def fits(trace):
    try:
        load(json.dumps({**trace, "options": {}}))
        return True
    except ValueError:
        return False


@pytest.fixture(scope="module")
def environment(tmp_path_factory, request):
    """Where the tests in JavaScript find the storyboards, mutated traces, and the joined module."""
    folder = tmp_path_factory.mktemp("frontend")
    data, played, joined, traces = (
        folder / name for name in ("given.json", "replayed.json", "joined.mjs", "mutated.json")
    )
    for path, made in (data, given()), (played, replayed()):
        path.write_text(json.dumps(made, ensure_ascii=False, allow_nan=False), encoding="utf-8")
    joined.write_text(module.source(), encoding="utf-8")
    small = {
        name: board
        for name, board in json.loads(data.read_text(encoding="utf-8"))["boards"].items()
        if len(board["nodes"]) < 50
    }
    many = 5000 if any(item.get_closest_marker("long") for item in request.session.items) else 500
    traces.write_text(json.dumps(changed(small, many)), encoding="utf-8")
    return dict(
        os.environ,
        MINITAPE_GIVEN=str(data),
        MINITAPE_REPLAYED=str(played),
        MINITAPE_JOINED=str(joined),
        MINITAPE_MUTATED=str(traces),
        NODE_OPTIONS="",
    )


@pytest.mark.node
@pytest.mark.parametrize("file", TESTS, ids=[file.name.removesuffix(".test.js") for file in TESTS])
def test_in_node(file, environment, node_path):
    in_node(file, environment, node_path)


@pytest.mark.node
@pytest.mark.long
# its tapes are made first: two minutes on a busy machine, more beside other work
@pytest.mark.timeout(900)
def test_mutated_traces_at_full_size(environment, node_path):
    in_node(HERE / "check.test.js", environment, node_path)


def in_node(file, environment, node_path):
    command = [node_path, "--import", (HERE / "served.js").as_uri(), "--test", str(file)]
    result = subprocess.run(
        command, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    assert result.returncode == 0, result.stdout + result.stderr
