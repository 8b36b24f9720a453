"""The forms of what minitape stores, as JSON Schemas, and a small reader of them.

    trace.json      what a player shows: storyboards, a question, a valley (storyboard/CONTRACT.md says what it means)
    card.json       a card of the gallery of pitfalls
    health.json     the picture of a training

A file may come from anywhere, so all of it is read before anything is drawn. The page reads the
same schemas with a reader of its own (static/storyboard/schema.js), and tests hold both to the same
verdicts. The readers know the words that the schemas use, and one word more: `indexOf` names the
list of the whole into which an index points. An integer is one in Python as well: 1.0, which JSON
Schema takes for one, is of no use as an index.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pkgutil import get_data
from typing import Any

Schema = Mapping[str, Any]
Reader = Callable[[Any, Any], str | None]
"""(value, the whole) -> the place of what is wrong, ".nodes[3].card"; None where nothing is."""
Test = Callable[[Any, Any], bool]

LARGEST = 1.7976931348623157e308  # of a page's numbers: beyond, JSON.parse gives infinity


def is_number(x: Any) -> bool:
    """Says whether a page reads it as a finite number."""
    return type(x) in (int, float) and -LARGEST <= x <= LARGEST


TYPES: dict[str, Callable[[Any], bool]] = {
    "null": lambda x: x is None,
    "boolean": lambda x: isinstance(x, bool),
    "string": lambda x: isinstance(x, str),
    "number": is_number,
    "integer": lambda x: type(x) is int,
    "array": lambda x: isinstance(x, list),
    "object": lambda x: isinstance(x, dict),
}


def _type(name: str) -> Test:
    fits = TYPES[name]
    return lambda x, _: fits(x)


def _pattern(text: str) -> Test:
    # as a page reads it: no line break after the end
    pattern = re.compile(text.replace("$", r"\Z"), re.ASCII)
    return lambda x, _: pattern.search(x) is not None


# Words that say something of the whole value; a type comes before what holds for values of that
# type.
WORDS: dict[str, Callable[[Any], Test]] = {
    "type": _type,
    "const": lambda value: lambda x, _: type(x) is type(value) and x == value,
    "enum": lambda values: lambda x, _: isinstance(x, str) and x in values,
    "minimum": lambda least: lambda x, _: x >= least,
    "maximum": lambda most: lambda x, _: x <= most,
    "minLength": lambda least: lambda x, _: len(x) >= least,
    "maxLength": lambda most: lambda x, _: len(x) <= most,
    "pattern": _pattern,
    "minItems": lambda least: lambda x, _: len(x) >= least,
    "maxItems": lambda most: lambda x, _: len(x) <= most,
    "minProperties": lambda least: lambda x, _: len(x) >= least,
    "maxProperties": lambda most: lambda x, _: len(x) <= most,
    "indexOf": lambda table: (
        lambda x, whole: isinstance(whole.get(table), list) and x < len(whole[table])
    ),
}


def reader_of(schema: Schema | bool, defs: Mapping[str, Schema]) -> Reader:
    """Returns what reads values by a schema whose definitions stand in `defs`; False lets nothing
    stand there.
    """
    if isinstance(schema, bool):
        return lambda x, _: None if schema else ""
    if "$ref" in schema:
        return reader_of(defs[schema["$ref"].removeprefix("#/$defs/")], defs)
    tests = [word(schema[name]) for name, word in WORDS.items() if name in schema]
    parts = [part(schema, defs) for name, part in PARTS.items() if name in schema]
    if not tests and len(parts) == 1:
        return parts[0]

    def read(x: Any, whole: Any) -> str | None:
        for test in tests:
            if not test(x, whole):
                return ""
        for part in parts:
            if (at := part(x, whole)) is not None:
                return at
        return None

    return read


def _first(form: str, parts: Iterable[tuple[Any, str | None]]) -> str | None:
    """Return the place of the first part in which something is wrong: its name or number in the
    given form, then the place in it.
    """
    return next((form.format(name) + at for name, at in parts if at is not None), None)


def _required(schema: Schema, _: Any) -> Reader:
    names = frozenset(schema["required"])
    return lambda x, _: (
        None
        if names <= x.keys()
        else next(f".{name}" for name in schema["required"] if name not in x)
    )


def _properties(schema: Schema, defs: Mapping[str, Schema]) -> Reader:
    fields = {name: reader_of(inner, defs) for name, inner in schema["properties"].items()}
    return lambda x, whole: _first(
        ".{}", ((name, fields[name](value, whole)) for name, value in x.items() if name in fields)
    )


def _additional_properties(schema: Schema, defs: Mapping[str, Schema]) -> Reader:
    said, named = schema["additionalProperties"], schema.get("properties", {})
    field = reader_of(said, defs)
    return lambda x, whole: next(
        ("" for name in x if name not in named and field(x[name], whole) is not None), None
    )


def _items(schema: Schema, defs: Mapping[str, Schema]) -> Reader:
    item = reader_of(schema["items"], defs)
    return lambda x, whole: _first("[{}]", ((k, item(one, whole)) for k, one in enumerate(x)))


def _prefix_items(schema: Schema, defs: Mapping[str, Schema]) -> Reader:
    items = [reader_of(inner, defs) for inner in schema["prefixItems"]]
    return lambda x, whole: _first("[{}]", ((k, item(x[k], whole)) for k, item in enumerate(items)))


def _any_of(schema: Schema, defs: Mapping[str, Schema]) -> Reader:
    choices = [reader_of(inner, defs) for inner in schema["anyOf"]]
    return lambda x, whole: None if any(read(x, whole) is None for read in choices) else ""


# Words that say something of what is inside.
PARTS: dict[str, Callable[[Schema, Mapping[str, Schema]], Reader]] = {
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional_properties,
    "items": _items,
    "prefixItems": _prefix_items,
    "anyOf": _any_of,
}


@cache
def schema(name: str) -> dict[str, Any]:
    """Returns one of the schemas: "trace", "card" or "health"."""
    text = get_data(__package__, f"{name}.json") or b""
    return dict(json.loads(text))


@cache
def reader(name: str, part: str) -> Reader:
    """Returns the reader of one definition of a schema: `reader("trace", "Storyboard")(board,
    board)`.
    """
    defs = schema(name)["$defs"]
    return reader_of(defs[part], defs)
