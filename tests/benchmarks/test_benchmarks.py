"""The benchmark compares the same mathematics, and says so where it does not."""

import numpy as np
import pytest

import minitape as tf
from tests.benchmarks import __main__ as page
from tests.benchmarks import race, waits, worker
from tests.benchmarks.programs import with_minitape, with_numpy
from tests.benchmarks.rows import ROWS

BY_HAND = {row.program: row for row in ROWS if "numpy" in row.peers and row.arguments}
SMALL = {"batch": 8, "n": 20, "ids": 50, "rows": 20, "width": 3}


def small(row):
    """Return the row's arguments, small."""
    return {name: SMALL[name] for name in row.arguments}


def leaves(result):
    """Return the arrays of a result in their order."""
    return (
        [leaf for part in result for leaf in leaves(part)]
        if isinstance(result, list | tuple)
        else [np.asarray(result)]
    )


@pytest.mark.parametrize("whole", [lambda f: f, tf.function], ids=["eager", "function"])
@pytest.mark.parametrize("row", BY_HAND.values(), ids=BY_HAND)
def test_every_program_computes_what_numpy_by_hand_does(row, whole):
    ours = getattr(with_minitape, row.program)(**small(row), whole=whole)
    by_hand = getattr(with_numpy, row.program)(**small(row))
    for _ in range(4):  # a training goes on where the run before ended
        for a, b in zip(leaves(ours()), leaves(by_hand()), strict=True):
            assert np.allclose(a, b, rtol=1e-4, atol=1e-5)


def test_a_training_of_the_benchmark_learns():
    for program in ("mlp", "mlp_layers", "cnn", "cnn_layers"):
        step = getattr(with_minitape, program)(batch=8, whole=lambda f: f)
        first, *_, last = [float(step()) for _ in range(8)]
        assert last < first, program


def test_candidates_run_in_processes_of_their_own():
    candidates = {
        "minitape": {"library": "minitape", "program": "chain", "arguments": {"n": 20}},
        "numpy": {"library": "numpy", "program": "chain", "arguments": {"n": 20}},
        "another": {"library": "numpy", "program": "chain", "arguments": {"n": 24}},
        "not installed": {"library": "no_such_library", "program": "chain", "arguments": {"n": 20}},
    }
    times, differing = race.race(candidates, rounds=2, seconds=1)
    assert list(times) == ["minitape", "numpy", "another"] and differing == ["another"]
    assert all(len(rounds) == 2 and min(rounds) > 0 for rounds in times.values())
    assert race.ratio(times["minitape"], times["numpy"])[0] > 1


def test_a_candidate_that_ends_early_is_named(capfd):
    with pytest.raises(RuntimeError, match="no_such_program"):
        race.race(
            {"minitape": {"library": "numpy", "program": "no_such_program", "arguments": {}}},
            rounds=1,
            seconds=1,
        )
    assert "AttributeError" in capfd.readouterr().err


def test_sums_of_many_numbers_are_one_array():
    assert worker.sums((np.array([1.0, -2.0]), [3.0])) == [-1.0, 3.0, 3.0, 3.0]
    assert worker.sums([1.0, -1.0] * 60) == [0.0, 120.0]


def test_a_line_of_the_table_says_what_is_reached():
    row = ROWS[0]
    (eager, reached), (_, none) = page.lines(
        row,
        {
            "minitape": [2.0] * 4,
            "with kernels": [2.0] * 4,
            "torch": [4.0] * 4,
            "micrograd": [1.0] * 4,
        },
    )
    assert eager == [
        row.name,
        "minitape",
        "2 s",
        "",
        "0.50 (0.50 to 0.50)",
        "",
        "2.00 (2.00 to 2.00) micrograd",
        "**2.00 times**: 1 x micrograd · reached: 1 x torch",
    ]
    assert reached == [False, True] and none == []


def test_a_wait_is_measured_in_processes_of_its_own(monkeypatch):
    """The smallest one, as often as it says; and what cannot be measured here has no line."""
    memory = next(row for row in waits.WAITS if row.unit == "bytes")
    assert 200 < waits.measured(memory)[0] < 1000
    monkeypatch.setattr(waits, "WAITS", [memory, memory._replace(name="no browser here")])
    monkeypatch.setattr(
        waits, "measured", lambda row: [330.0, 310.0, 320.0] if row is memory else []
    )
    assert list(waits.lines()) == [
        (f"| {memory.name} | 320 bytes | 310 to 330 | **1.07 times**: 300 bytes |\n", False)
    ]


def test_a_table_is_put_in_its_own_place(monkeypatch, tmp_path):
    begin, end = page.BEGIN, page.END
    kept = tmp_path / "page.md"
    kept.write_text(f"a\n{begin}old\n{end}b\n{page.WAITS}old\n{end}c\n")
    monkeypatch.setattr(page, "PAGE", kept)
    page.write(page.WAITS, "new\n")
    page.write(begin, "first\n")
    assert kept.read_text() == f"a\n{begin}\nfirst\n\n{end}b\n{page.WAITS}\nnew\n\n{end}c\n"


def test_what_is_measured_with_another_python_has_a_place_of_its_own(monkeypatch, tmp_path):
    begin, end, other = page.BEGIN, page.END, page.MADE.format("Python 2.7")
    kept = tmp_path / "page.md"
    kept.write_text(f"a\n{other}old\n{end}b\n{page.WAITS}old\n{end}c\n")
    monkeypatch.setattr(page, "PAGE", kept)
    page.write(begin, "new\n")
    made = f"a\n{other}old\n{end}\n{begin}\nnew\n\n{end}b\n{page.WAITS}old\n{end}c\n"
    assert kept.read_text() == made
    assert page.last_table(made) == {}


def test_a_line_says_what_has_changed_since_the_table_was_made_last():
    row = ROWS[0]

    def line(*seconds):
        (cells, _), *_ = page.lines(
            row, {"minitape": list(seconds), "torch": [2.0] * 4, "micrograd": [1.0] * 4}
        )
        return cells

    before = line(1.0, 1.1, 1.2, 1.3)
    text = f"{page.BEGIN}\nMeasured.\n\n{page.HEAD}| {' | '.join(before)} |\n\n{page.END}| no | row |\n"
    last = page.last_table(text)
    assert last == {(row.name, "minitape"): before}
    assert page.change(line(1.1, 1.1, 1.3, 1.3), last[row.name, "minitape"]) == ""
    slower = line(4.0, 4.1, 4.2, 4.3)
    assert page.change(slower, before) == "0.57 x PyTorch · 1.15 x micrograd"
    assert page.change(slower, None) == "new"


def test_each_row_has_a_name_of_its_own():
    names = [row.name for row in ROWS]
    assert sorted(set(names)) == sorted(names)
