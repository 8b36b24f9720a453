"""A function of JAX's, traced and run for the readers, and what one asks of it."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Any

import jax

from minitape.engine.base.where import warn
from minitape.engine.recording import add_recorder
from minitape.explain import Explanation, Explanations, explain_from
from minitape.program.visible import names_of
from minitape.storyboard import Film, Storyboard, develop
from minitape.storyboard.player import PLAYER

from .jaxpr import Known, Run, array_of, constant, has_slope
from .operations import Call
from .raised import SAID
from .tape import NOWHERE, Argument, JaxTape

# what a function meets that asks for a value in Python, as `grad` allows
ASKS = (
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerIntegerConversionError,
    jax.errors.NonConcreteBooleanIndexError,
)


class Asked:
    """Who looks at each gradient of a program stands in the place of `gradient`."""

    @staticmethod
    def gradient(tape: Any, target: Any, sources: Sequence[Argument]) -> list[Argument]:
        """Return what a play has given."""
        return [Argument(0, g, tape.where) for g in tape.gradients]


class JaxRecorder:
    """Tells readers which tapes are JAX's; its arrays have no numbers of their own."""

    @staticmethod
    def describe(obj: object) -> None:
        """Return None: a value is known by the place that it has in a call."""

    @staticmethod
    def tape_of(tape: object) -> JaxTape | None:
        """Return a tape of JAX's itself."""
        return tape if isinstance(tape, JaxTape) else None


add_recorder(JaxRecorder())


class Record:
    """One call of a function: the tape of its equations.

    `value`: what the function returned; `gradients`: {name of an argument: its gradient}, by
    `jax.vjp` equation by equation.
    """

    def __init__(
        self,
        tape: JaxTape,
        value: Any,
        target: Argument,
        sources: list[Argument],
        scopes: tuple[dict[str, Any], ...],
    ) -> None:
        self.tape, self.value, self._target, self._sources = tape, value, target, sources
        self._scopes = scopes
        play = tape.play([target], sources)
        deque(play.parts(), maxlen=0)
        tape.gradients = play.gradients_of(sources)
        self.gradients = {source.name: g for source, g in zip(sources, tape.gradients)}

    def ask(self) -> None:
        """Let whoever looks at each gradient of a program see these."""
        Asked.gradient(self.tape, self._target, self._sources)

    def storyboard(self, **picture: Any) -> Storyboard:
        """Return the storyboard of the call and its way back; the arguments are those of
        `minitape.storyboard.develop`.
        """
        with Film() as film:
            film.add(self.tape)
            deque(self.tape.play([self._target], self._sources).parts(), maxlen=0)
        return develop(film, **{"explain": self._scopes[0], **picture})

    def play(self) -> Any:
        """Show it in the player, in a notebook. Raises RuntimeError without the widgets."""
        if not PLAYER.filled:
            raise RuntimeError(
                "The player is part of minitape_widgets: run `%load_ext minitape_widgets` first. "
                "Without it, print(record.storyboard()) tells the play in words."
            )
        return PLAYER()(self.storyboard(), 0)

    def explain(self, name: str | None = None) -> Explanation | Explanations:
        """Explain the gradient of the argument of this name, `"x"` or `"params['w']"`, else of each.

        Raises ValueError for a name that no argument has.
        """
        asked = [source for source in self._sources if name in (None, source.name)]
        if not asked:
            names = ", ".join(source.name for source in self._sources)
            raise ValueError(f"The arguments with a gradient are {names}, not {name!r}.")
        source: Any = asked[0] if len(asked) == 1 else asked
        tape: Any = self.tape
        return explain_from(self._scopes, tape.where, tape, self._target, source)


def record(
    frame: FrameType,
    function: Callable[..., Any],
    args: Sequence[Any],
    named: Mapping[str, Any],
    argnums: Sequence[int],
) -> Record:
    """Record a call of a function as if called in a frame of the program; `argnums`: of which
    arguments the gradient is asked for.
    """
    where = frame.f_code, frame.f_lasti
    leaves, structure = jax.tree.flatten(tuple(args))
    tape = JaxTape(persistent=True)
    tape.where, tape.name = where, name_of(function)
    tape.start()
    try:
        given = {
            place: (constant(leaf), name)
            for place, (leaf, (k, name)) in enumerate(zip(leaves, paths_of(function, args)))
            if k in argnums and has_slope(leaf)
        }
        if not given:
            raise TypeError(SAID.say("whole"))
        sources = [Argument(x.number, array_of(x.value), None, name) for x, name in given.values()]
        for source in sources:
            tape.takes(source)

        def flat(*values: Any) -> Any:  # the others are what they are, as `grad` leaves them
            whole = {**dict(enumerate(leaves)), **dict(zip(given, values))}
            return function(*jax.tree.unflatten(structure, whole.values()), **named)

        result, value = _run(tape, flat, [x for x, _ in given.values()])
    finally:
        tape.stop()
    return Record(
        tape,
        value,
        _target(tape, result),
        sources,
        (names_of(frame), frame.f_globals),
    )


def _target(tape: JaxTape, known: Known) -> Argument:
    value = array_of(known.value)
    if value.ndim or not has_slope(known.value):
        raise TypeError(SAID.say("scalar" if value.ndim else "whole-result"))
    return Argument(known.number, value, tape.where)


def _run(tape: JaxTape, function: Callable[..., Any], given: list[Known]) -> tuple[Known, Any]:
    """Return the first value that the function gives, and all of them."""
    result: list[Any] = []

    def flat(*leaves: Any) -> list[Any]:
        answer, tree = jax.tree.flatten(function(*leaves))
        result[:] = [tree]
        return answer

    try:
        closed = jax.make_jaxpr(flat)(*[known.value for known in given])
        answer = Run(tape).of(closed, given)
    except ASKS:
        warn(SAID.say("opaque", {"name": tape.name}), UserWarning)
        call = Call(f"jax.{tape.name}", range(len(given)))
        answer = Run(tape).apply(flat, given, call, NOWHERE)
    return answer[0], jax.tree.unflatten(result[0], [known.value for known in answer])


def name_of(function: Any) -> str:
    """Return what a function is called."""
    name = str(getattr(function, "__name__", ""))
    return name if name.isidentifier() else "f"


def paths_of(function: Callable[..., Any], args: Sequence[Any]) -> list[tuple[int, str]]:
    """Return (number of the argument, what the function calls it) of each value in the arguments."""
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        names = []
    return [
        (k, f"{names[k] if k < len(names) else f'x{k}'}{jax.tree_util.keystr(path)}")
        for k, argument in enumerate(args)
        for path, _ in jax.tree_util.tree_leaves_with_path(argument)
    ]
