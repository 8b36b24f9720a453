"""The course as pages, read on a phone from a plain file server: nothing leaves it, nothing is wider
than it, and all that lives in a notebook lives here.
"""

import functools
import io
import json
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import psutil
import pytest
from PIL import Image

from minitape.sentences import LANGUAGES
from minitape_widgets.pitfalls.card import card
from notebooks.site import executed, previews, whole
from notebooks.site.camera import Camera

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844}
PREFIX = "a/course"


class Quiet(SimpleHTTPRequestHandler):
    """Says nothing of each request."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def serve(tmp_path_factory):
    """serve(notebooks): the address of the site of these notebooks; it stands under a prefix."""
    servers = []

    def start(notebooks):
        root = tmp_path_factory.mktemp("served")
        whole.site_of(notebooks).write(root / PREFIX)
        server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=root))
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/{PREFIX}"

    yield start
    for server in servers:
        server.shutdown()


@pytest.fixture(scope="module")
def address(serve, tmp_path_factory):
    """A site with the front page, a lesson that was run, one as it is stored, and the gallery."""
    notebooks = executed.stored(("index", "00_start_here", "06_why_none", "pitfalls"))
    first = {("00_start_here", "en"): notebooks["00_start_here", "en"]}
    return serve(notebooks | executed.run_all(first, tmp_path_factory.mktemp("runs")))


@pytest.fixture
def read(new_page, address):
    """Opens a page of the site, and sees to it that it asks for nothing that is not there."""
    opened = []

    def opener(path, **options):
        page = new_page(**(PHONE | options))
        page.missing = []
        page.on("response", lambda answer: answer.status < 400 or page.missing.append(answer.url))
        page.goto(f"{address}/{path}")
        opened.append(page)
        return page

    yield opener
    for page in opened:
        assert not page.blocked and not page.problems and not page.missing


SHOWN = """async () => {
    for (const one of document.querySelectorAll("details")) one.open = true;
    const places = [...document.querySelectorAll("[data-from]")];
    for (let round = 0; round < 100 && places.some((one) => !one.querySelector(".minitape")); round++)
        for (const one of places) {
            one.scrollIntoView();
            await new Promise((done) => setTimeout(done, 50));
        }
    return places.filter((one) => !one.querySelector(".minitape")).map((one) => one.id);
}"""


def is_narrow(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_front_page_moves_a_number(read, accessible):
    page = read("index.html")
    page.locator(".player").first.wait_for()
    assert is_narrow(page)
    page.locator("button.step").first.click()
    page.keyboard.press("End")
    assert "7.0" in page.locator(".badges").first.text_content()
    accessible(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_lesson_lives_without_a_kernel(read, accessible, screenshots, scheme):
    page = read("00_start_here.html", color_scheme=scheme)
    around = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (int(around.removeprefix("rgb(").partition(",")[0]) < 64) == (scheme == "dark"), around
    asks = page.locator(".asks").first
    asks.scroll_into_view_if_needed()
    asks.locator("input.answer").fill("1000")
    page.keyboard.press("Enter")
    assert asks.locator(".feedback").text_content().strip()
    answer = page.locator("details.answer").first
    assert not answer.locator(".minitape-still").is_visible()
    answer.locator("summary").click()
    answer.locator("button.step").click()
    assert page.evaluate("document.querySelector('details.answer .minitape').player.k") == 1
    assert is_narrow(page)
    accessible(page)
    page.screenshot(path=screenshots / f"site_{scheme}.png")


def test_on_paper_a_dark_page_is_light(read):
    page = read("00_start_here.html", color_scheme="dark")
    page.locator(".player").first.wait_for()
    inks = """() => [document.body, document.querySelector('.minitape').player.root].map((one) => {
        const { color, backgroundColor } = getComputedStyle(one);
        return [color, backgroundColor].map((each) => Number(/[\\d.]+/.exec(each)[0])); })"""
    assert all(ink > 200 and surface < 50 for ink, surface in page.evaluate(inks))
    page.emulate_media(media="print")
    assert all(ink < 50 and surface > 200 for ink, surface in page.evaluate(inks))


def test_a_camera_leaves_no_browser_behind(browser_path):
    with Camera(browser_path, 390, 844) as camera:
        started = f"--user-data-dir={camera.folder.name}"
    running = [one.info["cmdline"] or () for one in psutil.process_iter(["cmdline"])]
    assert not [arguments for arguments in running if started in arguments]


def test_a_preview_is_a_sharp_picture_of_a_player(browser_path, tmp_path):
    notebooks = executed.stored(("00_start_here",))
    with previews.camera(tmp_path) as take:
        site = whole.site_of({("00_start_here", "en"): notebooks["00_start_here", "en"]}, take=take)
    content = site.files["previews/00_start_here.webp"]
    picture = Image.open(io.BytesIO(content))
    assert picture.size == (1200, 630) and len(content) < 80_000
    # the colour of an adjoint, which the last act of a play is full of
    colours = picture.convert("RGB").getcolors(2**20)
    assert sum(count for count, (r, g, b) in colours if r > 140 and 40 < g < 100 and b < 40) > 500
    assert max(colours)[1] > (240, 240, 240)


def test_a_draft_stays_and_can_be_taken_back(read):
    page = read("00_start_here.html")
    before = page.context.cookies()  # of a JupyterLab that another test has opened
    draft = page.locator("textarea.draft").first
    starter = draft.input_value()
    draft.fill("mine")
    page.reload()
    assert draft.input_value() == "mine"
    page.locator("button.reset").first.click()
    page.reload()
    assert draft.input_value() == starter and "\n" in starter
    assert not page.locator("button.reset").first.is_visible()
    assert page.context.cookies() == before


def test_a_search_finds_what_people_type(read, accessible):
    page = read("fr/index.html")
    page.goto(page.url.replace("fr/", ""))
    page.locator("input[type=search]").fill("returns None numpy")
    page.keyboard.press("Enter")
    found = page.locator("#found a").first
    assert "Calculation outside of the library" in found.text_content()
    accessible(page)
    page.locator("input[type=search]").fill("zzz")
    page.locator("#found a").first.wait_for(state="detached")
    page.locator("input[type=search]").fill("stop_gradient")
    found.click()
    page.locator("#main h1").wait_for()
    assert "pitfalls/" in page.url or page.url.partition("#")[2]


def test_a_pitfall_asks_and_shows_both_programs_in_step(read, accessible):
    page = read("fr/pitfalls/numpy-escape.html")
    page.locator(".card-view, .player, .pair").first.wait_for()
    about = card("numpy-escape", "fr")
    right = about.choices[about.right]["text"]
    page.get_by_role("button", name=right, exact=True).click()
    page.locator(".pair").wait_for()
    assert is_narrow(page)
    accessible(page)


def test_links_lead_from_language_to_language_and_on(read):
    page = read("06_why_none.html")
    page.locator(".languages a").click()
    assert page.url.endswith("/fr/06_why_none.html")
    assert page.locator("html").get_attribute("lang") == "fr"
    page.locator(".steps .after").click()
    assert page.url.endswith("/fr/pitfalls.html")


def test_without_scripts_there_are_texts_and_pictures(new_page, address):
    page = new_page(**PHONE, java_script_enabled=False)
    page.goto(f"{address}/00_start_here.html")
    picture = page.locator(".minitape-still img").first
    picture.scroll_into_view_if_needed()
    assert picture.get_attribute("alt") and is_narrow(page)
    assert page.locator("textarea.draft").count() == 2 and not page.blocked


@pytest.mark.parametrize("width", [390, 768, 1366])
def test_every_page_has_room_on_every_screen(read, width):
    for path in (
        "index",
        "fr/00_start_here",
        "06_why_none",
        "pitfalls",
        "pitfalls/tape-kept",
        "search",
    ):
        page = read(f"{path}.html", width=width)
        page.locator("#main h1").wait_for()
        assert is_narrow(page), path


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_of_the_course_with_all_that_it_shows(
    serve, new_page, accessible, tmp_path, language
):
    """All notebooks are run; then each page is read on a phone with every player on it and all that
    is folded open.
    """
    stored = {which: nb for which, nb in executed.stored().items() if which[1] == language}
    there = serve(executed.run_all(stored, tmp_path))
    page = new_page(**PHONE)
    page.goto(f"{there}/files.json")
    paths = json.loads(page.locator("body").inner_text())
    for path in [path for path in paths if path.endswith(".html")]:
        answer = page.goto(f"{there}/{path}")
        assert len(answer.body()) < 60_000, path
        page.locator("#main h1").wait_for()
        assert page.evaluate(SHOWN) == [], path
        assert is_narrow(page), path
        accessible(page)
        assert not page.problems and not page.blocked, path
