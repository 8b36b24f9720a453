"""A question: why is the gradient of this target with respect to this source what it is?

A case collects what the reasons need: the evidence of the tape, the program's text, the two objects
in question, and the call in which the learner asked.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from functools import cached_property
from traceback import format_exception_only
from typing import TYPE_CHECKING, Any

import numpy as np

from minitape.dialects import PLAYS, dialect_of
from minitape.engine.recording import NotAsked
from minitape.program import assigned_names, name_values, positions
from minitape.program.names import variable_name
from minitape.program.objects import attributes, class_name, elements, items, owns
from minitape.program.syntax import (
    FUNCTIONS,
    above,
    alike,
    last_name,
    names_used,
    parent,
    short,
    statement,
    text_of,
    words_of,
)
from minitape.program.values import layer_of, short_paths
from minitape.program.visible import reachable

from .definitions import definitions
from .flow import Flow
from .words import Place, word

if TYPE_CHECKING:
    from .aliases import Evidence, Node, Ran, TensorInfo, Where

UNNAMED = "Variable"  # what a variable is called that was given no name
MOST_SAID = 300  # characters of an error
STRETCH = 500  # operations of a recording whose names are found together
LISTS = (
    "variables",
    "trainable_variables",
    "non_trainable_variables",
    "weights",
    "trainable_weights",
    "non_trainable_weights",
)


class Case:
    """The question and everything that helps to answer it. `asked`: the position of the call;
    `index`: which of several sources is meant; `many`: how many there are, None where no structure
    was given.
    """

    source_node: Node
    sources_node: Node
    target_node: Node
    failed = ""  # what the way back raises, once `gradient` was asked

    def __init__(
        self,
        evidence: Evidence,
        targets: list[TensorInfo],
        source: TensorInfo,
        asked: Where | None = None,
        index: int = 0,
        names: dict[str, int] | None = None,
        many: int | None = None,
    ) -> None:
        self.evidence, self.tape = evidence, evidence.tape
        self.dialect = dialect_of(self.tape.module)
        self.targets, self.source, self.index, self.many = targets, source, index, many
        self.asked, self.by_name = asked, names or {}
        self.program, self._flows, self._named = evidence.program, evidence.flows, evidence.named
        self.program.load([asked, self.tape.where, source.where] + [t.where for t in self.targets])
        self.call = self._call()
        self.source_node, self.target_node = self._arguments()
        self.source_name = self._name(source, self.source_node) or self._name_read()
        self.target_name = self._name(targets[0] if len(targets) == 1 else None, self.target_node)

    @cached_property
    def gradient(self) -> tuple[str, Any]:
        """The gradient itself: "none", "error", "zero", "nan", "inf" or "number", and its array; ""
        where nobody can tell any more.
        """
        recording = self.tape.original or self.tape
        if self.source.id in self.evidence.missing:
            return "none", None
        if recording.raw[0] and not recording.holds_arrays:  # it has let go of them
            asked = self.targets[0].id, self.source.id
            fine = all(n in numbers for n, numbers in zip(asked, recording.fine))
            return "number" if fine else "", None
        try:
            with np.errstate(all="ignore"):
                (value,) = recording.adjoints(self.targets, [self.source])
        except NotAsked:
            return "", None
        except LookupError:
            return "error", None
        except Exception as failed:  # a rule of the learner's own
            self.failed = format_exception_only(failed)[-1].split("\n")[0][:MOST_SAID]
            return "error", None
        if value is None:
            return "none", None
        bad = "nan" if np.isnan(value).any() else "inf" if not np.isfinite(value).all() else ""
        return bad or ("number" if np.any(value) or not np.size(value) else "zero"), value

    @property
    def written_sources(self) -> str:
        """How the program writes what it asks for, or ""."""
        if self.many is None:
            return self.source_name
        return short(self.sources_node, 60) if self.sources_node is not None else ""

    # ---- where

    def node(self, where: Any) -> Node:
        """Return the syntax node at a position; a node is returned as it is."""
        return (
            where
            if isinstance(where, ast.AST) or where is None
            else self.program.node_around(where)
        )

    def text(self, where: Any, longest: int = 40) -> str:
        """Return the expression at a position as text; its line and file where the text is not to
        be had; "" without a position.
        """
        node = self.node(where)
        position = positions(where) if node is None and isinstance(where, tuple) else None
        if position is not None:
            return Place(
                word(
                    "nowhere",
                    line=position[1],
                    file=position[0].replace("\\", "/").rpartition("/")[2],
                )
            )
        return (
            ""
            if node is None
            else short(node.value if isinstance(node, ast.Expr) else node, longest)
        )

    def line(self, where: Any) -> int | None:
        """Return the line number of a position, or None."""
        node = self.node(where)
        if node is not None:
            return node.lineno
        position = positions(where) if where is not None else None
        return position[1] if position is not None else None

    # ---- the call in which the learner asked

    def _call(self) -> Node:
        node = self.node(self.asked)
        while node is not None and not (
            isinstance(node, ast.Call)
            and (isinstance(node.func, ast.Attribute) or _of_leaf(node))
            and last_name(node.func) in (*PLAYS, "explain")
        ):
            node = parent(node)
        return node

    def _arguments(self) -> tuple[Node, Node]:
        self.sources_node = None
        if self.call is None:
            return None, None
        if _of_leaf(self.call):
            self.sources_node = self.call.args[0]
            return self.call.args[0], None
        given = {}
        # explain(tape, target, source)
        of_module = self.call.func.attr == "explain" and len(self.call.args) > 2
        for name, argument in zip(("target", "sources"), self.call.args[of_module:]):
            if isinstance(argument, ast.Starred):  # gradient(*both): nobody knows what stands where
                break
            given[name] = argument
        given |= {
            "sources" if k.arg in ("source", "sources") else k.arg: k.value
            for k in self.call.keywords
            if k.arg
        }
        source, target = given.get("sources"), given.get("target")
        self.sources_node = source
        literal = isinstance(source, (ast.List, ast.Tuple, ast.Dict))
        if (
            literal
            or self.many is not None
            or isinstance(source, ast.Attribute)
            and source.attr in LISTS
        ):
            # a literal alone tells which expression is which element
            elements = flat_elements(source) if literal else []
            source = elements[self.index] if len(elements) == (self.many or 1) else None
        return source, target

    def _name(self, info: TensorInfo | None, node: Node) -> str:
        number = getattr(info, "id", None)
        if isinstance(node, ast.Name):
            known = self.evidence.name(number)
            return node.id if self.by_name.get(node.id) == number or not known else known
        if (
            node is not None
            and len(text_of(node)) <= 24
            and not isinstance(node, (ast.List, ast.Tuple, ast.Dict))
        ):
            return text_of(node)
        if info is None or not info.is_variable:
            return self.evidence.name(number) or self.label(number)
        by_layer = self.many is not None and node is None
        return self._called(info, by_layer) or self._in_owner(info) or self.label_of(info, by_layer)

    def _name_read(self) -> str:
        """Return what the program calls it whose `.grad` it reads, "" where it reads none."""
        node = self.node(self.asked)
        reads = isinstance(node, ast.Attribute) and node.attr == "grad"
        return self._name(None, node.value) if reads else ""

    def _in_owner(self, info: TensorInfo) -> str:
        """Return how the model that was asked for its variables holds one of them, deep in its
        attributes; or "".
        """
        owner: Any = self.sources_node
        owner = owner.value if isinstance(owner, ast.Attribute) else owner
        if owner is None:
            return ""
        held = {text_of(owner): self.held(owner)}
        return reachable((held,), depth=5).get(info.id, ("",))[0]

    def label(self, number: Any) -> str:
        """Return what the learner calls a tensor: a living name, what it was assigned to, or the
        expression itself.
        """
        known = self.evidence.name(number)
        if known:
            return known
        ran = self.evidence.maker.get(number)
        if ran is None:
            return ""
        if ran.op == "ReadVariableOp":
            variable = self.evidence.variables().get(ran.inputs[0])
            return self.label_of(variable) if variable is not None else ""
        name = self.text_name(number, ran)
        node = self.node(ran.where)
        if name or node is None:
            return name or ran.op
        # a step inside of an expression is spoken of as the expression
        names = assigned_names(node)
        return names[0] if len(names) == 1 and names[0] else short(node, 30)

    def text_name(self, number: int, made: Ran) -> str:
        """Return the name of a value of the recording as the text calls it, or "".

        Names come from what is around: of a long recording only the stretch is read that the value
        was made in, with its neighbours.
        """
        stretch = bisect_left(self.evidence.ran, made.order, key=lambda r: r.order) // STRETCH
        if stretch not in self._named:
            paths = {
                number: layer_of(variable) for number, variable in self.evidence.variables().items()
            }
            ran = self.evidence.ran[max(0, stretch - 1) * STRETCH : (stretch + 2) * STRETCH]
            layers = {
                r.outputs[0]: paths[r.inputs[0]]
                for r in ran
                if r.op == "ReadVariableOp" and paths.get(r.inputs[0])
            }
            named = name_values(
                [(r.op, r.inputs, r.outputs, r.where) for r in ran], self.program, layers
            )
            self._named[stretch] = {
                number: name for r, n in zip(ran, named) for number, name in zip(r.outputs, n.names)
            }
        return self._named[stretch].get(number, "")

    def label_of(self, info: TensorInfo, by_layer: bool = False) -> str:
        """Return what the learner calls a variable or tensor at hand: an element of a list as its
        layer calls it, dense_1.kernel, and what has no name as the expression that made it.

        With `by_layer`, a variable of a layer so even where it has a plain name, which may be that
        of a loop over all of them.
        """
        known, node = self._called(info, by_layer), self.node(info.where)
        made = isinstance(node, ast.Call) and last_name(node.func) == UNNAMED
        return known or (short(node, 30) if made else UNNAMED)

    @cached_property
    def _layers(self) -> dict[str, str]:
        """What layers are called, by their paths."""
        return short_paths({layer_of(v) for v in self.evidence.variables().values()})

    def _called(self, info: TensorInfo, by_layer: bool) -> str:
        known = self.evidence.name(info.id)
        layer = layer_of(info) if info.is_variable else ""
        if layer and (not known or "[" in known or by_layer and known.isidentifier()):
            return f"{self._layers.get(layer) or short_paths([layer])[layer]}.{info.name}"
        if known:
            return known
        node = self.node(info.where)
        name = info.name.removesuffix(":0")
        return node is not None and variable_name(node) or ("" if name == UNNAMED else name)

    def held(self, node: Node) -> Any:
        """Return the object that a name stands for where the learner asked, or its attribute or
        element; or None. No property is asked.
        """
        if isinstance(node, ast.Subscript):
            whole, key = self.held(node.value), getattr(node.slice, "value", None)
            if type(key) is int and key >= 0 and (first := elements(whole, key + 1)) is not None:
                return first[key] if key < len(first) else None
            return next(
                (value for k, value in items(whole) or () if type(k) is type(key) and k == key),
                None,
            )
        if isinstance(node, ast.Attribute):
            return attributes(self.held(node.value)).get(node.attr)
        if not isinstance(node, ast.Name):
            return None
        known = [names[node.id] for names in self.evidence.scopes if node.id in names]
        return known[0] if known else self._me(node)

    def _me(self, node: ast.Name) -> Any:
        """Return the object that `self` is in a method, where the learner's names hold one object
        of its class; or None.
        """
        method = above(node, FUNCTIONS)
        kind = parent(method) if method is not None else None
        if not isinstance(kind, ast.ClassDef) or [a.arg for a in method.args.args[:1]] != [node.id]:
            return None
        held = {
            id(v): v
            for names in self.evidence.scopes
            for v in list(names.values())
            if class_name(v) == kind.name
        }
        return next(iter(held.values())) if len(held) == 1 else None

    # ---- what the text says

    def flow(
        self, *starts: Any, sloping: bool = False, walls: frozenset[Node] = frozenset()
    ) -> Flow:
        """Return the `Flow` from some expressions, computed once."""
        starts = tuple(s for s in starts if s is not None)
        key = starts, len(self.program.files), sloping, walls
        if key not in self._flows:
            self._flows[key] = Flow(self.program, starts, sloping, walls, self.evidence.near)
        return self._flows[key]

    def source_flow(self, made_in_literal: bool = False) -> Flow:
        """Return where the source goes, as the text tells it: from where it was made, and wherever
        its name is read.

        With `made_in_literal`, where the dictionary or list goes that it was made in, and its
        neighbours with it.
        """
        starts: list[Node] = []
        made = self.node(self.source.where)
        if made is not None and (assigned_names(made) or made_in_literal and self.in_literal()):
            starts.append(made)
        asked: Node = self.source_node
        if isinstance(asked, ast.Name):
            starts += [n for n in asked.file.each((ast.Name,), asked.id) if self.reads_source(n)]  # type: ignore[attr-defined]
        elif isinstance(asked, (ast.Attribute, ast.Subscript)):
            starts += [
                n
                for n in self.program.each((type(asked),), *words_of(asked)[-1:])
                if self.reads_source(n)
            ]
        return self.flow(*starts)

    def reads_source(self, node: Node) -> bool:
        """True for an expression that is written like the source where the learner asked, and in
        its scope where it is a plain name.
        """
        asked: Node = self.source_node
        if (
            asked is None
            or node is asked
            or type(node) is not type(asked)
            or not alike(node, asked)
        ):
            return False
        return (
            not isinstance(asked, ast.Name)
            or node.file is asked.file  # type: ignore[attr-defined]
            and (self.node(self.source.where) is None or self.same_scope(node, asked))
        )

    def names_source(self, node: Node) -> bool:
        """True for a name that the source was given where it was made, and nothing else where the
        name is read.
        """
        made, functions = self.node(self.source.where), self.program.functions
        if (
            not isinstance(node, ast.Name)
            or made is None
            or node.id not in assigned_names(made)
            or functions.scope(node) != functions.scope_at(made, node.id)
        ):
            return False
        latest, stmt = functions.definition(node), statement(made)
        return (
            latest is None
            or node.file is made.file  # type: ignore[attr-defined]
            and latest.begin == (stmt.lineno, stmt.col_offset)
        )

    def in_literal(self) -> bool:
        """True where the source was made in a dictionary or list that the text writes out: params =
        {"w": tf.Variable(...)}.
        """
        made = self.node(self.source.where)
        return (
            made is not None
            and isinstance(parent(made), (ast.Dict, ast.List, ast.Tuple))
            and not assigned_names(made)
        )

    def calls_of_owner(self) -> list[Node]:
        """Return the calls of the object that a variable was asked from: `model(x)` for
        `model.trainable_variables`.
        """
        node = self.sources_node
        while isinstance(node, ast.Subscript):
            node = node.value
        if node is None or not self.source.is_variable:
            return []
        asked = definitions(node.id, self.program) if isinstance(node, ast.Name) else [node]
        owners = [
            n.value
            for a in asked
            for n in ast.walk(a)
            if isinstance(n, ast.Attribute) and (n is node or n.attr in LISTS)
        ]
        if len(owners) > 1:  # enc.trainable_variables + dec.trainable_variables
            owners = [o for o in owners if owns(self.held(o), self.source.object)]
        words = [word for o in owners for word in words_of(o)[-1:]]
        return (
            [
                call
                for call in self.program.each((ast.Call,), *words)
                if any(alike(call.func, o) for o in owners)
            ]
            if owners
            else []
        )

    @staticmethod
    def same_scope(a: Node, b: Node) -> bool:
        """True where two nodes stand in the same function (or both in none)."""
        return above(a, FUNCTIONS) is above(b, FUNCTIONS)

    def objects_named(self, node: Node) -> list[int]:
        """Return the numbers of the tensors and variables that the plain names in an expression
        mean where the learner asked.
        """
        return (
            [self.by_name[n] for n in names_used(node) if n in self.by_name]
            if node is not None
            else []
        )


def _of_leaf(call: ast.Call) -> bool:
    """True for `explain(x)`: why `x.grad` is what it is."""
    alone = len(call.args) == 1 and not isinstance(call.args[0], ast.Starred)
    return last_name(call.func) == "explain" and alone and not call.keywords


def flat_elements(node: Node) -> list[Node]:
    """Return the elements of a literal in the order of `flatten`; [] where the text does not tell
    them all.
    """
    if isinstance(node, ast.Dict):
        if not all(
            isinstance(key, ast.Constant) and isinstance(key.value, str) for key in node.keys
        ):
            return []
        parts = [
            value
            for _, value in sorted(
                zip(node.keys, node.values), key=lambda pair: getattr(pair[0], "value", "")
            )
        ]
    elif isinstance(node, (ast.List, ast.Tuple)):
        parts = node.elts
    else:
        return [] if isinstance(node, ast.Starred) else [node]
    return [leaf for part in parts for leaf in flat_elements(part)]
