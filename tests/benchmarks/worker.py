"""One candidate in a process of its own: `python -m tests.benchmarks.worker CANDIDATE`, a line of
JSON.

It builds its program, runs it three times, and writes one line: what the third run returned, as
sums (or what is missing). Then, for every line on its input, a number of runs, it writes the
seconds that one of them took. While others are timed it waits for its next line.
"""

import importlib
import importlib.util
import json
import os
import sys
import time

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[_name] = "1"  # before NumPy and the peers are loaded
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault(
    "XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
)


def built(library, program, arguments, form="eager"):
    """Return the run of a program in a library; the forms are minitape's."""
    if library != "minitape":
        return getattr(
            importlib.import_module(f"tests.benchmarks.programs.with_{library}"), program
        )(**arguments)
    import minitape as tf
    from minitape import jit
    from tests.benchmarks.programs import with_minitape

    if "kernels" in form:
        jit.enable()
    whole = (
        (lambda f: tf.function(f, jit_compile="jit" in form))
        if "function" in form
        else (lambda f: f)
    )
    return getattr(with_minitape, program)(**arguments, whole=whole)


def sums(result):
    """Return for each array of a result its sum and the sum of its sizes."""
    import numpy as np

    if isinstance(result, list | tuple):
        flat = [number for part in result for number in sums(part)]
        # Many single numbers (the weights of the scalar network) are one array.
        return flat if len(flat) < 100 else [sum(flat[0::2]), sum(flat[1::2])]
    array = np.asarray(getattr(result, "detach", lambda: result)(), np.float64)
    return [float(array.sum()), float(np.abs(array).sum())]


def timed(run, times):
    """Return the seconds that one run takes, on average over several in a row."""
    turns = range(times)
    run()  # whoever ran before has left the caches as it liked them
    start = time.perf_counter()
    for _ in turns:
        run()
    return (time.perf_counter() - start) / times


def main():
    """Build the candidate, say what it computes, and run it when asked."""
    candidate = json.loads(sys.argv[1])
    needed = [candidate["library"]] + ["numba"] * any(
        word in candidate.get("form", "") for word in ("kernels", "jit")
    )
    missing = [name for name in needed if not importlib.util.find_spec(name)]
    if missing:
        print(json.dumps({"missing": missing[0]}), flush=True)
        return
    run = built(**candidate)
    run(), run()
    print(json.dumps({"sums": sums(run())}), flush=True)
    for line in sys.stdin:
        print(timed(run, int(line)), flush=True)


if __name__ == "__main__":
    main()
