"""The reasons, one family per file. Each yields the edges of the graph that it knows, open or
broken.

`recorded`: what operations let through; `start`: whether the source was watched; `escapes`: out of
the library and back; `state`: variables that were assigned or made anew; `objects`: the gradient
asked from another object; `outside`: computed before, after or beside the recording, and second
derivatives; `carried`: what an earlier tape recorded; `absent`: nothing connects source and target
at all, `branches`: because lines did not run.

Gradients that are numbers, but not the intended ones, are explained by `labels` (a value as its own
label), `same_object` (two names for one object), `scaled` (a mean divided twice, a penalty added
twice) and `batch` (a loss that does not depend on the batch).
"""
