"""Compare random programs with TensorFlow: `python -m tests.real_tensorflow.random_programs 0 100000`.

Each disagreement is shrunk to few lines and printed; the last line says how many agreed in a row.
One process runs all programs. Nearly all of the time is TensorFlow's, 10 ms for a program: 100,000
take 20 minutes of a core. Where a file is named, as third argument, it keeps TensorFlow's answers:
after a mend only what is written differently is asked again, and 100,000 take 4 minutes.

With `--record`, TensorFlow's answers to the first programs are written down for the tests that do
without it.
"""

import json
import os
import sqlite3
import sys
import time
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import tensorflow as tf

import minitape
from minitape.engine.explainer import unwarned
from tests.engine.random_answers import answers, difference, hangs_on_rounding
from tests.engine.random_programs import written

RECORDED = Path(__file__).parent.parent / "data" / "random_programs.json"


def disagreement(code, theirs=None):
    """Return in what a program differs, or None; None, too, where that hangs on rounding."""
    with unwarned():
        found = difference(theirs or answers(code, tf), answers(code, minitape))
        return None if found and hangs_on_rounding(code, found[0], minitape) else found


class Kept:
    """TensorFlow's answers, in a file: each program is asked for once."""

    def __init__(self, file=":memory:"):
        self.rows = sqlite3.connect(file, isolation_level=None)
        self.rows.execute("PRAGMA synchronous = OFF")
        self.rows.execute("CREATE TABLE IF NOT EXISTS kept (code PRIMARY KEY, said)")

    def answers(self, code):
        for (said,) in self.rows.execute("SELECT said FROM kept WHERE code = ?", [code]):
            return json.loads(said)
        said = answers(code, tf)
        self.rows.execute("INSERT INTO kept VALUES (?, ?)", [code, json.dumps(said)])
        return said


def kind(found):
    """Return of what kind a disagreement is: the name and the classes, without the numbers."""
    return found and [a if isinstance(a, str) else type(a).__name__ for a in found]


def shrunk(code):
    """Return the shortest text with the same kind of disagreement that leaving out lines, and
    blocks, gives.
    """
    lines, wanted = code.splitlines(), kind(disagreement(code))
    changed = True
    while changed:
        changed = False
        for k in range(len(lines) - 1, -1, -1):
            for last in {k, block_of(lines, k)}:
                fewer = lines[:k] + lines[last + 1 :]
                if kind(disagreement("\n".join(fewer) + "\n")) == wanted:
                    lines, changed = fewer, True
                    break
    return "\n".join(lines) + "\n"


def block_of(lines, k):
    """Return the last line of the block that a line begins."""
    indent = len(lines[k]) - len(lines[k].lstrip())
    deeper = [len(line) - len(line.lstrip()) > indent for line in lines[k + 1 :]]
    return k + (deeper + [False]).index(False)


def main(start, stop, file=":memory:", shown=40):
    tf.get_logger().setLevel("ERROR")
    tf.debugging.disable_traceback_filtering()  # half of the programs raise something
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    kept, agreed, longest, found = Kept(file), 0, 0, 0
    for seed in range(int(start), int(stop)):
        code = written(seed)
        # what is kept may have been written down in another manner
        if disagreement(code, kept.answers(code)) is None or disagreement(code) is None:
            agreed += 1
            continue
        longest, agreed, found = max(longest, agreed), 0, found + 1
        if found <= shown:
            code = shrunk(code)
        name, *_ = different = disagreement(code)
        line = next((x for x in code.splitlines() if f"tried({name!r}" in x), "")
        print(f"---- {seed}\n{code if found <= shown else line.strip()}\n{different}", flush=True)
    print(
        f"{seed + 1 - int(start)} programs, {found} disagree, {max(longest, agreed)} agreed in a row, "
        f"{time.process_time():.0f} s"
    )


def record(count=200):
    rows = [(seed, written(seed), answers(written(seed), tf)) for seed in range(count)]
    RECORDED.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["--record"]:
        record()
    else:
        main(*sys.argv[1:])
