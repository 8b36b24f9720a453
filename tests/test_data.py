"""Every file of data says what it is: a header of its own, or a README.md beside it whose first
lines tell what it is, what reads it, and how it is made again. Catalogues of sentences are alike:
one page describes them all.
"""

import re

import pytest

from minitape_widgets.pitfalls.card import Card
from tests.test_tree import FILES, ROOT, text_of

DATA = {".json", ".txt", ".toml", ".cfg", ".csv", ".ipynb", ".png", ".svg"}
# Forms that other tools prescribe, and explain.
OF_A_TOOL = {
    "package.json",
    "package-lock.json",
    "jsconfig.json",
    ".prettierrc.json",
    "runtime.txt",
}
LEADS = ("**What.**", "**Read by**", "**Made by**")


def explained(file):
    """Return True for a file that opens with a comment."""
    return bool(re.match(r"# \w", text_of(file)))


CATALOGUES = {file.parent for file in FILES if file.name == "en.json"}
# explained by the docstring of `Card`
CARDS = ROOT / "widgets" / "minitape_widgets" / "pitfalls" / "cards"
DESCRIBED = {*CATALOGUES, CARDS, CARDS / "fr", CARDS / "torch", CARDS / "torch" / "fr"}
FOLDERS = sorted(
    {
        file.parent
        for file in FILES
        if file.suffix in DATA and file.name not in OF_A_TOOL and not explained(file)
    }
    - DESCRIBED
)
names = [folder.relative_to(ROOT).as_posix() for folder in FOLDERS]


def complaints(readme, files):
    """Yields what a README of a folder with these files does not tell, or its section "This folder"
    where learners read it first.
    """
    head = "\n".join(
        readme.partition("\n## This folder\n")[2].splitlines()[:10] or readme.splitlines()[:10]
    )
    yield from (f"{lead} is not in the first ten lines" for lead in LEADS if lead not in head)
    for file in files:
        if file.name not in readme and not re.search(rf"[*>]\{file.suffix}", readme):
            yield f"{file.name} is not named, nor its kind (`*{file.suffix}`)"
    for path in re.findall(
        r"`(?:[^` ]+ )*?((?:tests|minitape|widgets|notebooks)/[^`<* ]+)[^`]*`", readme
    ):
        if not (ROOT / path).exists():
            yield f"there is no {path}"


def test_the_folders_of_data_are_seen():
    assert {
        "tests/data/tf_answers",
        "tests/explain/corpus",
        "tests/storyboard/golden",
        "notebooks/images",
    } <= set(names)


@pytest.mark.parametrize("folder", FOLDERS, ids=names)
def test_a_readme_tells_what_the_data_is(folder):
    readme = folder / "README.md"
    assert readme in FILES, f"{folder.relative_to(ROOT)} holds data and has no README.md"
    files = [
        file
        for file in FILES
        if file.parent == folder and file.suffix in DATA and not explained(file)
    ]
    assert list(complaints(text_of(readme), files)) == []


def test_the_page_for_translators_names_every_catalogue():
    page = text_of(ROOT / ".github" / "CONTRIBUTING.md")
    rows = re.findall(
        r"^\| `(\S+)` \|", page.partition("\n| catalogue |")[2].partition("\n\n")[0], re.MULTILINE
    )
    assert sorted(rows) == sorted(
        {
            re.sub(r"lesson_\w+", "lesson_NN", folder.relative_to(ROOT).as_posix())
            for folder in CATALOGUES
        }
    )


def test_every_field_of_a_pitfall_card_is_explained():
    assert {name for name in Card._fields if f"`{name}`" not in Card.__doc__} == {"key", "title"}


def test_what_a_readme_lacks_is_found():
    good = (
        "# Facts\n\n**What.** Numbers, `a.json`.\n\n**Read by** `tests/test_data.py`.\n\n"
        "**Made by** hand.\n"
    )
    assert list(complaints(good, [ROOT / "a.json"])) == []
    assert list(complaints(good, [ROOT / "b.json"])) == [
        "b.json is not named, nor its kind (`*.json`)"
    ]
    assert list(complaints(good.replace("**Made by**", "Made by"), [])) == [
        "**Made by** is not in the first ten lines"
    ]
    assert list(complaints("\n" * 4 + good, [])) == ["**Made by** is not in the first ten lines"]
    assert list(complaints(good.replace("test_data", "test_dada"), [])) == [
        "there is no tests/test_dada.py"
    ]
    assert (
        list(complaints("# A map\n" * 20 + "\n## This folder\n\n" + good.partition("\n\n")[2], []))
        == []
    )


@pytest.mark.parametrize(
    "file",
    sorted((ROOT / "tests" / "data" / "ask" / "programs").glob("*.txt")),
    ids=lambda file: file.stem,
)
def test_a_family_of_programs_opens_with_what_it_is_about(file):
    head, _, rest = text_of(file).partition("#% ")
    assert rest and re.match(r"[A-Z].+\.\n", head, re.DOTALL), head
