"""The player calls what a library records as its learners do: PyTorch has a graph, and no tape."""
# ruff: noqa: E501  (lines of JavaScript)

import json

import pytest

from minitape.storyboard import Storyboard
from minitape.storyboard.text.captions import key_of
from minitape_widgets.pitfalls import recorded

pytestmark = pytest.mark.browser
TAPE = r"(?<!\p{L})(tape|bande)s?(?!\p{L})"  # neither "tapez" nor "étape"
# all that can be read or heard at each moment, and of each card and box that one chooses
WORDS = r"""(tape) => {
    const found = new Set();
    let pressed = 0;
    for (const { player: p } of document.querySelectorAll(".minitape")) {
        const look = () => {
            const labels = [p.root, ...p.root.querySelectorAll("[aria-label], [title]")].flatMap((e) => [e.ariaLabel, e.title]);
            for (const text of [p.root.textContent, ...labels])
                for (const { index } of (text ?? "").matchAll(new RegExp(tape, "giu"))) found.add(text.slice(Math.max(0, index - 40), index + 40));
        };
        for (let k = 0; k <= p.total; k++) { p.go(k); look(); }
        for (const one of p.root.querySelectorAll(".card, .node")) {
            one.dispatchEvent(new MouseEvent("click", { bubbles: true }));
            look();
            pressed += 1;
        }
    }
    return [pressed, ...found];
}"""


def boards(language):
    """Of the storyboards of all recorded programs of PyTorch those in which something happens that
    those before them do not have.
    """
    known, chosen = set(), []
    for file in sorted(recorded.HERE.glob("*.json")):
        for one in json.loads(file.read_text(encoding="utf-8")):
            board = one[language]["board"]
            said = {(key_of(board, f), f.get("why")) for f in board["frames"]} if board else set()
            if not said <= known:
                known |= said
                chosen.append(Storyboard(board))
    return chosen


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_graph_is_no_tape(stage, language):
    pressed, *found = stage(*boards(language)).evaluate(WORDS, TAPE)
    assert pressed > 30 and found == []


def test_the_test_would_hear_of_a_tape(stage):
    """The same program, as if minitape had recorded it."""
    board = Storyboard({**boards("en")[0], "recording": "tape"})
    _, *found = stage(board).evaluate(WORDS, TAPE)
    assert len(found) > 5
