"""What was seen, as text: a table to read in a terminal, and the findings under it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .words import cure, distinct, place, place_text, say, sentence, short

if TYPE_CHECKING:
    from .findings.finding import Finding
    from .seen.history import LayerHistory
    from .watching import Watch

WIDTH = 100
SIZES, SHARES = ("value", "adjoint", "update"), ("dead", "saturated")


def ends(layer: LayerHistory, measure: str, language: str) -> str:
    """Returns the first and the last number of a measure."""
    numbers = layer.last(measure)
    return f"{short(numbers[0], language)} -> {short(numbers[-1], language)}" if numbers else "-"


def share(layer: LayerHistory, measure: str) -> str:
    """Returns the last share in percent."""
    numbers = layer.last(measure)
    return f"{100 * numbers[-1]:.0f} %" if numbers else "-"


def as_text(seen: Watch) -> str:
    """Returns the whole view of a `Watch` as text."""
    history, language = seen.history, seen.language
    lines = [opening(seen)]
    if history.layers:
        lines += [
            "",
            say("watch.sizes", language),
            *aligned([heading(language), *[row(seen, layer) for layer in history.layers.values()]]),
        ]
    lines += ["", say("watch.findings", language)]
    for count, finding in enumerate(seen.findings, 1):
        lines += finding_lines(finding, language, f"{count}. ")
    return "\n".join(lines + ([] if seen.findings else ["  " + say("watch.fine", language)]))


def finding_lines(finding: Finding, language: str, begin: str = "") -> list[str]:
    """Returns what a finding says, and what to do about it."""
    where = [place_text(place(finding.where), language)]
    where += [say("watch.at.step", language, step=finding.step)] if finding.step is not None else []
    sure = say(f"watch.sure.{finding.sure}", language)
    return [
        *wrapped(
            begin, f"{sentence(finding, language)} ({', '.join([w for w in where if w] + [sure])})"
        ),
        *wrapped(" " * len(begin), say("watch.cure", language, cure=cure(finding, language))),
        *[f"      {line}" for line in finding.write],
    ]


def opening(seen: Watch) -> str:
    """Returns how many steps were seen, and what became of the loss."""
    language, losses = seen.language, seen.history.losses
    if not seen.steps:
        return say("watch.traced" if seen.history.traced else "watch.nothing", language)
    parts = [say("watch.title", language, steps=seen.steps, looks=seen.history.looks)]
    known = [loss for loss in losses.mean if loss is not None]
    if known:
        last = losses.mean[-1] if losses.mean[-1] is not None else float("nan")
        low = min(loss for loss in losses.low if loss is not None)
        parts.append(
            say(
                "watch.loss",
                language,
                **distinct({"first": known[0], "last": last, "low": low}, language),
            )
        )
    if seen.failed is not None:
        parts.append(say("watch.failed", language, step=seen.failed[0], error=repr(seen.failed[1])))
    return ", ".join(parts)


def heading(language: str) -> list[str]:
    """Returns the heads of the columns."""
    return [say(f"watch.column.{name}", language) for name in ("layer", *SIZES, *SHARES, "bad")]


def row(seen: Watch, layer: LayerHistory) -> list[str]:
    """Returns one line of the table, cell by cell."""
    weights = [seen.history.weights[n] for n in layer.variables if n in seen.history.weights]
    frozen = (
        f" ({say('watch.column.frozen', seen.language)})"
        if weights and all(w.frozen for w in weights)
        else ""
    )
    bad = int(max(layer.last("bad"), default=0))
    sizes = [ends(layer, measure, seen.language) for measure in SIZES]
    return [
        layer.name + frozen,
        *sizes,
        *[share(layer, m) for m in SHARES],
        str(bad) if bad else "-",
    ]


def aligned(rows: list[list[str]]) -> list[str]:
    """Returns the rows of a table as lines, the columns under each other."""
    widths = [max(len(cells[k]) for cells in rows) for k in range(len(rows[0]))]
    return [
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip()
        for cells in rows
    ]


def wrapped(begin: str, text: Any) -> list[str]:
    """Returns a text in lines that fit a terminal, the first after `begin`, the others as far in."""
    import textwrap

    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent="  " + begin,
        subsequent_indent=" " * (2 + len(begin)),
        break_long_words=False,
        break_on_hyphens=False,
    )
