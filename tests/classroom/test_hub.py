"""A small class in a real JupyterHub: `python -m tests.classroom.trial` with three students, and
the limits that we promise teachers.
"""

import re
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from tests.classroom.trial import trial

KERNEL, PAGE = 250e6, 300e6  # bytes of their own, after Restart and Run All three times


@pytest.mark.long
@pytest.mark.browser
@pytest.mark.timeout(900)
def test_a_class_works_in_a_hub(tmp_path):
    # in this process Playwright's loop may be running for others
    with ProcessPoolExecutor(1, get_context("spawn")) as apart:
        found = apart.submit(trial, tmp_path, students=3).result()
    assert max(found["bytes"]["kernel"]) < KERNEL and max(found["bytes"]["page"]) < PAGE, found[
        "bytes"
    ]
    answers = {
        student: {identity: said.strip()[:40] for identity, said in facts_kept.items()}
        for student, facts_kept in found["said"].items()
    }
    assert len(answers) == 2 and all(answers.values())
    wrong = [
        (student, identity, said)
        for student, facts_kept in answers.items()
        for identity, said in facts_kept.items()
        if "✓" not in said
    ]
    assert not wrong
    for student, lesson in found["lessons"].items():  # each has a progress of one's own
        numbers = {re.match(r"\d+", identity)[0] for identity in answers[student]}
        assert numbers == {lesson[:2]} and student in found["progress"]
