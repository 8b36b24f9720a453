"""Traces from elsewhere: each is shown whole or refused in a line of words, and then the static
picture stays. Nothing is thrown, nothing is half drawn, and no tab is frozen.
"""

import importlib.util
import json
from pathlib import Path

import pytest

import minitape as tf
from minitape_widgets import ask, play

pytestmark = pytest.mark.browser
FOLDER = Path(__file__).parent.parent / "storyboard"


def loaded(name):
    found = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    made = importlib.util.module_from_spec(found)
    found.loader.exec_module(made)
    return made


mutated, programs = loaded("mutated"), loaded("storyboard_programs")

# Shows each trace in an element with a picture, goes through its moments, and tells what went
# wrong.
SHOW_ALL = """(texts) => texts.map((text) => {
    const wrong = [], place = document.createElement("div"), said = console.error;
    place.innerHTML = "<div class='minitape-still'>picture</div>";
    document.querySelector("main").replaceChildren(place);
    console.error = (...all) => wrong.push(all.map((one) => (one && one.stack) || String(one)).join(" "));
    const count = (selector) => place.querySelectorAll(selector).length, start = performance.now();
    let shown = false;
    try {
        const trace = JSON.parse(text), close = minitape.show(place, trace);
        shown = count(".minitape") === 1;
        const ms = performance.now() - start;
        if (ms > 10000) wrong.push("took " + Math.round(ms) + " ms");
        const counts = [".minitape", ".minitape-still", ".minitape-refused"].map(count).join();
        if (counts !== (shown ? "1,0,0" : "0,1,1")) wrong.push("half drawn: " + counts);
        if (!shown && !place.querySelector(".minitape-refused").textContent.trim()) wrong.push("no words");
        if (shown) {
            const { player } = place.querySelector(".minitape"), { total } = player;
            for (const k of [...Array(Math.min(total, 40) + 1).keys(), total, 0]) player.go(k);
            for (let k = 0; k < 3; k++) player.step(1);
        }
        close();
        if (place.textContent !== (shown ? "" : "picture")) wrong.push("something stays: " + place.textContent.slice(0, 80));
    } catch (error) { wrong.push("thrown: " + error.stack); }
    console.error = said;
    return { shown, wrong };
})"""


def traces():
    """Real traces of every kind: all acts, groups, a pair, questions."""
    boards = {name: dict(programs.storyboard(name)) for name in programs.PROGRAMS}
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x
        for _ in range(12):
            y = y * 1.5 + x
    boards["folded"] = dict(play(tape, y, x, folded=True).storyboard)
    pair = {
        "pair": [boards["fan_out"], boards["none_by_escape"]],
        "options": {"names": ["a", "b"], "start": 3},
    }
    question = ask("How many?", 3, {2: "One more."}).trace
    choice = ask("Which?", "a", {"b": "No."}, choices=["a", "b"]).trace
    options = {"start": 2, "hide": [], "language": "fr"}
    return [
        *({"storyboard": board, "options": options} for board in boards.values()),
        pair,
        question,
        choice,
    ]


@pytest.mark.parametrize(
    "many", [100, pytest.param(2220, marks=[pytest.mark.long, pytest.mark.timeout(1800)])]
)
def test_mutated_traces(stage, many):
    page, real = stage(), traces()
    for found in page.evaluate(SHOW_ALL, [json.dumps(trace) for trace in real]):
        assert found == {"shown": True, "wrong": []}
    wrong, shown, texts = [], 0, [json.dumps(trace) for trace in mutated.mutated(real, many)]
    for start in range(0, many, 20):
        for k, found in enumerate(page.evaluate(SHOW_ALL, texts[start : start + 20]), start):
            shown += found["shown"]
            wrong += [f"trace {k}: {text}" for text in found["wrong"]]
    assert not wrong, f"{len(wrong)} of {many}\n" + "\n".join(wrong[:20])
    assert many / 20 < shown < many * 0.9, (
        f"{shown} of {many} are shown: the machine changes too much, or too little"
    )
    assert not page.problems
