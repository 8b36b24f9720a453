"""Where an operation of a tutorial's program stands: on the learner's own line, also through Keras,
AutoGraph and a module beside it.
"""

import ast
import warnings
from pathlib import Path

import pytest
import tensorflow as tf

from minitape.program.files import Text
from minitape.recorders import tensorflow as mt
from minitape.storyboard import Film

FOLDER = Path(__file__).parent / "tutorials"
CALCULATES = ast.Call, ast.BinOp, ast.UnaryOp, ast.Subscript, ast.AugAssign, ast.Name, ast.Attribute
SCRIPTS = sorted(path for path in FOLDER.glob("*.py") if path.stem != "helpers")


def positions(path, monkeypatch):
    """Runs a script; returns for each operation on its tapes whether its position is an expression
    or statement of the learner's.
    """
    monkeypatch.syspath_prepend(str(FOLDER))
    look, film, code = (
        mt.watch(),
        Film(),
        compile(path.read_text(encoding="utf-8"), str(path), "exec"),
    )
    with warnings.catch_warnings(), look, film:
        warnings.simplefilter("ignore")
        tf.keras.utils.set_random_seed(1)
        exec(code, {"__name__": "__main__"})
    assert not look.trouble, look.trouble
    text, found = Text(), []
    for tape in film.tapes:
        tape.develop()
        for entry in tape.entries:
            span, node = text.locate(entry.where) or (None, None)
            own = span is not None and Path(span.filename).parent == FOLDER
            found.append((entry.op, span, own and isinstance(node, CALCULATES)))
    return found


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_99_of_100_operations_stand_on_the_learners_own_line(path, monkeypatch):
    found = positions(path, monkeypatch)
    others = [each for each in found if not each[2]]
    print(f"{path.stem}: {len(found) - len(others)} of {len(found)}")
    assert len(found) > 20 and len(others) <= len(found) / 100, others[:5]
