"""What GitHub reads of this repository: workflows on every Python that is promised, and issue forms
that it accepts.

`make lint` checks the workflows' syntax with actionlint.
"""

import re
import tomllib

import pytest
import yaml
from packaging.specifiers import SpecifierSet

from tests.test_tree import FILES, ROOT, text_of

GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
FORMS = sorted((GITHUB / "ISSUE_TEMPLATE").glob("[0-9]*.yml"))
# The fields that GitHub's form schema knows, by the type of an element.
FIELDS = {
    "markdown": {"value"},
    "textarea": {"label", "description", "placeholder", "value", "render"},
    "input": {"label", "description", "placeholder", "value"},
    "dropdown": {"label", "description", "multiple", "options", "default"},
    "checkboxes": {"label", "description", "options"},
}


def read(path):
    return yaml.safe_load(text_of(path))


def test_the_tests_run_on_every_python_that_is_promised():
    versions = read(GITHUB / "workflows" / "tests.yml")["jobs"]["test"]["strategy"]["matrix"][
        "python"
    ]
    promised = SpecifierSet(
        tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]["requires-python"]
    )
    assert versions == ["3.11", "3.12", "3.13", "3.14"]
    assert all(map(promised.contains, versions)) and not promised.contains("3.10")


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_ask_make_for_targets_that_it_has(workflow):
    targets = set(re.findall(r"^([a-z-]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    steps = [step for job in read(workflow)["jobs"].values() for step in job["steps"]]
    asked = {
        name
        for step in steps
        for name in re.findall(r"^make ([a-z-]+)", step.get("run", ""), re.MULTILINE)
    }
    assert asked and asked <= targets


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_an_issue_form_is_one_that_github_shows(form):
    found = read(form)
    assert (
        {"name", "description", "body"}
        <= set(found)
        <= {"name", "description", "body", "labels", "title", "assignees"}
    )
    ids = [element["id"] for element in found["body"] if element["type"] != "markdown"]
    assert ids and len(set(ids)) == len(ids) and all(re.fullmatch(r"[\w-]+", name) for name in ids)
    for element in found["body"]:
        assert set(element) <= {"type", "id", "attributes", "validations"}
        assert set(element["attributes"]) <= FIELDS[element["type"]], element
        assert element["attributes"].get("label") or element["type"] == "markdown"
        assert all(type(name) is str for name in element["attributes"].get("options", ()))


def test_a_wrong_answer_is_reported_with_its_program_and_what_was_said():
    body = {
        element["id"]: element
        for element in read(GITHUB / "ISSUE_TEMPLATE" / "1-explanation.yml")["body"]
    }
    assert all(body[name]["validations"]["required"] for name in ("program", "answer"))


def test_the_changelog_begins_with_what_comes_next_and_knows_the_version():
    text = text_of(ROOT / "CHANGELOG.md")
    version = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]["version"]
    assert ROOT / "CHANGELOG.md" in FILES and re.search(
        rf"^## \[?{re.escape(version)}\b", text, re.MULTILINE
    )
