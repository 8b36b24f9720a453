"""Compare random programs with TensorFlow: `python -m tests.real_tensorflow.random_programs 0 100000`.

Each disagreement is shrunk to few lines and printed; the last line says how many agreed in a row.
With `--record`, TensorFlow's answers to the first programs are written down for the tests that do
without it.
"""

import json
import os
import sys
import time
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import tensorflow as tf

import minitape
from minitape.engine.explainer import unwarned
from tests.engine.random_programs import answers, difference, written

RECORDED = Path(__file__).parent.parent / "data" / "random_programs.json"


def disagreement(code):
    """Return in what a program differs, or None."""
    with unwarned():
        return difference(answers(code, tf), answers(code, minitape))


def kind(found):
    """Return of what kind a disagreement is: which classes, without the numbers."""
    return found and tuple(a if isinstance(a, str) else type(a).__name__ for a in found[1:])


def shrunk(code):
    """Return the shortest text with the same kind of disagreement that leaving out lines gives."""
    lines, wanted = code.splitlines(), kind(disagreement(code))
    changed = True
    while changed:
        changed = False
        for k in range(len(lines) - 1, -1, -1):
            fewer = lines[:k] + lines[k + 1 :]
            if kind(disagreement("\n".join(fewer) + "\n")) == wanted:
                lines, changed = fewer, True
    return "\n".join(lines) + "\n"


def main(start, stop, shown=40):
    tf.get_logger().setLevel("ERROR")
    agreed = longest = found = 0
    for seed in range(start, stop):
        code = written(seed)
        if disagreement(code) is None:
            agreed += 1
            continue
        longest, agreed, found = max(longest, agreed), 0, found + 1
        if found <= shown:
            code = shrunk(code)
        name, *_ = different = disagreement(code)
        line = next((x for x in code.splitlines() if f"tried({name!r}" in x), "")
        print(f"---- {seed}\n{code if found <= shown else line.strip()}\n{different}", flush=True)
    print(
        f"{stop - start} programs, {found} disagree, {max(longest, agreed)} agreed in a row, "
        f"{time.process_time():.0f} s"
    )


def record(count=200):
    rows = [(seed, written(seed), answers(written(seed), tf)) for seed in range(count)]
    RECORDED.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["--record"]:
        record()
    else:
        main(*map(int, sys.argv[1:]))
