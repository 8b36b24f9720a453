"""The browser fixtures themselves: a cell runs, a widget answers, a mistake is seen, nothing leaves
the machine.
"""

import pytest

from tests.browser.pages import becomes

pytestmark = pytest.mark.browser

WIDGET = '''
import anywidget, traitlets
class Counter(anywidget.AnyWidget):
    _esm = """
    function render({ model, el }) {
        const button = document.createElement("button");
        button.className = "counter";
        const show = () => { button.textContent = `count ${model.get("value")}`; };
        button.onclick = () => { model.set("value", model.get("value") + 1); model.save_changes(); };
        model.on("change:value", show);
        show();
        el.appendChild(button);
    }
    export default { render };
    """
    value = traitlets.Int(0).tag(sync=True)
counter = Counter()
counter
'''


@pytest.mark.parametrize("front", ["lab", pytest.param("notebook", marks=pytest.mark.long)])
def test_widget_runs_and_answers(open_notebook, front):
    notebook = open_notebook(cells=["2 + 1", WIDGET], front=front)
    notebook.run_all()
    assert notebook.text(0) == "3"
    button = notebook.output(1).locator("button.counter")
    button.click()
    button.get_by_text("count 1").wait_for()
    notebook.run("counter.value")
    assert notebook.text() == "1"
    assert not notebook.problems and not notebook.blocked


def test_theme_and_screenshot(open_notebook):
    notebook = open_notebook(cells=["'shown'"])
    notebook.run_all()
    notebook.theme("dark")
    style = "() => getComputedStyle(document.body).getPropertyValue('--jp-layout-color0')"
    assert notebook.page.evaluate(style).strip() == "#111"
    assert notebook.screenshot("fixtures_dark").stat().st_size > 10_000


def test_cell_that_raises_is_seen(open_notebook):
    notebook = open_notebook(cells=["1 / 0"])
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        notebook.run_all()
    notebook.run_all(errors_allowed=True)


def test_restart_forgets(open_notebook):
    notebook = open_notebook(cells=["x = 1"])
    notebook.run_all()
    notebook.restart()
    assert "NameError" in notebook.run("x", errors_allowed=True).inner_text()


@pytest.mark.parametrize("turn", ["first", "second"])
def test_a_notebook_is_alone_and_has_a_kernel_of_its_own(open_notebook, turn):
    """Tests share one JupyterLab and nothing else: one notebook at a time, nothing remembered,
    light, the file browser open.
    """
    notebook = open_notebook(cells=["seen = 'seen' in dir()\nseen"], width=1100)
    notebook.run_all()
    assert notebook.text(0) == "False"
    assert notebook.page.locator(".jp-Notebook").count() == 1 and not notebook.problems
    assert (
        notebook.page.evaluate("() => innerWidth") == 1100
        and notebook.page.locator("#filebrowser").is_visible()
    )
    notebook.page.evaluate(
        "() => { window.jupyterapp.shell.collapseLeft(); console.error('an error of this test'); }"
    )
    notebook.theme("dark")


def test_kernel_imports_this_checkout(open_notebook):
    from tests.browser.lab import ROOT

    where = "from importlib.util import find_spec; find_spec('minitape').submodule_search_locations"
    notebook = open_notebook(cells=[where])
    notebook.run_all()
    assert str(ROOT) in notebook.output(0).inner_text()


def test_page_has_no_network(open_page, accessible, tmp_path):
    page = tmp_path / "page.html"
    page.write_text(
        '<!doctype html><html lang="en"><title>t</title><main><h1>Page</h1><p id="p" '
        'style="color:#eee">pale</p>'
        '<p id="q">dark</p></main><script src="https://example.org/x.js"></script><script>throw '
        'Error("seen")</script>'
    )
    page = open_page(page)
    assert page.blocked == ["https://example.org/x.js"]
    assert any("seen" in problem for problem in page.problems)
    accessible(page, "#q")
    with pytest.raises(AssertionError, match="color-contrast"):
        accessible(page, "#p")


def test_no_other_machine_has_an_address(new_page):
    outside = ["https://example.org/x.png", "http://192.0.2.1/y.png"]
    page = new_page()
    page.set_content("".join(f'<img src="{address}">' for address in outside))
    assert becomes(page, 2, lambda: "".join(page.problems).count("ERR_NAME_NOT_RESOLVED"))
    assert page.blocked == outside


@pytest.mark.parametrize("turn", ["first", "second"])
def test_a_page_that_a_test_has_left_is_as_a_new_one(open_page, tmp_path, turn):
    path = tmp_path / "page.html"
    path.write_text(
        "<style>body { margin: 9px } p:hover { color: red }</style><p>text</p>"
        "<script>console.error(`seen: ${window.seen}`)</script>"
    )
    page = open_page(path, width=700, height=500)
    assert becomes(page, ["seen: undefined"], lambda: page.problems) and not page.blocked
    state = "[innerWidth, innerHeight, document.querySelectorAll(':hover').length, scrollY]"
    assert page.evaluate(state) == [700, 500, 0, 0]
    page.mouse.move(20, 30)
    page.evaluate("() => { window.seen = 1; fetch('https://example.org/').catch(() => 0); }")
    page.set_viewport_size({"width": 300, "height": 300})


def test_page_without_script(open_page, tmp_path):
    page = tmp_path / "page.html"
    page.write_text(
        "<noscript>no script</noscript><p id=p>plain</p><script>p.textContent = 'script'</script>"
    )
    assert open_page(page).inner_text("#p") == "script"
    assert open_page(page, javascript=False).inner_text("#p") == "plain"
