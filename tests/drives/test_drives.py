"""Files of a learner on drives as they are: slow, full, and left in the middle of a write. Every
place that writes one goes through `minitape.disk`.
"""

import ast
import os
import re
import resource
import subprocess
import sys
from itertools import count

import pytest

from minitape.disk import write_whole
from minitape.exercises import kept, progress
from tests.drives.writers import WRITERS
from tests.test_tree import FILES, ROOT

WRITING = {"write_text", "write_bytes", "tofile", "savefig", "savetxt", "savez", "savez_compressed"}
WRITING_OF = {
    "np": {"save"},
    "json": {"dump"},
    "pickle": {"dump"},
    "os": {"open", "replace", "rename"},
    "shutil": {"copy", "copy2", "copyfile", "move"},
    "tempfile": {"mkstemp", "NamedTemporaryFile"},
}

MODE = re.compile("[rbt]*[wax+][wax+rbt]*")


OWN = {"cwd": ROOT, "stdout": subprocess.PIPE, "text": True}


def run(*command):
    return subprocess.run([sys.executable, *command], check=True, **OWN).stdout


def writes(call):
    """Whether a call writes a file."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    of = getattr(getattr(call.func, "value", None), "id", "")
    given = [getattr(one, "value", None) for one in (*call.args, *(k.value for k in call.keywords))]
    return (
        name in WRITING
        or name in WRITING_OF.get(of, ())
        or (name == "open" and any(isinstance(one, str) and MODE.fullmatch(one) for one in given))
    )


def places_in(text):
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    return [call.lineno for call in calls if writes(call)]


def test_every_file_is_written_by_disk():
    found = {
        str(file.relative_to(ROOT))
        for file in FILES
        if file.suffix == ".py"
        and file.relative_to(ROOT).parts[0] in ("minitape", "widgets")
        and places_in(file.read_text(encoding="utf-8"))
    }
    assert found == {"minitape/disk.py"}


def test_whatever_writes_is_found():
    text = """open(f, "w")
path.open(mode="a+")
path.write_text("")
np.save(f, x)
json.dump(x, f)
os.open(f, 0)
open(f)
open(f, "rb")
view.open()
json.dumps(x)
text.replace("a", "x")"""
    assert places_in(text) == [1, 2, 3, 4, 5, 6]


def test_a_half_file_is_removed_when_it_is_nobodys(tmp_path, monkeypatch):
    halves = [tmp_path / f".minitape-{k:012x}.half" for k in range(3)]
    for half in halves:
        half.touch()
    os.utime(halves[0], (0, 0))
    os.utime(halves[1], (0, 0))
    list_all = os.listdir
    monkeypatch.setattr(  # its process has just finished it
        os, "listdir", lambda folder: [*list_all(folder), (halves[1].unlink(), halves[1].name)[1]]
    )
    write_whole(tmp_path / "[a].json", b"x")
    assert sorted(list_all(tmp_path)) == [halves[2].name, "[a].json"]


def test_what_is_no_file_or_not_to_be_written_is_left_alone(tmp_path):
    pipe, kept_one, link = (tmp_path / name for name in ("pipe", "kept.html", "link.html"))
    os.mkfifo(pipe)
    kept_one.write_text("kept")
    link.symlink_to(kept_one)
    kept_one.chmod(0o444)
    for path, why in ((pipe, "exists"), (tmp_path, "exists"), (link, "denied")):
        with pytest.raises(OSError, match=why):
            write_whole(path, b"x")
    kept_one.chmod(0o640)
    write_whole(link, b"new")
    assert link.is_symlink() and kept_one.read_text() == "new"
    assert kept_one.stat().st_mode & 0o777 == 0o640


@pytest.mark.long
@pytest.mark.parametrize("name", [*WRITERS, "progress.json"])
def test_a_kill_at_any_moment_leaves_the_old_file_or_the_new_one(name, tmp_path, monkeypatch):
    place = tmp_path / "kept" / "progress.json"
    place.parent.mkdir()
    monkeypatch.setenv("MINITAPE_PROGRESS", str(place))
    file = place if name == "progress.json" else tmp_path / name
    moments, torn = run("-m", "tests.drives.writers", name, str(file)).split(maxsplit=1)
    assert torn == "[]\n" and int(moments) > 100


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_drive_keeps_the_earlier_file(name, tmp_path, monkeypatch):
    monkeypatch.setenv("MINITAPE_PROGRESS", str(tmp_path / "kept.json"))
    write, file, old = WRITERS[name](), tmp_path / name, b'{"version": 2, "exercises": {}}'
    file.write_bytes(old)
    files = sorted(os.listdir(tmp_path))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    for most in (0, 40):
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, limits[1]))
        try:
            with pytest.raises(OSError):
                write(file)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert file.read_bytes() == old and sorted(os.listdir(tmp_path)) == files


KERNEL = """
import sys
from minitape.exercises import progress
from tests.drives.writers import slow
slow(float(sys.argv[1]))
for k in range(5):
    progress.write(f"{sys.argv[2]}.{k}", "correct")
"""


@pytest.mark.long
@pytest.mark.parametrize("seconds", [0.02, 0.05, 0.1])
def test_a_class_on_a_slow_drive_loses_nothing(seconds, tmp_path, monkeypatch):
    monkeypatch.setenv("MINITAPE_PROGRESS", str(tmp_path / "progress.json"))
    command = [sys.executable, "-c", KERNEL, str(seconds)]
    kernels = [subprocess.Popen([*command, str(k)], **OWN) for k in range(12)]
    assert [kernel.communicate() for kernel in kernels] == [("", None)] * 12, "nothing is said"
    assert len(progress.progress()) == 60
    progress.write("one more", "correct")
    assert os.listdir(tmp_path) == ["progress.json"] and len(progress.progress()) == 61


def at_each_moment(happens, write):
    """Writes until no moment is left; at one moment of each time, as Python calls a function of the
    files' own, something else happens. Yields the moments, after each time.
    """
    for moment in count(1):
        left = moment

        def profile(frame, event, _):
            nonlocal left
            ours = frame.f_code.co_filename.endswith(("minitape/disk.py", "exercises/kept.py"))
            left -= ours and event in ("call", "c_call", "c_return")
            if left == 0:
                sys.setprofile(None)
                happens()

        sys.setprofile(profile)
        try:
            write()
        finally:
            sys.setprofile(None)
        if left > 0:
            return
        yield moment


@pytest.mark.parametrize("other", ["an outcome", "an older minitape"])
def test_what_another_kernel_keeps_at_any_moment_is_not_lost(other, tmp_path, monkeypatch):
    file = tmp_path / "progress.json"
    monkeypatch.setenv("MINITAPE_PROGRESS", str(file))

    def another():
        if other == "an older minitape":  # which knows one file
            there = kept.facts_in(file.read_bytes()) if file.exists() else {}
            write_whole(file, kept.as_text({**there, "b": ["correct"]}).encode())
            return
        waiting, kept._waiting = kept._waiting, {}
        progress.write("b", "correct")
        kept._waiting = waiting

    file.write_text('{"first": "correct"}')
    for moment in at_each_moment(another, lambda: progress.write("a", "correct")):
        kept._waiting.clear()
        assert set(progress.progress()) == {"first", "a", "b"}, moment
        for left in tmp_path.iterdir():
            left.unlink()
        file.write_text('{"first": "correct"}')
    assert moment > 50
