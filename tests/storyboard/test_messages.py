"""The catalogues: complete in every language, with the same parameters, and no sentence of code without one."""

import re
from pathlib import Path

import pytest
import storyboard_programs as programs

import minitape.storyboard as storyboard
from minitape.storyboard.messages import LANGUAGES, caption, catalogue, key_of, sentence


def test_all_languages_have_the_same_keys_and_parameters():
    english = catalogue("en")
    for language in LANGUAGES:
        other = catalogue(language)
        assert set(other) == set(english)
        for key, text in english.items():
            assert text.strip() and other[key].strip(), key
            assert set(re.findall(r"{(\w+)}", text)) == set(re.findall(r"{(\w+)}", other[key])), (language, key)


def test_french_is_not_english():
    same = [key for key, text in catalogue("en").items() if catalogue("fr")[key] == text and len(text) > 20]
    assert same == []


def test_every_key_in_the_code_is_in_the_catalogue():
    folder = Path(storyboard.__file__).parent
    files = [*folder.glob("*.py"), folder.parent / "health.py"]
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    used = set(re.findall(r'"((?:health|note|seed|visit|part|cut|result|why|ask|answer|idea|text|svg)\.[\w.]+\w)"', code))
    assert used and used <= set(catalogue("en")), used - set(catalogue("en"))


@pytest.mark.parametrize("name", programs.PROGRAMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_frame_has_a_whole_sentence(name, language):
    board = programs.storyboard(name)
    board["language"] = language
    for k in range(len(board["frames"]) + 1):
        text = caption(board, k)
        assert text and "{" not in text and "  " not in text, (k, text)
        assert k == 0 or key_of(board, board["frames"][k - 1]) in catalogue(language)


def test_unknown_language_and_unknown_key():
    with pytest.raises(ValueError, match="language"):
        catalogue("xx")
    assert sentence("en", "cut.something.new", {"node": "x", "card": 1, "op": "Mul"}) == "Nothing passes from card 1 (Mul) to x."
    assert sentence("en", "no such key") == ""
