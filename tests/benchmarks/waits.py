"""Where people wait, and what long tapes take: each measured in a process of its own, several
times, against its goal.

`make bench` writes the table into the README beside this file, `make bench ARGS=--waits` that
alone. Those of a page need a browser, and are left out where there is none.
"""

import contextlib
import gc
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
LOOP = """x = tf.Variable(0.5)
with tf.GradientTape() as tape:
    y = x * 1.0
    for _ in range({rounds}):
        y = tf.tanh(y * x + 0.1)
tape.gradient(y, x)
"""  # 3 operations a round
TRAINING = """import minitape as tf
x = tf.random.normal((64, 3), seed=1)
w, b = tf.Variable(tf.zeros((3, 1))), tf.Variable(tf.zeros((1,)))
sgd = tf.keras.optimizers.SGD(0.1)
for _ in range(100):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w + b - tf.reduce_sum(x, 1, keepdims=True)) ** 2)
    sgd.apply_gradients(zip(tape.gradient(loss, [w, b]), [w, b]))
"""
HEAD = "| what one waits for | takes | in all runs | goal |\n|---|---|---|---|\n"
UNITS = {"ms": 1e3, "s": 1.0, "µs": 1e6, "bytes": 1.0, "times": 1.0}


class Wait(NamedTuple):
    """A row: what is waited for, what it is to take at most, in which unit, and the function that
    measures it once.
    """

    name: str
    goal: float
    unit: str
    measure: Callable[[], float]
    times: int = 5


WAITS: list[Wait] = []


def wait(name, goal, unit, times=5):
    """Make a row of the function below."""

    def row(measure):
        WAITS.append(Wait(name, goal, unit, measure, times))
        return measure

    return row


# ---- a cell

FIRST = """import minitape as tf
from minitape.exercises import exercise
from minitape_widgets import ask, compare, play

%load_ext minitape_widgets"""


def shell():
    """Return a function that runs a cell in an IPython shell with the magic and returns the seconds,
    and those of the first cell.
    """
    from IPython.core.interactiveshell import InteractiveShell

    found = InteractiveShell.instance()

    def run(cell):
        with contextlib.redirect_stdout(io.StringIO()):
            begin = time.perf_counter()
            found.run_cell(cell).raise_error()
            return time.perf_counter() - begin

    return run, run(FIRST)


@wait("the first cell of a lesson: imports and the extension", 1.5, "s")
def first_cell():
    return shell()[1]


@wait("`%%tape` over a step of 20 operations, beside the cell alone", 0.030, "ms")
def magic():
    run, cell = shell()[0], LOOP.format(rounds=6)
    return statistics.median(run("%%tape\n" + cell) - run(cell) for _ in range(15))


@contextlib.contextmanager
def browser():
    """Yield a browser; raise LookupError where there is none."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise LookupError("no playwright") from None
    from tests.browser.pages import ARGUMENTS
    from tests.conftest import find_browser

    if find_browser() is None:
        raise LookupError("no browser")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=find_browser(), args=ARGUMENTS)


def picture(operations):
    """Return the seconds from running a cell in a JupyterLab to its player in the page."""
    from tests.browser.lab import Notebook, Server, copy_of
    from tests.browser.pages import watch

    cells = [
        "import minitape as tf\n%load_ext minitape_widgets",
        *["%%tape\n" + LOOP.format(rounds=operations // 3)] * 3,
    ]
    with (
        tempfile.TemporaryDirectory(prefix="minitape-bench-") as folder,
        browser() as chromium,
        Server(Path(folder)) as server,
    ):
        page = watch(chromium.new_page())
        notebook = Notebook(page, server, copy_of(server.folder, None, cells), "lab", Path(folder))
        notebook.wait_for_kernel()
        took = []
        for k in range(len(cells)):
            page.evaluate(
                f"() => {{ window.jupyterapp.shell.currentWidget.content.activeCellIndex = {k}; }}"
            )
            begin = time.perf_counter()
            notebook.command("notebook:run-cell", wait=False)
            if k:
                notebook.output(k).locator(".player").wait_for()
            took.append(time.perf_counter() - begin)
            notebook.finish()
        return min(took[2:])  # the first player of a page brings the front end


@wait("1,000 operations, from Shift+Enter to the picture in the page", 0.3, "s", 3)
def thousand():
    return picture(1_000)


@wait("10,000 operations, from Shift+Enter to the picture in the page", 1.5, "s", 3)
def ten_thousand():
    return picture(10_000)


@wait("lesson 00 as a page: `jupyter nbconvert --to minitape`", 4.0, "s", 3)
def exported():
    with tempfile.TemporaryDirectory(prefix="minitape-bench-") as folder:
        command = [
            sys.executable,
            "-m",
            "nbconvert",
            "--to",
            "minitape",
            "--output-dir",
            folder,
            "notebooks/00_start_here.ipynb",
        ]
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
        return time.perf_counter() - begin


def frame(cards, folded, frames=40):
    """Return the seconds that a page's main thread works for a frame while a cell is drawn along."""
    import minitape as tf
    from minitape_widgets import play
    from tests.browser.pages import SLIDE, busy_of

    y = x = tf.Variable([[1.0, -2.0, 3.0, 0.5]] * 3)
    with tf.GradientTape() as tape:
        for _ in range(cards // 2):
            y = tf.sin(y + x)
        loss = tf.reduce_sum(y)
    with tempfile.TemporaryDirectory(prefix="minitape-bench-") as folder, browser() as chromium:
        file = Path(folder, "page.html")
        play(tape, loss, x, folded=folded).save(file)
        page = chromium.new_page(viewport={"width": 1366, "height": 768})
        page.goto(file.as_uri())
        page.wait_for_selector(".minitape .player")
        page.evaluate("() => document.querySelector('.minitape').player.go(1e6)")
        page.locator(".node.is-source").first.dispatch_event("click")
        page.evaluate(SLIDE, frames)
        busy = busy_of(page)
        before = busy()
        page.evaluate(SLIDE, frames)
        return (busy() - before) / frames


for _cards, _folded, _how in ((200, False, "unfolded"), (1_000, True, "folded")):
    wait(f"a frame of a drag, {_cards:,} cards of 3 x 4 numbers, {_how}", 0.016, "ms", 3)(
        lambda cards=_cards, folded=_folded: frame(cards, folded)
    )


# ---- an explanation


def asked(operations, cut):
    """Return the seconds of an explanation of a long tape; with a `cut` its gradient is None."""
    import minitape as tf

    x, w = tf.Variable(0.5), tf.Variable(1.0)
    with tf.GradientTape(persistent=True) as tape:
        y = w * (tf.constant(float(x)) if cut else x)
        for _ in range(operations):
            y = y * 1.00001
    begin = time.perf_counter()
    assert tape.explain(y, x).healthy is not cut
    return time.perf_counter() - begin


@wait("an explanation: the median over the programs of its tests", 0.030, "ms", 3)
def explained():
    from minitape import explain
    from tests.explain.programs import as_cells, programs

    took, whole = [], explain.explain_from

    def timed(*question, **named):
        begin = time.perf_counter()
        answer = whole(*question, **named)
        took.append(time.perf_counter() - begin)
        return answer

    explain.explain_from = timed
    for program in programs():
        as_cells(program, None)
    return statistics.median(took)


@wait("`python -m minitape explain` over a training, beside the script alone", 0.4, "s")
def script():
    def run(*explaining):
        begin = time.perf_counter()
        subprocess.run([sys.executable, *explaining, file], check=True, capture_output=True)
        return time.perf_counter() - begin

    with tempfile.TemporaryDirectory(prefix="minitape-bench-") as folder:
        file = Path(folder, "train.py")
        file.write_text(TRAINING, encoding="utf-8")
        return run("-m", "minitape", "explain") - run()


for _operations, _goal in ((1_000, 0.3), (100_000, 1.0)):
    for _cut, _what in ((True, "a None"), (False, "a healthy gradient")):
        wait(f"an explanation of {_what}, {_operations:,} operations", _goal, "s", 3)(
            lambda operations=_operations, cut=_cut: asked(operations, cut)
        )


def in_large(part, lines, scope=None):
    """Return the seconds that the warning of a None takes in a large program, told however long it
    takes, and those of an explanation.
    """
    from minitape.explain import for_tapes
    from tests.explain import large

    took, text = [], for_tapes._text

    def timed(*question, **named):
        begin = time.perf_counter()
        answer = text(*question)
        took.append(time.perf_counter() - begin)
        return answer

    for_tapes.PATIENCE, for_tapes._text = None, timed
    program = large.text_of(part, lines, "not-used" if part else "numpy-escape")
    names, _ = large.run(program, os.path.join(tempfile.gettempdir(), "large.py"), scope)
    begin = time.perf_counter()
    names["ask"]()
    return took[0], time.perf_counter() - begin


def objects(count):
    """Return a program's names with so many objects behind them."""
    return {
        "things": [[k] for k in range(count // 2)],
        "table": {k: (k,) for k in range(count // 2)},
    }


for _what, _part, _scope in (
    ("in 10,000 lines", "lines", 0),
    ("in 1,000 functions", "functions", 0),
    ("in 1,250 functions that call each other", "stages", 0),
    ("beside a million objects", "", 1_000_000),
):
    for _k, (_said, _goal) in enumerate(
        (("the warning of a None", 0.3), ("an explanation of a None", 1.0))
    ):
        wait(f"{_said}, {_what}", _goal, "s", 3)(
            lambda part=_part, scope=_scope, k=_k: in_large(part, 10_000, objects(scope))[k]
        )


# ---- long tapes


def chain(n):
    """Return (tape, its end, its source) of a chain of n scalar operations."""
    import minitape as tf

    x, c = tf.Variable(1.0), tf.constant(0.999999)
    with tf.GradientTape() as tape:
        y = x * c
        for _ in range(n - 1):
            y = y * c
    return tape, y, x


@wait("recording, an operation of a million", 2e-6, "µs", 3)
def recording():
    chain(1_000)
    begin = time.perf_counter()
    chain(1_000_000)
    return (time.perf_counter() - begin) / 1e6


@wait("playing back, an operation of a million", 1e-6, "µs", 3)
def playing():
    tape, y, x = chain(1_000_000)
    begin = time.perf_counter()
    tape.gradient(y, x)
    return (time.perf_counter() - begin) / 1e6


@wait("memory, a recorded scalar operation", 300, "bytes", 1)
def memory():
    chain(100)
    gc.collect()
    tracemalloc.start()
    kept = chain(100_000)
    # before its entries, which are made when asked for
    return tracemalloc.get_traced_memory()[0] / len(kept[0].entries)


# ---- looking on at PyTorch


def watched(program, rounds=40, runs=10):
    """Return the seconds of a run of a program alone, and watched, in turn: the median rounds."""
    try:
        import torch

        import minitape.torch
    except ImportError:
        raise LookupError("no PyTorch") from None
    torch.set_num_threads(1)
    run, took = program(torch), ([], [])
    for k in range(2 * rounds):
        with minitape.torch.watch() if k % 2 else contextlib.nullcontext():
            run()
            begin = time.perf_counter()
            for _ in range(runs):
                run()
            took[k % 2].append((time.perf_counter() - begin) / runs)
    return [statistics.median(each) for each in took]


def step(sizes, batch, optimizer):
    """Return a program: a step of a network with these sizes."""

    def program(torch):
        torch.manual_seed(0)
        layers = [torch.nn.Linear(*each) for each in zip(sizes, sizes[1:])]
        net = torch.nn.Sequential(layers[0], *[m for k in layers[1:] for m in (torch.nn.ReLU(), k)])
        moves = getattr(torch.optim, optimizer)(net.parameters(), lr=1e-5)

        def run():
            moves.zero_grad()
            x, t = torch.randn(batch, sizes[0]), torch.randn(batch, sizes[-1])
            torch.nn.functional.mse_loss(net(x), t).backward()
            moves.step()

        return run

    return program


@wait("an Adam step of 8-32-32-4 in PyTorch, looked on, beside alone", 2.0, "times", 3)
def adam_step():
    alone, seen = watched(step((8, 32, 32, 4), 16, "Adam"))
    return seen / alone


@wait("an SGD step of 784-256-10 in PyTorch, likewise", 1.5, "times", 3)
def sgd_step():
    alone, seen = watched(step((784, 256, 10), 64, "SGD"))
    return seen / alone


@wait("an operation of PyTorch's, there and back, more than alone", 8e-6, "µs", 3)
def operation():
    def program(torch):
        def run():
            c, y = torch.tensor(1.0001), torch.tensor(1.0, requires_grad=True)
            for _ in range(250):
                y = y * c
                y = y + c
            y.backward()

        return run

    alone, seen = watched(program, runs=3)
    return (seen - alone) / 500


@wait("memory, a recorded operation of PyTorch's, beside its arrays", 250, "bytes", 1)
def torch_memory():
    try:
        import torch

        import minitape.torch
    except ImportError:
        raise LookupError("no PyTorch") from None

    def run(n):
        c, y = torch.tensor(1.0001), torch.tensor(1.0, requires_grad=True)
        for _ in range(n // 2):
            y = y * c
            y = y + c
        return y

    with minitape.torch.watch() as block:
        run(100)
        gc.collect()
        tracemalloc.start()
        kept = run(20_000)
        found = tracemalloc.get_traced_memory()[0] / 20_000
    assert kept.requires_grad and not block.trouble
    return found


# ---- the table


def measured(row):
    """Return what the processes of a row found, each in one run; nothing where it cannot be
    measured here.
    """
    found = []
    # the corpus warns of its Nones
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "tests.benchmarks.waits",
        str(WAITS.index(row)),
    ]
    place = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "widgets")])}
    for _ in range(row.times):
        done = subprocess.run(
            command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT, env=place
        )
        found += json.loads(done.stdout.splitlines()[-1])
    return found


def lines():
    """Yield the lines of the table as they are measured, each with whether its goal is reached."""
    for row in WAITS:
        found = [number * UNITS[row.unit] for number in measured(row)]
        if found:
            middle, goal = statistics.median(found), row.goal * UNITS[row.unit]
            reached = middle <= goal
            said = "reached" if reached else f"**{middle / goal:.2f} times**"
            cells = (
                row.name,
                f"{middle:.3g} {row.unit}",
                f"{min(found):.3g} to {max(found):.3g}",
                f"{said}: {goal:g} {row.unit}",
            )
            yield f"| {' | '.join(cells)} |\n", reached


if __name__ == "__main__":
    try:
        print(json.dumps([WAITS[int(sys.argv[1])].measure()]))
    except LookupError:
        print("[]")  # what it needs is not here
