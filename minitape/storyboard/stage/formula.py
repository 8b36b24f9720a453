"""The formula of a rule, derived by running it.

A gradient rule is a function of the arriving adjoint, the output and the inputs, written in the
library's own operations. Run on watched tensors while a tape records, it leaves a recording of
itself; that recording is printed as a formula. So `tanh` shows `ȳ × (1 - y × y)`, and no caption
can differ from what the rule does. What the recording never touches, the rule does not need: that
is how one knows what a tape must keep.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from minitape.engine.base.aliases import Arrays
from minitape.engine.base.listeners import active
from minitape.engine.base.tensor import Tensor
from minitape.engine.gradient_tape import GradientTape
from minitape.engine.ops.facts import facts_of
from minitape.engine.ops.record import OPS, Op
from minitape.engine.recording import rule_of
from minitape.storyboard.stage.names import numbered
from minitape.storyboard.text.summary import number_text

_ATOM = re.compile(r"[\w.\[\]()…]*")
_WRITTEN = re.compile(r"-?\d+(\.\d+)?")
# where a word begins: Conv2D|Backprop|Input, L2|Loss
_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])")
SHORTEST = 9  # characters of a number that is worked out in a formula
MACRON = "\u0304"
ATOM, CALL, POWER, SIGN, TIMES, PLUS, COMPARE = 9, 8, 7, 6, 5, 4, 3

STRENGTH = {
    "**": POWER,
    **dict.fromkeys(("*", "/", "@", "//", "%"), TIMES),
    **dict.fromkeys("+-", PLUS),
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!="), COMPARE),
}
PRINTED = {"*": "×"}  # signs that are written otherwise in a formula
SAID = {  # what no word of the learner's stands for; p: the probabilities
    "ReluGrad": ("{} × ({} > 0)", TIMES),
    "SoftmaxCrossEntropyGrad": ("{0} × (p - {2})", TIMES),
    "SparseSoftmaxCrossEntropyGrad": ("{0} × (p - one_hot({2}))", TIMES),
}
LOSS = "cross_entropy_with_logits"
LETTERS = {1: ("x",), 2: ("a", "b"), 3: ("a", "b", "c")}


class Leaf:
    """A place in a formula that gets a name later: the adjoint "g", the output "y", or input "in"."""

    def __init__(self, kind: str, index: int) -> None:
        self.kind, self.index = kind, index


class Rule:
    """What is known of one rule: its formula as a tree (None where it blocks), and which leaves it
    really uses.
    """

    def __init__(self, tree: Any, inputs: frozenset[int], output: bool) -> None:
        self.tree, self.inputs, self.output = tree, inputs, output

    @functools.cached_property
    def entry(self) -> Any:
        """The tree of what one entry receives, where an axis has the same for all."""
        return _one(self.tree)

    @functools.cached_property
    def known(self) -> str:
        """What is known: "" without a formula, "plain" where the adjoint is handed on as it is,
        "spread" where every entry gets the same, else "formula".
        """
        if self.entry is not self.tree:
            return "spread"
        none = self.tree is None or self.tree == "?"
        return (
            ""
            if none
            else "plain"
            if isinstance(self.tree, Leaf) and self.tree.kind == "g"
            else "formula"
        )


class Rules:
    """The rules of the operations met so far, each run once per operation, attributes and shapes."""

    def __init__(self) -> None:
        self._known: dict[Any, list[Rule] | None] = {}

    def of(
        self, op_name: str, attributes: dict[str, Any] | None, values: Arrays, outputs: Arrays
    ) -> list[Rule] | None:
        """Returns one Rule per input for an operation on these arrays; None for an operation
        without registered gradient.
        """
        key = (
            op_name,
            repr(attributes)[:400] if attributes else "",
            tuple([(v.shape, v.dtype) for v in values]),
        )
        if key not in self._known:
            op = OPS.get(op_name)
            # a stranger's own
            self._known[key] = (
                [Rule("?", frozenset(range(len(values))), True)] * len(values)
                if op is None
                else None
                if not op.registered
                else [_derive(op, i, attributes or {}, values, outputs) for i in range(len(values))]
            )
        return self._known[key]


def _derive(op: Op, i: int, attributes: dict[str, Any], values: Arrays, outputs: Arrays) -> Rule:
    """Runs rule i of an operation on tensors while a probe tape records, and reads the recording."""
    if values[i].dtype.kind not in "fc":
        return Rule(None, frozenset(), False)
    rule = rule_of(op, i)
    if rule is None:
        return Rule(None, frozenset(), False)
    inputs = [Tensor(value) for value in values]
    made = [Tensor(output) for output in outputs]
    adjoints = [Tensor(np.ones_like(output)[()]) for output in outputs]
    several = len(outputs) > 1
    leaves = {
        t.id: Leaf(kind, index)
        for kind, tensors in (("g", adjoints), ("y", made), ("in", inputs))
        for index, t in enumerate(tensors)
    }
    outer = active.set(())
    try:
        with GradientTape(persistent=True, watch_accessed_variables=False) as probe:
            # every dtype, in silence: this is about who is used, not about slopes
            probe.recording.watched.update(leaves)
            with np.errstate(all="ignore"):
                part = rule(
                    tuple(adjoints) if several else adjoints[0],
                    tuple(made) if several else made[0],
                    *inputs,
                    **attributes,
                )
    # a rule that cannot be run on tensors (a learner's own, say) still works; it only has no
    # formula
    except Exception:
        return Rule("?", frozenset(range(len(values))), True)
    finally:
        active.reset(outer)
    if part is None:
        return Rule(None, frozenset(), False)
    trees: dict[int, Any] = dict(leaves)
    for (name, numbers, outputs, given, _), (arrays, _) in zip(probe.entries, probe.kept):
        operands = [trees.get(number) or _constant(array) for number, array in zip(numbers, arrays)]
        for number in outputs:
            trees[number] = (name, operands, given or {})
    tree = (
        trees.get(part.id, _constant(part.value)) if isinstance(part, Tensor) else _constant(part)
    )
    used = set(_leaves(tree))
    return Rule(
        tree, frozenset(k for kind, k in used if kind == "in"), any(kind == "y" for kind, _ in used)
    )


def _constant(value: Any) -> str:
    if np.ndim(value):
        flat = np.unique(value)
        return _constant(flat[0]) if flat.size == 1 else "…"
    kind = getattr(value, "dtype", np.dtype(float)).kind
    if kind == "f":
        return (
            str(int(value))
            if float(value).is_integer() and abs(value) < 1e6
            else number_text(value)
        )
    return str(value)


def _leaves(tree: Any) -> Iterator[tuple[str, int]]:
    if isinstance(tree, Leaf):
        yield tree.kind, tree.index
    elif isinstance(tree, tuple):
        for operand in tree[1]:
            yield from _leaves(operand)


def text(rule: Rule, inputs: Sequence[str], outputs: Sequence[str], free: str = "y") -> str | None:
    """Returns the formula of a rule with the names of the inputs and outputs put in; None where the
    rule blocks.
    """
    return texts([rule], inputs, outputs, free)[0]


def texts(
    rules: Sequence[Rule], inputs: Sequence[str], outputs: Sequence[str], free: str = "y"
) -> list[str | None]:
    """Returns the formulas of all rules of an operation, as `text` does.

    An output without a name, or with a long one, is called by the letter `free`. A part that is the
    same for every entry along an axis says what one entry receives.
    """
    letters = LETTERS.get(len(inputs)) or tuple(f"x{k + 1}" for k in range(len(inputs)))
    names = [name or letter for name, letter in zip(inputs, letters)]
    made, adjoints = (
        [name or free for name in outputs],
        [adjoint_name(name, free) for name in outputs],
    )
    return [
        None
        if rule.tree is None or rule.tree == "?"
        else _print(rule.entry, names, made, adjoints)[0]
        for rule in rules
    ]


def _one(tree: Any) -> Any:
    while isinstance(tree, tuple) and tree[0] == "BroadcastTo":
        tree = tree[1][0]
        while isinstance(tree, tuple) and tree[0] == "Reshape":
            tree = tree[1][0]
    return tree


def expression(op: str, names: Sequence[str], attributes: dict[str, Any] | None) -> str:
    """Returns an operation on values with these names: `x @ w`, `reduce_mean(e, axis=0)`."""
    leaves = [Leaf("in", place) for place in range(len(names))]
    return _print((op, leaves, attributes or {}), names, [], [])[0]


def index_of(card: int) -> str:
    """Returns the number of a card as an index: u₂ is the result of card 2."""
    return numbered("", card + 1)


def adjoint_name(output: str, free: str = "y") -> str:
    """Returns the sign of an adjoint: ȳ for y, w̄1 for w1; for longer names that of `free`, ū₂ for
    u₂.
    """
    letter, rest = output[:1], output[1:]
    if not (letter.isalpha() and all(c.isdigit() for c in rest)):
        letter, rest = free[:1], free[1:]
    return unicodedata.normalize("NFC", letter + MACRON) + rest


def is_atom(name: str) -> bool:
    """Says whether a name can stand in a formula without parentheses."""
    return name.startswith("[") and name.endswith("]") or _ATOM.fullmatch(name) is not None


def _print(
    tree: Any, names: Sequence[str], outputs: Sequence[str], adjoints: Sequence[str]
) -> tuple[str, int]:
    """Returns (text, how tightly it binds)."""
    if isinstance(tree, Leaf):
        name = (adjoints if tree.kind == "g" else outputs if tree.kind == "y" else names)[
            tree.index
        ]
        return (name, ATOM) if tree.kind == "g" or is_atom(name) else (name, COMPARE)
    if isinstance(tree, str):
        return tree, SIGN if tree.startswith("-") else ATOM
    name, operands, attributes = tree
    parts = [_print(operand, names, outputs, adjoints) for operand in operands]
    facts = facts_of(name)
    if facts.sign in STRENGTH and len(parts) == 2:
        sign, strength = PRINTED.get(facts.sign, facts.sign), STRENGTH[facts.sign]
        left, right = parts
        if (number := _number(left[0], sign, right[0])) is not None:
            return number, SIGN if number.startswith("-") else ATOM
        if sign in ("**", "/") and right[0] in ("1", "1.0"):  # x ** 1 and x / 1 are x
            return left
        if strength == POWER:
            return f"{_wrapped(left, POWER + 1)} ** {_wrapped(right, POWER)}", POWER
        tight = strength + (not _chain(facts.sign, operands[1]))
        return f"{_wrapped(left, strength)} {sign} {_wrapped(right, tight)}", strength
    if name in SAID:
        pattern, strength = SAID[name]
        return pattern.format(*(_wrapped(part, strength) for part in parts)), strength
    if name == "Neg":
        return "-" + _wrapped(parts[0], SIGN), SIGN
    word = _word(name, facts.called)
    if name in ("Transpose", "MatrixTranspose") and len(parts) == 1:
        return _wrapped(parts[0], CALL) + "ᵀ", CALL
    if name in ("Conj", "Identity", "Cast") and len(parts) == 1 and name != "Conj":
        return parts[0]
    shown = [text for text, _ in parts]
    if name in ("Reshape", "BroadcastTo", "Fill"):
        shown += [
            f"({', '.join(map(str, attributes[k]))}{',' if len(attributes[k]) == 1 else ''})"
            for k in ("shape",)
            if isinstance(attributes.get(k), (tuple, list))
        ]
    elif "axis" in attributes and attributes["axis"] is not None:
        shown.append(f"axis={attributes['axis']}")
    shown += [f"{way}=True" for way in ("exclusive", "reverse") if attributes.get(way) is True]
    return f"{word}({', '.join(shown)})", CALL


def _number(left: str, sign: str, right: str) -> str | None:
    """Returns the sum or difference of two written numbers, where it is exact and short: 2.0 - 1 is
    1.0, in x ** (2.0 - 1); else None.
    """
    if sign not in ("+", "-") or not (_WRITTEN.fullmatch(left) and _WRITTEN.fullmatch(right)):
        return None
    a, b = Decimal(left), Decimal(right)
    result = str(a + b if sign == "+" else a - b)
    return result if len(result) <= SHORTEST and "E" not in result else None


def _chain(sign: str, operand: Any) -> bool:
    """a + (b + c) and a × (b × c) need no parentheses where only + or only × follow."""
    return isinstance(operand, tuple) and facts_of(operand[0]).sign == sign and sign in ("+", "*")


def _wrapped(part: tuple[str, int], strength: int) -> str:
    text, binds = part
    return text if binds >= strength else f"({text})"


def _word(op: str, called: str) -> str:
    """Returns what an operation is called in a formula: by its function in `tf`, or its own name
    where it has none.
    """
    if called.endswith(LOSS):
        return "cross_entropy"
    return called.rpartition(".")[2] or _WORD.sub("_", op).lower().removesuffix("_v2").removesuffix(
        "v2"
    )
