"""Storyboards made by hand, without the engine: what the player is tested on, so that a fault is
never shared by both sides.

`Hand` writes the acts of the contract one after the other; positions are a plain grid. Each
function at the end returns one storyboard that a person could check with pencil and paper.
"""
# ruff: noqa: E501  (lines of JavaScript and of data)


def number(x):
    """Returns the summary of a float32 scalar."""
    plain = (
        x
        if isinstance(x, str) or x == x and abs(x) != float("inf")
        else ("nan" if x != x else "inf" if x > 0 else "-inf")
    )
    return {
        "text": str(float(x)) if not isinstance(x, str) else x,
        "dtype": "float32",
        "shape": [],
        "number": plain,
    }


def array(cells, text=None):
    """Returns the summary of a vector or matrix given as nested lists."""
    rows = cells if isinstance(cells[0], list) else [cells]
    flat = [c for row in rows for c in row]
    finite = [c for c in flat if not isinstance(c, str)] or [0]
    shape = [len(cells), len(cells[0])] if rows is cells else [len(cells)]
    return {
        "text": text or str(cells).replace(",", ""),
        "dtype": "float32",
        "shape": shape,
        "min": min(finite),
        "max": max(finite),
        "mean": sum(finite) / len(finite),
        "nan": flat.count("nan"),
        "inf": flat.count("inf"),
        "zero": flat.count(0.0),
        "cells": rows,
        "bytes": 4 * len(flat),
    }


class Hand:
    """A storyboard under construction: nodes and cards first, then acts, then `done()`."""

    def __init__(self, text, lines=None, title="", persistent=False):
        self.board = {
            "version": 1,
            "language": "en",
            "title": title,
            "sources": [{"name": "cell 3", "text": text, "lines": lines}],
            "tapes": [{"name": "tape", "persistent": persistent}],
            "values": [],
            "nodes": [],
            "edges": [],
            "cards": [],
            "notes": [],
            "groups": [],
            "passes": [],
            "chapters": [],
            "prompts": [],
            "frames": [],
            "drawings": [],
        }
        self.places, self.numbers = {}, {}

    def value(self, summary):
        key = repr(summary)
        if key not in self.numbers:
            self.numbers[key] = len(self.board["values"])
            self.board["values"].append(summary)
        return self.numbers[key]

    def node(self, label, role, summary, place, where=None, **more):
        nodes = self.board["nodes"]
        nodes.append(
            {
                "label": label,
                "role": role,
                "target": False,
                "source": False,
                "op": None,
                "card": None,
                "text": more.get("op") or summary["text"],
                "value": self.value(summary),
                "where": where,
                "bytes": 4,
                "group": None,
            }
            | more
        )
        self.places[len(nodes) - 1] = place
        return len(nodes) - 1

    def card(
        self,
        op,
        inputs,
        label,
        summary,
        place,
        where=None,
        formula=None,
        flow=None,
        **more,
    ):
        """`more`: what the card needs, and what `node` is given beside."""
        needs = more.pop("needs", [True] * len(inputs) + [False])
        index = len(self.board["cards"])
        output = self.node(label, "intermediate", summary, place, where, op=op, card=index, **more)
        self.board["cards"].append(
            {
                "op": op,
                "tape": 0,
                "inputs": inputs,
                "outputs": [output],
                "where": where,
                "formula": formula or [None] * len(inputs),
                "sign": "ū",
                "layer": None,
                "needs": needs,
                "bytes": 8,
                "group": None,
            }
        )
        for i, source in enumerate(inputs):
            self.board["edges"].append(
                {
                    "from": source,
                    "to": output,
                    "card": index,
                    "input": i,
                    "flow": (flow or {}).get(i, "open"),
                }
            )
        self.act("record", card=index)
        return output

    def gradient(self, targets, sources, frames):
        self.board["passes"].append(
            {
                "kind": "gradient",
                "tape": 0,
                "targets": targets,
                "sources": sources,
                "frames": frames,
            }
        )

    def act(self, act, **more):
        self.board["frames"].append({"act": act} | more)

    def part(self, card, i, value, local=None):
        node = self.board["cards"][card]["inputs"][i]
        self.act(
            "part",
            card=card,
            input=i,
            node=node,
            value=self.value(value),
            local=None if local is None else self.value(local),
        )

    def done(self):
        boxes = [
            {"node": n, "x": 70 + 190 * column, "y": 46 + 98 * row, "w": 96, "h": 44}
            for n, (column, row) in self.places.items()
        ]
        at = {box["node"]: box for box in boxes}
        edges = []
        for e, edge in enumerate(self.board["edges"]):
            a, b = at[edge["from"]], at[edge["to"]]
            x0, x1 = a["x"] + a["w"] / 2, b["x"] - b["w"] / 2
            third = (x1 - x0) / 3
            y1 = b["y"] + 10 * (edge["input"] - 0.5)
            edges.append(
                {
                    "edge": e,
                    "points": [[x0, a["y"]], [x0 + third, a["y"]], [x1 - third, y1], [x1, y1]],
                }
            )
        self.board["drawings"] = [
            {
                "group": None,
                "engine": "layers",
                "width": max(b["x"] for b in boxes) + 80,
                "height": max(b["y"] for b in boxes) + 60,
                "nodes": boxes,
                "edges": edges,
            }
        ]
        return self.board


def parabola():
    """x*x + 3*x at 2: a fan-out of three uses; the gradient is 7."""
    text = "x = tf.Variable(2.0)\n\nwith tf.GradientTape() as tape:\n    y = x*x + 3*x\n\ntape.gradient(y, x)"
    h = Hand(text, [[1, 1], [3, 4], [6, 6]], "x*x + 3*x")
    x = h.node("x", "variable", number(2.0), (0, 0), [0, 1, 0, 1, 20], source=True)
    three = h.node("", "constant", number(3.0), (0, 1.4), None)
    square = h.card(
        "Mul",
        [x, x],
        "",
        number(4.0),
        (1, 0),
        [0, 4, 8, 4, 11],
        ["ȳ * x", "ȳ * x"],
    )
    triple = h.card(
        "Mul",
        [three, x],
        "",
        number(6.0),
        (1, 1.2),
        [0, 4, 14, 4, 17],
        ["ȳ * x", "ȳ * 3"],
        flow={0: "unwatched"},
    )
    y = h.card(
        "AddV2",
        [square, triple],
        "y",
        number(10.0),
        (2, 0.6),
        [0, 4, 8, 4, 17],
        ["ȳ", "ȳ"],
        needs=[False, False, False],
        target=True,
    )
    h.gradient([y], [x], [3, 15])
    one, three_v = number(1.0), number(3.0)
    h.act("seed", **{"pass": 0, "node": y, "value": h.value(one)})
    h.act("visit", card=2)
    h.part(2, 0, one, one)
    h.part(2, 1, one, one)
    h.act("visit", card=1)
    h.act("cut", card=1, input=0, node=three, why="unwatched")
    h.part(1, 1, three_v, three_v)
    h.act("visit", card=0)
    h.part(0, 0, number(2.0), number(2.0))
    h.part(0, 1, number(2.0), number(2.0))
    h.act("sum", node=x, value=h.value(number(7.0)))
    h.act("result", **{"pass": 0, "node": x, "value": h.value(number(7.0))})
    h.act("release", tape=0)
    h.board["prompts"] = [
        {
            "frame": 13,
            "kind": "number",
            "key": "ask.adjoint",
            "params": {"node": "x"},
            "answer": 7.0,
            "tolerance": 0.001,
            "choices": [
                {
                    "text": "2.0",
                    "idea": "idea.overwritten",
                    "params": {"given": "2.0", "missing": "5.0"},
                },
                {"text": "3.0", "idea": "idea.one_path"},
                {"text": "7.0", "idea": None},
            ],
            "right": "idea.right.sum",
        }
    ]
    return h.done()


def asked():
    """The parabola with one prompt of each kind."""
    board = parabola()
    board["prompts"] = [
        {
            "frame": 3,
            "kind": "sign",
            "key": "ask.sign",
            "params": {"node": "x"},
            "answer": 1,
            "tolerance": 0,
            "choices": [],
            "right": "idea.right.sign",
        },
        {
            "frame": 7,
            "kind": "card",
            "key": "ask.card",
            "params": {},
            "answer": 1,
            "tolerance": 0,
            "choices": [],
            "right": "idea.right.card",
        },
        {
            "frame": 9,
            "kind": "choice",
            "key": "ask.part",
            "params": {"node": "x"},
            "answer": "3.0",
            "tolerance": 0,
            "choices": [
                {"text": "1.0", "idea": "idea.forgot_local"},
                {"text": "2.0", "idea": "idea.swapped"},
                {"text": "3.0", "idea": None},
            ],
            "right": "idea.right.part",
        },
        board["prompts"][0],
    ]
    return board


def broken():
    """An escape to NumPy in the middle: the gradient is None, and the cut stands at the guilty
    line.
    """
    text = "x = tf.Variable([1.0, 2.0])\n\nwith tf.GradientTape() as tape:\n    x2 = x**2\n    m = np.mean(x2, axis=0)\n    y = tf.reduce_mean(m)\n\nprint(tape.gradient(y, x))"
    h = Hand(text, None, "calculation outside of the library")
    x = h.node("x", "variable", array([1.0, 2.0]), (0, 0), [0, 1, 0, 1, 27], source=True)
    h.node("m", "constant", number(2.5), (2, 0), [0, 5, 8, 5, 27])
    two = h.node("", "constant", number(2.0), (0, 1), None)
    x2 = h.card(
        "Pow",
        [x, two],
        "x2",
        array([1.0, 4.0]),
        (1, 0),
        [0, 4, 9, 4, 13],
        ["ȳ * 2 * x", "ȳ * y * log(x)"],
        flow={1: "unwatched"},
    )
    h.board["notes"] = [
        {
            "kind": "escape",
            "key": "note.escape",
            "params": {"what": "x2", "how": "np.mean"},
            "tape": 0,
            "where": [0, 5, 8, 5, 27],
            "nodes": [x2],
        },
        {
            "kind": "unwatched",
            "key": "note.unwatched",
            "params": {"op": "Mean"},
            "tape": 0,
            "where": [0, 6, 8, 6, 25],
            "nodes": [1],
        },
    ]
    h.act("note", note=0)
    y = h.node("y", "intermediate", number(2.5), (3, 0), [0, 6, 8, 6, 25], op="Mean", target=True)
    h.board["edges"].append({"from": x2, "to": 1, "card": None, "input": 0, "flow": "escape"})
    h.board["edges"].append({"from": 1, "to": y, "card": None, "input": 0, "flow": "unwatched"})
    h.act("skip", note=1, node=y)
    h.gradient([y], [x], [4, 5])
    h.act("seed", **{"pass": 0, "node": y, "value": h.value(number(1.0))})
    h.act("cut", card=None, input=0, node=1, why="escape")
    h.act("result", **{"pass": 0, "node": x, "value": None, "why": "escape"})
    return h.done()


def regression():
    """mean((x @ w + b - t)**2): matrices, a stretched axis, two sources."""
    text = (
        "x = tf.constant([[1., 2.], [3., 4.], [5., 6.]])\nt = tf.constant([[1.], [2.], [3.]])\nw = tf.Variable([[0.5], [-0.5]])\nb = tf.Variable([0.1])\n\n"
        "with tf.GradientTape() as tape:\n    loss = tf.reduce_mean((x @ w + b - t)**2)\n\ntape.gradient(loss, [w, b])"
    )
    h = Hand(text, [[1, 4], [6, 7], [9, 9]], "loss = mean((x @ w + b - t)**2)")
    x = h.node(
        "x", "constant", array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), (0, 0), [0, 1, 0, 1, 47]
    )
    w = h.node("w", "variable", array([[0.5], [-0.5]]), (0, 1), [0, 3, 0, 3, 33], source=True)
    b = h.node("b", "variable", array([0.1]), (1, 1.3), [0, 4, 0, 4, 22], source=True)
    t = h.node("t", "constant", array([[1.0], [2.0], [3.0]]), (2, 1.6), [0, 2, 0, 2, 37])
    two = h.node("", "constant", number(2.0), (3, 1.6), None)
    xw = h.card(
        "MatMul",
        [x, w],
        "",
        array([[-0.5], [-0.5], [-0.5]]),
        (1, 0.4),
        [0, 7, 27, 7, 32],
        ["matmul(ȳ, wᵀ)", "matmul(xᵀ, ȳ)"],
        flow={0: "unwatched"},
    )
    xwb = h.card(
        "AddV2",
        [xw, b],
        "",
        array([[-0.4], [-0.4], [-0.4]]),
        (2, 0.6),
        [0, 7, 27, 7, 36],
        ["ȳ", "ȳ"],
    )
    e = h.card(
        "Sub",
        [xwb, t],
        "",
        array([[-1.4], [-2.4], [-3.4]]),
        (3, 0.7),
        [0, 7, 27, 7, 40],
        ["ȳ", "-ȳ"],
        flow={1: "unwatched"},
    )
    sq = h.card(
        "Pow",
        [e, two],
        "",
        array([[1.96], [5.76], [11.56]]),
        (4, 0.8),
        [0, 7, 26, 7, 44],
        ["ȳ * 2 * x", None],
        flow={1: "unwatched"},
    )
    loss = h.card(
        "Mean", [sq], "loss", number(6.426667), (5, 0.8), [0, 7, 11, 7, 45], ["ȳ / 3"], target=True
    )
    h.gradient([loss], [w, b], [5, 19])
    h.act("seed", **{"pass": 0, "node": loss, "value": h.value(number(1.0))})
    h.act("visit", card=4)
    h.part(4, 0, array([[0.3333], [0.3333], [0.3333]]))
    h.act("visit", card=3)
    g = array([[-0.9333], [-1.6], [-2.2667]])
    h.part(3, 0, g, array([[-2.8], [-4.8], [-6.8]]))
    h.act("visit", card=2)
    h.part(2, 0, g)
    h.act("visit", card=1)
    h.part(1, 0, g)
    h.part(1, 1, array([-4.8]))
    h.act("visit", card=0)
    h.part(0, 1, array([[-17.0667], [-21.8667]]))
    h.act("result", **{"pass": 0, "node": w, "value": h.value(array([[-17.0667], [-21.8667]]))})
    h.act("result", **{"pass": 0, "node": b, "value": h.value(array([-4.8]))})
    h.act("release", tape=0)
    return h.done()


def vector():
    """A vector target with a NaN and an infinity in it."""
    text = "x = tf.Variable([1.0, 0.0, -1.0, 4.0])\n\nwith tf.GradientTape() as tape:\n    y = tf.sqrt(x)\n\ntape.gradient(y, x)"
    h = Hand(text, [[1, 1], [3, 4], [6, 6]], "")
    x = h.node("x", "variable", array([1.0, 0.0, -1.0, 4.0]), (0, 0), [0, 1, 0, 1, 38], source=True)
    y = h.card(
        "Sqrt",
        [x],
        "y",
        array([1.0, 0.0, "nan", 2.0]),
        (1, 0),
        [0, 4, 8, 4, 18],
        ["ȳ * 0.5 / y"],
        needs=[False, True],
        target=True,
    )
    h.gradient([y], [x], [1, 4])
    h.act("seed", **{"pass": 0, "node": y, "value": h.value(array([1.0, 1.0, 1.0, 1.0]))})
    h.act("visit", card=0)
    h.part(0, 0, array([0.5, "inf", "nan", 0.25]), array([0.5, "inf", "nan", 0.25]))
    h.act("result", **{"pass": 0, "node": x, "value": h.value(array([0.5, "inf", "nan", 0.25]))})
    return h.done()


def chain(length):
    """A chain of `length` multiplications: what a large tape asks of the player."""
    h = Hand(f"y = x\nfor i in range({length}):\n    y = y * 1.001", None, "a long chain")
    x = h.node("x", "variable", number(1.0), (0, 0), [0, 1, 4, 1, 5], source=True)
    y, factor = x, h.node("", "constant", number(1.001), (0, 1), None)
    for i in range(length):
        y = h.card(
            "Mul",
            [y, factor],
            "y",
            number(round(1.001 ** (i + 1), 4)),
            (1 + i % 40, i // 40),
            [0, 3, 8, 3, 17],
            ["ȳ * b", None],
            flow={1: "unwatched"},
        )
    h.gradient([y], [x], [length, 3 * length])
    h.act("seed", **{"pass": 0, "node": y, "value": h.value(number(1.0))})
    for i in reversed(range(length)):
        h.act("visit", card=i)
        h.part(i, 0, number(round(1.001 ** (length - i), 4)), number(1.001))
    h.act("result", **{"pass": 0, "node": x, "value": h.value(number(round(1.001**length, 4)))})
    return h.done()


BOARDS = {
    "parabola": parabola,
    "asked": asked,
    "broken": broken,
    "regression": regression,
    "vector": vector,
}
