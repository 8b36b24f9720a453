"""A traced program, ready to run: alone, or as one entry on a tape.

Without a tape only the way forward runs. Where a tape records, the call becomes one entry,
`PartitionedCall`, whose gradient rule runs the compiled way back. Where that gradient is itself
recorded (a tape of a tape), the rule computes it operation by operation instead, so that gradients
of any order exist.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import jit
from ..engine.base.aliases import Array, Number, Where
from ..engine.base.dtypes import as_dtype
from ..engine.base.errors import InvalidArgumentError
from ..engine.base.listeners import listeners
from ..engine.base.locks import locked
from ..engine.base.nest import flatten, is_nested, pack_sequence_as
from ..engine.base.tensor import Tensor
from ..engine.base.where import here
from ..engine.convert import convert_to_tensor
from ..engine.ops.record import Op, run
from ..engine.variable import Variable
from .gradient import gradients_of, with_gradient
from .simplify import needed, simplify
from .source import Source, compiled
from .trace import Entry, Program


def pack(structure: Any, leaves: Sequence[Any]) -> Any:
    """Return results in the structure that the learner's function returned."""
    return leaves[0] if structure is None else pack_sequence_as(structure, leaves)


def packer(
    structure: Any, outputs: Sequence[Number | None]
) -> Callable[[Sequence[Array], Where], Any]:
    """Return a function that makes the result of a call of the program's arrays: written out once,
    as it runs every time.
    """
    space: dict[str, Any] = {"Tensor": Tensor}
    places = iter(range(len(outputs)))

    def text(s: Any) -> str:
        if not is_nested(s):
            k = next(places)
            return "None" if outputs[k] is None else f"Tensor(v[{k}], where)"
        space[kind := f"kind{len(space)}"] = type(s)
        if isinstance(s, dict):
            parts = {k: text(s[k]) for k in sorted(s)}
            space[keys := f"keys{len(space)}"] = list(s)
            inner = f"dict(zip({keys}, [{', '.join(parts[k] for k in s)}]))"
            return inner if type(s) is dict else f"{kind}({inner})"
        inner = ", ".join([text(x) for x in s])
        return (
            f"({inner},)"
            if type(s) is tuple and s
            else f"[{inner}]"
            if type(s) is list
            else (f"{kind}({inner})" if hasattr(s, "_fields") else f"{kind}([{inner}])")
        )

    return eval(f"lambda v, where: {text(structure)}", space)


class ConcreteFunction:
    """The program of one trace. Its inputs are the tensors given, the variables read, and the
    tensors captured.
    """

    def __init__(
        self,
        name: str,
        program: Program,
        variables: list[Variable],
        captured: list[Tensor],
        assigned: list[Variable],
        structure: Any,
        results: int,
        jit_compile: bool = False,
    ) -> None:
        self.name, self.program, self.jit_compile = name, program, jit_compile
        self.variables, self.captured, self.assigned = variables, captured, assigned
        self.structure = (
            None
            if structure is None
            else pack_sequence_as(structure, [None] * len(flatten(structure)))
        )
        self.results, self._packed = results, packer(self.structure, program.outputs)
        self._forward: Callable[..., Any] | None = None
        self._pair: Pair | None = None
        # a learner's own rule, random numbers, an optimizer: only the eager run knows the gradient
        self.eager_on_tapes = False

    def __call__(self, *tensors: Any, **named: Any) -> Any:
        """Run the program on tensors, given in the order of the arguments or by name.

        Raises TypeError where one is missing, InvalidArgumentError for another dtype or shape than
        the program's.
        """
        program = self.program
        wanted = program.inputs[: len(program.inputs) - len(self.variables) - len(self.captured)]
        tensors = [
            t
            for a in tensors
            for t in (
                flatten(a) if any(isinstance(t, (Tensor, Variable)) for t in flatten(a)) else [a]
            )
        ]
        for n in wanted[len(tensors) :]:
            if program.names.get(n) not in named:
                raise TypeError(
                    f"{self.name} is missing a required argument: "
                    f"{program.names.get(n, 'a tensor')!r}."
                )
            tensors.append(named.pop(program.names[n]))
        if named or len(tensors) > len(wanted):
            raise TypeError(
                f"{self.name} takes {len(wanted)} tensors; "
                f"{', '.join(named) or len(tensors) - len(wanted)} more were given."
            )
        for k, n in enumerate(wanted):
            dtype, shape = program.known[n]
            tensors[k] = t = convert_to_tensor(
                tensors[k], None if isinstance(tensors[k], (Tensor, Variable)) else as_dtype(dtype)
            )
            if t.dtype != as_dtype(dtype) or t.value.shape != shape:
                raise InvalidArgumentError(
                    f"cannot compute {self.name} as input #{k}(zero-based) was expected to be a "
                    f"{as_dtype(dtype).name} tensor of shape {list(shape)} but is a "
                    f"{t.dtype.name} tensor of shape "
                    f"{list(t.shape)} [Op:{self.name}]. A program is made for one shape; the "
                    "tf.function itself "
                    "takes any."
                )
        return self.run(tensors)

    def run(self, tensors: Sequence[Tensor]) -> Any:
        """Run the program on the tensors among the arguments of a call, in their order."""
        if listeners():
            return self.recorded([*tensors, *[v._read() for v in self.variables], *self.captured])
        forward = self._forward or self._prepare()
        values = [t.value for t in tensors]
        for v in self.variables:
            values.append(v._tensor.value)
        for t in self.captured:
            values.append(t.value)
        values, where = forward(*values), here()
        if self.assigned:
            for variable, value in zip(self.assigned, values[self.results :]):
                variable.assign(Tensor(value, where))
        return self._packed(values, where)

    def recorded(self, tensors: Sequence[Tensor], assign: bool = True) -> Any:
        """Run the program as one operation, with one entry on every tape that records."""
        if not tensors or all(n is None for n in self.program.outputs):
            return pack(
                self.structure,
                [
                    None if n is None else Tensor(self.program.constants[n])
                    for n in self.program.outputs
                ],
            )
        if self._pair is None:
            with locked(self):
                self._pair = self._pair or Pair(
                    self.name, self.program, [t.value for t in tensors], self.jit_compile
                )
        y = run(CALL, tensors, {"function": self._pair})
        results = iter(y if type(y) is tuple else (y,))
        outputs = [None if n is None else next(results) for n in self.program.outputs]
        for variable, t in zip(self.assigned, outputs[self.results :]) if assign else ():
            variable.assign(t)  # type: ignore[arg-type]
        return pack(self.structure, outputs[: self.results])

    def _prepare(self) -> Callable[..., Any]:
        with locked(self):
            return self._forward or self._made()

    def _made(self) -> Callable[..., Any]:
        program = self._final()
        faster = quicker(
            program, program.inputs, program.entries, program.outputs, self.jit_compile
        )
        if faster is None:
            text, source, called = self.written()
            faster = compiled(text, source.space, self.name)[called]
        self._forward = faster
        return faster

    def _final(self) -> Program:
        program = simplify(self.program)
        program.entries = joined(program, program.entries, program.outputs)
        return program

    def written(self) -> tuple[str, Source, str]:
        """Return the way forward as Python source, with the `Source` that wrote it, and what the
        function is called there.
        """
        program = self._final()
        source = Source(program)
        called = source.namer(self.name)
        text = source.function(
            called, program.inputs, list(enumerate(program.entries)), program.outputs
        )
        return text, source, called

    def source(self) -> str:
        """Return the program as Python source; with its way back, where a tape has asked for that."""
        return self.written()[0] if self._pair is None else self._pair.text


def joined(
    program: Program, entries: Sequence[Entry], results: Sequence[Number | None]
) -> Sequence[Entry]:
    """Return the entries with steps joined that the fast path does in one, where it is on."""
    if not jit.enabled():
        return entries
    from ..jit.fused import backwards, forwards

    entries = backwards(program, entries, results)
    return forwards(program, [entries[k] for k in needed(entries, results)], results)


def quicker(
    program: Program,
    parameters: Sequence[Number],
    entries: Sequence[Entry],
    results: Sequence[Number | None],
    jit_compile: bool,
) -> Callable[..., Any] | None:
    """Return a form of the program that numba runs, where the learner asked for that, else None."""
    if not (jit_compile or jit.enabled()) or not jit.available():
        return None
    from ..jit.machine import machine

    compiled = machine(program, parameters, entries, results)
    if compiled is None and jit_compile:
        from ..jit.loops import loops

        compiled = loops(program, parameters, entries, results)
    return compiled


class Pair:
    """A program and its way back: what a call under a tape needs."""

    forward: Any
    backward: Any

    def __init__(
        self, name: str, program: Program, values: Sequence[Array], jit_compile: bool = False
    ) -> None:
        self.name, self.program = name, program
        both, self.seeds = with_gradient(program, values)
        count = len(program.outputs)
        back = list(enumerate(joined(both, both.entries[both.split :], both.outputs), both.split))
        given, adjoints = both.inputs[: len(program.inputs)], both.outputs[count:]
        outputs = [n for n in both.outputs[:count] if n is not None]
        made = {n for e in both.entries[: both.split] for n in e[2]}
        used = dict.fromkeys(
            [n for _, e in back for n in e[1]] + [n for n in adjoints if n is not None]
        )
        saved = [n for n in used if n in made and n not in outputs]
        self.at = [
            k for k, n in enumerate(outputs) if n in made and n in used and outputs.index(n) == k
        ]
        self.saved_at = len(outputs)
        self.alone = len(outputs) + len(saved) == 1
        forward = list(enumerate(joined(both, both.entries[: both.split], [*outputs, *saved])))
        source = Source(both)
        first, second = source.namer(name), source.namer(name + "_gradient")
        needs = [
            *given,
            *[outputs[k] for k in self.at],
            *saved,
            *[n for n in self.seeds if n is not None],
        ]
        self.text = (
            source.function(first, given, forward, [*outputs, *saved])
            + "\n\n"
            + source.function(second, needs, back, adjoints)
        )
        self.forward = quicker(
            both, given, [e for _, e in forward], [*outputs, *saved], jit_compile
        )
        self.backward = quicker(both, needs, [e for _, e in back], adjoints, jit_compile)
        if self.forward is None or self.backward is None:
            space = compiled(self.text, source.space, name)
            self.forward, self.backward = (
                self.forward or space[first],
                self.backward or space[second],
            )

    def __repr__(self) -> str:
        return self.name

    def call(self, *values: Array) -> Any:
        """Return the outputs, then the values that the way back will need."""
        y = self.forward(*values)
        return y[0] if self.alone else tuple(y)

    def parts(self, g: Any, y: Any, inputs: tuple[Any, ...]) -> Sequence[Any]:
        """Return the adjoints of the inputs for the adjoints `g` of the outputs."""
        if self.alone:
            g, y = (g,), (y,)
        seeds, sent = [], iter(g)
        for n, sloped in zip(self.program.outputs, self.seeds):
            seed = None if n is None else next(sent)
            seeds.append(seed if sloped is not None else None)
        if any(type(x) is Tensor for x in inputs):
            return gradients_of(self.program, inputs, seeds)
        y = [y[k] for k in self.at] + list(y[self.saved_at :])
        return self.backward(
            *[_conj(v) for v in inputs],
            *[_conj(v) for v in y],
            *[s for s in seeds if s is not None],
        )


def _conj(v: Array) -> Array:
    """Undo the walk's conjugation: the compiled way back contains its own."""
    return np.conj(v) if v.dtype.kind == "c" else v


CALL = Op(
    "PartitionedCall",
    lambda *values, function: function.call(*values),
    joint=lambda g, y, *inputs, function: function.parts(g, y, inputs),
    mixed=True,
    batched=False,
)
