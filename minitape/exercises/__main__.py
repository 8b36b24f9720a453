"""For authors and teachers.

    python -m minitape.exercises check [FILE ...]     what is missing in files of exercises: a wrong
                                                      answer without its idea, a hint that gives the
                                                      answer away, a starter that passes, a sentence
                                                      that a language lacks; without files, in all
                                                      lessons
    python -m minitape.exercises class FILE ...       what a class has done, from the files that
        [--csv FILE] [--page FILE] [--lang fr]        progress.export wrote, one per student

How exercises are written: README.md beside this program.
"""

import argparse
import os
import sys
import traceback
from pathlib import Path

from minitape.disk import write_whole
from minitape.exercises.author import tell
from minitape.exercises.classroom import read
from minitape.exercises.kept import SENTENCES
from minitape.exercises.shelf import lessons, module_of
from minitape.sentences import LANGUAGES, speaking


def main(words: list[str]) -> int:
    """Do what the command line asks for; returns the exit code: 1 where something is missing, 2
    where nothing could be looked at.
    """
    parser = argparse.ArgumentParser(
        prog="python -m minitape.exercises",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("check").add_argument("files", nargs="*")
    table = commands.add_parser("class")
    table.add_argument("files", nargs="+")
    table.add_argument("--csv", type=Path)
    table.add_argument("--page", type=Path)
    table.add_argument("--lang", default="en", choices=LANGUAGES)
    options = parser.parse_args(words)
    os.environ["MINITAPE_PROGRESS"] = ""  # an author's trials are nobody's progress
    if options.command == "class":
        with speaking(options.lang):
            return show_class(options.files, options.csv, options.page)
    if options.command != "check":
        parser.print_help()
        return 2
    try:
        modules = [module_of(file) for file in options.files] or lessons()
        return 1 if sum([tell(module) for module in modules]) else 0
    except FileNotFoundError as error:
        print(f"There is no file {error.filename}." if error.filename else error, file=sys.stderr)
        return 2
    except SyntaxError as error:  # in an author's own file: where, and what
        print("".join(traceback.format_exception_only(error)), file=sys.stderr)
        return 1
    except Exception as error:
        traceback.print_exception(error, limit=-1)
        return 1


def show_class(files: list[str], spreadsheet: Path | None, page: Path | None) -> int:
    """Print the table of a class, and write it where that is asked for; returns the exit code."""
    result = read(files)
    print(result)
    for file, text in ((spreadsheet, result.as_csv), (page, result.as_page)):
        if file is not None:
            write_whole(file, text().encode())
            print(SENTENCES.say("class.written", {"file": file}))
    return 0 if result.students else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
