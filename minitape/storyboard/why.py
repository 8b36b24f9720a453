"""Why a gradient is None: a first, short reason, read from the tape and its margin.

The explainer (`minitape.explain`) gives the whole story with the guilty line and the fix; the picture needs a word for its caption
and the place to draw the cut.
"""

from minitape.engine.record import OPS
from minitape.storyboard.stage import READ


def why_none(stage, take, source):
    """Returns (reason, [(card, input), ...] where the way is cut) for a source whose gradient is None."""
    numbers = {source.id}
    if not source.dtype.is_differentiable:
        return "integer", []
    entries, notes = take.reel.entries, take.reel.notes
    targets = {target.id for target in take.targets}
    down, cuts = set(numbers), []
    for index, (name, inputs, outputs, _, _) in enumerate(entries):
        if down.isdisjoint(inputs):
            continue
        down.update(outputs)
        card = stage.card_of.get((take.reel.number, index))
        op = OPS.get(name)
        if card is None or op is None or not op.registered:
            continue
        for place, number in enumerate(inputs):
            blocks = op.rules and (place >= len(op.rules) or op.rules[place] is None)
            if number in down and (blocks or stage.arrays[stage.cards[card]["outputs"][0]].dtype.kind not in "fc"):
                cuts.append((card, place))
    used_by_entry = len(down) > len(numbers)
    loose, late = set(numbers), False                    # downstream through operations that were only noted
    watched_at = {note[3]["id"]: note[1] for note in notes if note[0] == "watch"}
    for kind, at, _, about in notes:
        if kind == "unwatched" and not (down | loose).isdisjoint(about["inputs"]):
            loose.update(about["outputs"])
            late = late or source.id in about["inputs"] and watched_at.get(source.id, -1) >= at
    if used_by_entry:
        shown = {frame["card"] for _, frame in stage.acts_frames if frame["act"] == "cut"}
        new_cuts = [(card, place) for card, place in cuts if card not in shown]
        if targets & down:
            return ("stopped" if any(stage.cards[card]["op"] == "StopGradient" for card, _ in cuts) else "blocked"), new_cuts
        if cuts and _reaches(entries, notes, down | loose, targets):
            return "blocked", new_cuts
        for kind, reason, field in (("escape", "escape", "id"), ("variable from tensor", "replaced", "id"),
                                    ("assign", "assigned", "value")):
            if any(note[0] == kind and note[3].get(field) in down | loose for note in notes):
                return reason, []
        if any(note[0] == "reset" for note in notes):
            return "reset", []
        if any(note[0] == "stop" for note in notes):
            return "stopped", []
        made = {number for entry in entries for number in entry[2]}
        return ("outside" if not targets & (made | numbers) else "unconnected"), new_cuts if cuts else []
    if late:
        return "late", []
    if len(loose) > 1 or any(note[0] == "unwatched" and note[3]["op"] == READ and source.id in note[3]["inputs"] for note in notes):
        return "unwatched", []
    if any(note[0] == "reset" for note in notes):
        return "reset", []
    if any(note[0] == "escape" and note[3].get("id") in numbers for note in notes):
        return "escape", []
    made = {number for entry in entries for number in entry[2]}
    if not targets & made and not any(note[0] == "unwatched" and targets & set(note[3]["outputs"]) for note in notes):
        return "outside", []
    return "unused", []


def _reaches(entries, notes, start, targets):
    """Says whether the targets lie downstream when noted operations count as ways too."""
    reached, ways = set(start), [(entry[1], entry[2]) for entry in entries]
    ways += [(note[3]["inputs"], note[3]["outputs"]) for note in notes if note[0] == "unwatched"]
    for inputs, outputs in sorted(ways, key=lambda way: max(way[1])):
        if not reached.isdisjoint(inputs):
            reached.update(outputs)
    return bool(reached & targets)
