"""Run the rows and print a table of ratios: `python -m tests.benchmarks [--rounds N] [--json FILE] [--markdown] [part
of a name ...]`.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[_name] = "1"                       # before NumPy and the peers are loaded
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import argparse  # noqa: E402
import gc  # noqa: E402
import importlib  # noqa: E402
import json  # noqa: E402
import random  # noqa: E402
import statistics  # noqa: E402
import sys  # noqa: E402
import time  # noqa: E402

FAMILIES = ("engine", "nets", "fast")


def rows(words):
    """Yield (name, goal, candidates) of every row whose name contains one of the words."""
    for family in FAMILIES:
        try:
            module = importlib.import_module(f"tests.benchmarks.{family}")
        except ModuleNotFoundError as error:
            print(f"({family}: left out, {error})", file=sys.stderr)
            continue
        for row in module.ROWS:
            if not words or any(w in row[0] for w in words):
                yield row


BLOCK = 0.003        # seconds: short steps run several times in a row, as in a training loop


def measure(candidates, rounds, seconds):
    """Time all candidates in turn, round after round; return name -> list of seconds per call.

    Each round has another order, and a short call is repeated within its turn: whoever always ran once, behind the same
    neighbour, would always find the caches as that one left them.
    """
    order, shuffle, repeats = list(candidates.items()), random.Random(0).shuffle, {}
    for name, call in order:
        timed(call, 3)                            # warm up: caches, compilers
        repeats[name] = max(1, int(BLOCK / timed(call, 2)))
    times = {name: [] for name in candidates}
    start = time.perf_counter()
    gc.collect()
    for done in range(rounds):
        shuffle(order)
        for name, call in order:
            times[name].append(timed(call, repeats[name]))
        if time.perf_counter() - start > seconds and done >= 4:
            break
    return times


def timed(call, times):
    """Return the seconds that one call takes, on average over several in a row."""
    turns = range(times)
    start = time.perf_counter()
    for _ in turns:
        call()
    return (time.perf_counter() - start) / times


def scaled(seconds):
    """Return a time in the unit that reads best."""
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def main():
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("words", nargs="*", help="only the rows whose name contains one of these")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=6.0, help="at most this long for one row")
    parser.add_argument("--json", help="also write the figures into this file")
    parser.add_argument("--markdown", action="store_true", help="print the table for tests/benchmarks/README.md")
    options = parser.parse_args()
    if "torch" in sys.modules or importlib.util.find_spec("torch"):
        import torch
        torch.set_num_threads(1)
    figures = {}
    for name, goal, make in rows(options.words):
        times = measure(make(), options.rounds, options.seconds)
        ours = times["minitape"]
        medians = {k: statistics.median(v) for k, v in times.items()}
        ratios = {k: statistics.median(a / b for a, b in zip(ours, v)) for k, v in times.items() if k != "minitape"}
        figures[name] = {"goal": goal, "median_seconds": medians, "minitape_over": ratios}
        against = [f"{r:.2f} x {k} ({scaled(medians[k])})" for k, r in sorted(ratios.items(), key=lambda kr: kr[1])]
        if options.markdown:
            print(f"| {name} | {scaled(medians['minitape'])} | {' · '.join(against)} | {goal} |", flush=True)
        else:
            print(f"{name:52} {scaled(medians['minitape']):>9}   " + "   ".join(against) + f"   [{goal}]", flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)


if __name__ == "__main__":
    main()
