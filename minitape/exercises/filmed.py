"""An answer filmed: what its tapes recorded and played, and why a gradient was None.

The explainer is asked at once, where a gradient comes back as None: when the answer has returned,
the tensors that tell what ran beside the tape are gone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from ..engine.base.where import is_inside, learners_frame, passed
from ..engine.explainer import answering_none
from ..engine.gradient_tape import GradientTape
from ..explain import explain_at
from ..explain.case.flow import Flow
from ..program import Text
from ..storyboard import Film
from .guard import off_the_clock


class FilmedAnswer(Film):
    """A film of an answer. `reasons`: the explanations of its gradients that are None, in the order
    of its plays; `asked`: where each was asked for; `traced_ones`: each `tf.function`, as often as
    it was traced.
    """

    def __init__(self) -> None:
        super().__init__()
        self.reasons: list[Any] = []
        self.asked: list[Any] = []
        self.traced_ones: list[Any] = []

    def traced(self, function: Any) -> None:
        self.traced_ones.append(function)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Film what runs inside of the block."""
        with answering_none(self._ask), self:
            yield

    def _ask(self, tape: GradientTape, play: Any, gradients: Sequence[object]) -> None:
        missing = [k for k, gradient in enumerate(gradients) if gradient is None]
        # a reason is given where there is one; the answer is judged anyway
        with suppress(Exception):
            frame = learners_frame(2)
            ask = off_the_clock(
                lambda: explain_at(frame, tape, play.targets, play.sources, missing)
            )
            result = ask()
            self.reasons += result
            self.asked += [(frame.f_code, frame.f_lasti)] * len(result)

    def reason_of(self, error: Exception) -> Any:
        """Return why that gradient was None with which the line works that raised an error; None
        where it works with none of them.
        """
        theirs = [step for step in passed(error) if not is_inside(step[0].f_code.co_filename)]
        frame, offset = theirs[-1] if theirs else (None, 0)
        where = None if frame is None else (frame.f_code, offset)
        text = Text()
        text.load([where, *self.asked])
        node = text.node_around(where)
        for reason, asked in zip(self.reasons, self.asked):
            play = text.node_around(asked)
            if node is None or play is None or frame is None:
                return reason  # no text tells it
            names = [
                n
                for n in ast.walk(node)
                if isinstance(n, ast.Name)
                and {**frame.f_globals, **frame.f_locals}.get(n.id, n) is None
            ]
            flow = Flow(text, [play])
            if any(map(flow.reaches, names)) if names else flow.enters(node):
                return reason
        return None
