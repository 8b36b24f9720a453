"""`python -m minitape explain script.py` runs a script and explains its first surprising gradient."""

import io
import sys

from minitape.explain.script import main
from minitape.health.script import looking_on
from minitape.recorders.tensorflow import watched_if_used

if __name__ == "__main__":
    if sys.argv[1:2] != ["explain"]:
        sys.exit("usage: python -m minitape explain [--language fr] script.py ...")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a console may lack letters
    main(sys.argv[2:], watched_if_used, looking_on)
