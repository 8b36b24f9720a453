"""The gallery: predict, try once more, see both programs and their plays on one screen; change
them; search. In light and in dark.
"""

import os
import time

import nbformat
import pytest

from minitape_widgets import pitfalls
from minitape_widgets.export import CARD, MinitapeExporter
from minitape_widgets.page import place, script
from minitape_widgets.pitfalls.card import PAGE, card, keys
from tests.browser.lab import ROOT

pytestmark = pytest.mark.browser

WIDTH, SCREEN = 958, 647  # what JupyterLab leaves of 1366 x 768, beside its list of files


@pytest.fixture
def cards_page(open_page, tmp_path):
    """cards_page(*keys, language, **page options): a page without a kernel that shows these cards."""

    def opener(*names, language="en", **options):
        views = [pitfalls.show(name, language) for name in names]
        places = "".join(place(view.payload, "", f"card-{k}") for k, view in enumerate(views))
        path = tmp_path / "cards.html"
        path.write_text(
            f"<!doctype html><html lang={language}><meta charset=utf-8><title>Cards</title><meta "
            "name=color-scheme "
            "content='light "
            "dark'><style>body{margin:12px;background:Canvas;color:CanvasText}</style>"
            f"<main><h1>Cards</h1>{places}</main>{script(PAGE)}",
            encoding="utf-8",
        )
        page = open_page(path, width=WIDTH, height=768, **options)
        page.locator(".pitfall").nth(len(names) - 1).wait_for()
        return page

    return opener


def test_predict_try_again_then_see(cards_page, accessible):
    page = cards_page("numpy-escape", color_scheme="dark")
    c = card("numpy-escape")
    assert page.locator(".program .mark-broken").all_inner_texts() == [
        "np.mean",
        "tf.constant(",
        ")",
    ]
    assert page.locator(".program .mark-fixed").all_inner_texts() == ["tf.reduce_mean"]
    accessible(page, "main")
    page.get_by_role("button", name="[1. 3.]").click()
    page.get_by_text("Try again").wait_for()
    borders = page.locator(".option").evaluate_all(
        "all => all.map(one => getComputedStyle(one).borderColor)"
    )
    assert len(set(borders)) == 1, (
        "under the pointer, a choice that is gone looks like none that can be made"
    )
    assert c.choices[1]["says"] in page.locator(".feedback").inner_text()
    shown = page.locator(".pitfall").inner_text()
    assert page.locator(".pair").count() == 0 and c.rule not in shown and c.symptom not in shown
    page.keyboard.press("Tab")
    before = time.perf_counter()
    page.keyboard.press("Enter")  # the focus went on to the choices that are left
    page.locator(".pair-side").nth(1).wait_for()
    assert time.perf_counter() - before < 2  # 0.3 s where nothing else runs
    assert (
        c.choices[2]["says"].replace("`", "") in page.locator(".feedback").inner_text()
        and c.rule in page.locator(".story").inner_text()
    )
    assert page.locator(".card-answer strong").all_inner_texts() == ["None", "[2. 6.]"]
    captions = page.locator(".pair-side .caption")
    seen = captions.all_inner_texts()
    assert seen[0].startswith("Nothing passes here")
    page.locator(".pair-side .player").first.focus()
    page.keyboard.press("ArrowLeft")
    assert all(a != b for a, b in zip(captions.all_inner_texts(), seen, strict=True)), (
        "both step together"
    )
    accessible(page, "main")
    assert not page.problems and not page.blocked


UNDERSCORES = """marks => marks.filter(mark => mark.textContent.includes("_")).map(mark => {
    const letters = document.createRange();
    letters.selectNodeContents(mark);
    return mark.getBoundingClientRect().bottom - letters.getBoundingClientRect().bottom;
})"""


def test_the_line_under_a_mark_leaves_underscores_alone(cards_page):
    page = cards_page("numpy-escape", "state-assign")
    rooms = page.locator(".program .mark").evaluate_all(UNDERSCORES)
    assert len(rooms) >= 2 and min(rooms) > 2.5, "a line of 2 pixels, and something above it"


def test_each_wrong_answer_is_told_its_idea_and_only_the_right_one_uncovers(cards_page, accessible):
    page, c = (
        cards_page("where-nan", language="fr", forced_colors="active"),
        card("where-nan", "fr"),
    )
    for choice in (*(c.choices[k] for k in range(4) if k != c.right), c.choices[c.right]):
        assert page.locator(".pair-side").count() == 0
        page.get_by_role("button", name=choice["text"], exact=True).click()
        said = page.locator(".feedback").inner_text()
        assert choice["says"].replace("`", "") in said
    page.locator(".pair-side").nth(1).wait_for()
    assert (
        "Règle\u00a0:" in page.locator(".story").inner_text()
        and page.get_by_role("button", name="Modifier").count() == 0
    )
    accessible(page, "main")


COVERED = """graphs => graphs.flatMap(graph => {
    const boxes = what => [...graph.querySelectorAll(what)].map(e => [e, e.getBoundingClientRect()]).filter(([e, r]) => r.width);
    const over = [...boxes(".callout > rect"), ...boxes(".graph-tools").filter(([e]) => getComputedStyle(e).opacity !== "0")];
    const texts = boxes("svg text").filter(([e]) => !e.closest(".callout") && e.textContent.trim()
        && e.checkVisibility({visibilityProperty: true}));
    return over.flatMap(([, r]) => texts.filter(([, q]) => Math.min(r.right, q.right) - Math.max(r.left, q.left) > 1
        && Math.min(r.bottom, q.bottom) - Math.max(r.top, q.top) > 1).map(([e]) => e.textContent));
})"""
FULLEST = [
    "variable-replaced",
    "branch-not-taken",
    "variable-made-anew",
    "piecewise-constant",
    "where-nan",
    "summed-target",
    "tape-kept",
]


@pytest.mark.parametrize(
    ("scheme", "language", "chosen"),
    [
        ("light", "en", FULLEST),
        ("dark", "fr", FULLEST),
        *(
            pytest.param(scheme, language, [*keys(), *keys("torch")], marks=pytest.mark.long)
            for scheme, language in (("light", "en"), ("dark", "fr"))
        ),
    ],
)
def test_an_answered_card_fits_one_screen(cards_page, screenshots, scheme, language, chosen):
    """After a wrong answer and the right one, with all that is said; nothing that is drawn lies on
    a name or a number.
    """
    page = cards_page(*chosen, language=language, color_scheme=scheme)
    for k, key in enumerate(chosen):
        one, right = page.locator(".pitfall").nth(k), card(key).right
        one.locator(".option").nth((right + 1) % 4).click()
        tops = [part.bounding_box()["y"] for part in one.locator(".asked > *").all()]
        assert max(tops) - min(tops) < 12, "a choice that was wrong moved another to a second line"
        one.locator(".option").nth(right).click()
        one.locator(".pair-side").nth(1).wait_for()
        assert one.bounding_box()["height"] < SCREEN, key
        page.mouse.move(0, 0)  # buttons that would lie on a box wait until one points there
        page.wait_for_timeout(100)
        assert one.locator(".graph").evaluate_all(COVERED) == [], key
        if "MINITAPE_SCREENSHOTS" in os.environ:
            page.wait_for_timeout(500)
            one.screenshot(path=screenshots / f"card_{k + 1:02d}_{key}_{language}_{scheme}.png")
    assert not page.problems


def test_nothing_lies_on_the_graph_of_a_card_with_rounds(cards_page):
    page = cards_page("variable-replaced", "tape-kept")
    for one in page.locator(".pitfall").all():
        one.get_by_role("button", name="Show").click()
        one.locator(".pair-side").nth(1).wait_for()
    bars = [bar.bounding_box()["height"] for bar in page.locator(".graph .pane-name").all()]
    assert (
        page.locator(".graph .rounds").count() == 3 and len(bars) == 4 and max(bars) < min(bars) + 8
    ), bars


STRUCK = """graph => {
    const line = graph.querySelector(".callout-answer .callout-line");
    const end = line.getPointAtLength(line.getTotalLength()).matrixTransform(line.getScreenCTM());
    return [...graph.querySelectorAll(".node")].filter(node => {
        const box = node.querySelector(".node-box").getBoundingClientRect();
        return Math.min(end.x - box.left, box.right - end.x, end.y - box.top, box.bottom - end.y) > 1;
    }).map(node => node.textContent);
}"""


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_answer_lies_on_the_heading_of_its_graph(cards_page, language):
    page = cards_page("zero-flat", "stretched-both", "where-nan", language=language)
    for one in page.locator(".pitfall").all():
        one.get_by_role("button", name="Show" if language == "en" else "Montrer").click()
        one.locator(".pair-side").nth(1).wait_for()
    page.wait_for_timeout(300)
    for graph in page.locator(".graph").all():
        (answer,) = [
            callout.bounding_box() for callout in graph.locator(".callout-answer > rect").all()
        ]
        for part in graph.locator(".pane-name > *").all():
            assert not overlap(answer, part.bounding_box()), part.inner_text()
        assert graph.evaluate(STRUCK) == [], (
            "the line of an answer ends at the badge of its own box"
        )


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_question_its_choices_and_the_way_out_are_one_line(cards_page, language):
    page = cards_page(*keys(), language=language)
    tops_of = (
        "all => all.map(one => [...one.children].map(part => part.getBoundingClientRect().top))"
    )
    asked = page.locator(".pitfall .asked").evaluate_all(tops_of)
    for key, tops in zip(keys(), asked, strict=True):
        assert max(tops) - min(tops) < 12, key


def overlap(a, b):
    return all(
        a[at] < b[at] + b[size] and b[at] < a[at] + a[size]
        for at, size in (("x", "width"), ("y", "height"))
    )


def test_a_stored_card_is_drawn_where_no_script_runs(open_page, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(
        MinitapeExporter().from_filename(str(ROOT / "notebooks" / "pitfalls.ipynb"))[0],
        encoding="utf-8",
    )
    page = open_page(path, javascript=False)
    assert page.locator(".minitape-still details").count() == len(keys())
    assert "mono" in page.locator(".minitape-still pre").first.evaluate(
        "pre => getComputedStyle(pre).fontFamily"
    )
    assert (
        page.locator(".minitape-still mark").first.is_visible()
        and not page.locator(".minitape-still details p").first.is_visible()
    )


def test_a_card_of_a_strangers_runs_nothing(open_page, tmp_path):
    """Neither its drawing nor any text of it and of its tapes: they are text, whatever they say."""
    hack = "window.hacked = true"
    hostile = (
        f'"><img src=x onerror="{hack}"><script>{hack}</script><svg onload="{hack}"><a '
        f'href="javascript:{hack}">{{0}}</a>`</code>'
    )

    def poisoned(found, key=""):
        if isinstance(found, dict):
            return {name: poisoned(each, name) for name, each in found.items()}
        if isinstance(found, list):
            return [poisoned(each, key) for each in found]
        reported = isinstance(found, str) and key in (
            "title",
            "question",
            "symptom",
            "rule",
            "bites",
            "text",
            "says",
            "label",
            "result",
            "why",
            "message",
            "fix",
            "answer",
            "code",
            "broken",
            "fixed",
        )
        return found + hostile if reported else found

    bundle = pitfalls.show("numpy-escape").picture()
    bundles = [
        poisoned(bundle) | {"text/html": hostile},
        bundle | {"text/html": hostile},
        {CARD: {"key": hostile}, "text/html": hostile},
    ]
    cells = [
        nbformat.v4.new_code_cell(
            "show", outputs=[nbformat.v4.new_output("display_data", data=data)]
        )
        for data in bundles
    ]
    file = tmp_path / "cards.html"
    file.write_text(
        MinitapeExporter().from_notebook_node(nbformat.v4.new_notebook(cells=cells))[0],
        encoding="utf-8",
    )
    page = open_page(file, width=WIDTH, height=768)
    page.locator("#card-2 .pitfall").wait_for()
    for k in range(2):
        page.locator("#card-1 .pitfall button.option:enabled").nth(1 - k).click()
    page.wait_for_timeout(500)
    assert (
        page.evaluate("window.hacked") is None
        and not page.locator("main [onerror], main [onload], main a[href^=javascript]").count()
    )
    assert not page.blocked
    open_page(file, javascript=False).locator("#card-3 .minitape-still").wait_for()


def test_a_changed_program_runs_again_and_a_search_leads_to_cards(open_notebook, accessible):
    cells = [
        "from minitape_widgets import pitfalls\npitfalls.show('integer-dtype')",
        "pitfalls.all()",
    ]
    notebook = open_notebook(cells=cells, width=1366, height=768)
    notebook.run_all()
    output = notebook.output(0)
    output.get_by_role("button", name="Show").click()
    output.locator(".pair-side").nth(1).wait_for()
    assert output.locator("textarea").count() == 0
    output.get_by_role("button", name="Edit").click()
    editor = output.locator("textarea").first
    editor.fill(editor.input_value().replace("tf.constant(10)", "tf.constant(4.0)"))
    editor.press("Control+Enter")
    output.locator(".card-answer").first.get_by_text("8.0").wait_for()
    editor.fill("x = tf.constant(<b>1</b>)")
    output.get_by_role("button", name="Run both").click()
    output.get_by_text("The broken program stopped: SyntaxError in line 1").wait_for()
    output.get_by_role("button", name="First text").click()
    output.locator(".card-answer").first.get_by_text("None").wait_for()
    assert notebook.page.locator(".jp-Cell").count() == 2
    output = notebook.output(1)
    output.get_by_label("Search all cards").fill("float64 log")
    output.get_by_text("No card says this").wait_for()
    output.get_by_label("Search all cards").fill("where log")
    output.locator(".card-title").get_by_text(card("where-nan").title).wait_for()
    output.get_by_label("Search all cards").fill("whére lög")
    assert output.locator(".found option").all_inner_texts() == [card("where-nan").title], (
        "accents are left out"
    )
    output.get_by_label("Search all cards").fill("none")
    none = {c.title for c in map(card, keys()) if "none" in c.situations}
    assert none <= set(output.locator(".found option").all_inner_texts())
    output.get_by_label("Search all cards").fill("")
    output.get_by_role("button", name="the loss does not move").click()
    output.locator(".card-title").get_by_text(card("variable-replaced").title).wait_for()
    output.get_by_role("button", name="Next", exact=True).click()
    output.locator(".card-title").get_by_text(card("not-trainable").title).wait_for()
    notebook.screenshot("gallery")
    accessible(notebook.page, ".jp-OutputArea-output")
    assert not notebook.problems and not notebook.blocked
