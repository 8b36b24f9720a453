"""Write links by nbgitpuller: who follows one logs in at a JupyterHub, gets a copy of the lessons
of their own, and sees one opened.

    python notebooks/link.py https://hub.example.org                           a link for each notebook
    python notebooks/link.py https://hub.example.org 03_playing_backwards      one
    python notebooks/link.py https://hub.example.org --lang fr                 in French
    python notebooks/link.py https://hub.example.org --repository https://git.example.org/ann/lessons --branch term-2

The hub needs nbgitpuller and minitape. The link stays the same: followed again, it fetches what is
new in the repository and keeps what the student has changed.
"""

import argparse
import sys
import tomllib
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

HERE = Path(__file__).resolve().parent


def link(hub, repository, branch, lesson="index", language="en"):
    """Return the address that pulls a branch of a repository and opens a lesson of it in
    JupyterLab.

    hub: the address of the JupyterHub, with the folder under which it runs, where there is one.
    Raises ValueError where it is no address.
    """
    if urlsplit(hub).scheme not in ("http", "https") or not urlsplit(hub).netloc:
        raise ValueError(
            f"{hub!r} is not the address of a hub. It begins with https://, as "
            "https://hub.example.org does."
        )
    if not branch:
        raise ValueError("Name the branch: without one nbgitpuller chooses.")
    repository = repository.rstrip("/")
    copy = repository.rpartition("/")[2]  # what nbgitpuller calls the student's copy
    file = f"{copy}/notebooks/{'' if language == 'en' else language + '/'}{lesson}.ipynb"
    asked = {"repo": repository, "branch": branch, "urlpath": f"lab/tree/{quote(file)}"}
    return (
        f"{hub.rstrip('/')}/hub/user-redirect/git-pull?{urlencode(asked, quote_via=quote, safe='')}"
    )


def lessons(language):
    """Return the names of the notebooks that there are in a language."""
    folder = HERE if language == "en" else HERE / language
    return sorted(file.stem for file in folder.glob("*.ipynb"))


def main():
    """Do what the command line asks for."""
    settings = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "minitape"
    ]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("hub")
    parser.add_argument("lesson", nargs="?")
    languages = ["en", *sorted(folder.parent.name for folder in HERE.glob("??/index.ipynb"))]
    parser.add_argument("--lang", default="en", choices=languages)
    parser.add_argument(
        "--repository",
        default=f"https://github.com/{settings['repository']}",
        help="an address that `git clone` takes",
    )
    parser.add_argument("--branch", default="main")
    options = parser.parse_intermixed_args()
    if urlsplit(options.repository).path.startswith("/OWNER/"):
        parser.error(
            f"{options.repository} is nobody's: name yours with --repository, or once for all as "
            "`repository` in pyproject.toml."
        )
    there = lessons(options.lang)
    if options.lesson and options.lesson not in there:
        parser.error(
            f"there is no notebook {options.lesson!r} in this language. There are: "
            f"{', '.join(there)}"
        )
    for lesson in [options.lesson] if options.lesson else there:
        try:
            print(link(options.hub, options.repository, options.branch, lesson, options.lang))
        except ValueError as error:
            parser.error(str(error))


if __name__ == "__main__":
    sys.exit(main())
