"""The report to an author of exercises: `python -m minitape.exercises check FILE`.

Nothing is believed that can be tried: the starter must not pass, the solution must, on new numbers
each time, and every declared wrong answer must meet its own idea. Every sentence must be there in
each language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any

from ..sentences import COMPLETE, LANGUAGES, speaking
from .exercise import SECONDS, Exercise
from .function import WithProgram
from .guard import TooLong, within
from .line import HERE, Line
from .number import Number
from .order import Order
from .outcome import SENTENCES
from .shelf import exercises_in

TIMES = 3  # that each answer is tried, with new numbers, in one language after the other
NEEDED = ("title", "prompt", "praise", "hint.1")


def answer_of(exercise: Exercise, code: str) -> Any:
    """Run an answer as a notebook cell would and return what it defines."""
    return _guarded(lambda: exercise.defined(code))


def _guarded(call: Callable[[], Any]) -> Any:
    """Return what a call returns; raises `TimeoutError` where it does not end."""
    try:
        return within(SECONDS, call)
    except TooLong as error:
        raise TimeoutError(f"what it runs is {error.idea}") from None


def missing(module: ModuleType) -> list[str]:
    """Return what is missing in a module of exercises, one sentence each."""
    exercises = exercises_in(module)
    if not exercises:
        return [
            f"{module.__name__}: there is no exercise in it. Give each one a name of its own at "
            "the top of the file."
        ]
    report = [
        f"{exercise.id}: {complaint}"
        for exercise in exercises
        for complaint in complaints(exercise)
    ]
    ids = [exercise.id for exercise in exercises]
    report += [
        f"{identity}: two exercises have this id."
        for identity in sorted({i for i in ids if ids.count(i) > 1})
    ]
    names = {identity.partition(".")[2] for identity in ids}
    for exercise in exercises[:1]:
        report += [
            f"{module.__name__}: the text {key!r} belongs to no exercise."
            for key in exercise.texts("en")
            if key.partition(".")[0] not in names and not key.startswith("idea.")
        ]
    return report


def complaints(exercise: Exercise) -> Iterator[str]:
    """Yield what is missing in one exercise."""
    yield from _texts(exercise)
    yield from _hints(exercise)
    if not exercise.wrong:
        yield "it declares no wrong answer. Which ones do people really give?"
    try:
        for turn in range(TIMES):
            with speaking(LANGUAGES[turn % len(LANGUAGES)]):
                _guarded(exercise.question)
                if found := list(_answers(exercise)):
                    yield from found
                    break  # another language would say the same
    except Exception as error:
        yield f"it cannot be tried: {type(error).__name__}: {error}"
    yield from _of_kind(exercise)


def tell(module: ModuleType) -> int:
    """Print what is missing; returns how much. A language of its own is no duty: that it lacks one is
    said, and not counted.
    """
    report = list(dict.fromkeys(missing(module)))
    for line in report:
        print(line)
    for language in COMPLETE:
        if not all(exercise.texts.own(language) for exercise in exercises_in(module)):
            print(
                f"{module.__name__}: its messages lack {language}.json: learners read English "
                "there."
            )
    if not report:
        print(
            f"{module.__name__}: nothing is missing in "
            f"{', '.join(exercise.id for exercise in exercises_in(module))}."
        )
    return len(report)


def _texts(exercise: Exercise) -> Iterator[str]:
    name = exercise.id.partition(".")[2]
    if not name:
        yield 'its id should be the lesson, a dot, and a name, as in "03.sin".'
    english = exercise.texts("en")
    for language in LANGUAGES:
        own = exercise.texts.own(language)
        if not own:
            continue  # said once, of all exercises (missing)
        keys = [f"{name}.{key}" for key in NEEDED] + [
            key for key in english if key.startswith(f"{name}.")
        ]
        for key in dict.fromkeys(keys):
            if not own.get(key, "").strip():
                yield f"the text {key!r} is missing in {language}."
        with speaking(language):
            for wrong in exercise.wrong:
                if not exercise.idea(wrong.idea):
                    yield (
                        f"the wrong answer {_short(wrong.answer)} has no sentence for its idea "
                        f"in {language}: "
                        f"{name}.idea.{wrong.idea}."
                    )
    declared = {wrong.idea for wrong in exercise.wrong}
    # what is found without being declared, in words of the exercise's own
    declared |= {key.removeprefix("idea.") for key in SENTENCES("en")}
    for key in english:
        idea = key.removeprefix(f"{name}.idea.")
        if idea != key and idea not in declared and not idea.startswith("at."):
            yield f"no wrong answer has the idea {idea!r}, which {key!r} explains."


def _hints(exercise: Exercise) -> Iterator[str]:
    secrets = [_squeezed(secret) for secret in _secrets(exercise)]
    for language in LANGUAGES:
        with speaking(language):
            for k, hint in enumerate(exercise.hints, 1):
                for secret in secrets:
                    if secret in _squeezed(hint):
                        yield f"hint {k} in {language} gives the answer away: it says {secret}."
            if len(set(exercise.hints)) < len(exercise.hints):
                yield f"two hints are the same in {language}."


def _secrets(exercise: Exercise) -> Iterable[str]:
    """Return the pieces of a solution that no hint should say: what is more than one name, and not
    shown anyway.
    """
    result: list[str] = []
    if isinstance(exercise, WithProgram):
        for right, _ in exercise._program.blanks.values():
            result += [line.strip().removeprefix("return ") for line in right.splitlines()]
        shown = _squeezed(exercise.starter)
        return [
            text
            for text in result
            if not text.isidentifier() and len(_squeezed(text)) > 3 and _squeezed(text) not in shown
        ]
    if isinstance(exercise, Number):
        return [exercise.right] if len(_squeezed(exercise.right)) > 5 else []
    if isinstance(exercise, Line):
        return [exercise.lines[line - 1] for line, idea in exercise.marks if idea == HERE]
    return []


def _squeezed(text: str) -> str:
    return re.sub(r"[\s`\u00a0]+", "", text)


def _answers(exercise: Exercise) -> Iterator[str]:
    outcome = exercise.try_out(answer_of(exercise, exercise.starter))
    if outcome.kind != "not attempted":
        yield f'the starter is taken for an answer ({outcome.kind}): it should be "not attempted".'
    outcome = exercise.try_out(answer_of(exercise, exercise.solution_code))
    if not outcome.correct:
        yield f"the solution does not pass: {outcome.message}"
    for wrong in exercise.wrong:
        try:
            answer = answer_of(exercise, exercise.wrong_code(wrong))
        except Exception as error:  # a blank that there is not, a letter that nobody dealt
            yield f"the wrong answer {_short(wrong.answer)} cannot be tried: {error}"
            continue
        outcome = exercise.try_out(answer)
        if outcome.correct:
            yield f"the wrong answer {_short(wrong.answer)} passes."
        elif outcome.idea != wrong.idea:
            yield (
                f"the wrong answer {_short(wrong.answer)} should have the idea {wrong.idea!r}; "
                f"it has {outcome.idea or outcome.kind!r}."
            )


def _of_kind(exercise: Exercise) -> Iterator[str]:
    if isinstance(exercise, WithProgram) and not exercise._program.blanks:
        yield "its program has no blank: mark one, as in `adjoint_c = «adjoint_y * c»`."
    if isinstance(exercise, Line) and HERE not in [idea for _, idea in exercise.marks]:
        yield "no line of its program is marked with `#! here`."
    if isinstance(exercise, Order) and len(set(exercise.lines)) < len(exercise.lines):
        yield (
            "two of its cards come from one line: write one operation on each line, and no "
            "line twice."
        )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
