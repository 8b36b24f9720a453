"""Writing a program down as Python source: one line per operation, nothing else.

What comes out is ordinary NumPy code that a student can read: the arithmetic of the recorded run with the learner's
names, adjoints as `d_name`, and the learner's own lines as comments. Large intermediate arrays are written over
(`out=`) once nobody needs them any more, which saves most of the time that large arrays cost.
"""

import linecache
import operator
from itertools import count

import numpy as np

from ..engine.record import OPS
from .names import Namer, comment_of, name_of

INFIX = {operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/", np.matmul: "@"}
AS_UFUNC = {operator.add: "np.add", operator.sub: "np.subtract", operator.mul: "np.multiply", operator.truediv: "np.divide",
            operator.neg: "np.negative"}
LARGE = 1 << 14           # from this many elements on, memory is reused
_files = count(1)


class Source:
    """The text of one program and everything its names stand for."""

    def __init__(self, program):
        self.program = program
        self.namer, self.names = Namer(), {}
        self.space, self.bound = {"np": np}, {}
        self._name_all()

    # ---- names

    def _name_all(self):
        program, wishes = self.program, {}
        for _, _, outputs, _, where in program.entries:
            if len(outputs) == 1 and outputs[0] not in program.adjoint:
                wish = program.names.get(outputs[0]) or name_of(where)
                if wish:
                    wishes[wish, where] = outputs[0]           # of several operations at one place the last has the name
        self.wish = {n: wish for (wish, _), n in wishes.items()}
        for number in program.inputs:
            if number not in program.adjoint:
                self.names[number] = self.namer(program.names.get(number, "x"))
        for number in program.inputs:
            self.name(number)

    def name(self, number):
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
        of = self.program.adjoint.get(number)
        if of is not None and (of in self.names or of in self.wish):
            wish = "d_" + (self.names.get(of) or self.wish.get(of))
        else:
            wish = self.wish.get(number)
        self.names[number] = self.namer(wish)
        return self.names[number]

    def bind(self, wish, value):
        """Give a Python object an identifier in the program's space."""
        name = self.bound.get(id(value))
        if name is None:
            name = self.bound[id(value)] = self.namer(wish)
            self.space[name] = value
        return name

    # ---- operations

    def value(self, attribute):
        """Return the source of an attribute."""
        if _is_plain(attribute):
            return repr(attribute)
        return self.bind("setting", attribute)

    def arguments(self, entry):
        """Return the sources of the inputs: a constant is a literal only where its neighbour gives it the right dtype."""
        name, inputs, _, attributes, _ = entry
        kernel, program = OPS[name].kernel, self.program
        varying = [n for n in inputs if n not in program.constants]
        found = []
        for n in inputs:
            value = program.constants.get(n)
            if value is not None and not (varying and not attributes and is_elementwise(kernel)
                                          and program.known[varying[0]][0] == value.dtype):
                found.append(self.bind("constant", value))
            else:
                found.append(self.name(n))
        return found

    def expression(self, entry, out=None):
        """Return the source of one operation."""
        name, _, outputs, attributes, _ = entry
        op, args = OPS[name], self.arguments(entry)
        kernel = op.kernel
        if out is not None:
            return f"{AS_UFUNC.get(kernel) or f'np.{kernel.__name__}'}({', '.join(args)}, out={out})"
        if not attributes:
            if kernel in INFIX and len(args) == 2:
                a, b = (f"({t})" if t.startswith("-") else t for t in args)
                return f"{a} {INFIX[kernel]} {b}"
            if kernel is operator.neg:
                return f"-{args[0]}"
            if isinstance(kernel, np.ufunc) and getattr(np, kernel.__name__, None) is kernel:
                return f"np.{kernel.__name__}({', '.join(args)})"
        settings = [f"{k}={self.value(v)}" for k, v in (attributes or {}).items()]
        text = self.plainly(name, kernel, args, attributes or {}, settings)
        if text is None:
            text = f"{self.bind(name, op)}.kernel({', '.join(args + settings)})"
        if kernel in (np.sum, np.mean) or len(outputs) > 1 or self.program.known[outputs[0]][1] != ():
            return text
        return f"{text}[()]"

    def plainly(self, name, kernel, args, attributes, settings):
        """Return NumPy's own spelling of a kernel, or None."""
        module, called = getattr(kernel, "__module__", ""), getattr(kernel, "__name__", "")
        if module and module.split(".")[0] == "numpy" and getattr(np, called, None) is kernel:
            if name in ("Sum", "Mean", "Max", "Min", "Prod"):
                axis = attributes.get("axis")
                settings = [f"axis={axis[0]}" if s.startswith("axis=(") and len(axis) == 1 else s for s in settings
                            if s not in ("axis=None", "keepdims=False")]
            return f"np.{called}({', '.join(args + settings)})"
        if called != "<lambda>":
            return None
        if name == "Reshape" and set(attributes) == {"shape"}:
            return f"np.reshape({args[0]}, {attributes['shape']!r})"
        if name == "BroadcastTo" and set(attributes) == {"shape"}:
            return f"np.broadcast_to({args[0]}, {attributes['shape']!r})"
        if name == "MatrixTranspose" and not attributes:
            return f"np.swapaxes({args[0]}, -1, -2)"
        return None

    # ---- programs

    def lines(self, entries, last_use, returned):
        """Yield the lines of some entries; `last_use[n]` is the index of the last entry that reads n."""
        own, shown = set(), None
        for k, entry in entries:
            name, inputs, outputs, attributes, where = entry
            comment = comment_of(where)
            if comment and comment != shown:
                shown = comment
                yield f"    # {comment}"
            out = None
            if len(outputs) == 1 and not attributes and is_elementwise(OPS[name].kernel):
                dtype, shape = self.program.known[outputs[0]]
                if int(np.prod(shape)) >= LARGE and all(self.program.known[n][0] == dtype for n in inputs):
                    for n in inputs:
                        if n in own and last_use.get(n) == k and n not in returned and self.program.known[n] == (dtype, shape):
                            out = self.name(n)
                            break
                    own.add(outputs[0])
            text = self.expression(entry, out)
            left = ", ".join(self.name(n) for n in outputs)
            if len(outputs) == 1 and outputs[0] in self.program.several:
                left = f"({left},)"
            yield f"    {left} = {text}"

    def function(self, name, parameters, entries, results):
        """Return the source of one function; `entries` are (index, entry)."""
        last_use = {}
        views = {}                     # what a value may share its memory with
        for k, (op, inputs, outputs, _, _) in entries:
            fresh = is_fresh(OPS[op].kernel)
            for n in outputs:
                views[n] = set() if fresh else set().union(*[views.get(m, set()) | {m} for m in inputs])
            for n in inputs:
                last_use[n] = k
                for m in views.get(n, ()):
                    last_use[m] = k
        returned = set(results)
        for n in results:
            returned |= views.get(n, set())
        arguments = ", ".join(self.name(n) for n in parameters)
        body = list(self.lines(entries, last_use, returned))
        result = ", ".join("None" if n is None else self.name(n) for n in results)
        return "\n".join([f"def {name}({arguments}):", *body, f"    return {result}{',' if len(results) == 1 else ''}", ""])


def _is_plain(value):
    if value is None or type(value) in (bool, int, str, float):
        return value == value and value not in (float("inf"), float("-inf"))
    return type(value) in (tuple, list) and all(_is_plain(v) for v in value)


def is_elementwise(kernel):
    """Return True for kernels that can write into a given array."""
    return kernel in AS_UFUNC or isinstance(kernel, np.ufunc) and kernel.signature is None and kernel.nout == 1


def is_fresh(kernel):
    """Return True for kernels that never give a view of their input."""
    return is_elementwise(kernel) or kernel in (np.matmul, np.sum, np.mean)


def literal(value):
    """Return the shortest source of a scalar constant, or None where only the object itself will do.

    NumPy lets a Python number take the dtype of its neighbour, and so does a literal.
    """
    if value.ndim or value.dtype.kind not in "fi" or value.dtype == np.float16:
        return None
    if value.dtype.kind == "f" and not np.isfinite(value):
        return None
    text = str(value)
    return text if value.dtype.type(eval(text)) == value else None


def compiled(text, space, title):
    """Compile source and return its namespace; tracebacks show the generated lines."""
    filename = f"<minitape function {title} {next(_files)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    space = dict(space)
    exec(compile(text, filename, "exec"), space)
    return space

