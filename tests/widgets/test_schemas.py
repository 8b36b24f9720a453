"""The schemas of what is stored: real ones fit, mutated ones are refused as the `jsonschema`
package refuses them, types are up to date.
"""

import importlib.util
import json
import re
import sys
from pathlib import Path

import jsonschema
import pytest

from minitape import health, schemas
from minitape.sentences import LANGUAGES
from minitape_widgets import ask, health_view, pitfalls, valley
from minitape_widgets.pitfalls.card import keys
from minitape_widgets.player import unpack

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "storyboard"))
import mutated  # noqa: E402
import storyboard_programs as programs  # noqa: E402

NAMES = ("trace", "card", "health")


def load(path):
    found = importlib.util.spec_from_file_location(path.stem, path)
    made = importlib.util.module_from_spec(found)
    found.loader.exec_module(made)
    return made


@pytest.mark.parametrize("name", NAMES)
def test_they_are_json_schemas_of_the_words_that_the_readers_know(name):
    schema = schemas.schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    known = {*schemas.WORDS, *schemas.PARTS, "$ref", "description"}
    page = (ROOT / "widgets/minitape_widgets/static/storyboard/schema.js").read_text(
        encoding="utf-8"
    )
    assert all(re.search(rf"\b{word}\b", page) for word in known - {"description", "$ref"})

    def look(one):
        if not isinstance(one, bool):
            assert set(one) <= known and ("$ref" not in one or len(one) == 1), one
            inner = [
                *one.get("properties", {}).values(),
                *one.get("prefixItems", ()),
                *one.get("anyOf", ()),
            ]
            for each in (
                *inner,
                *(one[word] for word in ("items", "additionalProperties") if word in one),
            ):
                look(each)

    for one in schema["$defs"].values():
        look(one)


def unlimited(schema, defs, seen=()):
    """What is of any length in a schema: texts, lists and maps without an end, as paths."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return [f"{name}{at}" for at in unlimited(defs[name], defs)] if name not in seen else []
    kind = schema.get("type")
    ends = {"string": "maxLength", "array": "maxItems"}
    found = [kind] if kind in ends and ends[kind] not in schema else []
    found += ["map"] if "additionalProperties" in schema and "maxProperties" not in schema else []
    for each in (
        *schema.get("properties", {}).values(),
        *schema.get("prefixItems", ()),
        *schema.get("anyOf", ()),
        *(schema[word] for word in ("items", "additionalProperties") if word in schema),
    ):
        found += unlimited(each, defs) if not isinstance(each, bool) else []
    return found


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_without_a_limit(name):
    defs = schemas.schema(name)["$defs"]
    assert {own: found for own, schema in defs.items() if (found := unlimited(schema, defs))} == {}


def test_the_types_of_the_page_are_up_to_date():
    made = load(ROOT / "widgets" / "types" / "generate.py")
    assert {name: made.types(name) for name in NAMES} == {
        name: (made.HERE / f"{made.FILES[name]}.d.ts").read_text(encoding="utf-8") for name in NAMES
    }


def test_the_page_knows_the_same_measures():
    text = (ROOT / "widgets/minitape_widgets/static/health/check.js").read_text(encoding="utf-8")
    assert (
        json.loads(re.search(r"MEASURES = (\[.*\]);", text)[1])
        == schemas.schema("health")["$defs"]["Measure"]["enum"]
    )


def test_languages():
    for name, part in (("trace", "Storyboard"), ("card", "Card"), ("health", "Health")):
        assert schemas.schema(name)["$defs"][part]["properties"]["language"]["enum"] == list(
            LANGUAGES
        )


def reals():
    """(schema, part of it, what is stored)."""
    yield from (("trace", "Storyboard", programs.storyboard(name)) for name in programs.PROGRAMS)
    yield "trace", "Question", ask("How many?", 3, {2: "One more."}).trace["question"]
    yield (
        "trace",
        "Question",
        ask("Which?", "a", {"b": "No."}, choices=["a", "b"]).trace["question"],
    )
    yield "trace", "Valley", valley(lambda w: (w - 1.0) ** 2 + 0.5, -1.5).trace["valley"]
    for key in keys():
        view = pitfalls.show(key, "fr")
        yield "card", "Card", unpack(view.payload)["card"]
        view.close()
    gallery = pitfalls.all()
    yield "card", "Card", unpack(gallery.payload)["card"]
    gallery.close()
    view = health_view(load(Path(__file__).parent / "trained.py").train(health.watch(every=1), 5))
    yield "health", "Health", unpack(view.payload)


@pytest.fixture(scope="module")
def stored():
    return [(name, part, json.loads(json.dumps(data))) for name, part, data in reals()]


def test_what_minitape_stores_fits(stored):
    assert [
        found
        for name, part, data in stored
        if (found := schemas.reader(name, part)(data, data)) is not None
    ] == []


def judge(name, part, whole):
    """The `jsonschema` package with our word `indexOf`, and whole numbers for integers only."""

    def index_of(_, table, index, schema):
        if isinstance(index, int) and not (
            isinstance(whole.get(table), list) and index < len(whole[table])
        ):
            yield jsonschema.ValidationError("an index too large")

    numbers = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine_many(
        {"integer": lambda _, x: type(x) is int, "number": lambda _, x: schemas.is_number(x)}
    )
    validator = jsonschema.validators.extend(
        jsonschema.Draft202012Validator, {"indexOf": index_of}, type_checker=numbers
    )
    return validator({"$defs": schemas.schema(name)["$defs"], "$ref": f"#/$defs/{part}"})


@pytest.mark.parametrize("many", [200, pytest.param(5000, marks=pytest.mark.long)])
def test_mutated_data_are_refused_as_jsonschema_refuses_them(stored, many):
    refused = 0
    for (name, part, _), data in zip(
        stored * many, mutated.mutated([data for *_, data in stored], many)
    ):
        place = schemas.reader(name, part)(data, data)
        assert judge(name, part, data).is_valid(data) == (place is None), place
        refused += place is not None
    assert many / 4 < refused < many
