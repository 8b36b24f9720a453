"""Names for the nodes of a picture: the learner's own, as `minitape.program` reads them in the
text, asked by position.
"""

from __future__ import annotations

from minitape.engine.base.aliases import Where
from minitape.program.aliases import Node
from minitape.program.names import (
    LONGEST,
    expression_name,
    held_name,
    names_of,
    variable_name,
    written,
)
from minitape.program.syntax import is_play, loop_around, operands, sources_of
from minitape.storyboard.film.source import Sources
from minitape.storyboard.text.captions import with_times

LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def numbered(name: str, count: int) -> str:
    """Returns the name of the count-th of several values called `name`: y₁, y₂, ...

    Primes would be taken for derivatives.
    """
    return name + str(count).translate(LOWERED)


class Names:
    """What the text says about a position; every answer is "", [] or False where no text is to be
    had.
    """

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self._snippets: dict[int, tuple[Where | None, str]] = {}

    def _node(self, where: Where | None) -> Node:
        return self.sources.text.node(where) if where is not None else None

    def _shown(self, where: Where | None) -> Node:
        """The node at a position, whose lines then count as having taken part."""
        return self._node(where) if self.sources.locate(where) else None

    def of_object(self, where: Where | None) -> str:
        """Returns the name given to an object where it was made (a constant, a tape)."""
        node = self._node(where)
        return held_name(node) if node is not None else ""

    def of_variable(self, where: Where | None) -> str:
        """Returns the name given to a variable where it was made, "" where the call there makes
        more than a variable.
        """
        node = self._node(where)
        return variable_name(node) if node is not None else ""

    def as_written(self, where: Where | None) -> str:
        """Returns the expression at a position where it is short enough for a name: `x[0]`."""
        return with_times(written(self._node(where)))

    def answers(self, where: Where | None) -> list[str]:
        """Returns the names that the values of the expression at a position are given."""
        node = self._node(where)
        return names_of(node) if node is not None else []

    def is_play(self, where: Where | None) -> bool:
        """Says whether the expression at a position plays a tape backwards."""
        return is_play(self._shown(where))

    def of_sources(self, where: Where | None, count: int) -> list[str]:
        """Returns how the play at a position calls its sources, "" for those without a name; []
        where it does not list them.
        """
        node = self._node(where)
        result = sources_of(node) if is_play(node) else []
        return [expression_name(source) for source in result] if len(result) == count else []

    def of_operands(self, where: Where | None, count: int) -> list[str]:
        """Returns how the operands of the expression at a position are called, "" for those without
        a name.
        """
        node = self._shown(where)
        return (
            [expression_name(operand) for operand in operands(node, count)]
            if node is not None
            else []
        )

    def of_argument(self, where: Where | None) -> str:
        """Returns how the first operand of the expression at a position is called or written: `x`,
        `tf.constant(5)`.
        """
        operand = operands(self._shown(where), 1)[0]
        return expression_name(operand) or written(operand)

    def loop(self, where: Where | None) -> str:
        """Returns the head of the loop around a position, else the function's name."""
        node = self._shown(where)
        return loop_around(node) if node is not None else ""

    def snippet(self, where: Where | None) -> str:
        """Returns the text of the expression at a position where it is short enough to stand for a
        name.
        """
        known = self._snippets.get(id(where))
        if known is None:  # as in `Sources.locate`
            located = self.sources.locate(where)
            text = located[0].snippet(located[1]) if located is not None else ""
            known = self._snippets[id(where)] = (
                where,
                with_times(text) if len(text) <= LONGEST else "",
            )
        return known[1]
