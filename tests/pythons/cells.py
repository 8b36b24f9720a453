"""Runs the code cells of notebooks, in this process, and says which end in an error that they do
not promise: python -m tests.pythons.cells NOTEBOOK ...
"""

import contextlib
import json
import sys
import tempfile
import time
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

SLOW = 10.0  # seconds


def ran(notebook):
    """Returns (number of cells, those that failed) of a notebook."""
    InteractiveShell.clear_instance()
    shell, failed, count = InteractiveShell.instance(), [], 0
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        count, began = count + 1, time.perf_counter()
        code = "".join(cell["source"])
        with capture_output() as said:
            done = shell.run_cell(code, store_history=True)
        took = time.perf_counter() - began
        if took > SLOW:
            print(f"{notebook}, cell {count}: {took:.0f} s")
        promised = "raises-exception" in cell["metadata"].get("tags", [])
        if not done.success and not promised:
            failed.append(count)
            print(f"{notebook}, cell {count}:\n{code}\n{said.stdout[-2000:]}{said.stderr[-2000:]}")
    return count, failed


def main():
    """Runs them all."""
    notebooks = [Path(name).resolve() for name in sys.argv[1:]]
    # for the files that they write
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        found = [ran(notebook) for notebook in notebooks]
    bad = sum(len(failed) for _, failed in found)
    print(f"{len(found)} notebooks, {sum(count for count, _ in found)} cells, {bad} failed")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
