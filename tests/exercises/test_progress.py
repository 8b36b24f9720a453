"""The progress file: several kernels write at once, disks are full, files are odd. Nothing learnt is lost, no cell is stopped."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from minitape.exercises import exercise, progress
from minitape.sentences import speaking

ROOT = Path(__file__).resolve().parents[2]


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


def beside(file):
    return sorted(name for name in os.listdir(file.parent) if not name.endswith(".lock"))


def test_two_kernels_write_at_once(file):
    code = "import sys\nfrom minitape.exercises import progress\nfor k in range(60): progress.write(f'{sys.argv[1]}.{k}', 'correct')"
    kernels = [subprocess.Popen([sys.executable, "-c", code, name], env={**os.environ, "PYTHONPATH": str(ROOT)}) for name in "abc"]
    assert [kernel.wait() for kernel in kernels] == [0, 0, 0]
    assert len(json.loads(file.read_text())) == len(progress.progress()) == 180
    assert beside(file) == ["progress.json"]


@pytest.mark.parametrize("text", [b"", b"[not json", b"[1]", b'"x"', b"\xff\x00\xfe", b"[" * 200_000, b'{"a":' * 200_000, b"9" * 5000])
def test_what_is_no_progress_is_set_aside(file, text, capsys):
    file.write_bytes(text)
    assert solved() and solved()
    assert json.loads(file.read_text()) == {"00.fan-out": "correct"}
    assert beside(file) == ["progress.json", "progress.unreadable-1.json"]
    assert file.with_name("progress.unreadable-1.json").read_bytes() == text
    assert capsys.readouterr().out == (f"{file} could not be read as your progress. It is kept as progress.unreadable-1.json, and a new "
                                       "file was begun.\n")
    file.write_bytes(text)
    with speaking("fr"):
        assert progress.progress() == {}
    assert "progress.unreadable-2.json" in beside(file) and "conservé" in capsys.readouterr().out


def test_a_full_disk_loses_nothing(file):
    progress.write("before", "correct")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4, limits[1]))
    try:
        assert solved()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert json.loads(file.read_text()) == {"before": "correct"} and beside(file) == ["progress.json"]
    assert progress.progress() == {"before": "correct", "00.fan-out": "correct"}
    progress.write("after", "not yet")
    assert json.loads(file.read_text()) == {"before": "correct", "00.fan-out": "correct", "after": "not yet"}


def test_a_link_stays_a_link(file):
    real = file.parent / "synced" / "real.json"
    real.parent.mkdir()
    file.symlink_to(real)
    assert solved() and file.is_symlink() and json.loads(real.read_text()) == {"00.fan-out": "correct"}
    file.unlink()
    file.symlink_to(file)                                     # a link to itself
    assert solved()


def test_a_file_that_is_read_only_is_read_and_left_alone(file):
    file.write_text('{"a": "correct"}')
    file.chmod(0o444)
    assert solved() and progress.progress() == {"a": "correct", "00.fan-out": "correct"} and file.read_text() == '{"a": "correct"}'


def test_a_file_that_cannot_be_read_now_is_not_replaced(file, monkeypatch):
    file.write_text('{"a": "correct"}')
    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", lambda path: (_ for _ in ()).throw(PermissionError(13, "not yours")))
        assert solved()
    assert file.read_text() == '{"a": "correct"}' and beside(file) == ["progress.json"]


@pytest.mark.parametrize("place", ["/", "/dev/zero", "/dev/null/no/folder", "/" + "x" * 5000, "pipe"])
def test_odd_places(file, place, monkeypatch):
    if place == "pipe":
        place = str(file.parent / "pipe")
        os.mkfifo(place)
    monkeypatch.setenv("MINITAPE_PROGRESS", place)
    assert solved()


def test_no_home_and_no_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("MINITAPE_PROGRESS")
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("Could not determine home directory.")))
    assert solved() and progress.place() is None and progress.progress() == {}
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    monkeypatch.setenv("MINITAPE_PROGRESS", "progress.json")
    assert solved()


def test_an_interrupt_at_any_moment_leaves_a_whole_file(file):
    """At each moment at which Python looks for signals while an outcome is written; the next outcome brings the lost one along."""
    def interrupted(moment):
        left = moment

        def profile(frame, event, argument):
            nonlocal left
            if event in ("call", "c_return") and frame.f_code.co_filename.endswith(("minitape/disk.py", "exercises/progress.py")):
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
        assert json.loads(file.read_text()) in ({"first": "correct"}, {"first": "correct", "x": "correct"}), moment
        assert beside(file) == ["progress.json"], moment
        if not stopped:
            break
        waits = "x" in progress.progress()
        progress.write("later", "correct")
        assert not waits or json.loads(file.read_text()).keys() >= {"first", "later", "x"}, moment
        moment, written = moment + 1, written + waits
    assert moment > 30 and written > moment / 2, (moment, written)
