"""The contract of a storyboard, version 1, as a validator: what any picture may rely on."""

import numbers

ACTS = {
    "record": {"card"},
    "skip": {"note", "node"},
    "note": {"note"},
    "seed": {"pass", "node", "value"},
    "visit": {"card"},
    "part": {"card", "input", "node", "value"},
    "sum": {"node", "value"},
    "cut": {"card", "input", "node", "why"},
    "result": {"pass", "node", "value"},
    "release": {"tape"},
    "row": {"pass", "row", "value"},
    "chapter": {"chapter"},
}
MORE = {
    "record": {"key"},
    "seed": {"row", "key"},
    "visit": {"value", "key"},
    "part": {"local", "adjoint", "key", "use"},
    "sum": {"count", "key"},
    "cut": {"edge", "note"},
    "result": {"why", "key", "note"},
    "row": {"node"},
}
TABLES = {
    "card": "cards",
    "node": "nodes",
    "note": "notes",
    "value": "values",
    "local": "values",
    "adjoint": "values",
    "pass": "passes",
    "tape": "tapes",
    "chapter": "chapters",
    "edge": "edges",
}
ROLES = {"variable", "watched", "constant", "input", "intermediate"}
KINDS = {"layer", "function", "loop", "round", "step", "lines"}
FLOWS = {"open", "unwatched", "blocked", "unregistered", "escape"}


def check(board):
    """Raises AssertionError where a storyboard breaks the contract."""
    assert set(board) - {"asides", "recording"} == {
        "version",
        "language",
        "title",
        "sources",
        "tapes",
        "values",
        "nodes",
        "edges",
        "cards",
        "notes",
        "groups",
        "passes",
        "chapters",
        "prompts",
        "frames",
        "drawings",
        "replay",
    }
    assert board["version"] == 1
    _sources(board)
    for value in board["values"]:
        _value(value)
    _nodes(board)
    _edges(board)
    _cards(board)
    _notes(board)
    _groups(board)
    _passes(board)
    for frame in board["frames"]:
        _frame(board, frame)
    _prompts(board)
    _asides(board)
    _drawings(board)
    if board["replay"] is not None:
        _replay(board, board["replay"])


def _sources(board):
    for source in board["sources"]:
        assert set(source) - {"first"} == {"name", "text", "lines"} and source.get("first", 2) > 1
        count = len(source["text"].split("\n"))
        for first, last in source["lines"] or ():
            assert 1 <= first <= last <= count


def _nodes(board):
    for node in board["nodes"]:
        assert set(node) == {
            "label",
            "text",
            "role",
            "target",
            "source",
            "op",
            "card",
            "value",
            "where",
            "bytes",
            "group",
        }
        assert node["role"] in ROLES and (node["label"] or node["text"])
        assert (node["card"] is None) == (node["op"] is None) == (node["role"] != "intermediate")
        _index(board, "values", node["value"])
        _span(board, node["where"])


def _edges(board):
    for edge in board["edges"]:
        assert set(edge) == {"from", "to", "card", "input", "flow"} and edge["flow"] in FLOWS
        if edge["card"] is None:
            assert edge["flow"] in ("escape", "unwatched") and edge["input"] is None
        else:
            card = board["cards"][edge["card"]]
            assert card["inputs"][edge["input"]] == edge["from"] and edge["to"] in card["outputs"]


def _cards(board):
    for number, card in enumerate(board["cards"]):
        _span(board, card.get("back"))
        assert set(card) - {"back"} == {
            "op",
            "tape",
            "inputs",
            "outputs",
            "where",
            "formula",
            "needs",
            "bytes",
            "group",
            "layer",
            "sign",
        }
        assert card["layer"] is None or [type(described) for described in card["layer"]] == [
            int,
            str,
        ]
        assert (
            len(card["formula"]) == len(card["inputs"])
            and len(card["needs"]) == len(card["inputs"]) + 1
        )
        for node in (*card["inputs"], *card["outputs"]):
            _index(board, "nodes", node)
        _index(board, "tapes", card["tape"])
        _span(board, card["where"])
        for node in card["outputs"]:
            assert board["nodes"][node]["card"] <= number


def _notes(board):
    for note in board["notes"]:
        assert set(note) == {"kind", "key", "params", "tape", "where", "nodes"}
        assert all(isinstance(text, (str, int)) for text in note["params"].values())
        _span(board, note["where"])


def _groups(board):
    for index, group in enumerate(board["groups"]):
        assert (
            set(group) == {"label", "kind", "parent", "cards", "nodes"} and group["kind"] in KINDS
        )
        first, last = group["cards"]
        assert 0 <= first <= last < len(board["cards"])
        if group["parent"] is not None:
            above = board["groups"][group["parent"]]["cards"]
            assert above[0] <= first and last <= above[1] and group["parent"] != index


def _passes(board):
    for played in board["passes"]:
        assert set(played) == {"kind", "tape", "targets", "sources", "frames"}
        assert played["kind"] in ("gradient", "jacobian") and 0 <= played["frames"][0] <= played[
            "frames"
        ][1] < len(board["frames"])


def _prompts(board):
    for prompt in board["prompts"]:
        assert set(prompt) == {
            "frame",
            "kind",
            "key",
            "params",
            "answer",
            "tolerance",
            "choices",
            "right",
        }
        assert 0 <= prompt["frame"] <= len(board["frames"]) and prompt["kind"] in (
            "number",
            "sign",
            "card",
            "choice",
        )
        texts = [choice["text"] for choice in prompt["choices"]]
        assert (
            len(set(texts)) == len(texts)
            and sum(choice["idea"] is None for choice in prompt["choices"]) == 1
        )


def _asides(board):
    moments = [aside["frame"] for aside in board.get("asides", ())]
    assert moments == sorted(moments) and all(
        type(k) is int and 0 <= k <= len(board["frames"]) for k in moments
    )
    for aside in board.get("asides", ()):
        assert (
            set(aside) == {"frame", "text"} and aside["text"] and set(aside["text"]) <= {"en", "fr"}
        )
        assert all(isinstance(text, str) and text.strip() for text in aside["text"].values())


def _drawings(board):
    for drawing in board["drawings"]:
        if "like" in drawing:
            _likeness(board, drawing)
        else:
            _drawing(board, drawing)
    assert board["drawings"][0]["group"] is None
    opened = [group for group, row in enumerate(board["groups"]) if row["kind"] != "loop"]
    assert [drawing["group"] for drawing in board["drawings"]] == [None, *opened]


def _index(board, table, index):
    assert type(index) is int and 0 <= index < len(board[table]), (table, index)


def _span(board, span):
    if span is None:
        return
    source, line, column, end_line, end_column = span
    lines = board["sources"][source]["text"].split("\n")
    assert 1 <= line <= end_line <= len(lines)
    assert 0 <= column <= len(lines[line - 1]) and 0 <= end_column <= len(lines[end_line - 1])
    assert (line, column) < (end_line, end_column)


def _number(value):
    assert (
        value in ("nan", "inf", "-inf")
        or isinstance(value, numbers.Real)
        and abs(value) < float("inf")
    )


def _value(value):
    assert {"text", "dtype", "shape"} <= set(value)
    if "number" in value:
        assert value["shape"] == []
        assert value["number"] is None or _number(value["number"]) is None
        return
    for name in ("min", "max", "mean"):
        if name in value:
            _number(value[name])
    assert value["bytes"] >= 0
    for row in value.get("cells", ()):
        assert len(row) <= 16
        for cell in row:
            _number(cell)
    assert len(value.get("cells", ())) <= 16


def _frame(board, frame):
    act = frame["act"]
    _span(board, frame.get("where"))
    fields = set(frame) - {"act", "where"}
    assert ACTS[act] <= fields <= ACTS[act] | MORE.get(act, set()), frame
    for name, table in TABLES.items():
        if frame.get(name) is not None:
            _index(board, table, frame[name])
    if act not in ("result", "skip", "cut"):
        assert None not in [frame[field] for field in fields], frame
    if act == "result":
        assert frame["value"] is not None or frame["why"]
    if act == "part":
        assert board["cards"][frame["card"]]["inputs"][frame["input"]] == frame["node"]


def _replay(board, replay):
    assert set(replay) == {"numbers", "attributes", "seeds"}
    total = 0
    for node, values in replay["numbers"]:
        _index(board, "nodes", node)
        size = 1
        for length in board["values"][board["nodes"][node]["value"]]["shape"]:
            size *= length
        assert len(values) == size <= 4096
        total += size
        for value in values:
            _number(value)
    assert total <= 20_000
    for card, attributes in replay["attributes"]:
        _index(board, "cards", card)
        assert attributes == "unknown" or isinstance(attributes, dict)
    for frame, values in replay["seeds"]:
        assert board["frames"][frame]["act"] == "seed" and len(values) <= 4096


def _drawing(board, drawing):
    assert drawing["engine"] in ("dot", "wasm", "layers")
    for item in drawing["nodes"]:
        _index(board, "nodes" if "node" in item else "groups", item.get("node", item.get("group")))
    boxes = [[item[side] for side in "xywh"] for item in drawing["nodes"]]
    for one in ({**drawing, "boxes": boxes}, *drawing.get("others", ())):
        for x, y, w, h in one["boxes"]:
            assert 0 <= x - w / 2 and x + w / 2 <= one["width"] + 1
            assert 0 <= y - h / 2 and y + h / 2 <= one["height"] + 1
        assert len({(x, y) for x, y, *_ in one["boxes"]}) == len(drawing["nodes"])
    for line in drawing["edges"]:
        for edge in (line["edge"], *line.get("also", ())):
            _index(board, "edges", edge)
        assert len(line["points"]) % 3 == 1 and len(line["points"]) >= 4


def _likeness(board, drawing):
    assert set(drawing) == {"group", "like", "nodes", "edges"}
    model = board["drawings"][drawing["like"]]
    assert (
        "like" not in model
        and len(drawing["nodes"]) == len(model["nodes"])
        and len(drawing["edges"]) == len(model["edges"])
    )
    for item, index in zip(model["nodes"], drawing["nodes"]):
        _index(board, "nodes" if "node" in item else "groups", index)
    for index in drawing["edges"]:
        _index(board, "edges", index)
