"""The candidates of a row in turn, round after round, each in a process of its own."""

import json
import random
import statistics
import subprocess
import sys
import time

TURN = 0.03  # seconds: short programs run many times in a row, as in a training loop


class Worker:
    """A process with one candidate, which runs it when told and waits otherwise."""

    def __init__(self, candidate):
        command = [sys.executable, "-m", "tests.benchmarks.worker", json.dumps(candidate)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.first = self._line()
        if "sums" in self.first:
            self.runs = 1
            self.runs = max(1, round(TURN / min(self.turn() for _ in range(3))))

    def _line(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"A candidate ended early: {self.process.args[-1]}.")
        return json.loads(line)

    def turn(self):
        """Return the seconds that one run takes now."""
        self.process.stdin.write(f"{self.runs}\n")
        self.process.stdin.flush()
        return self._line()

    def end(self):
        """End the process."""
        self.process.stdin.close()
        self.process.wait()


def race(candidates, rounds, seconds):
    """Time candidates (name -> what a worker needs); return name -> the seconds of each round, and
    what differs.

    Each round has another order. A candidate whose library is not installed is left out. Those of
    one program whose results differ are named: a ratio of two programs that compute different
    things means nothing.
    """
    workers, times = {}, {}
    try:
        for name, candidate in candidates.items():
            worker = Worker(candidate)
            if "missing" in worker.first:
                worker.end()
            else:
                workers[name], times[name] = worker, []
        order, shuffle, start = list(workers.items()), random.Random(0).shuffle, time.perf_counter()
        for done in range(rounds):
            shuffle(order)
            for name, worker in order:
                times[name].append(worker.turn())
            if time.perf_counter() - start > seconds and done >= 6:
                break
        programs = {
            name: (candidates[name]["program"].removesuffix("_layers"), worker.first["sums"])
            for name, worker in workers.items()
        }
    finally:
        for worker in workers.values():
            worker.end()
    return times, differing(programs)


def differing(programs):
    """Return the names whose (program, sums) differ from the first of the same program by more than
    one in a thousand.
    """
    first, found = {}, []
    for name, (program, sums) in programs.items():
        expected = first.setdefault(program, sums)
        # Against the sum of sizes: a sum of many numbers of both signs may be near zero.
        sizes = [s for s in expected[1::2] for _ in range(2)]
        if len(sums) != len(expected) or any(
            abs(a - b) > 1e-3 * (size + 1e-6) for a, b, size in zip(sums, expected, sizes)
        ):
            found.append(name)
    return found


def ratio(ours, theirs):
    """Return the median of the rounds' ratios, and the quartiles around it."""
    ratios = [a / b for a, b in zip(ours, theirs)]
    low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return middle, low, high
