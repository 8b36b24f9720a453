"""Short names for what is asked about a play."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from minitape.engine.base.aliases import Number
from minitape.storyboard.acts.reasons import Reason
from minitape.storyboard.film.recorded import RecordedPlay

Questions: TypeAlias = bool | int | str | Sequence[int | str] | None  # see `predict.prompts`
# of a way: from, to, what is broken in between
Leg: TypeAlias = tuple[Number | None, Number, str | None]
# why is the gradient of this source None?
Ask: TypeAlias = Callable[[RecordedPlay, int], Reason | None]
