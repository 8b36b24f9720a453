"""One finding, as data: what it is, where, how sure, and the numbers of its sentence."""

from __future__ import annotations

from dataclasses import dataclass, field
from textwrap import dedent
from typing import Any

from minitape.engine.base.aliases import Where
from minitape.program.places import Span

SURE, LIKELY, MAYBE = "sure", "likely", "maybe"


@dataclass
class Finding:
    """`key`: of its sentences, "dead" stands for `dead` and `dead.cure`; `sure`: one of three
    words; `layer`: its name, or ""; `step`: where it shows first, or None; `where`: a place in the
    program; `params`: what the sentences are filled with; `library`: whose training it is.
    """

    key: str
    sure: str
    layer: str = ""
    step: int | None = None
    where: Where | Span | None = None
    params: dict[str, Any] = field(default_factory=dict)
    library: str = ""
    explained: Any = None  # an `Explanation`, where the explainer knows more

    @property
    def write(self) -> list[str]:
        """What to write instead of the statement at the place, as lines; [] where that is not known."""
        return dedent(self.params.get("write", "")).splitlines()
