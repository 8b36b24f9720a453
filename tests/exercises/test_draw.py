"""Inputs that the learner has not seen: positive where they must be, and of every kind in a check."""

import itertools

import numpy as np

from minitape.exercises.draw import draw


def test_numbers_that_must_be_positive_are():
    drawn = draw({"x": ("+", "n", 3), "one": ("+",), "y": ("n", 9)}, np.random.default_rng(3), 1)
    assert drawn["x"].shape == (len(drawn["y"]), 3)
    assert (drawn["x"] > 0).all() and drawn["one"] > 0 and (drawn["y"] < 0).any()


def test_numbers_are_small_and_large_of_both_signs_in_the_turns_of_a_check():
    names = "xyz"
    for seed in range(20):
        numbers = np.random.default_rng(seed)
        turns = [draw(dict.fromkeys(names, ()), numbers, turn) for turn in range(4)]
        for name in names:
            assert {(t[name] > 0, abs(t[name]) > 1.5) for t in turns} == {
                (sign, size) for sign in (True, False) for size in (True, False)
            }
        for one, other in itertools.combinations(names, 2):
            assert len({(t[one] > 0, t[other] > 0) for t in turns}) == 4


def test_a_function_is_told_the_turn_where_it_takes_it():
    inputs = {"k": lambda chance, turn: turn, "x": lambda chance: chance.uniform()}
    for turn, told in ((None, 0), (0, 0), (3, 3)):
        drawn = draw(inputs, np.random.default_rng(1), turn)
        assert drawn["k"] == told and 0 < drawn["x"] < 1
