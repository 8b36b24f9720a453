"""An answer that is written as code, and what its check says."""

from minitape.exercises.author import answer_of


def tried(exercise, code):
    return exercise.check(answer_of(exercise, code))
