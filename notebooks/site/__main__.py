"""Make the site: `python -m notebooks.site dist/site`."""

import argparse
import tomllib
from pathlib import Path

from notebooks.site import executed, previews, whole
from notebooks.site.pages import LAB, WHY, path_of

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Do what the command line asks for."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    repository = settings["minitape"]["repository"]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--base",
        default="",
        help="the address at which the site will stand, for previews elsewhere",
    )
    parser.add_argument(
        "--repository",
        default=f"https://github.com/{repository}" if not repository.startswith("OWNER/") else "",
        help="where links to files that are no pages lead",
    )
    parser.add_argument(
        "--stored",
        action="store_true",
        help="show the outputs that the notebooks store, and run none of them",
    )
    options = parser.parse_args()
    kept = options.folder.parent / "site-cache"
    notebooks = executed.stored()
    if not options.stored:
        notebooks = executed.run_all(notebooks, kept)
    with previews.camera(kept / "previews") as take:
        site = whole.site_of(
            notebooks,
            base=options.base,
            repository=options.repository,
            lab=(options.folder / LAB).exists(),
            why=(options.folder / path_of(WHY, "en")).exists(),
            take=take,
        )
    site.write(options.folder)
    print(f"{options.folder}: {len(site.pages)} pages")


if __name__ == "__main__":
    main()
