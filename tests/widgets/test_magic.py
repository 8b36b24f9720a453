"""`%%tape`: the cell runs as it is; its tapes are shown; its error is the learner's own."""

import asyncio
import importlib.util
import re
import warnings
from pathlib import Path

import pytest
from IPython.testing.globalipapp import start_ipython
from IPython.utils.capture import capture_output

from minitape.storyboard import Storyboard
from minitape_widgets import TRACE
from minitape_widgets.magic import UsageError, options_of

_found = importlib.util.spec_from_file_location(
    "contract", Path(__file__).parent.parent / "storyboard" / "storyboard_contract.py"
)
contract = importlib.util.module_from_spec(_found)
_found.loader.exec_module(contract)


@pytest.fixture(scope="module")
def shell():
    shell = start_ipython() or __import__("IPython").get_ipython()
    shell.run_line_magic("load_ext", "minitape_widgets")
    shell.run_cell("import minitape as tf")
    return shell


def run(shell, cell):
    with capture_output() as captured:
        result = shell.run_cell(cell)
    players = [output.data for output in captured.outputs if TRACE in output.data]
    return result, players, captured


PARABOLA = (
    "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x*x + 3*x\nslope = "
    "tape.gradient(y, x)"
)


def test_the_player_of_the_cell(shell):
    result, players, captured = run(shell, "%%tape\n" + PARABOLA)
    assert result.success and len(players) == 1
    assert float(shell.user_ns["slope"]) == 7.0
    board = players[0][TRACE]["storyboard"]
    assert [frame["act"] for frame in board["frames"]].count("result") == 1
    text = board["sources"][0]["text"].split("\n")
    where = board["cards"][0]["where"]
    assert text[where[1] - 1][where[2] : where[4]] == "x*x"
    assert where[1] == 4, "line numbers are those of the notebook, the line of %%tape included"
    assert text[0] == "" and "%%tape" not in players[0]["text/plain"], (
        "but it is no part of the program"
    )
    assert (
        "2 | x = tf.Variable(2.0)" in players[0]["text/plain"]
        and "1 |" not in players[0]["text/plain"]
    )


def test_nothing_is_computed_twice(shell):
    """A tape that is not persistent is used once by the cell, and the picture does not use it
    again.
    """
    result, players, _ = run(shell, "%%tape\n" + PARABOLA + "\nslope2 = tape.gradient(y, x)")
    assert isinstance(result.error_in_exec, RuntimeError) and len(players) == 1


def said_at_the_end(board):
    """The last note of a storyboard, its line, and what it marks."""
    assert board["frames"][-1] == {"act": "note", "note": len(board["notes"]) - 1}
    note = board["notes"][-1]
    contract.check(board)
    marked = sorted(board["nodes"][node]["label"] for node in note["nodes"])
    return board.caption(len(board["frames"])), note["where"] and note["where"][1], marked


STOPS = [
    (
        "    y = x * x\n    z = y + 1.0\n    z @ y",
        "z @ y raised InvalidArgumentError: this operation never became a card.",
        6,
        ["y", "z"],
    ),
    (
        "    y = x * x\n    tf.matmul(y, [[1.0]])",
        "tf.matmul(y, [[1.0]]) raised InvalidArgumentError",
        5,
        ["y"],
    ),
    ("    y = x * x\n    z = y * None", "this operation never became a card", 5, ["y"]),
    ("    y = x * x\n    1 / 0", "The program stopped here with ZeroDivisionError.", 5, []),
    ("    y = x * x\n    nowhere", "The program stopped here with NameError.", 5, []),
    (
        "    y = x * x\ndef f(v):\n    return v @ v\nf(y)",
        "v @ v raised InvalidArgumentError",
        6,
        ["y"],
    ),
    (
        "    y = x * x\ntape.gradient(y, x)\ntape.gradient(y, x)",
        "raised RuntimeError: this play gives no gradients.",
        6,
        ["x", "y"],
    ),
    (
        "    y = x * x\nraise KeyboardInterrupt",
        "The program stopped here with KeyboardInterrupt.",
        5,
        [],
    ),
]


@pytest.mark.parametrize("rest, said, line, marked", STOPS)
def test_where_a_cell_raises_the_guilty_place_is_marked_under_the_traceback(
    shell, rest, said, line, marked
):
    """The tape up to that point, its last moment first; the operation that raised is named though
    it never became a card.
    """
    result, players, captured = run(
        shell, "%%tape\nx = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n" + rest
    )
    assert (
        not result.success and len(players) == 1 and players[0][TRACE]["options"]["start"] == "end"
    )
    found = said_at_the_end(Storyboard(players[0][TRACE]["storyboard"]))
    assert said in found[0] and found[1:] == (line, marked)


def test_the_traceback_comes_first(shell):
    order = []
    shell._showtraceback, shown = (lambda *a, **k: order.append("traceback")), shell._showtraceback
    publish, shell.display_pub.publish = (
        shell.display_pub.publish,
        lambda *a, **k: order.append("player"),
    )
    try:
        shell.run_cell(
            "%%tape\nx = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * x\n    1 "
            "/ 0"
        )
        shell.run_cell("2 + 2;")
    finally:
        shell._showtraceback, shell.display_pub.publish = shown, publish
    assert order == ["traceback", "player"], "and nothing of it under the next cell"


def test_the_traceback_shows_the_learners_lines_and_none_of_the_librarys(shell):
    """Four files of the engine stood between the learner's line and its player."""
    shown, held = [], shell._showtraceback
    shell._showtraceback = lambda kind, error, lines: shown.extend(lines)
    try:
        shell.run_cell(
            "%%tape\ndef asked(tape):\n    return tape.gradient(y, x)\nx = tf.Variable(2.0)\n"
            "with tf.GradientTape() as tape:\n    y = x * x\nasked(tape)\nasked(tape)"
        )
    finally:
        shell._showtraceback = held
    text = re.sub(r"\x1b\[[\d;]*m", "", "\n".join(shown))
    assert "----> 8 asked(tape)" in text and "----> 3     return tape.gradient(y, x)" in text
    assert "RuntimeError: A non-persistent GradientTape" in text and "File " not in text


def test_an_empty_tape_is_not_shown_under_an_error(shell):
    result, players, captured = run(shell, "%%tape\nwith tf.GradientTape() as tape:\n    1 / 0")
    assert isinstance(result.error_in_exec, ZeroDivisionError) and not players


def test_an_error_shows_the_learners_traceback_and_the_tape_so_far(shell):
    result, players, captured = run(
        shell,
        "%%tape\nx = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * x\n    1 / 0",
    )
    assert isinstance(result.error_in_exec, ZeroDivisionError)
    assert len(players) == 1 and len(players[0][TRACE]["storyboard"]["cards"]) == 1
    printed = captured.stdout + captured.stderr
    assert (
        printed.count("ZeroDivisionError") >= 1 and "1 / 0" in printed and "magic.py" not in printed
    )


def test_a_syntax_error(shell):
    result, players, captured = run(shell, "%%tape\nx = = 2")
    assert not result.success and not players
    assert type(result.error_in_exec).__name__ == "SyntaxError"


def test_a_cell_without_a_tape_says_so(shell):
    result, players, captured = run(shell, "%%tape\n1 + 1")
    assert result.success and not players and "No tape was seen" in captured.stdout


def test_a_training_loop_has_chapters(shell):
    cell = (
        "%%tape --title loop\nw = tf.Variable(1.0)\nfor step in range(3):\n    with "
        "tf.GradientTape() as tape:\n"
        "        loss = (w - 3.0)**2\n    w.assign_sub(0.1 * tape.gradient(loss, w))"
    )
    result, players, _ = run(shell, cell)
    board = players[0][TRACE]["storyboard"]
    assert len(board["chapters"]) == 3 and board["title"] == "loop"


def test_the_lesson_speaks_in_the_picture_of_a_cell(shell):
    result, players, _ = run(
        shell, '%%tape --say "sum x" "Three parts meet." --say start "How many cards?"\n' + PARABOLA
    )
    assert (
        result.success
        and "> Three parts meet." in players[0]["text/plain"]
        and "> How many cards?" in players[0]["text/plain"]
    )
    shell.run_cell('lesson = {"sum x": {"en": "Three parts.", "fr": "Trois parts."}, 1: "A card."}')
    _, players, _ = run(shell, "%%tape --language fr --say lesson\n" + PARABOLA)
    assert "> Trois parts." in players[0]["text/plain"] and "> A card." in players[0]["text/plain"]


def test_words_for_a_moment_that_is_gone_cost_neither_the_cell_nor_the_picture(shell):
    """Nor are they a warning: the learner was told to change the program. One quiet line says what
    is not said.
    """
    says = (
        '--say "sum x" "Three parts meet." --say 99 "Never." --say seed "Back."\n'
        + PARABOLA.replace("x", "w")
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result, players, captured = run(shell, "%%tape " + says)
        french = run(shell, "%%tape --language fr " + says)[2].stdout
    assert (
        result.success
        and "> Back." in players[0]["text/plain"]
        and "Three parts" not in players[0]["text/plain"]
    )
    assert (
        captured.stdout
        == "Words left out, for moments that this program does not have: sum x, 99.\n"
        and not captured.stderr
    )
    assert french.startswith("Paroles omises")
    assert not run(shell, '%%tape --say seed "Back."\n' + PARABOLA)[2].stdout, (
        "nothing is left out, nothing is said"
    )


@pytest.mark.parametrize("say", ["nobody", "PARABOLA", "sum x Three", '"sum x" ""', "tf"])
def test_words_that_cannot_be_meant_stop_the_cell_before_it_runs(shell, say):
    result, players, _ = run(shell, f"%%tape --say {say}\nran = 1\n" + PARABOLA)
    assert (
        isinstance(result.error_in_exec, UsageError) and not players and "ran" not in shell.user_ns
    )
    assert '--say "sum x"' in str(result.error_in_exec)


def test_options(shell):
    found = options_of("--start 3 --hide code,graph --large --language fr --predict --title 'a b'")
    assert (found.start, found.hide, found.large) == (3, ["code", "graph"], True)
    assert (found.language, found.predict, found.title) == ("fr", True, "a b")
    for wrong in ("--hide tapes", "--start soon", "--language xx", "--nonsense"):
        with pytest.raises(UsageError, match="%%tape"):
            options_of(wrong)
    _, players, _ = run(shell, "%%tape --start play --hide inspector --language fr\n" + PARABOLA)
    assert (
        players[0][TRACE]["options"]["hide"] == ["inspector"]
        and players[0][TRACE]["storyboard"]["language"] == "fr"
    )


FROZEN = (
    "class Frozen(Exception):\n    def __setattr__(self, name, value): raise TypeError('frozen')\n"
)
GROUP = "raise ExceptionGroup('two of them', [ValueError(1), KeyError(2)])"


@pytest.mark.parametrize(
    "code, name", [(GROUP, "ExceptionGroup"), (FROZEN + "raise Frozen('mine')", "Frozen")]
)
def test_unusual_errors_stop_the_cell_and_are_shown_once(shell, code, name):
    result, players, captured = run(shell, "%%tape\n" + PARABOLA + "\n" + code)
    assert not result.success and type(result.error_in_exec).__name__ == name and len(players) == 1
    printed = captured.stdout + captured.stderr
    assert name in printed and "magic.py" not in printed


def test_an_error_of_a_cell_within_the_cell_is_shown_and_ends_nothing(shell):
    result, players, captured = run(
        shell, "%%tape\n" + PARABOLA + "\nget_ipython().run_cell('1 / 0')\nslope = 8.0"
    )
    assert result.success and shell.user_ns["slope"] == 8.0 and len(players) == 1
    assert "ZeroDivisionError" in captured.stdout + captured.stderr


def test_where_the_picture_fails_the_learners_error_stays(shell, monkeypatch):
    def broken(*args, **options):
        raise RuntimeError("no picture today")

    monkeypatch.setattr("minitape.storyboard.develop", broken)
    with pytest.warns(UserWarning, match="could not be drawn: RuntimeError: no picture today"):
        result, players, captured = run(shell, "%%tape\n" + PARABOLA + "\n1 / 0")
    assert isinstance(result.error_in_exec, ZeroDivisionError) and not players
    with pytest.warns(UserWarning, match="could not be drawn"):
        assert run(shell, "%%tape\n" + PARABOLA)[0].success


def test_a_quotation_mark_without_its_partner():
    with pytest.raises(UsageError, match="No closing quotation in: --title it's"):
        options_of("--title it's")


AWAITED = (
    "%%tape --title slow\nimport asyncio\nx = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n"
    "    await asyncio.sleep(0)\n    y = x * x\n"
)


def awaited(shell, cell):
    """Runs a cell as a kernel does: in a loop that runs already."""

    async def kernel():
        with capture_output() as captured:
            result = await shell.run_cell_async(cell, transformed_cell=shell.transform_cell(cell))
            shell.events.trigger("post_execute")
        return (
            result,
            [output.data for output in captured.outputs if TRACE in output.data],
            captured,
        )

    return asyncio.run(kernel())


def test_a_cell_may_await(shell):
    result, players, captured = awaited(shell, AWAITED + "slope = tape.gradient(y, x)\n41 + 1")
    assert (
        result.success
        and float(shell.user_ns["slope"]) == 4.0
        and len(players) == 1
        and "42" in captured.stdout
    )
    board = players[0][TRACE]["storyboard"]
    assert board["title"] == "slow" and board["cards"][0]["where"][1] == 6, (
        "line numbers are those of the notebook"
    )
    assert shell.run_cell(AWAITED).success, "in a terminal, too, where no loop runs"


def test_an_error_after_an_await_is_the_learners_own(shell):
    result, players, captured = awaited(shell, AWAITED + "1 / 0")
    printed = captured.stdout + captured.stderr
    assert isinstance(result.error_in_exec, ZeroDivisionError) and len(players) == 1
    assert (
        printed.count("ZeroDivisionError: division by zero") == 1
        and "magic.py" not in printed
        and "tape_awaited" not in printed
    )


def test_the_magic_called_by_hand_refuses_an_await_before_anything_runs(shell):
    shell.user_ns.pop("started", None)

    async def kernel():
        shell.run_cell_magic("tape", "", "started = True\nawait something()")

    with pytest.raises(UsageError, match="Begin a cell with %%tape"):
        asyncio.run(kernel())
    assert "started" not in shell.user_ns
