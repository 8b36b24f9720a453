"""`%%tape`: a cell as it is, with the player of its tapes under it.

The cell runs as always. A film looks on at the very play that `tape.gradient` drains, so nothing is
computed twice and no tape is used up. Where the cell raises, the learner sees their own traceback,
and under it the tape up to that point.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shlex
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from IPython.core.magic import Magics, cell_magic, magics_class
from IPython.display import display

from minitape import storyboard as boards
from minitape.recorders import tell, watched_if_used
from minitape.sentences import LANGUAGES, chosen
from minitape.storyboard.text.asides import check_asides
from minitape_widgets import module
from minitape_widgets.link import PANES
from minitape_widgets.player import Player

LIBRARY = Path(boards.__file__).parents[1]


class UsageError(ValueError):
    """A line of options that `%%tape` cannot read."""


class _Options(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"%%tape: {message}\n{self.format_usage().strip()}")


def options_of(line: str) -> argparse.Namespace:
    """Returns the options on the line of `%%tape`. Raises UsageError where they cannot be read."""
    parser = _Options(prog="%%tape", add_help=False)
    parser.add_argument("--start", default=None, help="act to begin at: a number, play, or end")
    parser.add_argument(
        "--hide", default="", help="panes to leave out, with commas: " + ",".join(PANES)
    )
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--language", default=None, choices=LANGUAGES)
    parser.add_argument(
        "--open",
        action="store_true",
        help="of real TensorFlow: run what tf.function compiled operation by operation, so that "
        "one sees into it",
    )
    parser.add_argument("--predict", action="store_true", help="stop and ask before chosen acts")
    parser.add_argument("--title", default="")
    parser.add_argument("--link", default=None)
    parser.add_argument(
        "--say",
        action="append",
        nargs="+",
        default=[],
        metavar="MOMENT TEXT",
        help="what the lesson says at a moment: both in quotation marks; or the name of a "
        "dictionary of them",
    )
    try:
        words = shlex.split(line)
    except ValueError as error:  # a quotation mark without its partner
        raise UsageError(f"%%tape: {error} in: {line}") from None
    options = parser.parse_args(words)
    options.hide = [name for name in options.hide.replace(",", " ").split() if name]
    for name in options.hide:
        if name not in PANES:
            raise UsageError(
                f"%%tape --hide: there is no pane {name!r}; the panes are {', '.join(PANES)}."
            )
    if options.start is not None and options.start not in ("play", "end"):
        try:
            options.start = int(options.start)
        except ValueError:
            raise UsageError(
                f"%%tape --start: a number, play or end, not {options.start!r}."
            ) from None
    return options


def says_of(given: list[list[str]], names: Mapping[str, Any]) -> dict[Any, Any]:
    """Returns {moment: text} of all `--say`. Raises UsageError for what is neither a moment with
    its text nor a dictionary's name.
    """
    result: dict[Any, Any] = {}
    for words in given:
        says: Any = (
            names.get(words[0])
            if len(words) == 1
            else {words[0]: words[1]}
            if len(words) == 2
            else None
        )
        try:
            check_asides(says)
        except (TypeError, ValueError) as error:
            raise UsageError(
                f'%%tape --{error} Write --say "sum x" "Three parts meet here.", or --say and '
                "the name of a dictionary "
                "of moments and texts."
            ) from None
        result |= says
    return result


@magics_class
class TapeMagic(Magics):
    """The cell magic `%%tape`."""

    @cell_magic
    def tape(self, line: str, cell: str) -> None:
        """Runs the cell, and shows the player of the tapes that it recorded and played."""
        shown = _Showing(self.shell, line, cell)
        if awaits(self.shell, shown.text):
            raise UsageError(
                "%%tape: this cell has `await` outside of any function, and was not run as a "
                "cell of its own. Nothing was "
                "run. Begin a cell with %%tape instead of calling the magic."
            )
        with shown:
            shown.result = shown.shell.run_cell(shown.text, store_history=False)


class _Showing:
    """Looks on while a cell runs inside of the block; at its end it shows the player, and raises
    the learner's error once more.
    """

    def __init__(self, shell: Any, line: str, cell: str) -> None:
        self.shell, self.options, self.result = shell, options_of(line), None
        self.says = says_of(self.options.say, shell.user_ns)
        # The first line stays as a comment, so that line numbers are those which the learner sees
        # in the notebook.
        self.text = cell if cell.startswith("%%") else f"# %%tape {line}".rstrip() + "\n" + cell

    def __enter__(self) -> None:
        self.film, self.held = boards.Film(), held_back(self.shell)
        self.watched = watched_if_used(self.text, self.options.open)
        self.real = self.watched.__enter__()
        self.film.__enter__()
        self.raised = self.held.__enter__()

    def __exit__(self, *leaving: Any) -> None:
        self.held.__exit__(None, None, None)
        self.film.__exit__(*leaving)
        self.watched.__exit__(None, None, None)
        if self.result is None:  # IPython itself was left: nothing is known of the cell
            return
        result, raised = self.result, self.raised
        error = result.error_before_exec if result.error_in_exec is None else result.error_in_exec
        own = next(
            (lines for held, lines in raised[::-1] if held is error or type(held) is type(error)),
            None,
        )
        for held, lines in raised:  # what a cell within the cell has shown, and went on
            if lines is not own:
                self.shell._showtraceback(type(held), held, lines)
        if error is None:
            self._show()
            judges = [each for each in self.real if hasattr(each, "certain")]
            for answer in filter(None, [judge.certain(True) for judge in judges]):
                print(f"\n{answer}")
            return
        if self.real and own is not None:
            own = [*own, *tell(error)]
        self.film.stopped(error)
        if self.film.tapes:
            after_this_cell(self.shell, self._show)
        raise raised_again(error, own)

    def _show(self) -> None:
        """Shows the player; where the cell raised, at its end, where the guilty operation is
        marked.
        """
        options = self.options
        if not self.film.tapes:
            words = module.words(chosen(options.language))
            print(words["ui.magic.nothing"], *[words["ui.magic.unseen"]] * bool(self.real))
            return
        try:
            board = boards.develop(
                self.film,
                title=options.title,
                language=options.language,
                predict=options.predict or None,
                explain=dict(self.shell.user_ns),
            )
            raised = self.film.raised is not None
            if not board["nodes"] and raised:  # an empty tape would explain nothing
                return
            self._say(board)
            start = "end" if raised and options.start is None else options.start
            display(
                Player(
                    board, start=start, hide=options.hide, large=options.large, link=options.link
                )
            )
        # the learner's result and error count for more than the picture
        except Exception as trouble:
            warnings.warn(
                f"The tape of this cell could not be drawn: {type(trouble).__name__}: {trouble}",
                stacklevel=3,
            )

    def _say(self, board: boards.Storyboard) -> None:
        """Lets the lesson speak where it can: the learner may have changed the program that its
        words were meant for.
        """
        fitting: dict[Any, Any] = {}
        gone: list[str] = []
        for moment, text in self.says.items():
            try:
                board.say(fitting | {moment: text})
                fitting[moment] = text
            except ValueError:
                gone.append(str(moment))
        if gone:
            print(
                module.words(chosen(self.options.language))["ui.magic.unsaid"].replace(
                    "{moments}", ", ".join(gone)
                )
            )


def after_this_cell(shell: Any, show: Callable[[], None]) -> None:
    """Calls a function once, when the cell that runs now has ended and its traceback stands on the
    page.
    """

    def once() -> None:
        shell.events.unregister("post_execute", once)
        show()

    shell.events.register("post_execute", once)


# ---- cells with `await`


def awaiting(lines: list[str]) -> list[str]:
    """A transformer of cells for IPython: a cell that begins with `%%tape` and awaits something is
    awaited itself.

    A magic is an ordinary call, and while it runs the kernel's loop stands still: nothing could be
    awaited in it. A cell with `await`, however, is run by the loop. Source: IPython's
    `input_transformers_cleanup`.
    """
    if not lines or not re.match(r"%%tape(\s|$)", lines[0]):
        return lines
    from IPython import get_ipython

    shell, line, cell = get_ipython(), lines[0][len("%%tape") :].strip(), "".join(lines[1:])
    if shell is None or not awaits(shell, cell, loop=False):
        return lines
    return [
        f"await __import__({__name__!r}, fromlist=['']).tape_awaited(get_ipython(), {line!r}, "
        f"{cell!r})\n"
    ]


async def tape_awaited(shell: Any, line: str, cell: str) -> None:
    """Does what `%%tape` does for a cell that awaits something, in the loop that runs it."""
    shown = _Showing(shell, line, cell)
    with shown:
        shown.result = await shell.run_cell_async(
            shown.text, store_history=False, transformed_cell=shell.transform_cell(shown.text)
        )


def awaits(shell: Any, text: str, loop: bool = True) -> bool:
    """Says whether a cell has an `await` at its top level; with `loop`, whether it also stands in a
    loop that runs already.
    """
    if loop:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return False
    try:
        transformed = shell.transform_cell(text)
    except Exception:  # its syntax is wrong: running it will say so
        return False
    return shell.should_run_async(text, transformed_cell=transformed, preprocessing_exc_tuple=None)


@contextmanager
def held_back(shell: Any) -> Iterator[list[Any]]:
    """Keeps tracebacks back inside of the block: yields the list of (error, its rendered
    traceback).
    """
    raised, show = [], shell._showtraceback
    shell._showtraceback = lambda kind, error, lines: raised.append((error, lines))
    try:
        yield raised
    finally:
        shell._showtraceback = show


def of_the_library(text: str) -> bool:
    """Says whether a piece of a rendered traceback shows a line of minitape: a screen of those
    would push the player away.
    """
    place = re.match(r"File (.+?):\d+", re.sub(r"\x1b\[[\d;]*m", "", text))
    return place is not None and LIBRARY in Path(place[1]).expanduser().parents


def raised_again(error: BaseException, lines: list[str] | None) -> BaseException:
    """Returns the learner's error, to be raised once more and shown with the traceback of their own
    code only.

    A stand-in of the same name takes its place where IPython would look for the line in the wrong
    place (a SyntaxError), has printed it already in its own way (a group of exceptions: no
    `lines`), or where the error lets nobody add to it.
    """
    lines = lines and [text for text in lines if not of_the_library(text)]
    if lines is not None and not isinstance(error, SyntaxError):
        try:
            error._render_traceback_ = lambda: lines  # type: ignore[attr-defined]  # IPython's
            return error
        except Exception:
            pass
    try:
        said = str(error)
    except Exception:  # a class of the learner's that cannot say what it is
        said = ""
    standing_in = type(type(error).__name__, (Exception,), {})(said)
    standing_in._render_traceback_ = lambda: lines or [f"{type(error).__name__}: {said}"]
    return standing_in
