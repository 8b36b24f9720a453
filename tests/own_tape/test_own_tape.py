"""Tapes that learners write, with the faults that learners make: the picture shows what their tape
did, and names the place.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minitape import one_page as page
from minitape.own_tape import OwnTape, departure, storyboard
from minitape.sentences import speaking
from minitape.storyboard import Storyboard
from tests.engine.test_one_page import written
from tests.storyboard.storyboard_contract import check


def described(tape, target, sources):
    """What `one_page.Tape` holds and does, as lists."""
    entries = [
        (
            e.op,
            [x.number for x in e.inputs],
            e.output.number,
            [*(x.value for x in e.inputs), e.output.value],
        )
        for e in tape.entries
    ]
    place, adjoints = {id(entry): k for k, entry in enumerate(tape.entries)}, {}
    steps = [
        [place[id(s.entry)], s.adjoint.value, {i: part.value for i, part in s.parts.items()}]
        for s in tape.steps(target, adjoints)
    ]
    gradients = {
        x.number: adjoints[x.number].value if x.number in adjoints else None for x in sources
    }
    return entries, steps, gradients


def random_tape(rng):
    """A random program on the page; (entries, steps, gradients, target), None where nothing was
    recorded or numbers ran away.
    """
    leaves, lines, target, sources = written(rng)
    with np.errstate(all="ignore"), page.Tape() as tape:
        values = [page.Tensor(array) for array, _ in leaves]
        for x in values:
            tape.watch(x)
        for op, inputs, how in lines:
            values.append(
                page.run(
                    op,
                    *(values[k] for k in inputs),
                    **({"shape": how[0]} if op == "sum_to" else {}),
                )
            )
        if not tape.entries:
            return None
        made = [entry.output for entry in tape.entries]
        target = made[target % len(made)]
        found = (
            *described(
                tape,
                target,
                [x for x in values[: len(leaves)] if any(x in e.inputs for e in tape.entries)],
            ),
            target.number,
        )
    numbers = [v for _, _, _, vs in found[0] for v in vs] + [
        a for _, g, parts in found[1] for a in (g, *parts.values())
    ]
    return (
        found if all(np.all(np.isfinite(v)) and np.all(np.abs(v) < 1e6) for v in numbers) else None
    )


@given(st.randoms(use_true_random=False))
def test_a_right_tape_never_leaves_the_right_way(rng):
    found = random_tape(rng)
    if found is None:
        return
    entries, steps, gradients, target = found
    board = storyboard(entries, steps, gradients, target=target)
    assert board.departure is None and "asides" not in board
    check(board)
    assert Storyboard.from_json(board.to_json()) == board
    assert len(board["cards"]) == len(entries)
    visits = [
        (f["card"], board["values"][f["value"]]["text"])
        for f in board["frames"]
        if f["act"] == "visit"
    ]
    assert [card for card, _ in visits] == [k for k, _, _ in steps]
    assert sum(f["act"] == "part" for f in board["frames"]) == sum(
        len(parts) for _, _, parts in steps
    )
    assert sum(f["act"] == "result" for f in board["frames"]) == len(gradients)


@given(st.randoms(use_true_random=False))
def test_a_changed_part_is_named_where_it_was_made(rng):
    """One part is changed, and all that follows from it is what the tape would truly have done."""
    found = random_tape(rng)
    if found is None:
        return
    entries, steps, gradients, target = found
    leaves = {n for _, inputs, _, _ in entries for n in inputs} - {
        output for *_, output, _ in entries
    }
    last = [
        (s, i)
        for s, (k, _, parts) in enumerate(steps)
        for i in parts
        if entries[k][1][i] in leaves and entries[k][0] != "sum_to"
    ]
    if not last:
        return
    s, place = rng.choice(last)
    k, adjoint, parts = steps[s]
    part, number = parts[place], entries[k][1][place]
    if not np.any(part):
        return
    changed = rng.choice([-part, 2 * part])
    parts[place] = changed
    if number in gradients:
        gradients[number] = gradients[number] - part + changed
    got = departure(OwnTape(entries, steps, gradients, target=target))
    assert got is not None and (got.at, got.step, got.place) == ("part", s, place)
    assert got.key in ({"sign", "swapped", "upstream", "part"})


@given(st.randoms(use_true_random=False))
def test_a_wrong_value_is_named_at_its_card(rng):
    found = random_tape(rng)
    if found is None:
        return
    entries, steps, gradients, target = found
    k = rng.randrange(len(entries))
    op, inputs, output, values = entries[k]
    used = any(output in others for _, others, _, _ in entries[k + 1 :])
    entries[k] = op, inputs, output, [*values[:-1], values[-1] + 1]
    got = departure(OwnTape(entries, target=target))
    judged = op != "sum_to"
    if judged or used:
        assert (
            got is not None and got.at == "record" and got.key == ("value" if judged else "changed")
        )
        assert got.entry == k if judged else got.entry > k


class Learner:
    """A tape for numbers and arrays as a learner writes it; `fault` is what they get wrong."""

    RULES = {
        "add": lambda g, y, a, b: (g, g),
        "subtract": lambda g, y, a, b: (g, -g),
        "multiply": lambda g, y, a, b: (g * b, g * a),
        "exp": lambda g, y, x: (g * y,),
        "sum": lambda g, y, x: (g * np.ones_like(x),),
    }
    COMPUTE = {
        "add": np.add,
        "subtract": np.subtract,
        "multiply": np.multiply,
        "exp": np.exp,
        "sum": np.sum,
    }

    def __init__(self, fault=""):
        self.fault, self.entries, self.values = fault, [], {}

    def leaf(self, value):
        self.values[len(self.values)] = np.asarray(value, float)
        return len(self.values) - 1

    def run(self, op, *inputs):
        y = self.leaf(self.COMPUTE[op](*[self.values[n] for n in inputs]))
        self.entries.append((op, inputs, y, [*(self.values[n] for n in inputs), self.values[y]]))
        return y

    def parts(self, k, g):
        op, inputs, y, (*values, output) = self.entries[k]
        found = list(self.RULES[op](g, output, *values))
        if self.fault == "sign" and op == "subtract":
            found[1] = g
        if self.fault == "upstream" and op == "multiply":
            found = list(self.RULES[op](np.ones_like(output), output, *values))
        if self.fault == "swapped" and op == "multiply":
            found.reverse()
        for i, (part, value) in enumerate(zip(found, values)):
            if part.shape != value.shape and self.fault != "unsummed":
                found[i] = part.sum().reshape(value.shape)
        return (
            {0: found[0]}
            if self.fault == "missing" and op == "multiply"
            else dict(enumerate(found))
        )

    def play(self, target, sources):
        """What the tape does on its way back: (steps, gradients)."""
        grads, steps = (
            {
                target: np.zeros_like(self.values[target])
                if self.fault == "seed"
                else np.ones_like(self.values[target])
            },
            [],
        )
        order = range(len(self.entries) - 1, -1, -1)
        if self.fault == "seed":
            grads[target] += 2
        if self.fault == "early":
            order = [3, 2, 0, 1]
        if self.fault == "forwards":
            order = [3, 0, 1, 2]
        for k in order:
            _, inputs, y, _ = self.entries[k]
            if y not in grads:
                continue
            parts = self.parts(k, grads[y])
            steps.append((k, grads[y], parts))
            if self.fault == "skipped" and len(steps) == 1:
                for i, part in parts.items():
                    grads[inputs[i]] = part
                break
            for i, part in parts.items():
                grads[inputs[i]] = (
                    part
                    if self.fault == "overwritten" or inputs[i] not in grads
                    else grads[inputs[i]] + part
                )
        if self.fault == "recursion":
            steps, grads = [], {}
            self.visit(target, np.ones_like(self.values[target]), steps, grads)
        if self.fault == "lost":
            grads.pop(sources[0])
        return steps, {n: grads.get(n) for n in sources}

    def visit(self, number, g, steps, grads):
        """The naive recursion: each part is carried on at once, so a shared card is played once per
        way.
        """
        grads[number] = grads.get(number, 0) + g
        k = next((k for k, entry in enumerate(self.entries) if entry[2] == number), None)
        if k is not None:
            parts = self.parts(k, g)
            steps.append((k, g, parts))
            for i, part in parts.items():
                self.visit(self.entries[k][1][i], part, steps, grads)


def diamond(fault):
    """z = sum((u - w) * u), u = x * w, for an array x and a number w: a shared value, a stretched
    one, every rule.
    """
    tape = Learner(fault)
    x, w = tape.leaf([1.0, 2.0, 3.0]), tape.leaf(2.0)
    u = tape.run("multiply", x, w)
    v = tape.run("subtract", u, w)
    z = tape.run("sum", tape.run("multiply", v, u))
    steps, gradients = tape.play(z, [x, w])
    return storyboard(
        tape.entries, steps, gradients, target=z, names={x: "x", w: "w", u: "u", v: "v", z: "z"}
    )


# fault -> (key, at, card, how the sentence goes on)
FAULTS = {
    "": None,
    "overwritten": ("overwritten", "visit", 1, "The parts for u must be added"),
    "sign": ("sign", "part", 2, "Sub should send w the part"),
    "upstream": ("upstream", "part", 1, "multiply it by the adjoint that arrives"),
    "swapped": ("swapped", "part", 3, "belongs to the other input"),
    "unsummed": ("unsummed", "part", 2, "w was stretched"),
    "missing": ("missing", "visit", 3, "sends nothing to its input 2, u"),
    "seed": ("seed", "visit", 4, "The way back begins with 1"),
    "early": ("early", "visit", 1, "of 2 parts for u, 1 has come"),
    "forwards": ("skipped", "end", 2, "was never played"),
    "skipped": ("skipped", "end", 3, "was never played"),
    "lost": ("lost", "end", None, "The answer is None"),
    "recursion": ("twice", "visit", 1, "is played 2 times"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_faults_that_learners_make(fault):
    board = diamond(fault)
    check(board)
    assert Storyboard.from_json(board.to_json()) == board
    found, wanted = board.departure, FAULTS[fault]
    if wanted is None:
        assert found is None and board["replay"]
        return
    key, at, card, words = wanted
    assert (found.key, found.at, found.entry + 1 if card else None) == (key, at, card), found
    assert words in found.sentence("en") and found.sentence("fr") != found.sentence("en")
    assert board["replay"] is None and board["asides"] == [
        {
            "frame": board.departure_frame,
            "text": {"en": found.sentence("en"), "fr": found.sentence("fr")},
        }
    ]
    frame = board["frames"][board.departure_frame - 1]
    assert (
        frame["act"]
        in {"part": ["part"], "visit": ["visit", "sum"], "end": ["result"], "record": ["record"]}[
            at
        ]
    )
    if card and frame["act"] in ("visit", "part"):
        assert frame["card"] + 1 == card
    assert found.sentence("en") in board.text()


def test_the_numbers_are_those_of_the_tape_also_where_they_are_wrong():
    board = diamond("overwritten")
    text = board.text()
    assert (
        "2 parts came to u. This tape goes on with" in text and "add up to its adjoint" not in text
    )
    sums = [f for f in board["frames"] if f["act"] == "sum"]
    assert {f.get("key") for f in sums} == {"sum.kept"} and board["frames"][
        board.departure_frame - 1
    ] is sums[0]
    twice = diamond("recursion")
    visits = [
        twice["values"][f["value"]]["text"]
        for f in twice["frames"]
        if f["act"] == "visit" and f["card"] == 0
    ]
    assert visits == ["[2. 4. 6.]", "[0. 2. 4.]"] and "In this order" not in twice.text()
    assert "In this order" in diamond("early").text()
    wrong = diamond("sign")
    [part] = [
        f for f in wrong["frames"] if f["act"] == "part" and f["card"] == 1 and f["input"] == 1
    ]
    assert part["key"] == "part.plain" and "local" not in part  # no formula that was not done
    assert wrong["values"][part["value"]]["number"] > 0


def test_what_the_table_does_not_know_is_shown_and_not_judged():
    entries = [("cube", (0,), 1, (2.0, 8.0)), ("*", (1, 1), 2, (8.0, 8.0, 64.0))]
    board = storyboard(entries, [(1, 1.0, {0: 8.0, 1: 8.0}), (0, 16.0, {0: 192.0})], {0: 192.0})
    check(board)
    assert (
        board.departure is None
        and board["cards"][0]["op"] == "cube"
        and board["cards"][0]["formula"] == [None]
    )
    assert [edge["flow"] for edge in board["edges"]] == ["open", "open", "open"]
    assert (
        storyboard(entries, [(1, 1.0, {0: 8.0, 1: 8.0}), (0, 16.0, {})], {0: None}).departure.key
        == "missing"
    )


def test_without_steps_only_the_recording_is_shown():
    board = storyboard([("add", ("a", "b"), "c", (1.0, 2.0, 3.0))], names={"a": "a", "c": "c"})
    assert [frame["act"] for frame in board["frames"]] == ["record"] and board["nodes"][0][
        "label"
    ] == "a"


GOOD = ("multiply", (1, 2), 3, (2.0, 5.0, 10.0))
BAD = {
    "empty": (([],), ValueError, "The tape is empty"),
    "text": (("multiply",), TypeError, "a list is needed"),
    "none": ((None,), TypeError, "not NoneType"),
    "number for answers": (
        ([GOOD], [], 7.0),
        TypeError,
        "gradients is a dictionary from the number of a source",
    ),
    "short": (([GOOD[:3]],), ValueError, "entries[0] is (operation, inputs, output, values)"),
    "op": (([(np.multiply, *GOOD[1:])],), TypeError, "name of the operation"),
    "values": (([("add", (1, 2), 3, (1.0, 2.0))],), ValueError, "needs 3 values"),
    "string": (
        ([("add", (1, 2), 3, (1.0, "two", 3.0))],),
        TypeError,
        "entries[0], values[1] should be a number",
    ),
    "ragged": (
        ([("add", (1, 2), 3, (1.0, [[1.0], [1.0, 2.0]], 3.0))],),
        TypeError,
        "entries[0], values[1]",
    ),
    "no inputs": (([("one", (), 3, (1.0,))],), ValueError, "has no inputs"),
    "list as number": (([("exp", ([1],), 3, (1.0, 2.0))],), TypeError, "tells values apart"),
    "twice": (([GOOD, ("exp", (1,), 3, (2.0, 7.39))],), ValueError, "both made 3"),
    "later": (([("exp", (3,), 4, (10.0, 22026.0)), GOOD],), ValueError, "makes only later"),
    "attributes": (([(*GOOD, "axis")],), TypeError, "attributes are a dictionary"),
    "step": (([GOOD], [(1, 1.0, {})]), ValueError, "from 0 to 0, not 1"),
    "step true": (([GOOD], [(True, 1.0, {})]), ValueError, "not True"),
    "parts": (([GOOD], [(0, 1.0, {2: 1.0})]), ValueError, "inputs 0 to 1"),
    "parts list": (([GOOD], [(0, 1.0, [1.0])]), ValueError, "one per input"),
    "gradients": (([GOOD], [], {7: 1.0}), ValueError, "no entry uses or makes 7"),
    "one input": (
        ([("exp", 1, 3, (1.0, 2.7))],),
        TypeError,
        "entries[0], inputs: a list is needed, not int.",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_named(case):
    given, kind, words = BAD[case]
    with pytest.raises(kind) as raised:
        storyboard(*given)
    assert words in str(raised.value)


@pytest.mark.parametrize("keyword", ["target", "sources", "names"])
def test_numbers_that_no_entry_knows(keyword):
    with pytest.raises(
        ValueError, match=f"{keyword}: no entry uses or makes 99. The tape knows 1, 2, 3"
    ):
        storyboard(
            [GOOD], **{keyword: {"target": 99, "sources": [99], "names": {99: "x"}}[keyword]}
        )


def test_learners_tensors_and_id_numbers_will_do():
    class Number:
        def __init__(self, data):
            self.data = data

    a, b = Number(2.0), Number(5.0)
    c = Number(a.data * b.data)
    entries = [("*", (id(a), id(b)), id(c), (np.float32(2), 5, np.array(10.0)))]
    board = storyboard(
        entries, [(0, 1, [5, None])], {id(a): 5}, names={id(a): "a<img src=x onerror=alert(1)>"}
    )
    assert (
        board.departure is None
        and board["nodes"][0]["label"].startswith("a<img")
        and "<img" not in board.svg()
    )


def test_only_what_stretching_could_have_made_is_called_unsummed():
    x, w = np.ones((2, 3)), np.ones((3, 4))
    entries = [("matmul", (0, 1), 2, (x, w, x @ w))]
    steps = [(0, np.ones((2, 4)), {0: np.ones((3, 4)), 1: np.ones((3, 4)) * 2})]
    assert departure(OwnTape(entries, steps)).key == "shape"
    steps = [(0, np.ones((2, 4)), {0: np.ones((5, 2, 3)), 1: np.ones((3, 4)) * 2})]
    assert departure(OwnTape(entries, steps)).key == "unsummed"


def test_what_leads_to_the_target_from_no_source_is_not_astray():
    entries = [("multiply", (0, 1), 2, (2.0, 3.0, 6.0)), ("multiply", (2, 3), 4, (6.0, 5.0, 30.0))]
    steps = [(1, 1.0, (5.0, 6.0)), (0, 5.0, (15.0, 10.0))]
    assert departure(OwnTape(entries, steps, {3: 6.0})) is None
    away = [*entries, ("sin", (3,), 5, (5.0, np.sin(5.0)))]
    assert (
        departure(OwnTape(away, [(2, 1.0, (np.cos(5.0),)), *steps], {3: 6.0}, target=4)).key
        == "stray"
    )


def test_bad_input_is_named_in_the_language_that_is_spoken():
    with (
        speaking("fr"),
        pytest.raises(ValueError, match="La bande est vide. Chaque opération ajoute une carte"),
    ):
        OwnTape([])
    with (
        speaking("fr"),
        pytest.raises(ValueError, match=r"entries\[0\] a 1 entrée, il lui faut donc 2 valeurs"),
    ):
        OwnTape([("sin", (1,), 2, (0.5,))])
