"""What the README and the pages that it links tell one to type works: their programs run, their
targets and files are there.
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


@pytest.mark.parametrize(
    ("page", "count", "said"),
    [
        ("README.md", 2, "7.0\n"),
        ("widgets/minitape_widgets/README.md", 1, "There is a gradient of y with respect to x"),
        ("minitape/health/README.md", 1, None),
    ],
)
def test_the_programs_of_a_page_run(page, count, said, tmp_path):
    """As cells of one notebook, in their order. What the page says of a training is what is
    printed.
    """
    text = text_of(ROOT / page)
    cells = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(cells) == count
    paths = os.pathsep.join([str(ROOT), str(ROOT / "widgets")])
    cells += ["print(float(slope))"] * ("slope = " in text)
    done = subprocess.run(
        [sys.executable, "-c", CELLS],
        cwd=tmp_path,
        input=json.dumps(cells),
        text=True,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": paths, "IPYTHONDIR": str(tmp_path)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    said = said or re.search(r"```text\n(  1\. .*?)```", text, re.DOTALL)[1]
    assert said in done.stdout, done.stdout


def test_the_answer_on_the_page_is_the_answer(tmp_path):
    found = re.findall(
        r"<!-- (.*?) -->\n```\n(.*?)```",
        text_of(ROOT / "minitape" / "explain" / "README.md"),
        re.DOTALL,
    )
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


def test_the_first_page_is_short_and_gives_two_commands():
    first, _, rest = text_of(ROOT / "README.md").partition("\n## ")
    assert (
        re.findall(r"^    (make \S+)", first, re.MULTILINE) == ["make lab", "make test"]
        and "<img " in first
    )
    assert len(first.splitlines()) < 30 and len(first + rest) < 4000


def test_the_engine_is_read_in_five_files():
    """The page, and the first file of each numbered line of the path."""
    page = ROOT / "minitape" / "READING.md"
    path = text_of(page).partition("\nAn operator")[0]
    files = re.findall(r"(?:Begin with|^\d\.) \[`.*?`\]\((.*?)\)", path, re.MULTILINE)
    files = [(page.parent / file).resolve() for file in files]
    assert files[0] == ROOT / "minitape" / "one_page.py" and len(files) == 5
    lines = sum(len(text_of(file).splitlines()) for file in files)
    assert lines < 550 and f"five files, {lines} lines" in path


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
