"""What the README and the pages beside it tell one to type works: its programs run, its targets and
files are there.
"""

import json
import os
import re
import subprocess
import sys

import pytest

from tests.test_tree import FILES, ROOT, text_of

PAGES = [file for file in FILES if file.suffix == ".md"]
CELLS = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for cell in json.load(sys.stdin):
    shell.run_cell(cell).raise_error()
"""


def test_the_programs_of_the_readme_run(tmp_path):
    """As cells of one notebook, in their order."""
    cells = re.findall(r"```python\n(.*?)```", text_of(ROOT / "README.md"), re.DOTALL)
    assert len(cells) == 4
    paths = os.pathsep.join([str(ROOT), str(ROOT / "widgets")])
    done = subprocess.run(
        [sys.executable, "-c", CELLS],
        cwd=tmp_path,
        input=json.dumps(cells + ["print(float(slope))"]),
        text=True,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": paths, "IPYTHONDIR": str(tmp_path)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (
        done.stdout.endswith("7.0\n")
        and "There is a gradient of y with respect to x" in done.stdout
    )
    (finding,) = re.findall(r"```text\n(  1\. .*?)```", text_of(ROOT / "README.md"), re.DOTALL)
    assert finding in done.stdout, done.stdout


def test_the_answer_in_the_readme_is_the_answer(tmp_path):
    found = re.findall(r"<!-- (.*?) -->\n```\n(.*?)```", text_of(ROOT / "README.md"), re.DOTALL)
    (name, program), (_, answer) = found
    (tmp_path / name).write_text("import minitape as tf\n\n" + program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "minitape", "explain", name],
        cwd=tmp_path,
        text=True,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        encoding="utf-8",
    )
    assert done.returncode == 1 and done.stdout.strip() == answer.strip(), done.stdout + done.stderr


def test_the_engine_is_read_in_five_files():
    """The page, and the first file of each numbered line of the path."""
    path = (
        text_of(ROOT / "README.md")
        .partition("## Reading the engine")[2]
        .partition("\nAn operator")[0]
    )
    files = re.findall(r"(?:Begin with|^\d\.) \[`.*?`\]\((.*?)\)", path, re.MULTILINE)
    assert files[0] == "minitape/one_page.py" and len(files) == 5
    assert sum(len(text_of(ROOT / file).splitlines()) for file in files) < 550


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_and_targets_are_there(page):
    text = text_of(page)
    targets = set(re.findall(r"^([a-z-]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    named = set(re.findall(r"(?:^    |`)make ([a-z-]+)", text, re.MULTILINE))
    assert named <= targets, named - targets
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert [link for link in links if not (page.parent / link).exists()] == []
    paths = [file.relative_to(ROOT).as_posix() for file in FILES]
    named = re.findall(r"`([\w./-]+\.(?:py|js|ts|css|md|toml|json))`", text)
    gone = [
        name
        for name in named
        if "/" in name
        and "NN" not in name
        and not any(f"/{path}".endswith(f"/{name}") for path in paths)
    ]
    assert gone == []
