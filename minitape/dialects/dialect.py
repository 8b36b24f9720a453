"""What a library calls things, as plain data: no reader asks which it is, each asks its dialect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Dialect:
    """The names of one library, and what to write in it instead of what went wrong.

    `module`: as Python imports it; `alias`: what programs call it; `recording`: the word for what
    it records, as the catalogues of sentences know it ("tape"); `recorder`: the class whose `with`
    block records; `plays`: the methods that play backwards; `makers`: what makes a variable;
    `changes`: the methods that change one, each with its operator ("" for none); `leads_out`: the
    methods by which a value leaves the library; `wrappers`: what makes a tensor of a value;
    `converts`: the wrappers that make a tensor of a list of values, and of a list of tensors;
    `groups`: functions that a pattern names by one word; `cures`: patterns of source text and what
    to write instead; `names`: its own names for functions that those call otherwise, {TensorFlow's:
    its own}; `numpy`: its names for the functions of NumPy; `spelled`: those that it has in several
    words; `parts`: other forms that work with arrays; `methods`: of arrays, with the parameters of
    NumPy's functions; `kinds`: its own for categories of answers that have other words in it;
    `asks`: the call that asks for an explanation; `fluent`: its functions are methods of tensors,
    too; `paths`: a layer is called by its path in the model, `encoder.0`; `above`: the expression
    that keeps numbers above another one; `alike`: its functions that NumPy has under the same name,
    where it takes no tensors in lists and NumPy none of its tensors; `keeps`: what to do so that a
    recording keeps its arrays.
    """

    module: str
    alias: str
    recording: str
    recorder: str
    plays: tuple[str, ...]
    makers: tuple[str, ...]
    changes: Mapping[str, str]
    leads_out: tuple[str, ...]
    wrappers: tuple[str, ...]
    converts: tuple[str, str]
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cures: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    numpy: str = ""
    spelled: str = ""
    parts: str = ""
    methods: tuple[str, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    asks: str = "{tape}.explain({target}, {source})"
    fluent: bool = False
    paths: bool = False
    alike: tuple[str, ...] = ()
    above: str = "tf.maximum(X, {low})"
    keeps: str = "Make it with persistent=True, or ask for the explanation before gradient."

    def name(self, function: str) -> str:
        """Return its own name for a function that tables and sentences call as TensorFlow does."""
        return self.names.get(function, function)

    def called(self, function: str) -> str:
        """Return how a sentence calls it: `{tf}.name`, or whole where it stands in another module."""
        name = self.name(function)
        return name if name.startswith(f"{self.module.partition('.')[0]}.") else f"{{tf}}.{name}"
