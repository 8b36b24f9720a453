"""Every frame has a whole sentence in each language, and no key of the code is without one."""

import re
from pathlib import Path

import pytest
import storyboard_programs as programs

import minitape.storyboard as storyboard
from minitape.sentences import LANGUAGES
from minitape.storyboard.text.captions import caption, catalogue, key_of, sentence


def test_every_key_in_the_code_is_in_the_catalogue():
    folder = Path(storyboard.__file__).parent
    code = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    used = set(
        re.findall(
            r'"((?:note|seed|visit|part|cut|result|why|ask|answer|idea|text|svg)\.[\w.]+\w)"', code
        )
    )
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
    assert (
        sentence("en", "cut.something.new", {"node": "x", "card": 1, "op": "Mul"})
        == "Nothing passes from card 1 (Mul) to x."
    )
    assert sentence("en", "no such key") == ""
