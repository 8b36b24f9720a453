"""Nothing that a program computes changes because somebody explains it."""

import pytest

import minitape as tf
from minitape.engine import gradient_tape
from tests.explain.programs import programs, traced
from tests.explain.unchanged import alike, outcome

EXPLAIN = tf.GradientTape.explain
PROGRAMS = [*programs(), *programs("healthy"), *programs("several")]
TRACED = [t for p in PROGRAMS if (t := traced(p)) is not None]


def agrees(program, monkeypatch):
    with monkeypatch.context() as nobody:
        nobody.setattr(gradient_tape, "none_found", lambda *_: None)
        bare = outcome(program, tf, None)
    assert alike(outcome(program, tf, EXPLAIN), bare), program.code


def test_every_eighth_program_computes_what_it_does_alone(monkeypatch):
    for program in [*PROGRAMS[::8], *TRACED[::8]]:
        agrees(program, monkeypatch)


@pytest.mark.long
def test_every_program_computes_what_it_does_alone(monkeypatch):
    for program in [*PROGRAMS, *TRACED]:
        agrees(program, monkeypatch)
