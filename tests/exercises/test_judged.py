"""Answers that others invented are told what was judged, and 90 of 100 meet their own idea."""

import pytest

from tests.exercises.judged import HERE, rows_of, told

FILES = sorted(HERE.glob("lesson_*.json"))


@pytest.mark.long
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_was_judged_is_said(file):
    changed = [
        (row["exercise"], row["slip"], row["said"], now)
        for row in rows_of(file)
        if (now := told(row)[0]) != row["said"]
    ]
    assert not changed


def test_nine_in_ten_are_met_by_their_own_idea():
    verdicts = [row["met"] for file in FILES for row in rows_of(file)]
    assert sum(verdicts) >= 0.9 * len(verdicts)
