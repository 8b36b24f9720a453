"""The tree of the repository: what may stand where, and what must never be committed."""

import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOP = {
    "pyproject.toml",
    "minitape",
    "notebooks",
    "widgets",
    "tests",
    "binder",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "Makefile",
}
LONGEST = 500  # lines of a source file that one still wants to read to its end

# Written in pieces, so that this file does not find itself.
FORBIDDEN = {
    "a path of one machine": r"(?<![\w.])/(work|root|Users|home)/(?=[\w.])(?!jovyan)|[A-Z]:\\Users\\|/opt/\w",
    "the host of a package registry": "|".join(
        [
            r"pypi\.or" "g",
            r"python" r"hosted\.org",
            r"npm" r"js\.(org|com)",
            r"deb\.debian" r"\.org",
            r"conda" r"\.org",
        ]
    ),
    "the name of a tool that wrote it": r"(?i)\b(clau"
    r"de|anthro"
    r"pic|open"
    r"ai|chat"
    r"gpt|co"
    r"pilot)\b",
}
CDN = r"unpkg\.com|jsdelivr\.net|cdnjs\.|esm\.sh|googleapis\.com|gstatic\.com|skypack\.dev"


def tracked():
    """The files that git knows, or would add: what a clone will hold. An unpacked sdist has no git:
    all files.
    """
    command = [
        "git",
        "-C",
        str(ROOT),
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
        "-z",
    ]
    try:
        listing = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return [file for file in ROOT.rglob("*") if file.is_file() and ".venv" not in file.parts]
    return [ROOT / name for name in listing.split("\0") if name and (ROOT / name).is_file()]


FILES = tracked()
NOTEBOOKS = [file for file in FILES if file.suffix == ".ipynb"]


def text_of(file):
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""  # a picture


def matches(pattern, files):
    pattern = re.compile(pattern)
    for file in files:
        for number, line in enumerate(text_of(file).splitlines(), 1):
            if found := pattern.search(line):
                yield f"{file.relative_to(ROOT)}:{number}: {found.group()}"


def test_top_level():
    names = {file.relative_to(ROOT).parts[0] for file in FILES}
    assert not {name for name in names if not name.startswith(".")} - TOP


@pytest.mark.parametrize("what", FORBIDDEN)
def test_never_committed(what):
    found = list(matches(FORBIDDEN[what], FILES))
    assert not found, f"{what}:\n" + "\n".join(found[:20])


@pytest.mark.parametrize(
    ("what", "bad", "good"),
    [
        (
            "a path of one machine",
            ["see /ho" + "me/ann/x.py", '"/ro' + 'ot/a"'],
            ["a/home/b", "/home/jovyan/x"],
        ),
        (
            "the host of a package registry",
            ["https://pypi" + ".org/simple"],
            ["pip install minitape"],
        ),
        ("the name of a tool that wrote it", ["by Chat" + "GPT"], ["openair"]),
    ],
)
def test_patterns_find_what_they_should(what, bad, good):
    assert all(re.search(FORBIDDEN[what], line) for line in bad)
    assert not any(re.search(FORBIDDEN[what], line) for line in good)


def test_nothing_is_fetched_at_run_time():
    shipped = [file for file in FILES if file.relative_to(ROOT).parts[0] in ("minitape", "widgets")]
    assert not list(matches(CDN, shipped))


def test_files_are_short():
    ours = {".py", ".js", ".css"}
    files = [
        file for file in FILES if file.suffix in ours and "data" not in file.relative_to(ROOT).parts
    ]
    # a lesson's source holds its translations, too: who reads it reads one language
    translated = re.compile(r'^# %%.* lang="(?!en")\w\w".*\n(?:(?!# %%(?: |$)).*\n)*', re.MULTILINE)
    lengths = {
        str(file.relative_to(ROOT)): translated.sub("", text_of(file)).count("\n") for file in files
    }
    assert not {name: length for name, length in lengths.items() if length > LONGEST}


@pytest.mark.parametrize("file", NOTEBOOKS, ids=[file.stem for file in NOTEBOOKS])
def test_notebook_is_fit_for_github(file):
    """Saved widget state leaves pages blank offline, and a malformed one makes GitHub refuse the
    whole notebook.
    """
    nbformat = pytest.importorskip("nbformat")
    notebook = json.loads(file.read_text(encoding="utf-8"))
    nbformat.validate(notebook)
    assert "widgets" not in notebook["metadata"], (
        "saved widget state: save with store_widget_state=False"
    )
    assert notebook["metadata"]["kernelspec"]["name"] == "python3", (
        "a kernel that only its author has"
    )
    assert file.stat().st_size < 2_000_000
