"""Writing a program down as Python source: one line per operation, nothing else.

What comes out is ordinary NumPy code that a student can read: the arithmetic of the recorded run
with the learner's names, adjoints as `d_name`, and the learner's own lines as comments. Large
intermediate arrays are written over (`out=`) once nobody needs them any more, which saves most of
the time that large arrays cost.
"""

from __future__ import annotations

import linecache
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.ops.record import OPS
from ..program import Text, name_values
from .names import Namer, comment_of, identifier

if TYPE_CHECKING:
    from ..engine.base.aliases import Array, Number, Numbers
    from .trace import Entry, Program

INFIX = {
    "Add": "+",
    "BiasAdd": "+",
    "Sub": "-",
    "Mul": "*",
    "Div": "/",
    "MatMul": "@",
    "Pow": "**",
    "Less": "<",
    "LessEqual": "<=",
    "Greater": ">",
    "GreaterEqual": ">=",
    "Equal": "==",
    "NotEqual": "!=",
}
UFUNC = {
    "Add": "np.add",
    "BiasAdd": "np.add",
    "Sub": "np.subtract",
    "Mul": "np.multiply",
    "Div": "np.divide",
    "Neg": "np.negative",
}
LARGE = 1 << 14  # from this many elements on, memory is reused
_files = count(1)


class Source:
    """The text of one program and everything its names stand for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.namer = Namer()
        self.names: dict[Number, str] = {}
        self.space: dict[str, Any] = {"np": np}
        self.bound: dict[Any, str] = {}
        self.comment_at = lru_cache(None)(comment_of)  # many entries stand at one place
        # the lines of the function written last, and whose they are
        self.placed: list[tuple[int, Entry]] = []
        self._name_all()

    # ---- names

    def _name_all(self) -> None:
        program, self.wish = self.program, {}
        entries = [
            (op, inputs, outputs, where) for op, inputs, outputs, _, where in program.entries
        ]
        for (_, _, outputs, _), named in zip(entries, name_values(entries, Text(), program.layers)):
            for number, name in zip(outputs, named.names):
                wish = program.names.get(number) or identifier(name)
                if wish and number not in program.adjoint:
                    self.wish[number] = wish
        for number in program.inputs:
            # what came in may be an adjoint as it is
            if number not in program.adjoint or number in program.names:
                self.names[number] = self.namer(program.names.get(number, "x"))
        for number in program.inputs:
            self.name(number)

    def name(self, number: Number) -> str:
        """Return the identifier of a value, or the literal of a constant."""
        if number in self.names:
            return self.names[number]
        value = self.program.constants.get(number)
        if value is not None:
            text = literal(value)
            if text is None:
                text = self.bind("constant" if value.ndim else "number", value)
            self.names[number] = text
            return text
        owners = self.program.adjoint.get(number, ())
        named = [n for n in owners if n in self.wish or n in self.program.names] or [
            n for n in owners if n in self.names
        ]
        if named:
            wish = "d_" + (
                self.names.get(named[0]) or self.wish.get(named[0]) or self.program.names[named[0]]
            )
        else:
            wish = self.wish.get(number)
        self.names[number] = self.namer(wish)
        return self.names[number]

    def bind(self, wish: str, value: Any) -> str:
        """Give a Python object an identifier in the program's space."""
        name = self.bound.get(id(value))
        if name is None:
            name = self.bound[id(value)] = self.namer(wish)
            self.space[name] = value
        return name

    # ---- operations

    def value(self, attribute: Any) -> str:
        """Return the source of an attribute."""
        if _is_plain(attribute):
            return repr(attribute)
        return self.bind("setting", attribute)

    def arguments(self, entry: Entry) -> list[str]:
        """Return the sources of the inputs: a constant is a literal only where its neighbour gives
        it the right dtype.
        """
        name, inputs, _, attributes, _ = entry
        program = self.program
        varying = [n for n in inputs if n not in program.constants]
        takes_literals = varying and not attributes and self.is_elementwise(entry)
        result = []
        for n in inputs:
            value = program.constants.get(n)
            if value is not None and not (
                takes_literals and program.known[varying[0]][0] == value.dtype
            ):
                result.append(self.bind("constant", value))
            else:
                result.append(self.name(n))
        return result

    def is_plain(self, entry: Entry) -> bool:
        """Return True where NumPy's own kernel is in the table, and the numbers are real: then
        NumPy's spelling will do.
        """
        return is_numpys(OPS[entry[0]].kernel) and all(
            self.program.known[n][0].kind == "f" for n in entry[1]
        )

    def is_elementwise(self, entry: Entry) -> bool:
        """Return True for operations that work element by element and could write into a given
        array.
        """
        kernel = OPS[entry[0]].kernel
        return (
            isinstance(kernel, np.ufunc)
            and kernel.signature is None
            and kernel.nout == 1
            or entry[0] in UFUNC
            and self.is_plain(entry)
        )

    def is_fresh(self, entry: Entry) -> bool:
        """Return True for operations that never give a view of their input."""
        return self.is_elementwise(entry) or entry[0] in ("MatMul", "Sum", "Mean", "Pow")

    def expression(self, entry: Entry, out: str | None = None) -> str:
        """Return the source of one operation."""
        name, inputs, outputs, attributes, _ = entry
        op, args = OPS[name], self.arguments(entry)
        if out is not None:
            return f"{UFUNC.get(name) or f'np.{op.kernel.__name__}'}({', '.join(args)}, out={out})"
        if (
            not attributes
            and len(args) == 2
            and name in INFIX
            and is_numpys(op.kernel)
            and (name != "Div" or self.is_plain(entry))
        ):
            a, b = (f"({t})" if t.startswith("-") else t for t in args)
            text, (dtype, shape) = f"{a} {INFIX[name]} {b}", self.program.known[outputs[0]]
            # for two strings, Python answers for NumPy
            return f"np.bytes_({text})" if dtype.kind == "S" and shape == () else text
        if name == "Neg" and is_numpys(op.kernel):
            return f"-{args[0]}"
        if (
            isinstance(op.kernel, np.ufunc)
            and not attributes
            and getattr(np, op.kernel.__name__, None) is op.kernel
        ):
            return f"np.{op.kernel.__name__}({', '.join(args)})"
        text = (
            self.plainly(name, inputs, args, attributes or {})
            if inputs and self.is_plain(entry)
            else None
        )
        if text is not None:
            return text
        if name == "Repeat":
            function = attributes["function"]
            kernel = partial(op.kernel, function=function)
            return f"{self.bind(function.__name__.strip('<>'), kernel)}({', '.join(args)})"
        settings = [f"{k}={self.value(v)}" for k, v in (attributes or {}).items()]
        text = f"{self.bind(name, op)}.kernel({', '.join(args + settings)})"
        return (
            f"{text}[()]"
            if len(outputs) == 1
            and self.program.known[outputs[0]][1] == ()
            and outputs[0] not in self.program.several
            else text
        )

    def plainly(
        self, name: str, inputs: Numbers, args: list[str], attributes: dict[str, Any]
    ) -> str | None:
        """Return NumPy's own spelling of some operations with attributes, or None."""
        dtype, shape = self.program.known[inputs[0]]
        if (
            name in ("Sum", "Mean")
            and set(attributes) == {"axis", "keepdims"}
            and dtype.itemsize > 2
            and shape
        ):
            axis, keep = attributes["axis"], attributes["keepdims"]
            axes = (
                range(len(shape)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
            )
            how = (
                []
                if axis is None
                else [f"axis={axis[0] if isinstance(axis, tuple) and len(axis) == 1 else axis}"]
            )
            text = f"{args[0]}.sum({', '.join(how + ['keepdims=True'] * bool(keep))})"
            return text if name == "Sum" else f"{text} / {int(np.prod([shape[a] for a in axes]))}"
        if name == "Reshape" and set(attributes) == {"shape"} and attributes["shape"]:
            return f"{args[0]}.reshape({attributes['shape']!r})"
        if name == "BroadcastTo" and set(attributes) == {"shape"}:
            return f"np.broadcast_to({args[0]}, {tuple(attributes['shape'])!r})"
        if name == "Transpose" and set(attributes) == {"perm"}:
            return f"{args[0]}.transpose({attributes['perm']!r})"
        if name == "MatrixTranspose" and not attributes:
            return f"{args[0]}.T" if len(shape) == 2 else f"np.swapaxes({args[0]}, -1, -2)"
        return None

    # ---- programs

    def lines(
        self, entries: Sequence[tuple[int, Entry]], last_use: dict[Number, int], returned: set[Any]
    ) -> Iterator[tuple[str, Entry | None]]:
        """Yield the lines of some entries, each with its entry (None for a comment); `last_use[n]`
        is the index of the last entry that reads n.
        """
        own, shown = set(), None
        for k, entry in entries:
            name, inputs, outputs, attributes, where = entry
            comment = self.comment_at(where)
            if comment and comment != shown:
                shown = comment
                yield f"    # {comment}", None
            out = None
            if len(outputs) == 1 and not attributes and self.is_elementwise(entry):
                dtype, shape = self.program.known[outputs[0]]
                if int(np.prod(shape)) >= LARGE and all(
                    self.program.known[n][0] == dtype for n in inputs
                ):
                    for n in inputs:
                        if (
                            n in own
                            and last_use.get(n) == k
                            and n not in returned
                            and self.program.known[n] == (dtype, shape)
                        ):
                            out = self.name(n)
                            break
                    own.add(outputs[0])
            text = self.expression(entry, out)
            if name == "MatrixTranspose" and text.endswith(".T") and outputs[0] not in returned:
                # a view costs nothing: it is written where it is used
                self.names[outputs[0]] = text
                continue
            left = ", ".join(self.name(n) for n in outputs)
            if not outputs:
                yield f"    {text}", entry
                continue
            if len(outputs) == 1 and outputs[0] in self.program.several:
                left = f"({left},)"
            yield f"    {left} = {text}", entry

    def function(
        self,
        name: str,
        parameters: Sequence[Number],
        entries: Sequence[tuple[int, Entry]],
        results: Sequence[Number | None],
    ) -> str:
        """Return the source of one function; `entries` are (index, entry)."""
        last_use = {}
        views: dict[Any, set[Any]] = {}  # what a value may share its memory with
        for k, entry in entries:
            inputs, outputs, fresh = entry[1], entry[2], self.is_fresh(entry)
            for n in outputs:
                views[n] = (
                    set() if fresh else set().union(*[views.get(m, set()) | {m} for m in inputs])
                )
            for n in inputs:
                last_use[n] = k
                for m in views.get(n, ()):
                    last_use[m] = k
        returned = set(results)
        for n in results:
            returned |= views.get(n, set())
        arguments = ", ".join(self.name(n) for n in parameters)
        body = list(self.lines(entries, last_use, returned))
        constants = self.program.constants
        result = ", ".join(
            [
                "None"
                if n is None
                else self.bind("constant", constants[n])
                if n in constants
                else self.name(n)
                for n in results
            ]
        )
        self.placed = [
            (line, entry) for line, (_, entry) in enumerate(body, 2) if entry is not None
        ]
        return "\n".join(
            [
                f"def {name}({arguments}):",
                *[text for text, _ in body],
                f"    return {result}{',' if len(results) == 1 else ''}",
                "",
            ]
        )


def _is_plain(value: Any) -> bool:
    if value is None or type(value) in (bool, int, str, float):
        return value == value and value not in (float("inf"), float("-inf"))
    return type(value) in (tuple, list) and all(_is_plain(v) for v in value)


def is_numpys(kernel: Any) -> bool:
    """Return True for a kernel of the engine's own table: NumPy does the work, not the fast path."""
    return not (getattr(kernel, "__module__", None) or "").startswith("minitape.jit")


def literal(value: Array) -> str | None:
    """Return the shortest source of a scalar constant, or None where only the object itself will
    do.

    NumPy lets a Python number take the dtype of its neighbour, and so does a literal.
    """
    if value.ndim or value.dtype.kind not in "fi" or value.dtype == np.float16:
        return None
    if value.dtype.kind == "f" and not np.isfinite(value):
        return None
    text = str(value)
    return text if value.dtype.type(eval(text)) == value else None


def compiled(text: str, space: dict[str, Any], title: str) -> dict[str, Any]:
    """Compile source and return its namespace; tracebacks show the generated lines."""
    filename = f"<minitape function {title} {next(_files)}>".replace("\0", "?")  # as Python wants
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    space = dict(space)
    exec(compile(text, filename, "exec"), space)
    return space
