"""`python -m minitape explain script.py` runs a script and explains its first surprising gradient."""

import io
import sys


def explain(arguments: list[str]) -> None:
    """Run `explain` with everything that it needs loaded: a file beside the script may be called
    `random` or `tempfile`, and is not taken for Python's own.
    """
    here = sys.path.pop(0)  # `python -m` puts the folder there
    from minitape.explain.script import main
    from minitape.health.script import looking_on
    from minitape.recorders import watched_if_used

    sys.path.insert(0, here)
    main(arguments, watched_if_used, looking_on)


if __name__ == "__main__":
    if sys.argv[1:2] != ["explain"]:
        sys.exit("usage: python -m minitape explain [--language fr] script.py ...")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a console may lack letters
    explain(sys.argv[2:])
