"""An answer that raises: its line is one that the learner has written, and Python's error is told
in their language.
"""

import re

import pytest

import tests.exercises.examples as examples
from minitape.exercises import Function, exercise
from minitape.exercises import outcome as outcomes
from minitape.exercises.program import run
from minitape.sentences import speaking
from tests.exercises.answers import tried


def test_an_answer_that_raises_what_a_declared_wrong_one_raises_has_its_idea():
    raising = Function(
        id="ex.linear",
        texts=examples.TEXTS,
        inputs={"x": ()},
        program=(
            "def found(x):\n    seen = {}\n    seen['x'] = «seen.get('x', 0) + x»\n    return "
            "seen['x']\n"
        ),
        wrong=(examples.Wrong("one-side", {"x": "seen['x'] + x"}),),
    )
    outcome = tried(
        raising, "def found(x):\n    seen = {}\n    seen['x'] += x\n    return seen['x']\n"
    )
    assert (outcome.kind, outcome.idea) == (
        "not yet",
        "one-side",
    ) and "Line 3: seen['x'] += x\nKeyError: 'x'" in outcome.message
    for other in ("seen['y'] += x", "seen += x"):
        assert (
            tried(raising, f"def found(x):\n    seen = {{}}\n    {other}\n    return 1.0\n").kind
            == "your code raised"
        )


@pytest.mark.parametrize(
    ("rule", "idea"),
    [
        ("return back, v", "returns-two"),
        ("return v, back\n        return mine", "not-called"),
        ("return v, back\n        return mine(h)", None),
    ],
)
def test_what_learners_call_their_functions_makes_no_other_error(rule, idea):
    starter = exercise("12.reverse").starter.replace(
        "        return ...\n",
        "        @tf.custom_gradient\n        def mine(v):\n            def back(arrives):\n"
        f"                return -self.strength * arrives\n            {rule}\n"
        + ("        return mine(h)\n" if idea == "returns-two" else ""),
    )
    assert tried(exercise("12.reverse"), starter).idea == idea


def test_an_error_is_the_same_wherever_its_function_lies():
    through = exercise("12.through")
    code = through.starter.replace("tf.round(w)", "tf.grad_pass_through(tf.round(w))")
    assert tried(through, code).idea == "called"
    asked = "\n    def own(v):\n        return v\n    with tf"
    outcome = tried(
        through, through.starter.replace("\n    with tf", asked).replace("tf.round(w)", "own")
    )
    assert (outcome.kind, outcome.idea) == ("your code raised", None), (
        "another function, not called: another mistake"
    )


@pytest.mark.parametrize(
    "identity, blank, line",
    [
        ("09.clip", ("factor", "'a'"), "factor = 'a'"),  # raises in a `return` that is given
        ("12.reverse", ("body", "return nothing"), "return nothing"),
    ],
)
def test_the_line_that_is_named_is_the_learner_s_own(identity, blank, line):
    """Also where the line that raised was given: a helper's, which says nothing to somebody who has
    not written it.
    """
    e = exercise(identity)
    code = e._program.edited(dict([blank]))
    outcome = tried(e, code)
    assert (
        outcome.kind == "your code raised" and code.splitlines()[outcome.line - 1].strip() == line
    )
    assert f"Line {outcome.line}: {line}" in outcome.message


def test_where_python_stopped_is_said_where_that_line_was_given():
    e = exercise("06.collected")
    outcome = tried(e, e.starter.replace("np.zeros(4)", "(0.0,) * 4"))
    assert outcome.line == 5 and "Line 5: sizes = (0.0,) * 4" in outcome.message
    assert "stopped on line 8, which works with it: sizes[year] = size" in outcome.message


@pytest.mark.parametrize("outside", ["np.mean(error * error)", "float(tf.reduce_mean(error))"])
def test_a_plain_number_as_a_target_is_no_typing_error(outside):
    e = exercise("06.mean")
    said = tried(e, e._program.edited({"loss": outside})).message
    assert "a plain number has no history" in said and "typing error" not in said


def test_shapes_that_are_named_need_no_general_sentence():
    e = exercise("04.matmul")
    said = tried(e, e._program.edited({"g @ w.T": "g + x.T @ x"})).message
    assert "the shapes do not fit" in said and "of the right kind" not in said


@pytest.mark.parametrize(
    "wrong, said",
    [
        ("nothing_here", "Un nom est employé"),
        ("matmul(x, w) + np.ones(5)", "Le nom `matmul` n'est pas connu ici.; `np.matmul` l'est"),
        (
            "matmul(x, w) + tf.ones(5) + tf.ones(5)",
            "Le nom `matmul` n'est pas connu ici.; `tf.matmul` l'est",
        ),
        (
            "(tape := tf.GradientTape()) and gradient(x, w)",
            "Le nom `gradient` n'est pas connu ici.; `tape.gradient` l'est",
        ),
        ("[].append(x, w)", "Cet appel prend une seule chose"),
        ("[][3]", "On demande une place"),
        ("w / 'a'", "Une valeur n'est pas du genre"),
        ("w.slope", "Après le point"),
        ("w.T()", "Des parenthèses appellent"),
        ("w ^ 2", "En Python, une puissance"),
        ("w if w else 0.0", "Une question attend"),
        ("float(w)", "Il faut ici un seul nombre"),
        ("[a for a, b in [(1, 2, 3)]]", "À gauche de"),
        ("w.numpy()", "C'est un tableau NumPy"),
        ("w.reshape(7, 5)", "Un reshape garde"),
        ("w[0.5]", "Entre crochets"),
        ("len(mine) if False else [mine := mine]", "À cette ligne, le nom n'a pas encore"),
        ("(2 + 0,5 * 3) ** 2", "L'un des deux est une paire"),
        ("np.cos[3]", "Une fonction s'appelle"),
        ("np.concatenate([0, [1]])", "L'un des morceaux"),
        ("tf.Variable(1) * 0.5", r"[\s\S]*Une variable ou un tenseur fait"),
        ("tf.assign(w, 1)", "Après le point"),
        ("1 / 0", "divisé par 0"),
        ("{}['w']", "n'a pas cette clé"),
        ("(lambda a: a)(w, w)", "L'appel a reçu plus"),
        ("self.kernel", "`self` est le premier argument"),
    ],
)
def test_python_s_own_error_is_kept_and_its_meaning_said_in_the_learner_s_language(wrong, said):
    code = examples.linear.solution_code.rpartition("return")[0] + f"return {wrong}\n"
    with speaking("fr"):
        outcome = tried(examples.linear, code)
    assert outcome.kind == "your code raised" and re.search(
        r"\n\w+Error: .*\n.*" + said, outcome.message
    ), outcome.message


def test_an_error_of_minitape_s_own_that_says_what_to_write_is_all_that_is_said():
    code = examples.linear.solution_code.rpartition("return")[0] + "return tf.log(w)\n"
    assert tried(examples.linear, code).message.splitlines()[1:] == [
        "AttributeError: module 'minitape' has no attribute 'log'. It is tf.math.log."
    ]


@pytest.mark.parametrize("starter", ["", "    return again(x)"])
def test_a_recursion_without_end_is_told_at_once(monkeypatch, starter):
    """It passes a thousand lines, and the cell was read for each of them: 13 seconds."""
    read = []
    monkeypatch.setattr(outcomes, "_made_for", lambda *about: read.append(about) or [])
    names = run("def again(x):\n    return again(x)\n")
    with pytest.raises(RecursionError) as caught:
        names["again"](1)
    reported = outcomes.raised(caught.value, starter)
    assert reported.line == 2 and "RecursionError" in reported.message and len(read) <= 2


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("for place, row in values:\n        return place", "`enumerate(list)` gives their places"),
        ("place, row = values\n    return place", "On the left of `=`"),
        (
            "for place, row in enumerate(values):\n        if row.sum() > 1e9:\n            k = place\n"
            "    return k",
            "in an `if` or a loop that did not run",
        ),
    ],
)
def test_names_that_get_nothing_are_told_apart(body, said):
    e = exercise("09.alarm")
    assert said in tried(e, e._program.edited({"body": body})).message
