"""Questions: the right answer is right, every wrong choice is wrong and has its idea, and both are
computed from the program.
"""

import pytest
import storyboard_contract as contract
import storyboard_programs as programs

from minitape.storyboard.acts.predict import prompts
from minitape.storyboard.text.captions import catalogue, sentence


def ask(text, question):
    board = programs.run(
        "asked", text + f"board = build(tape, y, x, engine='layers', predict={question!r})\n"
    )["board"]
    contract.check(board)
    (prompt,) = board["prompts"]
    return prompt, {choice["text"]: choice["idea"] for choice in prompt["choices"]}


FAN_OUT = "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * x * 5.0 + 3 * x\n"


def test_a_fan_out_that_was_overwritten_instead_of_added():
    prompt, choices = ask(FAN_OUT, "adjoint x")
    assert (prompt["kind"], prompt["answer"], prompt["right"]) == ("number", 23.0, "idea.right.sum")
    assert (
        choices["23.0"] is None
        and choices["10.0"] == "idea.overwritten"
        and choices["3.0"] == "idea.first"
    )


def test_a_half_right_sum_says_which_parts_are_in_and_which_is_missing():
    """At x = 2 the parts of x * x * 5 + 3 * x are 3, 10 and 10: every sum of some of them has its
    own sentence.
    """
    prompt, choices = ask(FAN_OUT, "adjoint x")
    described = {
        choice["text"]: sentence(
            "en", choice["idea"], {**prompt["params"], **choice.get("params", {})}
        )
        for choice in prompt["choices"]
        if choice["idea"]
    }
    assert choices["13.0"] == choices["20.0"] == "idea.missing"
    assert described["13.0"].startswith("Half right: 3.0 + 10.0 is in, 10.0 is missing.")
    assert described["20.0"].startswith("Half right: 10.0 + 10.0 is in, 3.0 is missing.")
    assert described["3.0"].startswith(
        "You kept the first part only: 3.0 is in, 10.0 + 10.0 is missing."
    )
    assert len(set(described.values())) == len(described)


def test_a_part_without_the_adjoint_from_behind():
    text = "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = (x * 7.0) * 5.0\n"
    prompt, choices = ask(text, "part x")
    assert (
        prompt["answer"] == 35.0
        and choices["7.0"] == "idea.upstream"
        and choices["10.0"] == "idea.swapped"
    )


def test_a_part_whose_stretched_axis_was_not_summed():
    text = "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * [3.0, 4.0]\n"
    prompt, choices = ask(text, "part x")
    assert (
        prompt["answer"] == 7.0
        and choices["[3. 4.]"] == "idea.broadcast"
        and choices["3.0"] == "idea.broadcast"
    )


def test_the_sign_is_asked_before_the_play():
    prompt, choices = ask(
        "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = 5.0 - x\n", "sign x"
    )
    assert (prompt["kind"], prompt["answer"], prompt["frame"]) == ("sign", -1, 1)
    assert choices == {
        "It grows": "idea.slope",
        "It shrinks": None,
        "It stays the same": "idea.slope.same",
    }


def test_the_next_card():
    prompt, choices = ask(FAN_OUT, "card")
    assert prompt["kind"] == "card" and prompt["answer"] == 2
    assert choices["Card 3: Mul"] is None and choices["Card 1: Mul"] == "idea.recorded_order"


def test_none_or_zero():
    text = (
        "x = tf.Variable(2.0)\nz = tf.Variable(3.0)\nwith tf.GradientTape() as tape:\n    y = "
        "z * z\n"
    )
    prompt, choices = ask(text, "result x")
    assert prompt["right"] == "idea.right.none" and choices["0.0"] == "idea.zero_not_none"


def test_the_same_number_is_no_wrong_choice():
    """2 * x at 2: the parts of x * x are both 2, so the last part and the first are one choice."""
    prompt, choices = ask(
        "x = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * x\n", "adjoint x"
    )
    assert prompt["answer"] == 4.0 and sorted(choices) == ["-4.0", "2.0", "4.0"]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_every_question_of_every_program_can_be_said(name, language):
    board = programs.storyboard(name)
    board["language"] = language
    for prompt in prompts(board, 9):
        ideas = [choice["idea"] for choice in prompt["choices"] if choice["idea"]]
        keys = [prompt["key"], prompt["key"] + ".hint", prompt["right"], *ideas]
        for key in keys:
            assert key in catalogue(language), key
            described = next(
                (choice.get("params", {}) for choice in prompt["choices"] if choice["idea"] == key),
                {},
            )
            text = sentence(language, key, {**prompt["params"], **described})
            assert text and "  " not in text and " ," not in text, (key, text)


def test_a_question_that_cannot_be_asked():
    with pytest.raises(ValueError, match="cannot be asked"):
        ask(FAN_OUT, "adjoint nobody")
