"""The table of derivatives, one file per family.

Each row names an operation, its NumPy kernel and one gradient rule per input. In the rules `g` is
the adjoint of the output `y`, and `a`, `b`, `x` are the inputs. Rules use operators and other rows
of the table, so they work on bare arrays and on recorded tensors alike. What was stretched by
broadcasting is summed again in the walk, never here.

A row reads like this: `sin = Op("Sin", np.sin, lambda g, y, x: g * cos(x))`. The operation is recorded
as "Sin", computes `np.sin(x)`, and sends `g * cos(x)` to its input. A rule that is None, or
missing, blocks: nothing passes. A rule works as well where `g` has one more axis in front, one seed
beside the other, as in a Jacobian; a row whose rules do not says `batched=False`, and is played row
by row. Attributes (axes, shapes) follow the inputs by name.

The rows of this folder are those that everybody meets: `elementwise`, `arithmetic`, `comparison`,
`reductions`, `shaping`, `indexing`, and the matrix product in `linear_algebra`; kernels longer than
a line stand in `kernels`. All other rows are in `further/`, which may use these, never the other
way round.

An operation is added in these places, with softsign, x / (1 + |x|), as an example:

1. the row, `softsign = Op("Softsign", kernel, rule)` in `further/neural_nets.py`. A rule made of
   rows has derivatives of its own; at a corner write `select(condition, g, 0)`, as `clip` in
   `elementwise.py` does (a comparison gives booleans, which cannot be multiplied). A rule that is
   not made of rows becomes a row itself, here `softsign_grad`; in its rules `gg` is the adjoint of
   that row's output `r`;
2. its line in `facts.py`, under the name of that file: what learners and TensorFlow call it,
   whether the page computes it too, how its graph bends, where it is defined. Pictures, `health`,
   explanations and the recorder of TensorFlow know it from there. `PAGE` promises a row in the
   front end's `static/replay/table.js`, which `pytest tests/frontend -k replay` compares; without
   one say `HERE`;
3. a case in `tests/engine/cases/networks.py`, `elementwise("Softsign", neural_nets.softsign)`:
   finite differences of first and second order, dtypes, strides and extra axes are compared from
   it. Every row needs a case, also one that only rules use; where a row has corners, `domain` must
   reach beyond them;
4. the public function in `api/neural_nets.py`, with TensorFlow's signature and the dtypes that it
   takes, and its name in `nn.py` (in the import and in `__all__`), and wherever else TensorFlow
   has it (`math.py`, `keras/activations.py`; for `tf.softsign` it would be `_FAMILIES` in
   `minitape/__init__.py`, and `__init__.pyi`); where PyTorch has it, its line in
   `recorders/torch/operations.py`;
5. TensorFlow's answers, recorded in `tests/data/tf_answers/`: a line in `tests/data/ask/tables.py`,
   with numbers such as its `HUGE` (the README there says how real TensorFlow is asked); or, where
   TensorFlow has no such operation, a line in `WITHOUT_ANSWER` of `tests/engine/one_row.py`, and
   `NONE` in the row's facts.

`make check OP=Softsign` tries all of it in seconds, and breaks every rule in many small ways: the
case must notice each. Where a mutant computes the same (a part that is 0 anyway), say so in
`HARMLESS`, `tests/engine/mutate.py`.
"""
