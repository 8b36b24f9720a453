"""What is said of every program of the corpus, as JSON, for comparing one Python with another:

python -m tests.pythons.answers > answers.json
"""

import io
import json
import random
import re
import sys
import tempfile
import warnings
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np

import minitape as tf
from minitape.storyboard import Film, develop
from tests.explain.programs import as_file, programs


def answers(folder):
    """Returns `{program: what is said of it}`: the warnings, the explanation, the storyboard, and
    what its cards mark in the text.
    """
    found = {}
    for program in [*programs(), *programs("healthy"), *programs("several")]:
        tf.random.set_seed(1)
        np.random.seed(1)
        random.seed(1)
        with (
            warnings.catch_warnings(record=True) as warned,
            redirect_stdout(io.StringIO()),
            Film() as film,
        ):
            warnings.simplefilter("always")
            names, _ = as_file(program, folder)
        board = develop(film, language="en")
        said = [str(each.message) for each in warned if issubclass(each.category, UserWarning)]
        marked = [
            [card["op"], card["group"], *card["formula"], card["where"]] for card in board["cards"]
        ]
        found[program.name] = "\n".join(
            [*said, str(names["e"]), str(board), *map(json.dumps, marked)]
        )
    return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        said = json.dumps(answers(Path(folder)), indent=1).replace(folder, "")
    sys.stdout.write(re.sub(r"0x[0-9a-f]+", "0x", said))  # addresses differ from run to run
