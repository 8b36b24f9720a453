"""`python -m minitape explain script.py` runs a script and explains its first surprising gradient."""

import sys

from minitape.explain.script import main
from minitape.recorders.tensorflow import watched_if_used

if __name__ == "__main__":
    if sys.argv[1:2] != ["explain"]:
        sys.exit("usage: python -m minitape explain [--language fr] script.py ...")
    main(sys.argv[2:], watched_if_used)
