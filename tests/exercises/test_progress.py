"""The progress file: several kernels write at once, disks are full, files are odd. Nothing learnt
is lost, no cell is stopped.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from minitape.exercises import exercise, kept, progress
from minitape.exercises.shelf import by_lesson
from minitape.sentences import speaking

ROOT = Path(__file__).resolve().parents[2]
IDS = [found.id for _, exercises in by_lesson() for found in exercises]


@pytest.fixture(autouse=True)
def file(tmp_path, monkeypatch):
    path = tmp_path / "deep" / "progress.json"
    path.parent.mkdir()
    monkeypatch.setenv("MINITAPE_PROGRESS", str(path))
    return path


def solved():
    found, space = exercise("00.fan-out"), {}
    exec(found.solution_code, space)
    return found.check(space[found.name]).correct


def best(file):
    """What the file says, as `progress.progress` tells it."""
    answers = json.loads(file.read_text())
    assert answers["version"] == 2
    return {identity: kinds[0] for identity, kinds in answers["exercises"].items()}


def beside(file):
    return sorted(os.listdir(file.parent))


def on_the_drive(file):
    """The ids of all that is kept, in the file and in those beside it: each of them is whole."""
    return set().union(
        *(kept.facts_in(path.read_bytes()) for path in file.parent.glob("progress*.json"))
    )


def test_two_kernels_write_at_once(file):
    code = (
        "import sys\nfrom minitape.exercises import progress\nfor k in range(60): "
        "progress.write(f'{sys.argv[1]}.{k}', 'correct')"
    )
    kernels = [
        subprocess.Popen(
            [sys.executable, "-c", code, name], env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        for name in "abc"
    ]
    assert [kernel.wait() for kernel in kernels] == [0, 0, 0]
    assert len(on_the_drive(file)) == len(progress.progress()) == 180  # merged or beside it
    progress.write("one more", "correct")  # takes up what two have left beside it
    assert beside(file) == ["progress.json"]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[not json",
        b"[1]",
        b'"x"',
        b"\xff\x00\xfe",
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b"9" * 5000,
    ],
)
def test_what_is_no_progress_is_set_aside(file, text, capsys):
    file.write_bytes(text)
    assert solved() and solved()
    assert best(file) == {"00.fan-out": "correct"}
    assert beside(file) == ["progress.json", "progress.unreadable-1.json"]
    assert file.with_name("progress.unreadable-1.json").read_bytes() == text
    assert capsys.readouterr().out == (
        f"{file} could not be read as your progress. It is kept as progress.unreadable-1.json, "
        "and a new "
        "file was begun.\n"
    )
    file.write_bytes(text)
    with speaking("fr"):
        assert progress.progress() == {}
    assert "progress.unreadable-2.json" in beside(file) and "conservé" in capsys.readouterr().out


def test_a_full_disk_loses_nothing(file):
    progress.write("before", "correct")
    resource = pytest.importorskip("resource", reason="a system without limits")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4, limits[1]))
    try:
        assert solved()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert best(file) == {"before": "correct"} and beside(file) == ["progress.json"]
    assert progress.progress() == {"before": "correct", "00.fan-out": "correct"}
    progress.write("after", "not yet")
    assert best(file) == {"before": "correct", "00.fan-out": "correct", "after": "not yet"}


def test_a_link_stays_a_link(file):
    real = file.parent / "synced" / "real.json"
    real.parent.mkdir()
    file.symlink_to(real)
    assert solved() and file.is_symlink() and best(real) == {"00.fan-out": "correct"}
    file.unlink()
    file.symlink_to(file)  # a link to itself
    assert solved()


def test_a_file_that_is_read_only_is_read_and_left_alone(file):
    file.write_text('{"a": "correct"}')
    file.chmod(0o444)
    assert (
        solved()
        and progress.progress() == {"a": "correct", "00.fan-out": "correct"}
        and file.read_text() == '{"a": "correct"}'
    )


def test_a_file_that_cannot_be_read_now_is_not_replaced(file, monkeypatch):
    file.write_text('{"a": "correct"}')
    with monkeypatch.context() as patch:
        patch.setattr(
            Path, "read_bytes", lambda path: (_ for _ in ()).throw(PermissionError(13, "not yours"))
        )
        assert solved()
    assert file.read_text() == '{"a": "correct"}' and beside(file) == ["progress.json"]


@pytest.mark.parametrize(
    "place", ["/", "/dev/zero", "/dev/null/no/folder", "/" + "x" * 5000, "pipe"]
)
def test_odd_places(file, place, monkeypatch):
    if place == "pipe":
        place = str(file.parent / "pipe")
        os.mkfifo(place)
    monkeypatch.setenv("MINITAPE_PROGRESS", place)
    assert solved()


def test_no_home_and_no_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("MINITAPE_PROGRESS")
    monkeypatch.setattr(
        Path,
        "home",
        lambda: (_ for _ in ()).throw(RuntimeError("Could not determine home directory.")),
    )
    assert solved() and progress.place() is None and progress.progress() == {}
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    monkeypatch.setenv("MINITAPE_PROGRESS", "progress.json")
    assert solved()


def test_an_interrupt_at_any_moment_leaves_a_whole_file(file):
    """At each moment at which Python looks for signals while an outcome is written; the next
    outcome brings the lost one along.
    """

    def interrupted(moment):
        left = moment

        def profile(frame, event, argument):
            nonlocal left
            if event in ("call", "c_return") and frame.f_code.co_filename.endswith(
                ("minitape/disk.py", "exercises/kept.py")
            ):
                left -= 1
                if left == 0:
                    sys.setprofile(None)
                    raise KeyboardInterrupt

        sys.setprofile(profile)
        try:
            progress.write("x", "correct")
        except KeyboardInterrupt:
            return True
        finally:
            sys.setprofile(None)
        return False

    moment = written = 1
    while True:
        file.write_text('{"first": "correct"}')
        stopped = interrupted(moment)
        assert on_the_drive(file) in ({"first"}, {"first", "x"}), moment
        if not stopped:
            break
        waits = "x" in progress.progress()
        progress.write("later", "correct")
        assert not waits or best(file).keys() >= {"first", "later", "x"}, moment
        assert beside(file) == ["progress.json"], moment
        file.unlink()
        moment, written = moment + 1, written + waits
    assert moment > 30 and written > moment / 2, (moment, written)


def test_a_file_of_version_1_is_read_and_written_anew(file):
    file.write_text('{"00.fan-out": "solution seen", "own": "not yet"}')
    assert progress.progress() == {"00.fan-out": "solution seen", "own": "not yet"}
    assert solved()
    assert json.loads(file.read_text())["exercises"] == {
        "00.fan-out": ["correct", "solution seen"],
        "own": ["not yet"],
    }


@pytest.mark.parametrize("version", ["3", '"2024"', "null", "[1]"])
def test_a_file_of_another_version_is_left_alone_and_that_is_said_once(
    file, version, capsys, monkeypatch
):
    monkeypatch.setattr(kept, "_said", set())
    text = f'{{"version": {version}, "what": {{"00.fan-out": 1}}}}'
    file.write_text(text)
    assert solved() and solved() and progress.progress() == {"00.fan-out": "correct"}
    assert capsys.readouterr().out.count("was written by a newer minitape") == 1
    assert "newer minitape" in str(progress.show()) and "newer minitape" in progress.erase()
    with pytest.raises(ValueError, match="newer minitape"):
        progress.merge(file)
    with pytest.raises(FileExistsError, match="something else"):
        progress.export(file)
    assert file.read_text() == text and beside(file) == ["progress.json"]


def test_a_folder_that_is_read_only_loses_nothing_and_that_is_said_once(file, capsys, monkeypatch):
    monkeypatch.setattr(kept, "_said", set())
    with monkeypatch.context() as patch:
        patch.setattr(
            kept,
            "write_whole",
            lambda *_: (_ for _ in ()).throw(OSError(30, "Read-only file system")),
        )
        assert solved() and solved()
        assert capsys.readouterr().out == (
            f"Your progress cannot be written to {file} (Read-only file system). Nothing is lost "
            "as long as this kernel runs: it waits, "
            'and is written as soon as that works. progress.export("mine.json") puts it '
            "elsewhere.\n"
        )
        assert "Read-only" in str(progress.show()) and "⚠" in progress.show()._repr_html_()
        assert "Read-only" in progress.erase() and progress.progress() == {"00.fan-out": "correct"}
        progress.export(file.parent / "mine.json")
    assert "Read-only" not in str(progress.show()) and best(file) == best(
        file.parent / "mine.json"
    ) == {"00.fan-out": "correct"}


def test_the_page(file):
    assert str(progress.show()).startswith("0 of ") and not file.exists()
    exercise("00.fan-out").check(...)
    found = exercise("00.fan-out")
    found.solution()
    assert "○ solution seen" in str(progress.show())
    found.check(lambda x: (1.0, 1.0, 1.0, 1.0))
    shown = str(progress.show())
    assert (
        "\n00 Start here: " in shown
        and f"\n  … tried; solution seen  {found.title} (00.fan-out)\n" in shown
    )
    assert f"\nNext: {exercise(IDS[0]).title}, in 00 Start here: " in shown
    assert solved()
    shown = str(progress.show())
    assert (
        shown.startswith("1 of ")
        and f"\n  ✓ solved; solution seen  {found.title} (00.fan-out)\n" in shown
    )
    with speaking("fr"):
        assert (
            str(progress.show()).startswith("1 résolu sur ")
            and "résolu\u00a0; solution vue" in progress.show()._repr_html_()
        )


def test_what_comes_next_is_the_first_that_is_not_solved(file, monkeypatch):
    assert "00.chain" in IDS and "00.nudge" not in IDS, "what is asked in passing is no part of it"
    for identity in IDS[:-1]:
        progress.write(identity, "correct")
    assert exercise(IDS[-1]).title in progress.show().next
    progress.write(IDS[-1], "correct")
    assert progress.show().next.startswith("All exercises are solved")
    monkeypatch.chdir(file.parent)
    progress.erase()
    assert progress.show().link == "" and "<a" not in progress.show()._repr_html_()
    Path("00_start_here.ipynb").touch()
    assert '<a href="00_start_here.ipynb">' in progress.show()._repr_html_()


def test_what_stands_in_the_file_is_shown_as_text(file):
    progress.write("<img src=x onerror=alert(1)>&\x1b[31m\u202e", "not yet")
    page = progress.show()
    assert (
        "&lt;img src=x onerror=alert(1)&gt;&amp;\ufffd[31m\ufffd" in page._repr_html_()
        and "<img" not in page._repr_html_()
    )
    assert "\x1b" not in str(page) and "\u202e" not in str(page) and "Elsewhere" in str(page)


def test_erase_keeps_the_old_file_beside(file):
    assert progress.erase() == progress.erase() == "There was no progress to erase."
    assert solved() and "progress.erased-1.json" in progress.erase() and progress.progress() == {}
    progress.write("other", "correct")
    progress.erase()
    assert beside(file) == ["progress.erased-1.json", "progress.erased-2.json"]
    for k in (1, 2):
        progress.merge(file.with_name(f"progress.erased-{k}.json"))
    assert best(file) == progress.progress() == {"00.fan-out": "correct", "other": "correct"}


def test_what_waits_is_erased_into_the_copy_too(file, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(
            kept,
            "write_whole",
            lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")),
        )
        progress.write("waits", "correct")
    assert not file.exists() and "erased-1" in progress.erase() and progress.progress() == {}
    assert best(file.with_name("progress.erased-1.json")) == {"waits": "correct"}


def test_export_and_merge_bring_two_machines_together(file, monkeypatch, tmp_path):
    mine = tmp_path / "mine.json"
    progress.write("a", "correct")
    assert "What you did in 1 exercise is now in" in progress.export(str(mine))
    monkeypatch.setenv("MINITAPE_PROGRESS", str(tmp_path / "other.json"))
    progress.write("a", "not yet")
    progress.write("b", "correct")
    assert progress.merge(mine) == "1 exercise was read, and 1 of them brought something new."
    assert progress.merge(mine) == "1 exercise was read, and 0 of them brought something new."
    assert progress.progress() == {"a": "correct", "b": "correct"}
    progress.erase()
    progress.export(mine)  # what stands there of an earlier export stays
    assert json.loads(mine.read_text())["exercises"] == {"a": ["correct"]}
    progress.merge(tmp_path / "other.erased-1.json")
    progress.export(mine)
    assert json.loads(mine.read_text())["exercises"] == {
        "a": ["correct", "not yet"],
        "b": ["correct"],
    }
    monkeypatch.setenv("MINITAPE_PROGRESS", "")
    assert (
        "No progress is kept here" in progress.merge(mine)
        and "No progress is kept here" in progress.erase()
    )


def test_odd_files_to_merge_and_to_export_into(file, tmp_path):
    for text in (
        "",
        "[1]",
        '{"a": 1}',
        '{"a": [1]}',
        '{"version": 2}',
        '{"version": 2, "exercises": []}',
        "[" * 200_000,
        '{"version": ' + "1" * 5000 + "}",
        json.dumps({str(k): "correct" for k in range(60_000)}),  # no course is as long
    ):
        (tmp_path / "odd.json").write_text(text)
        with pytest.raises(ValueError, match="odd.json holds no progress"):
            progress.merge(tmp_path / "odd.json")
        with pytest.raises(FileExistsError, match="odd.json holds something else"):
            progress.export(tmp_path / "odd.json")
        assert (tmp_path / "odd.json").read_text() == text
    for odd in (tmp_path, tmp_path / "none.json", "/dev/zero"):
        with pytest.raises(FileNotFoundError, match="There is no file"):
            progress.merge(odd)
        if Path(odd).exists():
            with pytest.raises(FileExistsError, match="something else"):
                progress.export(odd)
    assert beside(file) == []


def test_an_export_that_cannot_be_written_says_what_to_do(tmp_path):
    with pytest.raises(
        OSError,
        match=r"mine.json cannot be written \(No such file or directory\). Name a file in a folder",
    ):
        progress.export(tmp_path / "nowhere" / "mine.json")


def test_a_drive_without_links_loses_nothing(file, monkeypatch):
    """Where no name can be taken without replacing what has it, the file keeps a name of its own."""
    with monkeypatch.context() as patch:
        patch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(OSError(95, "Not supported")))
        for identity in "abc":
            progress.write(identity, "correct")
        assert len(beside(file)) == 1 and set(progress.progress()) == {"a", "b", "c"}
    progress.write("d", "correct")
    assert beside(file) == ["progress.json"] and set(best(file)) == {"a", "b", "c", "d"}
