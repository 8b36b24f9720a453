"""Links by nbgitpuller: they are read as they were meant. `test_hub.py`, beside this file, follows
one in a real hub.
"""

import importlib.util
import subprocess
import sys
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from tests.test_tree import ROOT

found = importlib.util.spec_from_file_location("link", ROOT / "notebooks" / "link.py")
links = importlib.util.module_from_spec(found)
found.loader.exec_module(links)
AWKWARD = "https://git.example.org/ann & bob/les leçons+100%?a=b#c"


@pytest.mark.parametrize(
    "hub, path", [("https://hub.example.org", ""), ("https://example.org:8000/class/", "/class")]
)
@pytest.mark.parametrize(
    "repository",
    ["https://github.com/OWNER/minitape", "https://github.com/OWNER/minitape.git", AWKWARD],
)
@pytest.mark.parametrize("branch", ["main", "term/2 & more"])
def test_a_link_is_read_as_it_was_meant(hub, path, repository, branch):
    address = links.link(hub, repository + "/", branch, "03_playing_backwards", "fr")
    found = urlsplit(address)
    assert (found.path, found.fragment) == (
        f"{path}/hub/user-redirect/git-pull",
        "",
    ) and address.isascii()
    asked = parse_qs(found.query, strict_parsing=True)
    assert asked["repo"] == [repository] and asked["branch"] == [branch]
    opened = urlsplit(asked["urlpath"][0])  # the browser is sent there: it is an address itself
    copy = repository.split("/")[-1]  # nbgitpuller's own rule for the name of the copy
    assert (
        unquote(opened.path) == f"lab/tree/{copy}/notebooks/fr/03_playing_backwards.ipynb"
        and not opened.query
    )


@pytest.mark.parametrize(
    "hub, branch, said",
    [("hub.example.org", "main", "https://"), ("https://hub.example.org", "", "branch")],
)
def test_what_is_no_link_is_refused(hub, branch, said):
    with pytest.raises(ValueError, match=said):
        links.link(hub, "https://github.com/OWNER/minitape", branch)


def test_the_command_writes_a_link_for_each_notebook():
    command = [
        sys.executable,
        str(ROOT / "notebooks" / "link.py"),
        "https://hub.example.org",
        "--lang",
        "fr",
        "--repository",
        "https://git.example.org/ann/lessons",
    ]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(lines) == len(list((ROOT / "notebooks" / "fr").glob("*.ipynb")))
    assert all(
        urlsplit(line).netloc == "hub.example.org" and "fr%252F" not in line for line in lines
    )
    wrong = subprocess.run([*command, "99_nowhere"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "03_playing_backwards" in wrong.stderr


def test_a_link_to_nobodys_repository_is_not_written():
    command = [sys.executable, str(ROOT / "notebooks" / "link.py"), "https://hub.example.org"]
    command += ["--repository", "https://github.com/OWNER/minitape"]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 2 and "name yours with --repository" in ran.stderr
