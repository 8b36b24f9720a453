"""Writes the types of what the page reads, from the schemas: python widgets/types/generate.py

One .d.ts for each of minitape/schemas/*.json. A definition with a capital letter becomes a type of
that name, any other stands where it is used. A test holds the files to the schemas.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from minitape.disk import write_whole

HERE = Path(__file__).resolve().parent
SCHEMAS = HERE.parent.parent / "minitape" / "schemas"
FILES = {"trace": "storyboard", "card": "card", "health": "health"}
SCALARS = {
    "integer": "number",
    "number": "number",
    "string": "string",
    "boolean": "boolean",
    "null": "null",
}
HEAD = (
    "// Made from minitape/schemas/{name}.json by generate.py beside it. Types only: nothing "
    "of this file is delivered.\n"
)
INDEX = (
    "\n/** An index into the list that the name of the field says. */\nexport type Index = "
    "number;\n"
)
WIDTH = 120


def types(name: str) -> str:
    """Returns the text of the .d.ts of a schema."""
    defs = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))["$defs"]
    kinds = {
        choice["$ref"].rpartition("/")[2]: own
        for own, schema in defs.items()
        if is_family(schema)
        for choice in schema["anyOf"]
    }
    parts = [
        declared(own, whole(own, schema, defs, kinds), defs, kinds)
        for own, schema in defs.items()
        if own[0].isupper()
    ]
    return HEAD.format(name=name) + (INDEX if "Index" in "".join(parts) else "") + "".join(parts)


def whole(
    name: str, schema: Mapping[str, Any], defs: Mapping[str, Any], kinds: Mapping[str, str]
) -> Mapping[str, Any]:
    """Returns the schema of a kind with those of its required fields that all kinds have in common."""
    if name not in kinds:
        return schema
    common = defs[kinds[name]]["properties"]
    fields = {field: common[field] for field in schema["required"]} | schema["properties"]
    return {**schema, "properties": fields}


def is_family(schema: Mapping[str, Any]) -> bool:
    """Say whether it is one of several kinds that have fields in common."""
    return "properties" in schema and "anyOf" in schema


def declared(
    name: str, schema: Mapping[str, Any], defs: Mapping[str, Any], kinds: Mapping[str, str]
) -> str:
    """Returns one exported type, with its description."""
    doc = comment(schema["description"]) if "description" in schema else ""
    if is_family(schema):
        names = [choice["$ref"].rpartition("/")[2] for choice in schema["anyOf"]]
        line = f"export type {name} = {' | '.join(names)};\n"
        several = f"export type {name} =\n" + "\n".join(f"  | {each}" for each in names) + ";\n"
        return (
            f"\n{doc}interface Any{name} {{\n{fields(schema, defs)}}}\n"
            f"{line if len(line) <= WIDTH else several}"
        )
    if "properties" in schema:
        base = f" extends Any{kinds[name]}" if name in kinds else ""
        return f"\n{doc}export interface {name}{base} {{\n{fields(schema, defs)}}}\n"
    return f"\n{doc}export type {name} = {of(schema, defs)};\n"


def fields(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> str:
    """Returns the fields of an interface, a line for each."""
    required = set(schema.get("required", ()))
    return "".join(
        f"  {field(name, inner, required, defs)};\n" for name, inner in schema["properties"].items()
    )


def field(name: str, schema: Mapping[str, Any], required: set[str], defs: Mapping[str, Any]) -> str:
    """Returns a field and its type."""
    return f"{name}{'' if name in required else '?'}: {of(schema, defs)}"


def of(schema: Any, defs: Mapping[str, Any]) -> str:
    """Returns the type of a schema as it stands in another."""
    match schema:
        case False:
            return "undefined"
        case {"$ref": ref}:
            name = ref.removeprefix("#/$defs/")
            return name if name[0].isupper() else of(defs[name], defs)
        case {"const": value}:
            return json.dumps(value)
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"anyOf": _}:
            return " | ".join(dict.fromkeys(of(choice, defs) for choice in choices(schema, defs)))
        case {"prefixItems": items}:
            return f"[{', '.join(of(item, defs) for item in items)}]"
        case {"items": items}:
            inner = of(items, defs)
            return (
                f"({inner})[]"
                if " | " in inner and inner[0] != "[" and inner[-1] != "]"
                else f"{inner}[]"
            )
        case {"indexOf": _}:
            return "Index"
        case {"type": "object", "properties": _}:
            return "{ " + fields(schema, defs).strip().replace(";\n ", ";").rstrip(";") + " }"
        case {"type": "object", "additionalProperties": inner}:
            return f"Record<string, {of(inner, defs)}>"
        case {"type": "object"}:
            return "Record<string, any>"
    return SCALARS[schema["type"]]


def choices(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Returns what a schema may be, without choices among choices that have no name."""
    name = schema.get("$ref", "").removeprefix("#/$defs/")
    if name and not name[0].isupper():
        schema = defs[name]
    return (
        [each for choice in schema["anyOf"] for each in choices(choice, defs)]
        if "anyOf" in schema
        else [schema]
    )


def comment(text: str) -> str:
    """Returns a text as a comment, as the formatter wants it."""
    if len(text) + len("/**  */") <= WIDTH:
        return f"/** {text} */\n"
    lines = [" *"]
    for word in text.split():
        if len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append(" *")
        lines[-1] += f" {word}"
    return "/**\n" + "\n".join(lines) + "\n */\n"


if __name__ == "__main__":
    for schema, file in FILES.items():
        write_whole(HERE / f"{file}.d.ts", types(schema).encode())
    sys.exit(0)
