"""Why a gradient is None: a first, short reason, read from the tape and its margin.

The explainer (`minitape.explain`) gives the whole story with the guilty line and the fix; the picture needs a word for its caption
and the place to draw the cut.
"""

from minitape.engine.record import OPS

LEAKS = (("escape", "escape", "id"), ("variable from tensor", "replaced", "id"), ("assign", "assigned", "value"))


class Why:
    """A reason, the recorded places where the way is cut [(card, input)], and a bridge that is not there.

    A bridge (from node, to node, note) is a way that the learner may have thought of, but that no card makes: through NumPy,
    through an assignment, through an operation that was not recorded. `note` is the number of the note where it breaks.
    """

    def __init__(self, reason, cuts=(), bridge=None):
        self.reason, self.cuts, self.bridge = reason, list(cuts), bridge


def why_none(stage, take, source):
    """Returns the Why of a source whose gradient is None."""
    numbers, notes = {source.id}, take.reel.notes
    if not source.dtype.is_differentiable:
        return Why("integer")
    targets = {target.id for target in take.targets}
    down, cuts = _downstream(stage, take, numbers)
    loose, late, first = set(numbers), False, None       # downstream through operations that were only noted
    watched_at = {note[3]["id"]: note[1] for note in notes if note[0] == "watch"}
    for note in notes:
        if note[0] == "unwatched" and not (down | loose).isdisjoint(note[3]["inputs"]):
            loose.update(note[3]["outputs"])
            first = first or note
            late = late or source.id in note[3]["inputs"] and watched_at.get(source.id, -1) >= note[1]
    made = {number for entry in take.reel.entries for number in entry[2]}
    if len(down) > 1:
        if targets & down:
            stopped = any(stage.cards[card]["op"] == "StopGradient" for card, _ in cuts)
            return Why("stopped" if stopped else "blocked", cuts)
        if cuts and _reaches(take.reel.entries, notes, down | loose, targets):
            return Why("blocked", cuts, _bridge(stage, take, down, targets, first))
        for kind, reason, field in LEAKS:
            for note in notes:
                if note[0] == kind and note[3].get(field) in down | loose:
                    return Why(reason, (), _bridge(stage, take, {note[3][field]} & down or down, targets, note))
        for kind, reason in (("reset", "reset"), ("stop", "stopped")):
            if any(note[0] == kind for note in notes):
                return Why(reason)
        return Why("outside" if not targets & (made | numbers) else "unconnected")
    if first is not None:
        return _unwatched(stage, take, source, loose - numbers, targets, "late" if late else "unwatched", first)
    for kind, reason in (("reset", "reset"), ("escape", "escape")):
        for note in notes:
            if note[0] == kind and (kind == "reset" or note[3].get("id") in numbers):
                return Why(reason, (), _bridge(stage, take, numbers, targets, note) if kind == "escape" else None)
    computed = made.union(*(note[3]["outputs"] for note in notes if note[0] == "unwatched"))
    return Why("unused" if targets & computed else "outside")


def _unwatched(stage, take, source, loose, targets, reason, note):
    """The source was used, but nothing was recorded: the cut is where an unwatched value enters the recorded graph."""
    own = stage.anchor(source, take.reel.number)
    met = [stage.node_of[number] for number in sorted(loose) if number in stage.node_of]
    if own in met:
        edge = next((edge for edge in stage.edges if edge["from"] == own and edge["card"] is not None), None)
        if edge is not None:
            return Why(reason, [(edge["card"], edge["input"])])
    ends = [node for node in met if node != own] or [stage.node_of[number] for number in sorted(targets) if number in stage.node_of]
    return Why(reason, (), (own, ends[0], stage.note_rows.get(id(note))) if ends and ends[0] != own else None)


def _downstream(stage, take, numbers):
    """Returns (numbers downstream of a source, the places among them where a rule blocks or the result has no slope)."""
    down, cuts = set(numbers), []
    for index, (name, inputs, outputs, _, _) in enumerate(take.reel.entries):
        if down.isdisjoint(inputs):
            continue
        card, op = stage.card_of.get((take.reel.number, index)), OPS.get(name)
        for place, number in enumerate(inputs):
            if card is None or number not in down or not op.registered:
                continue
            blocks = op.rules and (place >= len(op.rules) or op.rules[place] is None)
            if blocks or stage.arrays[stage.cards[card]["outputs"][0]].dtype.kind not in "fc":
                cuts.append((card, place))
        down.update(outputs)
    return down, cuts


def _bridge(stage, take, numbers, targets, note):
    """Returns (from, to, note): from the youngest of these numbers to where the value came back, else to the target."""
    if note is None:
        return None
    known = [stage.node_of[number] for number in sorted(numbers) if number in stage.node_of]
    known = known or [stage.anchor(source, take.reel.number) for source in take.sources if source.id in numbers]
    notes = take.reel.notes
    later = notes[next(place for place, other in enumerate(notes) if other is note):]
    ends = [stage.node_of[other[3]["id"]] for other in later if other[0] == "return" and other[3].get("id") in stage.node_of]
    if note[0] == "assign":
        ends = [node for node in stage.variable_nodes.get((note[3]["variable"], take.reel.number), ()) if node not in known][-1:] or ends
    ends = [node for node in ends if stage.nodes[node]["card"] is None] or [stage.node_of[n] for n in targets if n in stage.node_of]
    if not known or not ends or known[-1] == ends[0]:
        return None
    return known[-1], ends[0], stage.note_rows.get(id(note))


def _reaches(entries, notes, start, targets):
    """Says whether the targets lie downstream when noted operations count as ways too."""
    reached, ways = set(start), [(entry[1], entry[2]) for entry in entries]
    ways += [(note[3]["inputs"], note[3]["outputs"]) for note in notes if note[0] == "unwatched"]
    for inputs, outputs in sorted(ways, key=lambda way: max(way[1])):
        if not reached.isdisjoint(inputs):
            reached.update(outputs)
    return bool(reached & targets)
