"""What a lesson says at a moment: how a moment is named, and where the words stand."""

import json

import pytest

import minitape as tf
from minitape.storyboard import Storyboard, build
from minitape_widgets import compare, load, play
from minitape_widgets.packing import unpack
from tests.storyboard.storyboard_contract import check

MOMENTS = {
    "start": 0,
    "play": 3,
    "end": -1,
    4: 4,
    -2: -2,
    "record": 1,
    "record y": 3,
    "card 2": 2,
    "record card 2": 2,
    "seed": 4,
    "visit": 5,
    "visit card 1": None,
    "x * x": 1,
    "part x 2": None,
    "part 3": None,
    "sum x": None,
    "sum": None,
    "result x": None,
    "x": None,
}


def parabola(say=None):
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x + 3.0 * x
    board = build(tape, y, x)
    return board if say is None else board.say(say)


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_moment_has_a_name(moment):
    board = parabola({moment: "Look."})
    [aside] = board["asides"]
    check(board)
    k, frames, total = aside["frame"], board["frames"], len(board["frames"])
    expected = MOMENTS[moment]
    if expected is not None:
        assert k == (expected if expected >= 0 else total + 1 + expected)
        return
    act = str(moment).split()[0]
    frame = frames[k - 1]
    assert act == "x" or frame["act"] == act
    if moment == "visit card 1":
        assert frame["card"] == 0
    elif moment in ("part x 2", "part 3"):
        same = [
            f
            for f in frames[:k]
            if f["act"] == "part"
            and (moment == "part 3" or board["nodes"][f["node"]]["label"] == "x")
        ]
        assert len(same) == int(moment[-1])
    else:
        assert board["nodes"][frame["node"]]["label"] == "x"
        assert all(
            f.get("node") != frame["node"] or act not in ("x", f["act"]) for f in frames[: k - 1]
        )


def test_a_line_names_the_first_act_that_stands_in_it():
    board = parabola()
    line = board["cards"][0]["where"][1]
    assert board.say({f"line {line}": "Here."})["asides"][0]["frame"] == 1
    assert board.say({f"visit line {line}": "Back."})["asides"][0]["frame"] == 5


@pytest.mark.parametrize(
    "moment",
    [
        "sum q",
        "sums x",
        "card 9",
        "line 99",
        "part x 9",
        "",
        99,
        -99,
        "visit card 0",
        "cut",
        "sum x x",
    ],
)
def test_a_moment_that_is_not_there_lists_what_is(moment):
    with pytest.raises(ValueError, match="there is no moment") as error:
        parabola({moment: "Look."})
    for word in (
        '"start"',
        "Acts: record, seed, visit, part, sum, result",
        "Names: x × x",
        "Cards: 1 to 3.",
        "Lines: line",
    ):
        assert word in str(error.value)


@pytest.mark.parametrize(
    "say",
    [
        "sum x",
        ["sum x"],
        {"sum x": 3},
        {"sum x": ""},
        {"sum x": {}},
        {"sum x": {"xx": "Look."}},
        {"sum x": {"en": None}},
        {True: "Look."},
        {2.0: "Look."},
        {None: "Look."},
    ],
)
def test_what_cannot_be_meant_is_refused_before_the_tape_is_played(say):
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
    with pytest.raises((TypeError, ValueError), match="say"):
        play(tape, y, x, say=say)
    assert float(tape.gradient(y, x)) == 4.0


def test_the_words_stand_under_their_sentence_in_their_order():
    board = parabola(
        {
            "sum x": "Three parts meet.",
            "start": "How many cards?",
            "seed": {"en": "It begins.", "fr": "Ça commence."},
        }
    )
    lines = board.text().split("\n")
    for said, above in (("It begins.", "played backwards"), ("Three parts meet.", "x was used")):
        at = next(i for i, line in enumerate(lines) if line.strip() == f"> {said}")
        assert above in lines[at - 1], lines[at - 1]
    assert "> How many cards?" in lines and not any(
        line.strip().startswith("> Ça") for line in lines
    )
    assert [aside["frame"] for aside in board["asides"]] == sorted(
        aside["frame"] for aside in board["asides"]
    )
    assert "asides" not in parabola(), "a storyboard without them is as it was"


def test_the_words_travel(tmp_path):
    """In a saved player, in a pair, in a text of JSON; in the language of the reader where they are
    written in it.
    """
    x = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
    shown = play(tape, y, x, say={"sum x": {"fr": "Deux parts.", "en": "Two parts."}})
    assert "> Two parts." in shown.text()
    assert "Two parts." in json.dumps(unpack(shown.payload)), "a kernel in a browser packs it"
    french = play(
        tape,
        y,
        x,
        language="fr",
        say={"sum x": {"fr": "Deux parts.", "en": "Two parts."}, "seed": "Toujours."},
    )
    assert "> Deux parts." in french.text() and french.storyboard["asides"][0]["text"] == {
        "fr": "Toujours."
    }
    assert (
        load(shown.save(tmp_path / "tape.json")).storyboard["asides"] == shown.storyboard["asides"]
    )
    assert (
        compare(shown, french).trace["pair"][1]["asides"]
        and "Deux parts." in compare(shown, french).text()
    )
    assert Storyboard.from_json(shown.storyboard.to_json())["asides"] == shown.storyboard["asides"]
