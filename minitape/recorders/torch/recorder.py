"""Recording PyTorch: a `TorchFunctionMode` hears of each public function that is called in one
thread, while `watch()` is open.

A function is called as the program called it, with the same arguments, and its result handed on;
what happened is noted, with the number that PyTorch gives each node of its graph, so that the way
back (`way_back.py`) finds the operation again.
"""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import get_ident
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from minitape.engine.base.tensor import new_id
from minitape.engine.base.where import here, is_inside, learners_frame

from ..row import Row
from ..shield import shielded
from .events import Changed, Failed
from .filming import next_node
from .mode import Ears, Mode
from .modules import Modules
from .operations import IN_PLACE, plain, tensors_in, translate
from .reasons import kind_of_error
from .tapes import COPIES, Guarded, Tapes
from .tensors import Known, maker_of, version_of

if TYPE_CHECKING:
    from ..call_sites import Made

OWN_FRAMES = 4  # between a function's call and the walk from it: the mode and what it calls
COMPILER = "torch._dynamo.eval_frame"  # loaded once somebody needs it: that takes long
HERE = __file__.rpartition("recorder.py")[0]
NOTHING: Mapping[str, Any] = {}


class Recorder(Tapes):
    """Hears of what PyTorch computes in one thread, and writes it down for minitape's readers."""

    def __init__(self) -> None:
        super().__init__()
        self.modules = Modules(self)
        self._mode = Mode(self)
        self.ears = Ears(self._mode)
        self._compiled: Any = None  # the frame of the compiled function that runs now
        self._restore: list[tuple[Any, str, Any]] = []

    # ---- on and off

    def start(self, trouble: list[Exception]) -> None:
        """Record what the thread that calls computes from now on."""
        self.shield.serve(trouble)
        for owner, name, around in (*self.back.replaced(), *self.modules.replaced()):
            self._replace(owner, name, around)
        self._replace(torch, "compile", self._compiles)
        self._replace(warnings, "showwarning", self._warns)
        self._replace(torch.autograd.Function, "apply", self._applies)
        self._hear_compiled()
        self.modules.start()
        self.back.since, self.back.others = next_node(), False
        self._compiled = None
        self.ears.forget()  # where another thread has ended the block
        self._mode.__enter__()

    def _replace(self, owner: Any, name: str, around: Callable[..., Any]) -> None:
        old = vars(owner)[name]
        self._restore.append((owner, name, old))
        if isinstance(old, classmethod):
            own = old.__func__
            setattr(owner, name, classmethod(functools.wraps(own)(around(own))))
        else:
            setattr(owner, name, functools.wraps(old)(around(old)))

    @staticmethod
    def _warns(old: Callable[..., Any]) -> Callable[..., Any]:
        """PyTorch warns the line that has called it, which is one of this package's."""

        def show(message: Any, category: Any, filename: str, lineno: int, *rest: Any) -> None:
            if filename.startswith(HERE):
                frame = learners_frame()
                filename, lineno = frame.f_code.co_filename, frame.f_lineno
            old(message, category, filename, lineno, *rest)

        return show

    def _hear_compiled(self) -> None:
        compiler = sys.modules.get(COMPILER)
        if compiler is None or any(owner is compiler for owner, *_ in self._restore):
            return
        sets = "_maybe_set_eval_frame"  # PyTorch before 2.5 may have only what that calls
        name = sets if hasattr(compiler, sets) else sets.removeprefix("_maybe_")
        self._replace(compiler, name, self._compiled_runs)
        # none of these is a frame to compile: they may run inside of a function that is compiled
        replaced = [getattr(owner, name) for owner, name, _ in self._restore]
        for function in (*replaced, vars(Guarded)["down"].fget, self.tensors.gone):
            compiler.skip_code(function.__code__)

    def _compiles(self, old: Callable[..., Any]) -> Callable[..., Any]:
        """`torch.compile` loads the compiler when it is called first."""

        def compiles(*args: Any, **named: Any) -> Any:
            result = old(*args, **named)
            if self.shield.thread is not None:
                self._hear_compiled()
            return result

        return compiles

    def _compiled_runs(self, old: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Where a function of `torch.compile` begins and ends, its frame sets what compiles: that
        reads all that runs meanwhile, and would read what looks on, too.
        """
        shield, ears = self.shield, self.ears

        def sets(compiles: Any) -> Any:
            frame = sys._getframe(1)
            heard = get_ident() == shield.thread and not (shield.quiet or ears.closed)
            if compiles is not None and heard:
                made = self.sites.of_call(2).within(self.sites.layers)
                self._compiled = frame, next_node(), made
                self._taken_in(frame, made)
                shield.quiet = True
                ears.close()
            result = old(compiles)
            if compiles is None and self._compiled is not None and self._compiled[0] is frame:
                _, first, made = self._compiled
                self.compiled.append((first, next_node(), made))
                self._compiled, shield.quiet = None, False
                ears.open()
            return result

        return sets

    @shielded
    def _taken_in(self, frame: Any, made: Made) -> None:
        """What a compiled function is given goes where nobody sees it."""
        given = tensors_in([frame.f_locals.get(name, ()) for name in ("args", "kwargs")])
        known = [each.number for t in given if (each := self.tensors.get(t)) is not None]
        if known and self.tape is not None and self.tape.recording:
            self.note_blocked("torch-compiled", "torch.compile", known, [new_id()], made)

    def _applies(self, old: Callable[..., Any]) -> Callable[..., Any]:
        """A function with a `backward` of its own is called: what it gives has its node now."""

        def apply(function: Any, *args: Any, **named: Any) -> Any:
            result = old(function, *args, **named)
            self._applied(function, args, result)
            return result

        return apply

    @shielded
    def _applied(self, function: Any, args: Any, result: Any) -> None:
        made = self.sites.of_call(OWN_FRAMES).within(self.sites.layers)
        wanted = torch.is_grad_enabled() and [t for t in tensors_in(args) if t.requires_grad]
        outputs = [(self.known(t), t) for t in tensors_in(result)] if wanted else []
        for known, tensor in outputs:
            self.tensors.changed(known, version_of(tensor))  # inside it had no history
        whole = [pair for pair in outputs if maker_of(pair[1]) is not None]
        if whole:
            known, tensor = whole[0]
            self.adopt(tensor, known, made, whole)
        marked = [pair for pair in outputs if maker_of(pair[1]) is None]
        if marked:
            numbers = [self.read(t, made).number for t in wanted]
            op = f"torch.{function.__name__}"
            given = self.number(marked, made)
            self.note_blocked("custom-gradient-none", op, numbers, given, made, "marked")

    def stop(self) -> None:
        """Put everything back. May be called where `start` has not come to its end."""
        self.ears.forget()
        self.modules.stop()
        while self._restore:
            owner, name, old = self._restore.pop()
            setattr(owner, name, old)
        self.shield.thread = None
        if self.tape is not None:
            self.turn(self.tape)

    # ---- operations

    def computed(
        self, name: str, args: tuple[Any, ...], named: Any, result: Any, made: Made
    ) -> None:
        """A function was called, and gave a result."""
        if name == "view_as" and result.requires_grad and result.grad_fn is None:
            return  # what a function of the program's gives back: it gets its node after this
        outputs = [result] if isinstance(result, Tensor) else tensors_in(result)
        fresh = [t for t in outputs if self.tensors.get(t) is None]
        if not fresh:
            return
        if not tensors_in((args, named)):
            for tensor in fresh:
                self._came(args, tensor, made)
            return
        call = translate(name, args, named, result)
        if outputs[0] is result and result.grad_fn is not None and call.op not in COPIES:
            row = plain(call.op, len(call.operands))
            if call.attributes is not None:
                row = row._replace(attributes=call.attributes)
            self.write_one(row, call.operands, result, made)
        else:
            self.record(call, [(self.meet(t), t) for t in fresh], made)

    def _came(self, args: tuple[Any, ...], tensor: Tensor, made: Made) -> None:
        """A tensor was made of no other."""
        known = self.meet(tensor)
        self.tensors.made(known, made)
        kind = type(args[0]).__name__ if args else ""
        if kind in ("ndarray", "float", "list") and self.tape is not None and self.tape.recording:
            self.tape.notes.write((len(self.tape.entries), known.where, known.number, kind))

    # ---- what changes a tensor

    @shielded
    def guard(self, written: Iterable[Any]) -> None:
        """Keep what tapes hold, where the program is about to write."""
        self.guard_all([t for t in written if isinstance(t, Tensor)])

    def changes(self, func: Any, name: str, args: tuple[Any, ...], named: Any) -> Any:
        """A function writes into one of its arguments."""
        out = named.get("out")
        written = tensors_in(out) if out is not None else tensors_in(args[:1]) or tensors_in(named)
        self.guard(written)
        before: list[Any] = []
        self._before(before, name, args, named)
        try:
            result = func(*args, **named)
        except RuntimeError as error:
            self._failed(error, args)
            raise
        self._changed(before, written)
        return result

    @shielded
    def _before(self, before: list[Any], name: str, args: tuple[Any, ...], named: Any) -> None:
        made = self.sites.of_call(OWN_FRAMES).within(self.sites.layers)
        given = [(self.known(t), t) for t in tensors_in((args, named))]
        # what is written into a leaf is recorded nowhere
        if torch.is_grad_enabled() and not given[0][0].leaf:
            given = [(self.read(t, made), t) for _, t in given]
        values = [self.tensors.held(known, t) for known, t in given]
        node = maker_of(given[0][1])
        before += (
            made,
            name,
            [known.number for known, _ in given],
            values,
            any(t.requires_grad for _, t in given),
            node.name() if node is not None else "",
        )

    @shielded
    def _changed(self, before: list[Any], written: Sequence[Tensor]) -> None:
        made, name, numbers, values, watched, node = before
        outputs, tape = list[tuple[Known, Tensor]](), self.tape
        for tensor in [*written, *[t._base for t in written if t._base is not None]]:
            known = self.known(tensor)
            self.events.changes.append(
                Changed(known.number, node, [tuple(tensor.shape)], made[0].where)
            )
            if known.leaf and maker_of(tensor) is not None:
                known.leaf = False
            self.tensors.changed(known, version_of(tensor))
            if known.leaf:
                known.changed = made[0].where
                if tape is None or known.id not in tape.variables:
                    continue
                tape.note(
                    "assign",
                    made[0].where,
                    {
                        "variable": known.id,
                        "name": known.name,
                        "how": "assign",
                        "value": numbers[-1],
                        "version": known.version,
                        "inner": False,
                    },
                )
            else:
                outputs.append((known, tensor))
        row = Row(f"torch.{IN_PLACE.get(name, name).strip('_')}", range(len(numbers)))
        if outputs and watched and torch.is_grad_enabled():
            self.write(row, numbers, values, outputs, made)
        elif outputs:
            self.number(outputs, made)

    def turns(self, func: Any, name: str, args: tuple[Any, ...], named: Any) -> Any:
        """A tensor is turned into a leaf, or into one that wants a gradient."""
        result = func(*args, **named)
        self._turned(name, args[0])
        return result

    def sets_requires_grad(self, func: Any, name: str, args: tuple[Any, ...], named: Any) -> Any:
        """`x.requires_grad = True`."""
        return self.turns(func, name, args, named)

    @shielded
    def _turned(self, name: str, tensor: Tensor) -> None:
        old, at = self.known(tensor), here()
        if old.leaf == tensor.requires_grad and name != "detach_":
            return  # it was so before
        known, before = self.meet(tensor), old.number
        known.where, known.name, known.path = old.where or at, old.name, old.path
        if name == "detach_":
            if self.tape is not None:
                made = self.sites.of_call(OWN_FRAMES).within(self.sites.layers)
                value = self.tensors.held(known, tensor)
                self.write(Row("StopGradient", (0,)), [before], [value], [(known, tensor)], made)
        elif tensor.requires_grad:
            if self.tape is not None and self.tape.recording:  # what it was computed from
                line = len(self.tape.entries), at, "Identity", known.number, before
                self.tape.notes.write(line)
            if self.tape is not None and before in self.tape.used_numbers():
                self.events.late[known.id] = at, before
        else:
            self.events.frozen[known.id] = at

    def sets_data(self, func: Any, name: str, args: tuple[Any, ...], named: Any) -> Any:
        """`x.data = ...`."""
        result = func(*args, **named)
        self._new_content(args[0])
        return result

    @shielded
    def _new_content(self, tensor: Tensor) -> None:
        known = self.tensors.get(tensor)
        if known is not None:
            self.tensors.changed(known, version_of(tensor))
            known.changed = here()

    @shielded
    def made(self, variable: Tensor, of: Sequence[Any]) -> None:
        """A parameter was made: a new leaf, whatever its numbers were computed from."""
        known = self.known(variable)
        known.where = here()
        if self.sites.layers:
            self.events.inside.add(known.id)
        for tensor in tensors_in(of):
            if tensor.requires_grad or self.known(tensor).number in self.tensors.detached:
                made, ids = self.sites.of_call().within(self.sites.layers), self.known(tensor).id
                self.note_blocked("torch-copied", "Parameter", [ids], [known.id], made, "leaf")

    @shielded
    def copied(self, of: Tensor, variable: Tensor) -> None:
        """A variable was copied into another."""
        made = self.sites.of_call().within(self.sites.layers)
        numbers = [self.known(of).id], [self.known(variable).id]
        self.note_blocked("torch-copied", "copy.deepcopy", *numbers, made)

    # ---- gradients, and what leaves

    def plays(self, func: Any, name: str, args: tuple[Any, ...], named: Any) -> Any:
        """`loss.backward()`, `torch.autograd.grad(loss, x)`: `way_back.py` hears of them, but for
        errors that come before.
        """
        try:
            return func(*args, **named)
        except RuntimeError as error:
            self._failed(error, args)
            raise

    def failed(self, error: Exception, args: tuple[Any, ...]) -> None:
        """A function was called that PyTorch refuses."""
        if kind_of_error(str(error)):
            self._failed(error, args)

    @shielded
    def _failed(self, error: Exception, args: tuple[Any, ...]) -> None:
        if self.events.failed is None or self.events.failed.text != str(error):
            targets = [self.describe(t) for t in tensors_in(args[:1])]
            self.events.failed = Failed(str(error), here(), self.tape, targets)

    @shielded
    def refused(self, error: Exception, params: Any) -> None:
        """An optimizer does not take what is no leaf, nor nothing."""
        computed = [self.describe(t) for t in tensors_in(params) if not t.is_leaf]
        if self.events.failed is None or self.events.failed.text != str(error):
            self.events.failed = Failed(str(error), here(), self.tape, computed[:1])

    def gets_grad(self, func: Any, name: str, args: tuple[Any, ...], named: Any) -> Any:
        """`x.grad` is read."""
        result = func(*args, **named)
        if result is None and by_program():
            self.back.missing(args[0])
        return result

    def sets_grad(self, func: Any, name: str, args: tuple[Any, ...], named: Any) -> Any:
        """`x.grad = None`."""
        if args[1] is None:
            self.cleared(args[:1])
        return func(*args, **named)

    @shielded
    def cleared(self, leaves: Sequence[Tensor]) -> None:
        """The gradients of these leaves are None from now on."""
        where = here(), new_id()
        for tensor in leaves:
            self.events.cleared[self.known(tensor).id] = where

    def retains(self, func: Any, name: str, args: tuple[Any, ...], named: Any) -> Any:
        """`h.retain_grad()`."""
        self._retained(args[0])
        return func(*args, **named)

    @shielded
    def _retained(self, tensor: Tensor) -> None:
        self.events.retained.add(self.known(tensor).number)

    def hooks(self, func: Any, name: str, args: tuple[Any, ...], named: Any) -> Any:
        """`h.register_hook(...)`."""
        self._hooked(args[0])
        return func(*args, **named)

    @shielded
    def _hooked(self, tensor: Tensor) -> None:
        self.events.hooks.append((self.known(tensor).number, here()))

    def escapes(self, func: Any, name: str, args: tuple[Any, ...], named: Any) -> Any:
        """A value leaves PyTorch: for NumPy, a Python number, a text."""
        try:
            result = func(*args, **named)
        except RuntimeError as error:
            self.failed(error, args)
            raise
        if by_program() or name == "__array__":
            self._note("escape", args[0], {"how": name})
        return result

    @shielded
    def _note(self, kind: str, tensor: Tensor, about: Mapping[str, Any] = NOTHING) -> None:
        tape = self.recording() if tensor.requires_grad else self.tape
        if tape is not None and tape.recording:
            site = self.sites.of_call(OWN_FRAMES)
            known = self.read(tensor, site.within(self.sites.layers))
            number = self.tensors.detached.get(known.number, known.number)
            tape.note(kind, here(), {"id": number, **about})


def by_program() -> bool:
    """Return True where the program has called a function of PyTorch's, not PyTorch itself."""
    frame: Any = sys._getframe(2)
    while frame.f_code.co_name == "__torch_function__":  # the mode, and others that the program has
        frame = frame.f_back
    return not is_inside(frame.f_code.co_filename)
