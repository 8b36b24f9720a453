"""Binder installs what `make lab` installs: the same pins, tried in a clean environment, no Docker
needed.

The pinned versions stand once, in binder/requirements.txt. The repository's address and the page
that is opened first stand once, in pyproject.toml; the README's links and the Makefile must agree
with them.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import urllib.request
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.browser.lab import Server
from tests.test_tree import FILES, ROOT

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
OURS = PYPROJECT["tool"]["minitape"]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def pins(path):
    lines = [
        line
        for line in (ROOT / path).read_text().splitlines()
        if line and not line.startswith(("#", "-r"))
    ]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines), (
        "each line pins one version"
    )
    return {
        canonicalize_name(name): version for name, version in (line.split("==") for line in lines)
    }


def asked_for(*extras):
    """What pyproject.toml asks for with these extras, those that they name included."""
    project = PYPROJECT["project"]
    for text in sum(
        (project["optional-dependencies"][extra] for extra in extras), project["dependencies"]
    ):
        requirement = Requirement(text)
        if requirement.name == "minitape":
            yield from asked_for(*requirement.extras)
        else:
            yield requirement


@pytest.mark.parametrize(
    ("files", "extras"),
    [
        (["binder/requirements.txt"], ["lab", "jit"]),
        (["binder/requirements.txt", "tests/requirements.txt"], ["test"]),
    ],
)
def test_pins_satisfy_pyproject(files, extras):
    pinned = {name: version for file in files for name, version in pins(file).items()}
    for requirement in asked_for(*extras):
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)]), (
            requirement
        )


def test_pins_run_on_every_python_that_we_promise():
    """A package may need a later patch release than Debian's: soupsieve 4 wants 3.11.5 where Debian
    12 has 3.11.2.
    """
    for name in pins("binder/requirements.txt") | pins("tests/requirements.txt"):
        needed = metadata.metadata(name)["Requires-Python"] or ""
        assert SpecifierSet(needed).contains("3.11.0"), f"{name} needs Python {needed}"


def test_jupyterlab_does_not_load_a_parser_of_addresses():
    """It takes two seconds: see binder/pins.py."""
    assert "rfc3987-syntax" not in pins("binder/requirements.txt") | pins("tests/requirements.txt")


def test_make_lab_installs_the_same_file():
    if not shutil.which("make"):
        pytest.skip("no make here")
    command = ["make", "--dry-run", "--always-make", "lab"]
    plan = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    installs = [line.partition(" install ")[2] for line in plan.splitlines() if " install " in line]
    assert [line.removeprefix("--quiet ") for line in installs] == [
        "-r binder/requirements.txt",
        "--no-deps --no-build-isolation --editable .",
    ]
    assert re.search(rf'jupyter lab .*="/lab/tree/{OURS["first_page"]}"', plan)
    news = "jupyter labextension disable --level=sys_prefix"
    assert news in plan and news in (ROOT / "binder/postBuild").read_text()


def test_environment_of_make_has_these_pins():
    if Path(sys.prefix) != ROOT / ".venv":
        pytest.skip("not run by make test")
    pinned = pins("binder/requirements.txt") | pins("tests/requirements.txt")
    assert {name: metadata.version(name) for name in pinned} == pinned


def test_badge_and_first_page():
    address = f"https://mybinder.org/v2/gh/{OURS['repository']}/HEAD?urlpath=lab/tree/{OURS['first_page']}"
    assert f"]({address})" in README
    assert re.findall(r"mybinder\.org/v2/gh/([^/]+/[^/]+)/", README) == [OURS["repository"]]


def test_the_first_link_of_the_readme_is_the_site_that_the_workflow_publishes():
    owner, _, name = OURS["repository"].partition("/")
    base = f"https://{owner}.github.io/{name}"
    assert re.search(r"(?<!\!)\[[^]]*\]\((.*?)\)", README)[1] == f"{base}/"
    workflow = (ROOT / ".github/workflows/pages.yml").read_text(encoding="utf-8")
    given = {
        "${{ github.repository_owner }}": owner,
        "${{ github.event.repository.name }}": name,
        "${{ github.server_url }}": "https://github.com",
        "${{ github.repository }}": OURS["repository"],
    }
    for template, value in given.items():
        workflow = workflow.replace(template, value)
    assert f"BASE: {base}\n" in workflow
    assert f"REPOSITORY: https://github.com/{OURS['repository']}\n" in workflow


def test_first_page_exists():
    assert (ROOT / OURS["first_page"]).exists()


def test_windows_installs_the_same_pins():
    page = (ROOT / ".github" / "INSTALLING.md").read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if "pip install" in line and "py -m" in line]
    assert lines and all("-c binder/requirements.txt" in line for line in lines if "[lab" in line)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_binder_steps_in_a_clean_environment(tmp_path):
    """pip install -r binder/requirements.txt; copy the repository; postBuild; open the first page."""
    place, copy = tmp_path / "environment", tmp_path / "repository"
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "VIRTUAL_ENV")
    }
    environment |= {
        "PATH": f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_COMPILE": "1",
        "IPYTHONDIR": str(tmp_path / "ipython"),
        "JUPYTER_CONFIG_DIR": str(tmp_path / "config"),
    }

    def step(*command, **options):
        result = subprocess.run(command, env=environment, capture_output=True, text=True, **options)
        offline = re.search(
            r"Failed to establish a new connection|name resolution|ConnectTimeout", result.stderr
        )
        if result.returncode and offline and not os.environ.get("CI"):
            pytest.skip("no network, so Binder's steps were not tried")
        assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
        return result.stdout

    step(
        "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "-r",
        str(ROOT / "binder/requirements.txt"),
        cwd=tmp_path,
    )
    for file in FILES:
        (copy / file.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, copy / file.relative_to(ROOT))
    step(str(copy / "binder" / "postBuild"), cwd=copy)

    listing = step("python", "-m", "pip", "list", "--format=freeze", cwd=tmp_path).split()
    found = {
        canonicalize_name(name): version for name, version in (line.split("==") for line in listing)
    }
    ours = {"minitape", "pip", "setuptools", "wheel"}
    assert {name: version for name, version in found.items() if name not in ours} == pins(
        "binder/requirements.txt"
    )

    where = step(
        "python", "-c", "import minitape, minitape_widgets; print(minitape.__file__)", cwd=tmp_path
    )
    assert where.startswith(str(place))
    lesson = OURS["first_page"]
    out = str(tmp_path / "out")
    step(
        "jupyter",
        "nbconvert",
        "--execute",
        "--to",
        "notebook",
        "--output-dir",
        out,
        lesson,
        cwd=copy,
    )
    with Server(tmp_path / "server", folder=copy, python=str(place / "bin" / "python")) as server:
        assert server.ask("GET", f"/api/contents/{lesson}?content=0")["type"] == "notebook"
        with urllib.request.urlopen(f"{server.url}/lab/tree/{lesson}") as page:
            assert b"JupyterLab" in page.read()


def test_python_of_binder_is_supported():
    version = (ROOT / "binder/runtime.txt").read_text().strip().removeprefix("python-")
    assert f">={version}" == PYPROJECT["project"]["requires-python"], (
        "the oldest supported, as in CI"
    )
