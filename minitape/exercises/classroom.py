"""One table of a class: who has done what, and which wrong idea was commonest.

    python -m minitape.exercises class handed-in/*.json
    python -m minitape.exercises class handed-in/*.json --csv class.csv --page class.html

Each file is one student's, written by `progress.export`; its name is theirs. The table says what
happened, not how well somebody does: anybody can edit such a file.
"""

from __future__ import annotations

import csv
import html
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..sentences import filled, in_html, language
from .answers import your_answer
from .kept import IDEA, SENTENCES, Facts, Newer, NoProgress, facts_in
from .progress import MARKS, Standing, plain, row_of
from .shelf import all_ids, exercise

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # with these, a spreadsheet takes a text for a formula


@dataclass(frozen=True)
class Line:
    """One exercise: a row per student in the order of their names; the wrong idea that most of them
    had, "" where there was none, how many had it, and its sentence.
    """

    rows: tuple[Standing, ...]
    idea: str = ""
    students: int = 0
    sentence: str = ""

    @property
    def solved(self) -> int:
        """How many students have solved it."""
        return sum(row.state == "solved" for row in self.rows)


@dataclass(frozen=True)
class Table:
    """What `read` returns: the students, a line per exercise that somebody has tried, and a
    sentence for each file that could not be read. `repr` is the table as text.
    """

    students: tuple[str, ...]
    lines: tuple[Line, ...]
    refused: tuple[str, ...] = ()

    def __repr__(self) -> str:
        wide = max((len(line.rows[0].named) for line in self.lines), default=0)
        text = [
            SENTENCES.say("class.students", {"count": len(self.students)}),
            *(f"  {name}" for name in self.students),
            "",
            *(
                f"{line.rows[0].named:{wide}}  {''.join(MARKS[row.state] for row in line.rows)}  "
                f"{self._commonest(line)}".rstrip()
                + (line.sentence and f"\n    {line.sentence}")
                for line in self.lines
            ),
            "",
            "   ".join(f"{MARKS[state]} {SENTENCES.say(f'state.{state}')}" for state in MARKS),
            *self.refused,
        ]
        return plain("\n".join(text))

    def as_csv(self) -> str:
        """Return the table for a spreadsheet: no text in it is taken for a formula."""
        heads = ("exercise", "solved", "idea", "having")
        file = io.StringIO()
        write = csv.writer(file).writerow
        write([*(SENTENCES.say(f"class.{head}") for head in heads), *map(_cell, self.students)])
        for line in self.lines:
            states = [row.words for row in line.rows]
            idea = ": ".join(filter(None, (line.idea, line.sentence)))
            write([_cell(line.rows[0].named), line.solved, _cell(idea), line.students, *states])
        return file.getvalue()

    def as_page(self) -> str:
        """Return the table as a page that needs nothing else."""
        say = html.escape
        rows = []
        for line in self.lines:
            states = "".join(
                f'<td title="{say(row.words)}" aria-label="{say(row.words)}">{MARKS[row.state]}</td>'
                for row in line.rows
            )
            idea = f"{say(self._commonest(line))}<br><small>{in_html(line.sentence)}</small>"
            rows.append(
                f'<tr><th scope="row">{say(line.rows[0].named)}</th>{states}<td>{line.solved}</td>'
                f"<td>{idea if line.idea else ''}</td></tr>"
            )
        heads = "".join(f'<th scope="col"><span>{say(name)}</span></th>' for name in self.students)
        last = "".join(f'<th scope="col">{say(_head(head))}</th>' for head in ("solved", "idea"))
        legend = " &emsp; ".join(f"{MARKS[s]} {say(SENTENCES.say(f'state.{s}'))}" for s in MARKS)
        return plain(
            f'<!doctype html><html lang="{language()}"><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width">'
            f"<title>{say(_head('title'))}</title><style>{STYLE}</style>"
            f"<h1>{say(_head('title'))}</h1><p>{legend}</p>"
            f'<div><table><thead><tr><th scope="col">{say(_head("exercise"))}</th>{heads}{last}</tr>'
            f"</thead><tbody>{''.join(rows)}</tbody></table></div>"
            + "".join(f"<p>{say(sentence)}</p>" for sentence in self.refused)
        )

    def _commonest(self, line: Line) -> str:
        counts = {"idea": line.idea, "count": line.students, "all": len(self.students)}
        return SENTENCES.say("class.commonest", counts) if line.idea else ""


STYLE = """
:root{color-scheme:light dark}body{font:15px/1.4 system-ui,sans-serif;margin:1.5em}
div{overflow-x:auto}table{border-collapse:collapse}
th,td{border-bottom:1px solid #8886;padding:.3em .5em;text-align:left;vertical-align:top}
thead th{vertical-align:bottom}thead span{writing-mode:vertical-rl;max-height:12em}
"""


def read(files: Iterable[str | Path]) -> Table:
    """Return the table of these files of progress. What cannot be read is said in it."""
    facts: dict[str, Facts] = {}
    refused = []
    for file in map(Path, files):
        try:
            facts[_name(file, facts)] = facts_in(file.read_bytes())
        except Newer:
            refused.append(SENTENCES.say("progress.newer", {"file": file}))
        except NoProgress:
            refused.append(SENTENCES.say("progress.not-progress", {"file": file}))
        except OSError as error:
            refused.append(SENTENCES.say("class.unread", {"file": file, "why": error.strerror}))
    students = tuple(sorted(facts, key=str.casefold))
    begun = {identity for one in facts.values() for identity, kinds in one.items() if kinds}
    course = all_ids()
    ids = [identity for identity in course if identity in begun]
    lines = [
        _line(identity, [facts[name] for name in students])
        for identity in [*ids, *sorted(begun - set(course))]
    ]
    return Table(students, tuple(lines), tuple(refused))


def _line(identity: str, facts: Sequence[Facts]) -> Line:
    try:
        asked = exercise(identity)
    except Exception:  # a teacher's own, which is not here, or cannot be read here
        asked = None
    title = asked.title if asked is not None else identity
    rows = tuple(row_of(identity, title, one) for one in facts)
    had = Counter(idea for one in facts for idea in sorted(_ideas(one.get(identity, ()))))
    if not had:
        return Line(rows)
    [(idea, students)] = had.most_common(1)
    pattern = asked.idea_pattern(idea) if asked is not None else ""
    said = filled(pattern, {"what": your_answer()}, language(), missing="…")
    return Line(rows, idea, students, said)


def _ideas(kinds: Iterable[str]) -> set[str]:
    return {kind.partition(IDEA)[2] for kind in kinds if kind.startswith(f"not yet{IDEA}")}


def _name(file: Path, taken: Iterable[str]) -> str:
    """Return whose file it is: by its name; with its folder where another one is called so."""
    return file.stem if file.stem not in taken else str(file.with_suffix(""))


def _head(key: str) -> str:
    return SENTENCES.say(f"class.{key}")


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text
