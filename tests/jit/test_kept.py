"""Compiled functions on disk: whatever lies there, a function runs and is right, and nobody else's
program is loaded.
"""

import os
import pickle
import random
import resource

import numpy as np
import pytest

pytest.importorskip("numba")

import minitape as tf
from minitape.jit import kept


def double(x):
    return x * 2.0


def triple(x):
    return x * 3.0


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path / "minitape" / "compiled"


def found(function=double):
    """Run a function as a new process would; return (its result, whether it was on disk)."""
    made = kept.compiled(function, False)
    return made(4.0), bool(sum(made.stats.cache_hits.values()))


class Planted:
    """Whoever unpickles it runs it."""

    def __reduce__(self):
        return os.mkdir, (os.environ["NUMBA_CACHE_DIR"] + "/run",)


def corruptions(content, other):
    """Yield (name, what lies there)."""
    rng = random.Random(7)
    yield from {
        "empty": b"",
        "garbage": b"\x00garbage" * 100,
        "another function's": other,
        "a pickle": pickle.dumps(Planted()),
        "a pickle, with some checksum": content[: kept.LENGTH] + pickle.dumps(Planted()),
    }.items()
    for _ in range(20):
        yield "cut off", content[: rng.randrange(len(content))]
        place = rng.randrange(len(content))
        yield (
            "one bit",
            content[:place]
            + bytes([content[place] ^ 1 << rng.randrange(8)])
            + content[place + 1 :],
        )


def test_what_is_on_disk_is_used_and_what_is_wrong_is_compiled_again(folder, tmp_path):
    assert found() == (8.0, False) and found() == (8.0, True)
    (file,) = folder.iterdir()
    assert found(triple) == (12.0, False)
    (other,) = set(folder.iterdir()) - {file}
    for name, content in corruptions(file.read_bytes(), other.read_bytes()):
        file.write_bytes(content)
        assert found() == (8.0, False), name
        assert found() == (8.0, True), f"{name}: written again"
    assert not (tmp_path / "run").exists() and len(list(folder.iterdir())) == 2
    file.unlink()
    file.mkdir()
    assert found() == (8.0, False) and len(list(folder.iterdir())) == 2
    file.rmdir()
    os.mkfifo(file)  # whoever opened it would wait
    assert found() == (8.0, False) and len(list(folder.iterdir())) == 2


def test_a_full_disk_stops_nothing_and_leaves_nothing(folder):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        assert found() == (8.0, False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="each user has folders of their own there")
def test_nothing_is_loaded_from_a_folder_that_others_can_write(folder, tmp_path, monkeypatch):
    assert found() == (8.0, False) and folder.stat().st_mode & 0o777 == 0o700
    for mode in (0o770, 0o702, 0o777):
        folder.chmod(mode)
        assert (
            found() == (8.0, False)
            and found(triple) == (12.0, False)
            and len(list(folder.iterdir())) == 1
        )
    folder.chmod(0o700)
    assert found() == (8.0, True)
    with monkeypatch.context() as patch:
        patch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
        assert found() == (8.0, False)
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert found() == (8.0, False)


@pytest.mark.parametrize("place", ["/dev/null", "/proc/none", "/" + "x" * 5000, None])
def test_a_whole_program_runs_where_nothing_can_be_kept(place, monkeypatch):
    if place is None:
        for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr(
            kept.Path,
            "home",
            lambda: (_ for _ in ()).throw(RuntimeError("Could not determine home directory.")),
        )
    else:
        monkeypatch.setenv("NUMBA_CACHE_DIR", place)
    assert kept.folder() is None
    f = tf.function(lambda x: tf.reduce_sum(tf.exp(x) * x + 1.0), jit_compile=True)
    x = np.linspace(0, 1, 3000, dtype=np.float32)
    for _ in range(3):
        assert float(f(tf.constant(x))) == pytest.approx(float((np.exp(x) * x + 1).sum()), rel=1e-4)
