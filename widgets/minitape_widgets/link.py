"""The teacher's settings as a short text that is safe in a link without any escaping: "k12.hide-code-graph.large"."""

import re

_PANES = ("code", "tape", "graph", "inspector")


def read_link(text):
    """Returns the options that a link text sets; what it does not know is passed over."""
    options = {}
    for piece in (text or "").split("."):
        if re.fullmatch(r"k\d+", piece):
            options["start"] = int(piece[1:])
        elif piece.startswith("hide-"):
            options["hide"] = [name for name in piece[5:].split("-") if name in _PANES]
        elif piece == "large":
            options["large"] = True
    return options


def write_link(options):
    """Returns the link text of options."""
    start, hidden = options.get("start", 0), [name for name in _PANES if name in options.get("hide", ())]
    pieces = [f"k{start}" if isinstance(start, int) and start >= 0 else "", "hide-" + "-".join(hidden) if hidden else "",
              "large" if options.get("large") else ""]
    return ".".join(filter(None, pieces))
