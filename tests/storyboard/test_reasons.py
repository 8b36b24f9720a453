"""The picture draws the cut; the reason is the explainer's, and there is only one."""

import contextlib
import io
import re
from types import SimpleNamespace

import pytest

import minitape as tf
from minitape.engine.explainer import EXPLAINER
from minitape.explain import CATEGORIES, Explanation
from minitape.sentences import LANGUAGES
from minitape.storyboard import Film, build, develop
from minitape.storyboard.acts.reasons import WORDS, word
from minitape.storyboard.text.captions import catalogue
from tests.explain.programs import CORPUS, as_cells, programs

pytestmark = pytest.mark.filterwarnings("ignore")


def test_every_word_has_its_sentences():
    assert set(WORDS) <= set(CATEGORIES)
    for language in LANGUAGES:
        for said in {*WORDS.values(), word("not-used")}:
            assert f"cut.{said}" in catalogue(language) and f"why.{said}" in catalogue(language), (
                language,
                said,
            )


# their gradients are no None
NUMBERS = (
    "batch",
    "cancel",
    "domains",
    "found_wrong",
    "healthy",
    "labels",
    "numbers",
    "penalties",
    "same_object",
    "scaled",
    "underflow",
)


@pytest.mark.parametrize(
    "corpus", sorted({path.stem for path in CORPUS.glob("*.txt")} - {"several"})
)
def test_the_picture_says_what_the_explanation_says(corpus):
    compared = 0
    for program in programs(corpus):
        with Film() as film, contextlib.redirect_stdout(io.StringIO()):
            names, _ = as_cells(program, None)
        board = develop(film, engine="layers", explain=names)
        if not isinstance(names["e"], Explanation):
            continue  # one answer for several sources
        explanation, described = (
            names["e"],
            [note["params"] for note in board["notes"] if note["kind"] == "explanation"],
        )
        results = [
            frame
            for frame in board["frames"]
            if frame["act"] == "result" and frame["value"] is None
        ]
        assert all(frame["why"] in {*WORDS.values(), word("not-used")} for frame in results), (
            program.name
        )
        assert {category for _, _, category in explanation.way if category} <= set(WORDS), (
            program.name
        )
        if len(results) == 1 and len(described) == 1 and explanation.params["answer"] == "none":
            assert described[0]["category"] == explanation.category, program.name
            compared += described[0]["why"] == explanation.message
        for k, frame in enumerate(board["frames"], 1):
            if frame["act"] == "cut":
                assert not re.search(r"  |: has|\(\)|\{", board.caption(k)), (
                    program.name,
                    board.caption(k),
                )
    assert compared or corpus in NUMBERS, "nothing was compared"


def unwatched():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        y = x * x
    return tape, y, x


def test_what_follows_a_cut_is_drawn_though_it_was_not_recorded():
    """So the target does not stand alone; nothing more is told of it."""
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        q = tf.stop_gradient(w * 3.0)
        loss = (q - 1.0) ** 2
    board = build(tape, loss, w, engine="layers")
    names = [node["label"] for node in board["nodes"]]
    unmade = [edge for edge in board["edges"] if edge["card"] is None]
    assert [(names[edge["from"]], names[edge["to"]], edge["flow"]) for edge in unmade] == [
        ("q", "loss", "unwatched")
    ]
    assert [frame["why"] for frame in board["frames"] if frame["act"] == "cut"] == ["stopped"]


def test_a_picture_in_french_has_a_french_reason():
    tape, y, x = unwatched()
    board = build(tape, y, x, engine="layers", language="fr")
    (note,) = (note for note in board["notes"] if note["kind"] == "explanation")
    assert "tenseur" in note["params"]["why"] and note["params"]["why"] in board.text()


@pytest.mark.parametrize("answer", [lambda *args: [None], lambda *args: 1 / 0])
def test_without_a_reason_the_picture_says_where_to_ask(answer, monkeypatch):
    monkeypatch.setattr(EXPLAINER, "load", lambda: SimpleNamespace(reasons_of_none=answer))
    board = build(*unwatched(), engine="layers")
    assert [frame["why"] for frame in board["frames"] if frame["act"] in ("cut", "result")] == [
        "unexplained"
    ]
    assert "tape.explain" in board.caption(len(board["frames"]) - 1)


def captions_of_cuts(name):
    program = next(program for program in programs() if program.name == name)
    with Film() as film, contextlib.redirect_stdout(io.StringIO()):
        names, _ = as_cells(program, None)
    board = develop(film, engine="layers", explain=names)
    return [board.caption(k) for k, frame in enumerate(board["frames"], 1) if frame["act"] == "cut"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        # the tensor that replaced it is used
        ("replaced/training-loop", "Nothing passes to w: it is not watched."),
        (
            "replaced/replaced-after-recording",
            "Nothing passes here: x₂ is not the object that was used.",
        ),
        ("connections/stop-gradient", "Nothing passes here: stop_gradient was asked for."),
        (
            "outside/inner-gradient-dedented",
            "Nothing passes here: the tape did not record how the first derivative was computed.",
        ),
    ],
)
def test_the_caption_of_a_cut_is_true(name, said):
    assert said in captions_of_cuts(name)
