"""Learners' programs: each surprise is explained with the right category at the right line; healthy programs raise no alarm."""

import warnings

import pytest

from tests.explain.programs import as_cells, as_file, guilty, programs

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("how", [as_file, as_cells], ids=["file", "cells"])
@pytest.mark.parametrize("program", programs(), ids=lambda p: p.name)
def test_blames_the_mistake(program, how, tmp_path):
    names, texts = how(program, tmp_path)
    e = names["e"]
    assert e.category == program.category, f"\n{program.code}\n{e}"
    assert (e.filename, e.lineno) == guilty(texts), f"\n{program.code}\n{e}"
    assert str(e) and e._repr_html_()
    assert "…" not in e.message + e.fix, e


@pytest.mark.parametrize("how", [as_file, as_cells], ids=["file", "cells"])
@pytest.mark.parametrize("program", programs("healthy"), ids=lambda p: p.name)
def test_no_false_alarm(program, how, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        names, _ = how(program, tmp_path)
    assert names["e"].healthy, f"\n{program.code}\n{names['e']}"


def test_the_corpus_is_large():
    assert len(programs()) >= 60
    assert len(programs("healthy")) >= 20
