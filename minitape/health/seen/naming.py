"""How a learner calls the layers and weights that were watched."""

from __future__ import annotations

from types import FrameType

from minitape.dialects import dialect_of
from minitape.engine.recording import describe
from minitape.program import Text, reachable
from minitape.program.names import variable_name
from minitape.program.visible import names_of
from minitape.storyboard.stage.layers import Layers

from .history import History


def name_all(history: History, frame: FrameType) -> None:
    """Give every layer and every weight its name: those of Keras as pictures have them, others as
    the program calls them.

    `frame`: where the training was written; its names are looked through.
    """
    infos = {number: weight.content for number, weight in history.weights.items()}
    labels, text = (
        Layers(list(infos.values()), paths=dialect_of(history.library).paths),
        Text(),
    )
    scopes = (names_of(frame), frame.f_globals)
    plain = reachable(scopes, 1)
    reached = reachable(
        [
            {
                name: value
                for name, value in names.items()
                if (info := describe(value)) is None or not info.is_variable
            }
            for names in scopes
        ]
    )
    if all(number in plain for number, info in infos.items() if not info.path):
        # else `w` may be what a loop called it last, and `weights[3]` tells more
        reached = {**reached, **plain}
    else:
        reached = {**plain, **reached}
    for number, weight in history.weights.items():
        info = infos[number]
        layer, own = labels.of_variable(info)
        located = text.locate(info.where)
        written = (
            variable_name(located[1]) if located is not None and located[1] is not None else ""
        )
        own_name = reached[number][0] if number in reached else ""
        given = info.name.removesuffix(":0")
        shape = "x".join(map(str, weight.shape)) or "1"
        weight.name = (
            f"{layer}.{own}"
            if layer
            else written
            or own_name
            or weight.name
            or (given if given != "Variable" else f"Variable {shape}")
        )
    for layer_history in history.layers.values():
        first = layer_history.variables[0] if layer_history.variables else None
        info = infos.get(first) if first is not None else None
        label = labels.of_variable(info)[0] if info is not None else ""
        layer_history.name = label or (
            history.weights[first].name if first in history.weights else "?"
        )
    seen: dict[str, int] = {}
    for layer_history in history.layers.values():  # two of one name are told apart
        seen[layer_history.name] = seen.get(layer_history.name, 0) + 1
        if seen[layer_history.name] > 1:
            layer_history.name += f" ({seen[layer_history.name]})"
