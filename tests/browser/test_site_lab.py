"""The lab of the site as a learner meets it, without any server but one for files: a lesson runs, an
exercise is checked, an endless answer is stopped; and on the next visit, without a network, all of
it is there again. Beside it, the page that answers a program which somebody pastes.
"""

import base64
import functools
import gzip
import http.server
import json
import threading
import zlib
from pathlib import Path
from types import SimpleNamespace

import pytest

from notebooks.site import lab, why_page
from tests.browser.lab import CURRENT, KERNEL, Notebook

pytestmark = [pytest.mark.browser, pytest.mark.node, pytest.mark.long, pytest.mark.timeout(3600)]
LESSON = "00_start_here.ipynb"
MOST = 20e6  # bytes of a first visit, compressed
PATIENCE = 300  # seconds: much else may run on the machine
# what tests ask of JupyterLab besides
LOOKED_AT = {"@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"}}
KEPT = """async (names) => {
    const found = await Promise.all(names.map(name => caches.match(new URL(name, location.href).href)));
    return found.every(Boolean);
}"""
KNOWN = """() => Object.entries(localStorage).some(
    ([key, version]) => /service-worker.*-version$/.test(key) && version === window.jupyterapp.version)"""
RIGHT = """def play_backwards(x):
    a = x * x
    b = 3 * x
    c = a + b
    adjoint_c = 2 * c
    return adjoint_c, adjoint_c, adjoint_c, adjoint_c * 2 * x + adjoint_c * 3
exercise_00_fan_out.check(play_backwards)"""
ENDLESS = """def play_backwards(x):
    while True:
        pass
exercise_00_fan_out.check(play_backwards)"""
# modules of packages whose compiled file is none of the site's own, which looks for no newer source; and all of them
UNCOMPILED = """import sys
from pathlib import Path
cached = [Path(each.__cached__) for each in list(sys.modules.values())
          if "site-packages" in (getattr(each, "__cached__", None) or "")]
print(sum(not each.exists() or each.read_bytes()[4] != 1 for each in cached), len(cached))"""
DAMAGED = "This player cannot be shown"


class Files:
    """A server of files, like `python -m http.server`, which notes what it is asked for."""

    def __init__(self, folder):
        self.folder, self.asked = folder, []
        noted = self.asked

        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                noted.append(self.path.partition("?")[0])

        self.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Handler, directory=folder)
        )
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/lab"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def compressed(self):
        """How many bytes were asked for, each file once and compressed, as hosts of pages do it."""
        files = {self.folder / path.strip("/") for path in self.asked}
        return sum(len(gzip.compress(file.read_bytes(), 6)) for file in files if file.is_file())


@pytest.fixture(scope="module")
def site(request, tmp_path_factory):
    """The folder of the site, with the lab and the page."""
    out = tmp_path_factory.mktemp("site")
    lab.build(out, Path(request.config.cache.mkdir("site")))
    why_page.build(out)
    file = out / "lab" / "jupyter-lite.json"
    found = json.loads(file.read_text("utf-8"))
    given = found["jupyter-config-data"]
    given["settingsOverrides"] |= LOOKED_AT
    file.write_text(json.dumps(found), "utf-8")
    return out


@pytest.fixture
def visit(new_page, screenshots):
    """visit(files, way, name): a notebook opened in the lab, its kernel ready."""

    def opened(files, way, name):
        page = new_page(width=1366, height=768)
        page.set_default_timeout(PATIENCE * 1000)
        page.goto(files.url + way, wait_until="commit")
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        page.wait_for_function(KERNEL)
        server = SimpleNamespace(url=files.url, folder=None)
        return Notebook(page, server, name, "lab", screenshots)

    return opened


def said(notebook, code):
    """What a new cell with this code says."""
    notebook.run(code, seconds=PATIENCE)
    return notebook.text()


def test_a_lesson_in_the_browser_and_again_without_a_network(site, visit):
    files = Files(site)
    first = visit(files, f"/?path={LESSON}", LESSON)
    first.run_all(seconds=PATIENCE)
    first.page.wait_for_function("document.querySelectorAll('.jp-Notebook .minitape').length >= 2")
    assert DAMAGED not in first.page.inner_text(".jp-Notebook")
    first.screenshot("site_lab")
    assert said(first, RIGHT).startswith("Correct.")
    assert "5 seconds" in said(first, ENDLESS), "it is stopped, and the kernel lives"
    first.save()
    always = ["../../pyodide/pyodide.asm.wasm", "../files/fr/" + LESSON]
    first.page.wait_for_function(KEPT, arg=always)
    first.page.wait_for_function(KNOWN)  # or the next visit takes the worker away
    first.page.wait_for_load_state("networkidle")
    assert not first.blocked and not first.problems
    assert files.compressed() < MOST
    missing, loaded = map(int, said(first, UNCOMPILED).split())
    assert missing < loaded / 10, "compiled when the site was made, not in each visit"
    first.page.close()
    files.stop()

    again = visit(files, f"/lab/index.html?path={LESSON}", LESSON)
    assert "while True" in again.page.evaluate(
        f"() => {CURRENT}.content.widgets.at(-1).model.sharedModel.source"
    )
    assert "correct" in said(again, "from minitape.exercises import progress; progress.progress()")
    assert "mine.json" in said(again, "print(progress.export('mine.json'))")
    assert "00.fan-out" not in said(again, "progress.erase(); print(progress.progress())")
    assert "correct" in said(again, "progress.merge('mine.json'); print(progress.progress())")
    again.page.close()

    french = visit(files, f"/lab/index.html?path=fr/{LESSON}", f"fr/{LESSON}")
    assert said(french, "exercise_00_fan_out.check(play_backwards)").startswith("Exécutez d'abord")
    assert not french.blocked


def test_a_lesson_has_the_room_of_a_narrow_window(site, new_page):
    files = Files(site)
    page = new_page(width=390, height=844)
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(f"{files.url}/lab/index.html?path={LESSON}", wait_until="commit")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.wait_for_function(KERNEL)  # by then JupyterLab has opened the list of files
    assert page.evaluate("() => window.jupyterapp.shell.leftCollapsed")
    assert page.locator(".jp-Notebook").bounding_box()["width"] > 300
    page.click(".jp-SideBar [data-id=filebrowser]")
    page.wait_for_function("() => !window.jupyterapp.shell.leftCollapsed")
    files.stop()


ELSEWHERE = """import js
js.fetch("https://example.org/?" + "what somebody has here")
print("<img src=x onerror=alert(1)>")
"""


def answered(page, program=""):
    """What the page says of a program, else of the one that stands there."""
    if program:
        page.fill("#program", program)
    page.click("#run")
    page.wait_for_function("() => document.querySelector('#stop').hidden")
    return page.inner_text("#said")


def test_my_gradient_is_none(site, new_page, accessible):
    files = Files(site)
    page = new_page(width=1366, height=768)
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(files.url.removesuffix("lab") + "why.html", wait_until="networkidle")
    assert not [path for path in files.asked if "pyodide" in path], "only when somebody asks"
    assert "x is a plain tensor" in answered(page)
    assert page.locator("#picture .caption").inner_text()
    accessible(page, "main")
    page.click("#link")
    page.wait_for_function("() => location.hash.startsWith('#p=')")
    link = page.url
    assert "<img src=x onerror=alert(1)>" in answered(page, ELSEWHERE), "as text"
    assert not page.locator("#said img").count() and not page.blocked, "nobody else was asked"
    assert "import torch" in answered(page, "import torch\n") and "torch" in page.inner_text(
        "#state"
    )
    page.fill("#program", "while True:\n    pass\n")
    page.click("#run")
    page.wait_for_function(
        "state => document.querySelector('#state').innerText === state", arg="The program runs."
    )
    page.click("#stop")
    assert page.inner_text("#state") == "Stopped."
    page.goto("about:blank")
    page.goto(link.replace("why.html", "fr/why.html"))
    page.wait_for_function("() => document.querySelector('#state').innerText")
    assert page.input_value("#program") == why_page.EXAMPLE
    assert page.inner_text("#said") == "" and "Lisez-le" in page.inner_text("#state")
    assert "tenseur" in answered(page)
    files.stop()


# what a program that somebody has sent could find the learner's notebooks with, or speak for the page
KEPT_AWAY = """import js
names = ["indexedDB", "caches", "navigator", "cookieStore", "webkitRequestFileSystem",
         "BroadcastChannel", "Worker", "SharedWorker", "importScripts", "postMessage"]
print("found:", [name for name in names if hasattr(js, name)], hasattr(js, "fetch"))
"""
HOSTILE = "</textarea><img src=x onerror=alert(1)>\n"
TOO_DEEP = "x = 1" + " + 1" * 10_000


def link_of(program):
    deflated = zlib.compressobj(9, wbits=-15)
    packed = deflated.compress(program.encode()) + deflated.flush()
    return "#p=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def test_a_program_that_came_with_a_link(site, new_page):
    files = Files(site)
    page = new_page(width=1366, height=768)
    page.set_default_timeout(PATIENCE * 1000)
    why = files.url.removesuffix("lab") + "why.html"
    page.goto(why + link_of(HOSTILE), wait_until="networkidle")
    assert page.input_value("#program") == HOSTILE and not page.locator("img").count()
    assert not [path for path in files.asked if "pyodide" in path], "nothing runs by itself"
    assert "SyntaxError" in answered(page) and not page.locator("img").count()
    assert "found: [] True" in answered(page, KEPT_AWAY)
    assert not page.problems and not page.blocked
    answered(page, TOO_DEEP)
    assert "gets a new one" in page.inner_text("#state")
    assert "found: [] True" in answered(page, KEPT_AWAY), "Python began anew"
    answered(page, "while True:\n    pass\n")
    assert "did not end" in page.inner_text("#state"), "nobody had to press Stop"
    page.evaluate("document.querySelector('#program').value = 'x = 1\\n'.repeat(2e6)")
    assert answered(page) == "" and "too long" in page.inner_text("#state")
    for bomb in (link_of("x" * 10**6), link_of(HOSTILE)[:-9], "#p=" + "A" * 10_000):
        page.goto("about:blank")
        page.goto(why + bomb, wait_until="networkidle")
        assert page.input_value("#program") == why_page.EXAMPLE
    files.stop()
