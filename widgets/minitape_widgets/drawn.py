"""What the HTML of a drawn card is made of: `pitfalls/still.py` draws with it, and an export lets
nothing else pass, whoever wrote the notebook (`export.py`).
"""

BOX = "border:1px solid rgba(128,136,150,.5);border-radius:12px;padding:.7em 1em;max-width:68em"
CELL = "vertical-align:top;text-align:left;padding:.2em 1.2em .2em 0;background:none"
TINTS = "#f5d2cf", "#cfe6d6"
# JupyterLab takes `inherit` away, and a mark is black of itself: so it brings both its colours, for
# light pages and for dark ones.
MARKED = [
    f"color:#1c1c1c;background-color:{tint};padding-bottom:1px;border-bottom:1px solid"
    for tint in TINTS
]
CODE, PROGRAMS = "font-family:monospace;background:none;margin:0", "margin:.4em 0"

TAGS = {
    "div",
    "b",
    "table",
    "tbody",
    "tr",
    "th",
    "td",
    "pre",
    "mark",
    "code",
    "ol",
    "ul",
    "li",
    "details",
    "summary",
    "p",
}
# of a card; what sanitizes it takes time with the square of its tags
MOST_LETTERS, MOST_TAGS = 100_000, 2000
STYLES = {BOX, CELL, CODE, PROGRAMS, *MARKED}
