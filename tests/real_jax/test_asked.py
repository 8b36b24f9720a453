"""Why a gradient is zero, NaN or infinite: the kind, the line, and a cure that mends."""

import jax
import pytest

import minitape.jax
from minitape.sentences import speaking

from .asked import answer_to, mended, programs

PROGRAMS = list(programs())
# how a gradient is once a cure stands there: a NaN may have been at the lowest point
MENDED = {"zero": ("number", "huge"), "nan": ("number", "zero"), "inf": ("number",)}


@pytest.mark.parametrize("k", range(len(PROGRAMS)))
def test_the_kind_the_line_and_the_cure(k):
    how, kinds, line, text = PROGRAMS[k]
    answer = answer_to(text, f"program_{k}")
    assert answer.category in kinds and answer.params["answer"] == how
    assert line is None or answer.lineno == line
    if answer.cure:
        assert mended(text, answer, f"mended_{k}").params["answer"] in MENDED[how]


def test_most_have_a_cure():
    answers = [answer_to(text, f"cured_{k}") for k, (*_, text) in enumerate(PROGRAMS)]
    assert sum(bool(answer.cure) for answer in answers) >= 13


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_words_are_those_of_jax(language):
    with speaking(language):
        said = [
            str(answer_to(text, f"said_{language}_{k}")) for k, (*_, text) in enumerate(PROGRAMS)
        ]
    for each in said:
        assert not any(word in each for word in ("reduce_", "tf.", "tape", "Variable", "bande"))
    assert any("jax.lax.stop_gradient(jnp.round(x) - x)" in each for each in said)


def test_an_explanation_shows_its_play():
    def f(x, y):
        h = jax.lax.stop_gradient(x)
        return h * y

    record = minitape.jax.record(f, 2.0, 3.0)
    board = record.explain("x").storyboard()
    assert board["frames"][board.frame - 1]["act"] == "cut"
    assert "lax.stop_gradient" in str(record.storyboard())
    with pytest.raises(ValueError, match="are x, y, not 'z'"):
        record.explain("z")
