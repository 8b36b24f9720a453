"""The table of derivatives, one file per family.

Each row names an operation, its NumPy kernel and one gradient rule per input. In the rules `g` is the adjoint of the
output `y`, and `a`, `b`, `x` are the inputs. Rules use operators and other rows of the table, so they work on bare
arrays and on recorded tensors alike. What was stretched by broadcasting is summed again in the walk, never here.

So a row is read: `sin = Op("Sin", np.sin, lambda g, y, x: g * cos(x), batched=True)`. The operation is recorded as
"Sin", computes `np.sin(x)`, and sends `g * cos(x)` to its input. A rule that is None, or missing, blocks: nothing passes.
`batched` says that the rule also works where `g` has one more axis in front, one seed beside the other, as in a
Jacobian. Attributes (axes, shapes) follow the inputs by name.

The files of this folder are those of a first evening: `elementwise`, `arithmetic`, `comparison`, `reductions`,
`shaping`, `indexing`, and the matrix product in `linear_algebra`; kernels longer than a line stand in `kernels`.
All other rows are in `further/`, which may use the evening's, never the other way round.

An operation is added in these places, with softsign, x / (1 + |x|), as an example:

1. the row, `softsign = Op("Softsign", kernel, rule, batched=True)` in `further/neural_nets.py`. A rule that is not made
   of rows itself becomes a row with a rule of its own (here `softsign_grad`), so that second derivatives exist;
2. a case in `tests/engine/cases/networks.py`, `elementwise("Softsign", neural_nets.softsign)`: finite differences of first
   and second order, dtypes, strides and extra axes are compared from it, and no row may lack one;
3. the public function with TensorFlow's signature in `api/neural_nets.py`, and its name in `nn.py`;
4. TensorFlow's answers, recorded in `tests/data/tf_answers/`: a line in `tests/data/ask/tables.py`.

`make mutate` then breaks every rule in many small ways, and the case must notice each.
"""
