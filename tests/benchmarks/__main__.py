"""Measure the rows and the waits, and print them as they come.

`make bench` measures all and writes the tables in the README beside this file: the rows into that
of this Python, with what has changed since it was made last. `make bench ARGS="CNN MLP --seconds
20"` measures the rows with one of the words in their names and writes nothing; `make bench
ARGS=--waits` measures and writes the waits alone.
"""

import argparse
import datetime
import importlib.metadata
import importlib.util
import os
import pathlib
import platform
import re
import statistics
import sys

from . import race, waits
from .rows import PEERS, ROWS

PAGE = pathlib.Path(__file__).with_name("README.md")
MADE, END = "<!-- made by `make bench`: {} -->\n", "<!-- end of what `make bench` made -->\n"
BEGIN = MADE.format("Python {}.{}".format(*sys.version_info))
WAITS = MADE.format("waits")
COMPARED = {"numpy": "NumPy by hand", "torch": "PyTorch", "jax.jit": "jax.jit"}
HEAD = (
    f"| program | form | time | {' | '.join(f'over {name}' for name in COMPARED.values())} | "
    "over others | goals | was |\n" + "|---" * 9 + "|\n"
)
RATIO = re.compile(r"([\d.]+) \(([\d.]+) to ([\d.]+)\)")


def scaled(seconds):
    """Return a time in the unit that reads best."""
    for unit, factor in (("s", 1), ("ms", 1e3)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def lines(row, times):
    """Yield for each of minitape's forms of a row its line of the table, and whether its goals are
    reached.
    """
    others = [name for name in times if name in row.others or name in ("micrograd", "autograd")]
    for form in [form for form in row.forms if form in times]:
        ratios = {
            name: race.ratio(times[form], theirs) for name, theirs in times.items() if name != form
        }
        cells = [cell(ratios, name) for name in COMPARED]
        cells.append(" · ".join(f"{cell(ratios, name)} {name}" for name in others))
        goals, reached = [], []
        for (ours, theirs), wanted in row.goals.items():
            if ours == form and theirs in ratios:
                reached.append(ratios[theirs][0] <= wanted)
                goals.append(
                    f"{'reached' if reached[-1] else f'**{ratios[theirs][0] / wanted:.2f} times**'}: "
                    f"{wanted:g} x {theirs}"
                )
        yield (
            [row.name, form, scaled(statistics.median(times[form])), *cells, " · ".join(goals)],
            reached,
        )


def cell(ratios, name):
    """Return a ratio with its quartiles, or nothing."""
    if name not in ratios:
        return ""
    middle, low, high = ratios[name]
    return f"{middle:.2f} ({low:.2f} to {high:.2f})"


def last_table(page):
    """Return {(program, form): cells} of the table that was made with this Python last."""
    lines = page.partition(BEGIN)[2].partition(END)[0].splitlines()
    rows = [[text.strip() for text in line.split("|")[1:-1]] for line in lines if line[:1] == "|"]
    return {(cells[0], cells[1]): cells for cells in rows[2:]}


def compared(cells):
    """Return {whom a line is compared with: (median, lower and upper quartile)}."""
    texts = dict(zip(COMPARED.values(), cells[3:6]))
    texts.update((text.partition(") ")[2], text) for text in cells[6].split(" · "))
    found = {name: RATIO.match(text) for name, text in texts.items()}
    return {name: [float(x) for x in match.groups()] for name, match in found.items() if match}


def change(now, before):
    """Return the ratios of a line that were others before, by more than the rounds of one
    measurement differ.
    """
    if before is None:
        return "new"
    old = compared(before)
    return " · ".join(
        f"{old[name][0]:.2f} x {name}"
        for name, (ratio, low, high) in compared(now).items()
        if name in old
        and not (low <= old[name][0] <= high or old[name][1] <= ratio <= old[name][2])
    )


def machine(threads=""):
    """Return a sentence on when and where this was measured, and on how many threads where that is
    settled.
    """
    found = [
        f"{name} {importlib.metadata.version(name)}"
        for name in ("numpy", "numba", *[p for p in PEERS.values() if p != "numpy"])
        if importlib.util.find_spec(name)
    ]
    content = pathlib.Path("/proc/cpuinfo")
    lines = content.read_text().splitlines() if content.exists() else []
    cpu = next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")),
        platform.processor(),
    )
    return (
        f"Measured on {datetime.date.today()}, on {os.cpu_count()} cores ({cpu}){threads}, with "
        "Python "
        f"{platform.python_version()}, {', '.join(found)}."
    )


def write(begin, text):
    """Put a text into the page, between its mark and the next end of what was made; what has no
    place yet is put behind the first that was made.
    """
    page = PAGE.read_text(encoding="utf-8")
    if begin not in page:
        page = page.replace(END, f"{END}\n{begin}{END}", 1)
    before, rest = page.split(begin)
    PAGE.write_text(f"{before}{begin}\n{text}\n{END}{rest.split(END, 1)[1]}", encoding="utf-8")


def measure_waits():
    """Measure the waits, and write their table."""
    table, goals = waits.HEAD, []
    for line, reached in waits.lines():
        table += line
        goals.append(reached)
        print(line, end="", flush=True)
    write(WAITS, f"{machine()} {sum(goals)} of {len(goals)} goals are reached.\n\n{table}")


def main():
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "words", nargs="*", help="only the rows whose name or program contains one of these"
    )
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10.0, help="at most this long for one row")
    parser.add_argument("--waits", action="store_true", help="only where people wait")
    options = parser.parse_args()
    if options.waits:
        return measure_waits()
    table, goals, wrong, last = HEAD, [], [], last_table(PAGE.read_text(encoding="utf-8"))
    for row in ROWS:
        if options.words and not any(
            word in row.name or word in row.program for word in options.words
        ):
            continue
        times, differing = race.race(row.candidates(), options.rounds, options.seconds)
        wrong += [f"{row.name}: {name} computes something else" for name in differing]
        for cells, reached in lines(row, times):
            cells.append(change(cells, last.get((cells[0], cells[1]))) if last else "")
            table += f"| {' | '.join(cells)} |\n"
            goals += reached
            print(
                f"{cells[0]:46} {cells[1]:13} {cells[2]:>9}   numpy {cells[3]:22} torch "
                f"{cells[4]:22} jax {cells[5]:22} {cells[6]}  "
                f"[{cells[7]}] {cells[8] and f'was {cells[8]}'}",
                flush=True,
            )
    said = (
        f"{machine(', of which one thread is used')} {sum(goals)} of {len(goals)} goals are "
        "reached.\n"
    )
    print(said, *wrong, sep="\n")
    if wrong:
        sys.exit("Programs that compute different things cannot be compared: nothing was written.")
    if not options.words:
        write(BEGIN, f"{said}\n{table}")
        measure_waits()


if __name__ == "__main__":
    main()
