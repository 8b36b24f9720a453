"""The gallery of PyTorch: what is stored of its programs is what PyTorch does today, and each cure
mends.

With MINITAPE_UPDATE=1 the recordings are written anew: look at what changed.
"""

import json
import os
import re
from pathlib import Path

import pytest

from minitape.sentences import COMPLETE
from minitape_widgets.pitfalls import programs, recorded
from minitape_widgets.pitfalls.card import WORDS, card, cards, keys

from .asked import forget

ROOT = Path(__file__).resolve().parents[2]
KEYS, LESSON = keys("torch"), "in_pytorch"
NAMES = {
    which: {language: WORDS(language)[which] for language in COMPLETE}
    for which in ("broken", "mended")
}


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    monkeypatch.setenv("MINITAPE_LAYOUT", "layers")
    forget()


def run(code):
    forget()
    return programs.run(code, library="torch", anew=True)


def recording(code, names):
    runs = {}
    for language, name in names.items():
        forget()
        runs[language] = programs.run(code, name, language=language, library="torch", anew=True)
    return json.loads(json.dumps(recorded.recording(code, runs)))


@pytest.mark.parametrize("key", KEYS)
def test_what_is_recorded_is_what_pytorch_does(key):
    c = card(key)
    is_or_becomes(key, [recording(c.broken, NAMES["broken"]), recording(c.fixed, NAMES["mended"])])


def is_or_becomes(name, fresh):
    file = recorded.HERE / f"{name}.json"
    if os.environ.get("MINITAPE_UPDATE"):
        lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in fresh)
        file.write_text(f"[{lines}]\n", encoding="utf-8")
    assert json.loads(file.read_text(encoding="utf-8")) == fresh


def test_what_is_recorded_of_the_lesson_is_what_pytorch_does():
    source = (ROOT / "notebooks" / "sources" / f"{LESSON}.py").read_text(encoding="utf-8")
    programs_of_it = re.findall(r'^pytorch = """\n(.+?)"""', source, re.MULTILINE | re.DOTALL)
    assert len(programs_of_it) > 3
    is_or_becomes(
        LESSON, [recording(code, dict.fromkeys(COMPLETE, "torch")) for code in programs_of_it]
    )


def test_no_other_recordings_are_kept():
    assert {file.stem for file in recorded.HERE.glob("*.json")} == {*KEYS, LESSON}


@pytest.mark.parametrize("key", KEYS)
def test_a_cure_gives_what_the_mended_program_gives(key):
    c = card(key)
    told = run(c.broken).explanation
    if not told.cure:
        return
    lines = c.broken.strip("\n").splitlines()
    first, last = told.replaced or (told.lineno, told.end_lineno)
    indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
    lines[first - 1 : last] = [indent + line for line in told.cure]
    again = run("\n".join(lines) + "\n")
    # its second step adds to the first one's gradient
    assert again.answer == {"torch-replaced": "6.0", "torch-accumulated": "3.0"}.get(key, c.good)


def test_a_changed_program_is_run():
    assert programs.run("g = torch.ones(2) * 3", library="torch").answer == "[3. 3.]"


def test_an_error_of_another_kind_is_not_explained_by_an_earlier_one():
    run(card("torch-used").broken)
    forgotten = programs.run("g = torch.ones(2) @ torch.ones(3)", library="torch")
    assert forgotten.answer == "RuntimeError" and forgotten.explanation is None
    assert cards(library="torch")
