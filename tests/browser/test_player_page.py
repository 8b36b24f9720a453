"""The player on a plain page without a network: what it draws, and how it is driven.

The storyboards are made by hand (tests/widgets/handmade.py), so that a fault of the storyboard
cannot hide a fault of the player.
"""
# ruff: noqa: E501  (lines of JavaScript)

import pytest

import minitape as tf
from minitape.storyboard import Storyboard
from minitape_widgets import play, play_program
from tests.browser.stage import go, handmade, loop, programs

pytestmark = pytest.mark.browser


# null for what is told with its neighbour
SAID = """
    const { beginOf } = minitape.stopsOf(board, "act");
    return [null, ...board.frames].map((_, k) => (beginOf.get(k) ?? k - 1) === k - 1 ? s.captionText(k) : null); }
"""


def captions(board, like):
    """What Python says at the moments at which `like` says something."""
    assert sum(one is not None for one in like) > len(like) / 2
    return [None if one is None else board.caption(k) for k, one in enumerate(like)]


@pytest.mark.parametrize("name", sorted(handmade.BOARDS))
def test_captions_equal_those_of_python(stage, name):
    """Every sentence of a single act is the same in the page, in Python and in French."""
    board = handmade.BOARDS[name]()
    for language in ("en", "fr"):
        board["language"] = language
        page = stage(board)
        said = page.evaluate(
            "board => { const s = minitape.speaker(board, minitape.CATALOGUES[board.language]);"
            + SAID,
            board,
        )
        assert said == captions(Storyboard(board), said)


def test_captions_of_real_programs_equal_those_of_python(stage):
    """The same for what minitape itself makes of a training loop, a Jacobian, nested tapes and an
    escape.
    """
    boards = programs()
    page = stage(handmade.parabola())
    for name, board in boards.items():
        said = page.evaluate(
            "board => { const s = minitape.speaker(board, minitape.CATALOGUES[board.language]);"
            + SAID,
            board,
        )
        assert said == captions(board, said), name


def test_every_moment_of_real_programs_is_drawn(stage, accessible):
    """No moment of them raises an error on the page; the last one of each has no violation."""
    boards = programs()
    page = stage(*boards.values())
    for i in range(len(boards)):
        page.evaluate(
            "place => { const p = document.querySelector(place + ' .minitape').player; for (let k = 0; k <= p.total; k++) p.go(k); }",
            f"#p{i}",
        )
        accessible(page, f"#p{i}")
    assert (
        page.locator("#p0 .loss").count() == 1
        and page.locator("#p1 .matrix td:not(.empty)").count() == 9
    )
    assert (
        page.locator("#p2 .strip").count() == 2
        and page.locator("#p3 .cut-mark:not(.calm)").count() >= 1
    )
    assert not page.problems


@pytest.mark.parametrize("name", sorted(handmade.BOARDS))
def test_a_moment_is_the_same_however_one_comes_to_it(stage, name):
    """Stepping on, stepping back and jumping draw the same thing: state(k) is pure."""
    page = stage(handmade.BOARDS[name]())
    look = """() => { const r = document.querySelector('.minitape').shadowRoot;
        const text = (s) => [...r.querySelectorAll(s)].map((n) => n.outerHTML.replace(/ ?(style|tabindex)="[^"]*"/g, "")).join("");
        return [text(".caption"), text(".edges > :not([hidden])"), text(".nodes > :not([hidden])"), text(".badges"), text(".top"), text(".lines"), text(".inspector-body"), text(".notes"),
        [...r.querySelectorAll(".card:not([hidden])")].map((n) => n.outerHTML.replace(/ ?(style|tabindex)="[^"]*"/g, "")).sort().join("")]; }"""
    total = page.player("return p.total;")
    forward = []
    for k in range(total + 1):
        go(page, k)
        forward.append(page.evaluate(look))
    for k in [*range(total, -1, -1), *[(7 * i) % (total + 1) for i in range(total)]]:
        go(page, k)
        assert page.evaluate(look) == forward[k], k


def test_state_is_pure(stage):
    """stateAt answers the same twice, whatever was asked in between, and does not touch the
    storyboard.
    """
    board = handmade.parabola()
    page = stage(board)
    assert page.evaluate(
        """board => { const before = JSON.stringify(board), flat = (k) => { const s = minitape.stateAt(board, k);
        return JSON.stringify({ ...s, parts: [...s.parts], heads: [...s.heads], released: [...s.released] }); };
        const first = board.frames.map((_, k) => flat(k)); for (let k = board.frames.length; k >= 0; k--) flat(k);
        return board.frames.every((_, k) => flat(k) === first[k]) && JSON.stringify(board) === before; }""",
        board,
    )


def test_numbers_stand_where_they_act(stage):
    """The parts of the fan-out wait under x, the sum takes their place, and the answer 7 is on the
    screen.
    """
    page = stage(handmade.parabola())
    labels = lambda: page.locator(".badges .pill-part text").all_text_contents()
    go(page, 13)
    assert labels() == ["3.0", "2.0", "2.0"]
    assert page.locator(".callout").text_content() == "1.0 × 2.0 = 2.0"
    go(page, 14)
    assert labels() == []
    assert page.locator(".callout").text_content() == "3.0 + 2.0 + 2.0 = 7.0"
    assert "7.0" in page.locator(".badges").text_content()
    go(page, 16)
    assert page.locator(".card.played").count() == 3
    assert not page.problems and not page.blocked


def test_the_current_sub_expression_is_marked_exactly(stage):
    page = stage(handmade.parabola())
    marks = []
    for k in range(1, 4):
        go(page, k)
        marks.append("".join(page.locator("mark").all_text_contents()))
    assert marks == ["x*x", "3*x", "x*x + 3*x"]
    board = handmade.parabola()
    # wider than one unit of UTF-16
    board["sources"][0]["text"] = board["sources"][0]["text"].replace("    y = x*x", "ß𝒳 y = x*x")
    board["cards"][0]["where"] = [0, 4, 7, 4, 10]
    page = stage(board)
    go(page, 1)
    assert page.locator("mark").all_text_contents() == ["x*x"]


def test_none_is_a_drawn_cut_at_the_guilty_line(stage):
    page = stage(handmade.broken())
    go(page, 6)
    assert page.locator(".cut-mark:not(.calm)").count() == 1
    assert page.locator(".pill-none").text_content() == "None"
    assert page.locator(".note").count() == 2
    page.locator(".note").first.click()
    assert "".join(page.locator("mark.mark-chosen").all_text_contents()) == "np.mean(x2, axis=0)"


def test_a_wide_graph_begins_with_its_inputs(stage):
    """What is a little too wide is made smaller; nothing of it starts off screen."""
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.exp(tf.sin(tf.cos(tf.sqrt(tf.tanh(x * 2.0)))) * tf.reduce_sum(x))
    page = stage(play(tape, y, x).storyboard, width=720)
    view = page.evaluate(
        "() => { const s = document.querySelector('.minitape').shadowRoot.querySelector('.graph-scroll'); return [s.scrollWidth, s.clientWidth]; }"
    )
    natural = page.locator(".graph-svg").evaluate("svg => svg.viewBox.baseVal.width")
    assert 0.5 <= view[1] / natural < 1, (
        "the program of this test no longer asks for a smaller picture"
    )
    assert view[0] <= view[1] + 1


def test_few_numbers_are_written_out_where_they_act_and_many_are_tiles(stage):
    """An array of up to a dozen numbers stands in the callout and in the inspector as numbers; a
    larger one as tiles with its shape.
    """
    said, tiles = [], []
    for start in ([1.0, 2.0, 3.0], [*range(1, 8), 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]):
        x = tf.Variable(start, dtype=tf.float32)
        with tf.GradientTape() as tape:
            y = tf.exp(x) * 2.0
        board = play(tape, y, x).storyboard
        page = stage(board)
        go(
            page,
            max(
                k
                for k, frame in enumerate(board["frames"], 1)
                if frame["act"] == "part" and frame.get("local") is not None
            ),
        )
        page.get_by_role("button", name="Inspector", expanded=False).click()
        said.append(
            page.locator(".equation-numbers").text_content()
            + page.locator(".callout").text_content()
        )
        tiles.append(
            (page.locator(".equation .tiles").count(), page.locator(".callout .tiles").count())
        )
        assert (
            "float32"
            not in page.locator(".caption").text_content() + page.locator(".badges").text_content()
        )
        if len(start) > 4:
            assert (
                "5.437 … 2193" in page.locator(".caption").text_content()
                and page.locator(".pill .tiles").count() >= 2
            )
            ink = page.player(
                "return [...p.root.querySelectorAll('.pill .cell')].map((n) => getComputedStyle(n).strokeWidth);"
            )
            assert set(ink) == {"0.6px"}, "the pill's own frame is drawn around every tile"
    assert "5.437" in said[0] and "[3]" not in said[0] and said[1].count("[13]") == 6, said
    assert tiles == [(0, 0), (3, 3)]


def stretched():
    b = tf.Variable(0.5)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(tf.constant([1.0, 2.0, 3.0]) + b))
    return play(tape, loss, b).storyboard


def test_a_stretched_part_has_its_sum_sign_in_the_inspector_too(stage):
    """15 is not [3 5 7] × [1 1 1]."""
    board = stretched()
    page, parts = stage(board), {}
    for k, frame in enumerate(board["frames"], 1):
        if frame["act"] == "part":
            go(page, k)
            texts = [
                page.locator(place).text_content() for place in (".equation-numbers", ".callout")
            ]
            parts[frame.get("key", "part")] = ["Σ" in text for text in texts]
    assert parts.pop("part.stretched") == [True, True] and set(map(tuple, parts.values())) == {
        (False, False)
    }


@pytest.mark.parametrize(
    "op, flow, language, said",
    [
        (
            "tf.MatrixSolve",
            "open",
            "en",
            "minitape has no formula for tf.MatrixSolve; the numbers are TensorFlow's own.",
        ),
        (
            "tf.MatrixSolve",
            "open",
            "fr",
            "minitape n'a pas de formule pour tf.MatrixSolve\u00a0; les nombres sont ceux de TensorFlow.",
        ),
        (
            "twice",
            "open",
            "en",
            "minitape has no formula for twice; the numbers come from its own rule.",
        ),
        (
            "TruncateMod",
            "unregistered",
            "en",
            "Nothing can pass here: no gradient is registered for TruncateMod.",
        ),
        ("ArgMax", "blocked", "fr", "rien ne revient par ici"),
    ],
)
def test_a_card_without_a_formula_says_why(stage, op, flow, language, said):
    """First, and once for all its inputs; and of numbers that no formula asks for, nobody says that
    the formulas need them.
    """
    board = handmade.parabola() | {"language": language}
    c = next(c for c, card in enumerate(board["cards"]) if len(set(card["inputs"])) > 1)
    card = board["cards"][c]
    card |= {
        "op": op,
        "formula": [None] * len(card["inputs"]),
        "needs": [flow == "open"] * (len(card["inputs"]) + 1),
    }
    for edge in board["edges"]:
        if edge["card"] == c:
            edge["flow"] = flow
    page = stage(board)
    go(page, len(board["frames"]))
    page.locator(".card").nth(c).click()
    rows = page.locator(".inspector tr").all_text_contents()
    names = ", ".join(
        board["nodes"][n]["label"] or board["nodes"][n]["text"] for n in card["inputs"]
    )
    assert [said in row and names in row for row in rows] == [True] + [False] * (len(rows) - 1), (
        rows
    )
    assert page.locator(".kept p").count() == 1


def test_the_names_of_many_inputs_leave_room_for_what_is_said_of_them(stage):
    board = handmade.parabola()
    board["cards"][1] |= {"op": "tf.EnsureAll", "formula": [None, None], "needs": [True] * 3}
    for n in board["cards"][1]["inputs"]:
        board["nodes"][n]["label"] = f"a_name_as_long_as_names_of_layers_are_{n}"
    for edge in board["edges"]:
        edge["flow"] = "open"
    page = stage(board)
    go(page, len(board["frames"]))
    page.locator(".card").nth(1).click()
    label, said = (
        page.locator(f".inspector tr:first-child {cell}").bounding_box()["width"]
        for cell in ("th", "td")
    )
    assert label < 1.5 * said


def test_what_the_tape_keeps_is_said_in_sentences_when_asked(stage):
    """Nothing is marked "needed" before it was explained; opened once, it stays open from step to
    step, and Space opens it.
    """
    page = stage(handmade.parabola())
    go(page, 1)
    assert "needed" not in page.locator(".inspector").text_content()
    assert not page.locator(".kept p").first.is_visible()
    page.locator(".kept summary").focus()
    page.keyboard.press(" ")
    assert page.locator(".kept p").first.is_visible() and page.player("return p.k;") == 1
    page.keyboard.press("ArrowRight")
    assert (
        page.locator(".kept p").first.is_visible()
        and "The formulas ask for" in page.locator(".kept").text_content()
    )


def test_each_step_of_a_loop_records_before_it_is_played_back(stage):
    """The badge says what happens now, not what happened first: the second step records again."""
    board = programs()["loop"]
    page = stage(board)
    said = {
        "record": "Recording",
        "chapter": "Recording",
        "part": "Playing back",
        "visit": "Playing back",
        "seed": "Playing back",
    }
    for k, frame in enumerate(board["frames"][:-1], 1):
        go(page, k)
        if frame["act"] in said:
            assert page.locator(".phase").text_content() == said[frame["act"]], k


def test_folded_rounds_are_called_by_their_rounds(stage):
    board = loop(500)
    page = stage(board)
    page.player("p.go(900);")
    assert (
        "rounds" in page.locator(".card.group .card-op").first.text_content()
        and "rounds" in page.locator(".group-box:not([hidden]) .node-name").first.text_content()
    )
    assert not page.problems


def test_what_is_said_does_not_lie_under_the_panes_name(stage):
    """The callout of a Jacobian's row keeps away from the word "Graph" and from its buttons; a
    picture that scrolls has none above it.
    """
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = tf.tanh(x) * x
    board = play(tape, y, x, jacobian=True).storyboard
    page = stage(board, width=934, height=640)
    seen = 0
    for k in range(1, len(board["frames"]) + 1):
        go(page, k)
        over = page.evaluate("""() => { const r = document.querySelector('.minitape').shadowRoot, c = r.querySelector('.callout > rect');
            if (!c) return null; const a = c.getBoundingClientRect();
            return [r.querySelector('.graph .pane-name > span'), r.querySelector('.graph-tools')].some((n) => { const b = n.getBoundingClientRect();
                return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom; }); }""")
        assert not over, k
        seen += over is False
    assert seen > 6


def test_a_program_and_its_tape_point_at_each_other(stage):
    """An act marks its line of `f.source()`; a line chooses its card, a card marks its lines, by
    pointer and by key. Lines are counted without a gap, however short the room is.
    """

    @tf.function
    def slopes(x, u):
        with tf.GradientTape() as tape:
            tape.watch([x, u])
            a = x * u
            y = tf.tanh(a) * x
        return y, tape.gradient(y, [x, u])

    board = play_program(slopes, tf.constant(0.2), tf.constant(3.0)).storyboard
    page = stage(board)
    marked = lambda kind: page.player(
        f"return [...p.root.querySelectorAll('.line:has(.mark-{kind}) .number')].map((n) => +n.textContent);"
    )  # noqa: E731
    for k, frame in enumerate(board["frames"]):
        go(page, k + 1)
        span = frame.get("where") or (
            board["cards"][frame["card"]]["where"] if frame["act"] == "record" else None
        )
        assert marked("record" if frame["act"] == "record" else "play") == (
            list(range(span[1], span[3] + 1)) if span else []
        )
    tanh = next(card for card in board["cards"] if card["op"] == "Tanh")
    both = [
        n
        for first, last in (
            (tanh["where"][1], tanh["where"][3]),
            (tanh["back"][1], tanh["back"][3]),
        )
        for n in range(first, last + 1)
    ]
    page.locator(f".line:has(button.number:text-is('{both[-1]}'))").click()
    assert "Tanh" in page.locator(".card.chosen").inner_text() and marked("chosen") == both
    page.locator("button.number").first.focus()
    page.keyboard.press("Enter")
    assert "1" in page.locator(".card.chosen").inner_text()
    page.keyboard.press("ArrowDown")
    page.wait_for_function(
        "document.querySelector('.minitape').shadowRoot.querySelector('.card.chosen').textContent.includes('Tanh')"
    )
    numbers = page.locator(".line:visible .number").all_inner_texts()
    assert (
        numbers == [str(k) for k in range(1, len(numbers) + 1)]
        and len(numbers) > 8
        and not page.problems
    )


def test_what_a_lesson_has_not_introduced_is_not_there(stage):
    """Words come when what they name is seen; the inspector, and the word that it needs, with the
    first choice. Shapes say what a value is: where nobody has told of that all boxes are alike.
    """
    options = {"link": "knows-value-adjoint"}
    page = stage({"storyboard": handmade.parabola(), "options": options})
    words, inspector = page.locator(".legend-entry:visible"), page.locator(".inspector")
    assert words.all_inner_texts() == ["value"] and not inspector.is_visible()
    go(page, page.player("return p.total;"))
    assert words.all_inner_texts() == ["value", "adjoint"] and not inspector.is_visible()
    shapes = "return [...p.root.querySelectorAll('.node .node-box')].map((n) => n.getAttribute('class'));"
    assert set(page.player(shapes)) == {"node-box role-intermediate"}
    assert not page.locator(".node .node-target").count()
    page.locator(".node.role-variable").first.click()
    assert inspector.is_visible()
    assert words.all_inner_texts() == ["value", "adjoint", "local derivative"]
    link = page.locator(".link-text").input_value()
    assert link.endswith("knows-value-adjoint-local-inspector")
    page = stage({"storyboard": handmade.parabola(), "options": {}})
    assert (
        "node-box role-variable" in page.player(shapes)
        and page.locator(".node .node-target").count()
    )


@pytest.mark.parametrize(
    ("link", "state", "label"),
    [("", "played", "cards: 3"), ("knows-release", "released", "cards: 3, let go after use")],
)
def test_that_cards_are_let_go_is_seen_where_a_lesson_speaks_of_it(stage, link, state, label):
    page = stage({"storyboard": handmade.parabola(), "options": {"link": link}})
    go(page, page.player("return p.total;"))
    assert page.locator(f".card.{state}").count() == 3
    assert page.locator(".strip-label .fine").inner_text() == label
    assert page.locator(".inspector").is_visible(), "all else is known"
