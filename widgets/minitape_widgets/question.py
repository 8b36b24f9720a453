"""A question between the cells of a lesson: a number, or one of several answers, judged with the
idea behind the mistake.

    ask("What is x * x at 3?", 9, {6: "That is the slope."})    written by hand
    ask(exercise("03.fan"))                                     a `Prediction` of the exercises,
                                                                with new numbers at every run
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import anywidget

from minitape.exercises import Number, Wrong
from minitape.exercises.answers import your_answer
from minitape.exercises.number import NEAR
from minitape.schemas import LARGEST, reader
from minitape.sentences import chosen
from minitape.storyboard import Storyboard
from minitape_widgets.player import TRACE, Player
from minitape_widgets.view import is_number, sentence

# more answers than one reads are none to choose from
CHOICES = 6


class Question(Player):
    """Asks one question between the cells of a lesson, and judges the answer with the idea behind
    the mistake.
    """

    def __init__(self, question: dict[str, Any], *, language: str | None = None) -> None:
        language = chosen(language)
        place = reader("trace", "Question")(question, question)
        if place is not None:
            raise ValueError(
                "A question is a text of at most 20,000 letters, and has at most 1,000 answers of "
                f"as many; {place[1:] or 'this one'} is not so."
            )
        anywidget.AnyWidget.__init__(self, layout=None)
        self.trace, self.storyboard, self.gradients = (
            {"question": question, "options": {"language": language}},
            None,
            None,
        )
        self.on_msg(Player._page_said)

    def boards(self) -> list[Storyboard]:
        return []

    def text(self) -> str:
        """Returns the question, its program, and the answers to choose from where there are any."""
        asked = self.trace["question"]
        choices = (
            [f"  - {choice['text']}" for choice in asked["choices"]]
            if asked["kind"] == "choice"
            else []
        )
        return "\n".join(
            [asked["question"], *([asked["code"].rstrip()] if "code" in asked else []), *choices]
        )

    def picture(self) -> dict[str, Any]:
        """Returns the bundle without the widget."""
        return {TRACE: self.payload, "text/plain": self.text()}

    def save(self, path: str | Path) -> NoReturn:
        """Raises ValueError: a question is part of a notebook, and is exported with it."""
        raise ValueError(
            "A question is saved with its notebook: jupyter nbconvert --to minitape lesson.ipynb"
        )

    def __repr__(self) -> str:
        return f"<Question: {self.trace['question']['question']}>"


def ask(
    question: str | Number,
    answer: Any = ...,
    wrong: Mapping[Any, str] | None = None,
    *,
    right: str = "",
    choices: Sequence[Any] | None = None,
    tolerance: float = 1e-3,
    language: str | None = None,
) -> Question:
    """Asks the learner to predict something before they run it: one number, or one of several
    choices.

    `question` is a text, or a `Number` of the exercises: it brings its program with new numbers,
    its answer and its ideas. `wrong` maps the answers that a misconception would give to the idea
    behind the mistake; `right` is said after the right one. `choices`: the answers to choose from,
    in order (then `answer` is one of them); without them a number is asked for. `tolerance` is
    relative; below 1 it is absolute, but no more than 5 % of the answer, or than itself as a share.
    Of all that an answer is near to, the nearest counts. Backticks in sentences make code.
    `language`: "en" or "fr", else the one that is spoken. Raises ValueError where the answer is not
    among the choices, and TypeError for an argument of another kind.
    """
    chosen(language)
    question = getattr(question, "_behind", question)  # of an exercise, a class may get its face
    if isinstance(question, Number):
        if answer is not ... or wrong is not None or choices is not None or right:
            raise TypeError("This exercise brings its own answer and ideas: ask(exercise).")
        return Question(asked_by(question), language=language)
    sentence("question", question), sentence("right", right)
    if answer is ...:
        raise TypeError('ask needs the answer too: ask("What is 2 * 3?", 6).')
    if not isinstance(wrong or {}, dict) or not all(
        isinstance(idea, str) for idea in (wrong or {}).values()
    ):
        raise TypeError(
            'wrong is a dictionary of answers and the ideas behind them, as in wrong={2.0: "That '
            'is x itself."}, '
            f"not {wrong!r}."
        )
    if choices is not None and (
        isinstance(choices, str) or not isinstance(choices, list | tuple) or not choices
    ):
        raise TypeError(
            f'choices are a list of answers, as in choices=["None", "0"], not {choices!r}.'
        )
    if not is_number(tolerance) or not 0 <= tolerance < math.inf:
        raise ValueError(f"tolerance is a number from 0, not {tolerance!r}.")
    return Question(
        asked(
            question,
            answer,
            {str(given): idea for given, idea in (wrong or {}).items()},
            right,
            None if choices is None else [str(choice) for choice in choices],
            tolerance,
        ),
        language=language,
    )


def asked(
    question: str,
    answer: Any,
    wrong: Mapping[str, str],
    right: str,
    choices: Sequence[str] | None,
    tolerance: float,
) -> dict[str, Any]:
    """Returns a question as the page reads it. Raises ValueError where the answer is not among the
    choices.
    """
    writable = choices is None and is_number(answer) and abs(answer) <= LARGEST
    kind = "number" if writable else "choice"
    if kind == "choice":
        choices = choices or sorted({*wrong, str(answer)})
        if str(answer) not in choices:
            raise ValueError(f"The answer {answer!r} is not among the choices {choices}: add it.")
    number = answer if isinstance(answer, int) or kind == "choice" else float(answer)
    return {
        "question": question,
        "kind": kind,
        "answer": number if kind == "number" else str(answer),
        # "1e-08" among the choices is not "1e-15"
        "tolerance": float(tolerance) if kind == "number" else 0.0,
        "say": right,
        "choices": [{"text": text, "say": wrong.get(text)} for text in (choices or wrong)],
    }


def asked_by(exercise: Number) -> dict[str, Any]:
    """Returns the question of an exercise, with new numbers."""
    drawn = exercise.drawn()
    wrong = {
        as_text(answer): exercise.idea(one.idea, what=your_answer())
        for one, answer in drawn["wrong"].items()
    }
    right, choices = drawn["right"], None
    # a field would tell that it is a number
    if not all(map(is_number, [right, *drawn["wrong"].values()])):
        right, choices = as_text(right), offered(right, drawn["wrong"])
    return asked(exercise.prompt, right, wrong, exercise.praise, choices, NEAR) | {
        "code": drawn["text"],
        "hint": next(iter(exercise.hints), None),
    }


def offered(right: Any, wrong: Mapping[Wrong, Any]) -> list[str]:
    """Returns a few answers to choose from: the right one, and one for each of the ideas that were
    declared first.
    """
    ideas: dict[str, Any] = {}
    for one, answer in wrong.items():
        ideas.setdefault(one.idea, answer)
    few = [right, *list(ideas.values())[: CHOICES - 1]]
    few.sort(key=lambda answer: (0, answer, "") if is_number(answer) else (1, 0, as_text(answer)))
    return list(dict.fromkeys(map(as_text, few)))


def as_text(answer: Any) -> str:
    """Returns an answer as it is written: a list of sizes as a shape, a whole number without its
    point.
    """
    if isinstance(answer, list):
        return f"({', '.join(as_text(size) for size in answer)}{',' if len(answer) == 1 else ''})"
    # a zero has no sign
    return f"{answer + 0.0:.10g}" if is_number(answer) else str(answer)
