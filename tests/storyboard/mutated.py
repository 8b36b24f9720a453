"""Traces as nobody should write them: real ones with one or a few things changed, seeded, the same
in every run.

What reads traces (the validators in Python and JavaScript, the player) must refuse each of them or
show it whole.
"""

import copy
import json
import random

ODD = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    7,
    1.5,
    -0.5,
    10**9,
    1e300,
    2**60,
    "",
    "x",
    "nan",
    "card",
    "0",
    "__proto__",
    "constructor",
    "toString",
    "__defineGetter__",
    "x" * 30_000,
    "<b>\n" * 50,
    "\ud800",
    [],
    [0],
    [[]],
    [[0] * 300] * 300,
    [1e300, -1e300],
    {},
    {"toString": 5},
    {"length": 3},
    {"text": "x"},
]


def places(data, seen=()):
    """Yields (container, key, kind) for everything in a trace; places of one kind have the same
    name in dictionaries of the same keys.

    A list that stands in several places, as the row of an odd matrix does, is gone into once: its
    90,000 numbers took most of the time.
    """
    seen = seen or set()
    if id(data) in seen:
        return
    seen.add(id(data))
    if isinstance(data, dict):
        names = tuple(data)
        kinds = [(key, names) for key in data]
    elif isinstance(data, list):
        kinds = [("item", "")] * len(data)
    else:
        return
    for key, kind in zip(data if isinstance(data, dict) else range(len(data)), kinds):
        yield data, key, kind
        if isinstance(data[key], dict | list):
            yield from places(data[key], seen)


def changed(trace, rng):
    """Changes one thing of a trace, in place."""
    found = list(places(trace))
    if not found:  # nothing is left to change
        return
    kinds = {}
    for container, key, kind in found:  # each kind of place is as likely as any other
        kinds.setdefault(kind, []).append((container, key))
    container, key = rng.choice(kinds[rng.choice(sorted(kinds, key=str))])
    other = rng.choice(found)
    match rng.choice(
        ["odd", "odd", "odd", "odd", "gone", "again", "swapped", "moved", "cut", "number", "number"]
    ):
        case "odd":
            container[key] = copy.deepcopy(rng.choice(ODD))
        case "gone":
            del container[key]
        case "again" if isinstance(container, list):
            container.insert(rng.randrange(len(container) + 1), copy.deepcopy(container[key]))
        case "swapped" if isinstance(container, list):
            at = rng.randrange(len(container))
            container[key], container[at] = container[at], container[key]
        case "cut" if isinstance(container[key], list | str):
            container[key] = container[key][: rng.randrange(len(container[key]) + 1)]
        case "number" if isinstance(container[key], int | float):
            container[key] += rng.choice([-1, 1, 3, 100, 0.5, -1000])
        case "moved":
            container[key] = copy.deepcopy(other[0][other[1]])
        case _:
            container[key] = copy.deepcopy(rng.choice(ODD))


def mutated(traces, many, seed=17):
    """Yields as many changed traces."""
    rng = random.Random(seed)
    texts = [json.dumps(trace) for trace in traces]
    for k in range(many):
        trace = json.loads(texts[k % len(texts)])
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            changed(trace, rng)
        yield trace
