"""What cards and boxes say once all names are known: the formulas of the rules, and an expression
for a value that no text names.
"""

from __future__ import annotations

from minitape.storyboard.stage.formula import adjoint_name, expression, index_of, is_atom, texts
from minitape.storyboard.stage.stage import Stage, placeholder
from minitape.storyboard.text.aliases import Data

WRITTEN = 22  # letters at most of what stands for a value that no text names
SHORT = 24  # an unnamed operand stands in a formula as it was written, up to this length


def finish(stage: Stage) -> None:
    """Puts names into the formulas and nodes into the notes, once all are known."""
    # a value that came back has its node only after the note, and its name
    for note in stage.margin.rows:
        if note["key"].startswith("note.unread"):
            read = note["nodes"][0]
            named = (
                stage.nodes.rows[stage.nodes.of[read]]["label"]
                if read in stage.nodes.of
                else stage.nodes.labels.called.get(read)
            )
            note["params"]["name"] = named or note["params"]["name"]
        note["nodes"] = sorted(
            {stage.nodes.of[number] for number in note["nodes"] if number in stage.nodes.of}
        )
    _write_out(stage)
    needs: dict[int, list[bool]] = {}
    for number, (card, facts) in enumerate(zip(stage.cards.rows, stage.cards.facts)):
        rules, made = facts.rules, [stage.nodes.rows[node] for node in card["outputs"]]
        free = "u" + index_of(number)  # an output without a short name: one letter, one value
        card["sign"] = adjoint_name(made[0]["label"] if made else "", free)
        if rules is None:
            card["formula"], card["needs"] = (
                [None] * len(card["inputs"]),
                [False] * (len(card["inputs"]) + 1),
            )
            continue
        inputs = [_operand(stage, node) for node in card["inputs"]]
        outputs = [node["label"] if len(node["label"]) <= SHORT else "" for node in made]
        card["formula"] = texts(rules, inputs, outputs, free)
        if id(rules) not in needs:  # all cards of an operation have them in common
            needs[id(rules)] = [
                any(place in rule.inputs for rule in rules) for place in range(len(inputs))
            ]
            needs[id(rules)].append(any(rule.output for rule in rules))
        card["needs"] = list(needs[id(rules)])


def _write_out(stage: Stage) -> None:
    """Calls the values that no text names by what makes them: a layer's result `Dense1(x)`, else
    the operation, `x @ w`.
    """
    before, first = None, 0  # the layer of the card before, and the first card of a layer's call
    for number, card in enumerate(stage.cards.rows):
        layer, following = (
            card["layer"],
            stage.cards.rows[number + 1]["layer"] if number + 1 < len(stage.cards.rows) else None,
        )
        before, first = layer, number if layer != before else first
        for index in card["outputs"]:
            node = stage.nodes.rows[index]
            named = card["where"] is not None or any(
                stage.nodes.rows[place]["label"] for place in card["inputs"]
            )
            if node["label"] or node["text"] != placeholder(card["op"], number) or not named:
                continue
            if layer and layer != following:
                shown = map(stage.nodes.shown, stage.cards.rows[first]["inputs"])
                given = [name for name in shown if not name.startswith(layer[1] + ".")]
                text = f"{layer[1]}({', '.join(given[:1])})"
                node["text"] = text if len(text) <= SHORT else f"{layer[1]}(…)"
            else:
                node["text"] = _operation(stage, card, number) or node["text"]


def _operation(stage: Stage, card: Data, number: int) -> str:
    """Returns an operation as an expression, with … for what is too long to stand in it, "" where
    that is too long as well.
    """
    # inside of a layer its kernel is "kernel"
    own = card["layer"][1] + "." if card["layer"] else ""
    names = [stage.nodes.shown(node).removeprefix(own) for node in card["inputs"]]
    brief = [name if is_atom(name) and len(name) <= SHORT // 2 else "…" for name in names]
    op, attributes = card["op"], stage.cards.facts[number].attributes
    ways = (
        expression(op, names, attributes),
        expression(op, brief, attributes),
        expression(op, ["…"], None),
    )
    return next((way for way in ways if len(way) <= WRITTEN), "")


def _operand(stage: Stage, node: int) -> str:
    """Returns what an input is called in a formula, "" where it gets a letter."""
    result = stage.nodes.rows[node]
    name = result["label"] or (
        result["text"] if result["role"] != "variable" and "…" not in result["text"] else ""
    )
    if len(name) <= SHORT and name or is_atom(name) and result["label"]:
        return name
    return "" if result["card"] is None else "u" + index_of(result["card"])
