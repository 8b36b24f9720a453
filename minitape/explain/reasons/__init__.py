"""The reasons, one family per file. Each tells the edges of the graph that it knows about, open or broken.

`recorded`: what operations let through; `start`: whether the source was watched; `escapes`: out of the library and back;
`state`: variables that were assigned or made anew; `objects`: the gradient asked from another object; `outside`: computed
before, after or beside the recording, and second derivatives; `absent`: nothing connects source and target at all.
"""
