"""What it takes to import a package in a fresh interpreter that finds the compiled files."""

import os
import subprocess
import sys
import tempfile


def importing(package):
    """Return a run that imports the package.

    What is installed has its compiled files; a checkout under PYTHONDONTWRITEBYTECODE has none, and
    would be compiled in every round.
    """
    folder = tempfile.TemporaryDirectory(prefix="minitape-bench-")
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder.name}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def run(folder=folder):  # keeps the folder as long as the run
        subprocess.run([sys.executable, "-c", f"import {package}"], check=True, env=environment)
        return ()

    return run
