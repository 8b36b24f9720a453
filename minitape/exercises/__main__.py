"""For authors: `python -m minitape.exercises check FILE ...` tells what is missing in files of
exercises, or in all lessons.
"""

import os
import sys

from minitape.exercises.author import tell
from minitape.exercises.shelf import lessons, module_of


def main(words: list[str]) -> int:
    """Do what the command line asks for; returns the exit code: 1 where something is missing, 2
    where nothing could be looked at.
    """
    if not words or words[0] != "check":
        print(
            "python -m minitape.exercises check [FILE ...]\n\nTells what is missing in files of "
            "exercises: a wrong answer without its "
            "idea, a hint that gives\nthe answer away, a starter that passes, a sentence that a "
            "language lacks. See README.md beside "
            "this program."
        )
        return 2
    os.environ["MINITAPE_PROGRESS"] = ""  # an author's trials are nobody's progress
    try:
        modules = [module_of(file) for file in words[1:]] or lessons()
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 2
    return 1 if sum([tell(module) for module in modules]) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
