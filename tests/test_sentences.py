"""One way of holding sentences: every catalogue is complete in each complete language, the others
say nothing that English does not, and the blanks are filled in as a reader expects.
"""

import json
import re
import subprocess
from itertools import product
from pathlib import Path

import pytest

from minitape.sentences import (
    COMPLETE,
    LANGUAGES,
    ONE,
    Catalogue,
    Word,
    filled,
    in_html,
    known,
    language,
    speaking,
)

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = sorted(
    path.parent
    for path in ROOT.glob("[mnw]*/**/en.json")
    if "static/messages" not in path.as_posix()
)
PICTURES, PLAYER = "minitape/storyboard/messages", "widgets/minitape_widgets/static/words"
RECORDINGS = ("tape", "graph", "trace")
FOUND = {folder.relative_to(ROOT).as_posix(): Catalogue(folder) for folder in FOLDERS}


def blanks(text):
    """Those that a caller fills in: the words for a recording are each language's own."""
    return {name for name in re.findall(r"\{(\w+)", text) if not name.endswith("_recording")}


def test_all_catalogues_are_looked_at():
    assert "minitape/exercises/lessons/messages/lesson_00" in FOUND
    assert sorted(name for name in FOUND if "/lesson_" not in name) == [
        "minitape/exercises/messages",
        "minitape/explain/messages",
        "minitape/health/messages",
        "minitape/memory/messages",
        "minitape/own_tape/messages",
        "minitape/recorders/jax/messages",
        "minitape/recorders/tensorflow/messages",
        "minitape/storyboard/messages",
        "notebooks/messages",
        "notebooks/site/messages",
        "notebooks/site/why/messages",
        "notebooks/teaching/own_course/exercises/messages/throwing",
        "widgets/minitape_widgets/charts/words",
        "widgets/minitape_widgets/pitfalls/words",
        "widgets/minitape_widgets/static/card/words",
        "widgets/minitape_widgets/static/health/words",
        "widgets/minitape_widgets/static/words",
    ]


@pytest.mark.parametrize("place", FOUND)
def test_no_sentence_stands_twice(place):
    def once(pairs):
        names = [name for name, _ in pairs]
        assert len(names) == len(set(names)), [n for n in names if names.count(n) > 1]
        return dict(pairs)

    for file in (ROOT / place).glob("*.json"):
        json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=once)


@pytest.mark.parametrize("place", FOUND)
@pytest.mark.parametrize("other", LANGUAGES[1:])
def test_every_language_says_what_english_says(place, other):
    english, translated = FOUND[place]("en"), FOUND[place].own(other)
    # what a category means: for programmers
    english = {key: text for key, text in english.items() if not key.endswith(".meaning")}
    assert set(translated) <= set(english)
    assert other not in COMPLETE or set(translated) == set(english)
    for key, text in english.items():
        if key not in translated:
            continue
        optional = {"tf", "line", "count"} if place == "minitape/explain/messages" else set()
        # an ending, or none
        assert bool(text.strip()) == bool(translated[key].strip()) or key.startswith(
            "recording."
        ), key
        assert blanks(translated[key]) <= blanks(text), key
        assert blanks(text) - blanks(translated[key]) <= optional | (
            {"place", "op"} if "explain" in place else set()
        ), key
        for number in (0, 1, 2, 5):  # no form of a plural is left over, no brace is wrong
            for spoken, sentence in (("en", text), (other, translated[key])):
                assert not re.search(
                    r"[{}|]",
                    re.sub(
                        r"\|.\|",
                        "",
                        filled(sentence, dict.fromkeys(blanks(sentence), number), spoken),
                    ),
                ), key


@pytest.mark.parametrize("place", FOUND)
def test_french_is_not_english_and_its_spaces_do_not_break(place):
    english, french = FOUND[place]("en"), FOUND[place]("fr")
    same = [
        key
        for key, text in english.items()
        if french[key] == text and len(re.sub(r"\{.*?\}", "", text)) > 20
    ]
    assert [key for key in same if not key.endswith(".meaning")] == []
    assert [
        text
        for key, text in french.items()
        if not key.endswith(".meaning") and re.search(r"[\w}]`? [:;?!]", text)
    ] == []


def test_what_a_language_has_not_translated_is_said_in_english():
    partial = set(LANGUAGES) - set(COMPLETE)
    assert {"en", "fr"} <= set(COMPLETE) and partial
    for catalogue in FOUND.values():
        for spoken in partial:
            assert catalogue(spoken) == {**catalogue("en"), **catalogue.own(spoken)}


@pytest.mark.parametrize("place", FOUND)
def test_spanish_opens_its_questions(place):
    for key, text in FOUND[place].own("es").items():
        prose = re.sub(r"`[^`]*`", "x", text)
        assert (prose.count("?"), prose.count("!")) == (prose.count("¿"), prose.count("¡")), key
        assert not re.search(r"\s[:;?!]|\u00a0", prose), key


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_the_player_is_told_the_same_numbers(spoken):
    assert FOUND["minitape/storyboard/messages"](spoken)["plural.one"] == ONE[spoken]


@pytest.mark.parametrize(
    ("spoken", "count", "said"),
    [
        ("en", 0, "0 cards are"),
        ("en", 1, "1 card is"),
        ("en", 2, "2 cards are"),
        ("fr", 0, "0 card is"),
        ("fr", 1, "1 card is"),
        ("fr", 2, "2 cards are"),
        ("es", 0, "0 cards are"),
        ("es", 1, "1 card is"),
    ],
)
def test_one_or_other(spoken, count, said):
    text = "{count|one:# card is|other:# cards are} recorded on {tape}."
    assert filled(text, {"count": count, "tape": "t"}, spoken) == f"{said} recorded on t."


def test_a_word_begins_a_sentence_with_a_capital_and_a_name_does_not():
    text = "{what} stops. {what} goes on: {what}, `{what}`."
    assert (
        filled(text, {"what": Word("the target")}, "en")
        == "The target stops. The target goes on: the target, `the target`."
    )
    assert filled(text, {"what": "loss"}, "en") == "loss stops. loss goes on: loss, `loss`."


def test_what_is_filled_in_is_not_read_again():
    assert (
        filled("{a} {b}", {"a": "{b}", "b": "{count|one:x|other:y}"}, "en")
        == "{b} {count|one:x|other:y}"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "At x = 0 the `where` is `x = <0>`.",
            "At x\xa0=\xa00 the <code>where</code> is <code>x = &lt;0&gt;</code>.",
        ),
        ("`a` and ` = <b>", "<code>a</code> and `\xa0=\xa0&lt;b&gt;"),
        ('"a=b"', '"a=b"'),
    ],
)
def test_a_sentence_as_html_keeps_its_assignments_on_one_line(text, shown):
    """What is code can be copied: there, blanks stay what they are."""
    assert in_html(text) == shown


def test_fallbacks(tmp_path):
    (tmp_path / "en.json").write_text('{"cut": "Cut.", "cut.late": "Late.", "only": "English."}')
    (tmp_path / "fr.json").write_text('{"cut": "Coupure."}')
    catalogue = Catalogue(tmp_path, missing="…")
    assert (
        catalogue.say("cut.something.new", language="fr") == "Coupure."
        and catalogue.say("only", language="fr") == "English."
    )
    assert catalogue.say("no such key") == "" and catalogue.filled("{a}", {}) == "…"
    with speaking("fr"):
        assert language() == "fr" and catalogue.say("cut") == "Coupure."
    assert language() == "en"
    for wrong in ("xx", None, ["en"]):
        with pytest.raises(ValueError, match="language must be one of en, fr"):
            known(wrong)


def of_the_player(spoken, recording, given=""):
    """{key: sentence} of all that a player says of a recording, with one text in all blanks."""
    pictures, found = FOUND[PICTURES], {}
    for catalogue in (pictures, FOUND[PLAYER]):
        for key in catalogue(spoken):
            text = catalogue.pattern(f"{key}.{recording}", spoken)
            forms = pictures.recording(recording, text, spoken)
            found[key] = filled(text, {**dict.fromkeys(blanks(text), given), **forms}, spoken)
    return found


@pytest.mark.parametrize("spoken", LANGUAGES)
@pytest.mark.parametrize("recording", ["graph", "trace"])
def test_what_is_no_tape_is_not_called_one(spoken, recording):
    tape = {"en": "tapes?", "fr": "bandes?", "es": "cintas?"}[spoken]
    own = ("recording.tape.", "ui.magic.", "ui.valley.")  # minitape's and TensorFlow's
    said = of_the_player(spoken, recording)
    wrong = [key for key in said if re.search(rf"\b{tape}\b", said[key], re.I)]
    assert [key for key in wrong if not key.startswith(own)] == []
    assert re.search(rf"\b{tape}\b", of_the_player(spoken, "tape")["start"], re.I)


@pytest.mark.node
def test_javascript_says_the_same(node_path):
    """The player's own function, on every sentence of its catalogues with several numbers in all
    blanks.
    """
    module = (ROOT / "widgets/minitape_widgets/static/storyboard/sentences.js").as_uri()
    cases, expected = [], []
    for spoken, recording in product(LANGUAGES, RECORDINGS):
        sentences = {**FOUND[PICTURES](spoken), **FOUND[PLAYER](spoken)}
        for given in (0, 1, 2, "x$&"):
            cases.append([sentences, recording, given])
            expected.append(list(of_the_player(spoken, recording, given).values()))
    script = f"""
import {{ readFileSync }} from "node:fs";
import {{ pieces, spoken }} from "{module}";
const said = JSON.parse(readFileSync(0, "utf8")).map(([sentences, recording, given]) => {{
  const catalogue = spoken(sentences, recording);
  return Object.keys(catalogue).map((key) => {{
    const parameters = Object.fromEntries([...catalogue[key].matchAll(/\\{{(\\w+)/g)].map((found) => [found[1], given]));
    return pieces(catalogue, key, parameters).map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
  }});
}});
console.log(JSON.stringify(said));
"""
    answer = subprocess.run(
        [node_path, "--input-type=module", "-e", script],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(answer.stdout) == expected
