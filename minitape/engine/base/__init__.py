"""The base of the engine: tensors, dtypes, shapes, listeners, notes, positions and errors.

Tensors are in `tensor.py`, Python's protocols for them in `protocols.py`; their dtypes, shapes and
structures in `dtypes`, `shapes` and `nest`; conversion and printing in `arrays` and `text`.
`listeners.py` notifies tapes of what happens, `notes.py` keeps what a tape saw but did not record,
`where.py` finds positions in the learner's program. Errors are in `errors`, `mismatches`, `hints`
and `argument_errors`. `aliases` names the types of the signatures, and `value` describes what gradient
rules work on. This folder imports NumPy and the standard library, nothing else.
"""
