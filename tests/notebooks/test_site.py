"""The course as pages: whole, small, at home under any address, and safe whatever a notebook holds."""

import json
import posixpath
import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import nbformat
import pytest

from minitape.sentences import LANGUAGES
from minitape_widgets.export import CARD, TRACE
from minitape_widgets.pitfalls.card import keys
from notebooks import build, link
from notebooks.site import executed, previews, search, whole

MOST = (
    60_000  # bytes of a page as it is stored, besides what all pages share and what is scrolled to
)
ADDRESSES = {"href", "src", "action", "data-from", "data-index"}
HACK = "window.hacked = true"


class Seen(HTMLParser):
    """What a test asks of a page: its tags, ids, addresses."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.addresses, self.lang = [], [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append((tag, attrs))
        self.lang = self.lang or attrs.get("lang", "")
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.addresses += [(tag, attrs[name]) for name in ADDRESSES & set(attrs)]


def pages(site):
    return {
        path: Seen(content.decode())
        for path, content in site.files.items()
        if path.endswith(".html")
    }


@pytest.fixture(scope="module")
def site():
    return whole.site_of(executed.stored(), repository="https://example.org/minitape")


@pytest.fixture(scope="module")
def seen(site):
    return pages(site)


def test_every_notebook_and_every_pitfall_is_a_page_in_each_language(seen):
    for language in LANGUAGES:
        folder = "" if language == "en" else f"{language}/"
        there = link.lessons(language)
        wanted = {f"{folder}{name}.html" for name in there}
        cards = [*keys(), *keys("torch")] if "pitfalls" in there else []
        wanted |= {f"{folder}pitfalls/{key}.html" for key in cards}
        wanted |= {f"{folder}search.html"}
        assert wanted <= set(seen)
        assert all(seen[path].lang == language for path in wanted)


def test_no_link_leads_nowhere(site, seen):
    for path, page in seen.items():
        for tag, address in page.addresses:
            parts = urlsplit(address)
            if parts.scheme:
                assert tag == "a" and parts.hostname == "example.org", (path, address)
                continue
            assert not address.startswith("/"), f"{path} stands at one address only: {address}"
            there = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(parts.path)))
            there = path if not parts.path else there
            assert there in site.files, (path, address)
            if parts.fragment:
                assert unquote(parts.fragment) in seen[there].ids, (path, address)


def test_where_no_repository_is_known_its_files_are_named_and_not_linked():
    text = whole.site_of(executed.stored(("index",))).files["index.html"].decode()
    assert "The teachers' page" in text.replace("&#x27;", "'").replace("&#39;", "'")
    assert "blob/HEAD" not in text


def test_a_page_is_small_has_a_head_and_each_id_once(site, seen):
    titles = {}
    for path, page in seen.items():
        text = site.files[path].decode()
        assert len(site.files[path]) <= MOST, path
        assert len(set(page.ids)) == len(page.ids), path
        titles.setdefault(re.search("<title>(.*?)</title>", text)[1], []).append(path)
        about = {
            a.get("property") or a.get("name"): a.get("content")
            for t, a in page.tags
            if t == "meta"
        }
        assert about["og:image"] and about["og:title"]
        assert len(about["description"]) > 30, path
        assert "script-src 'self';" in text and "default-src 'self';" in text
        assert len([1 for tag, _ in page.tags if tag == "h1"]) == 1, path
    assert [paths for paths in titles.values() if len(paths) > 1] == []


def test_what_a_language_does_not_have_is_there_in_english(seen):
    there = {address for _, address in seen["es/index.html"].addresses}
    assert there & {
        "04_shapes.html",
        "../04_shapes.html",
        "../00_start_here.html",
        "00_start_here.html",
        "../glossary.html",
        "glossary.html",
    } == {"../04_shapes.html", "00_start_here.html", "../glossary.html"}
    assert not [a for tag, a in seen["07_training_loop.html"].addresses if a.startswith("es/")]


def test_one_reads_on_from_page_to_page(seen):
    path, read = "index.html", []
    while path:
        read.append(path)
        after = [a["href"] for t, a in seen[path].tags if t == "link" and a.get("rel") == "next"]
        path = after[0] if after else ""
    assert read[1] == "00_start_here.html"
    assert sorted(read) == sorted(f"{name}.html" for name in link.lessons("en"))


def test_a_pitfall_is_found_under_the_words_that_people_type(site):
    text = site.files["pitfalls/numpy-escape.html"].decode()
    title = re.search("<title>(.*?)</title>", text)[1]
    about = re.search('name="description" content="(.*?)"', text)[1]
    assert "GradientTape returns None" in title and "NumPy" in about
    assert "The broken program" not in title and "np.mean(squares)" in text


def test_the_index_of_a_search_knows_every_heading_and_its_place(site, seen):
    for language, name in (("en", "search.json"), ("fr", "fr/search.json")):
        found = json.loads(site.files[name])
        assert len(site.files[name]) < 400_000
        assert {path for path, _, _ in found} == {
            page.path for page in site.pages if page.language == language and page.kind != "search"
        }
        for path, _, parts in found:
            assert all(not anchor or anchor in seen[path].ids for anchor, _, _ in parts)
    texts = {
        path: " ".join(text for _, _, text in parts)
        for path, _, parts in json.loads(site.files["search.json"])
    }
    assert "stop_gradient" in texts["pitfalls/stop-gradient.html"]


def test_an_index_holds_what_is_read_and_no_draft():
    page = whole.Page(
        "x.html",
        "en",
        "X",
        body='<h1>X</h1><p>a &lt; b</p><h2 id="y">Y</h2><textarea>draft</textarea>z',
    )
    assert json.loads(search.index_of([page])) == [
        ["x.html", "X", [["", "X", "a < b"], ["y", "Y", "z"]]]
    ]


def test_exercises_have_a_draft_and_say_where_they_are_checked(site):
    alone = site.files["00_start_here.html"].decode()
    assert 'data-exercise="00.fan-out"' in alone and "lab/index.html" not in alone
    assert ".check(" not in alone and ".hint(" not in alone and "make lab" in alone
    notebooks = executed.stored(("00_start_here", "index"))
    beside = whole.site_of(notebooks, lab=True, why=True).files["fr/00_start_here.html"].decode()
    assert '<a href="why.html">' in beside and "why.html" not in alone
    assert (
        "../lab/lab/index.html?path=fr%2F00_start_here.ipynb" in beside and "make lab" not in beside
    )


def test_previews_have_whole_addresses_where_the_site_knows_its_own():
    notebooks = executed.stored(("00_start_here",))
    site = whole.site_of(notebooks, base="https://example.org/course/")
    text = site.files["fr/00_start_here.html"].decode()
    assert 'content="https://example.org/course/images/player.png"' in text
    assert 'hreflang="en" href="https://example.org/course/00_start_here.html"' in text
    assert b"https://example.org/course/fr/00_start_here.html" in site.files["sitemap.txt"]


def test_a_page_with_a_player_has_a_picture_of_its_own_and_others_the_general_one():
    notebooks = executed.stored(("00_start_here", "glossary", "pitfalls"))
    taken = []

    def take(text):
        taken.append(text)
        return b"a picture"

    site = whole.site_of(notebooks, base="https://example.org", take=take)
    pictures = {page.path: page.picture for page in site.pages}
    assert pictures["fr/00_start_here.html"] == "previews/fr/00_start_here.webp"
    assert pictures["pitfalls/numpy-escape.html"] == "previews/pitfalls/numpy-escape.webp"
    assert pictures["glossary.html"] == pictures["search.html"] == "images/player.png"
    assert site.files["previews/fr/00_start_here.webp"] == b"a picture"
    text = site.files["fr/00_start_here.html"].decode()
    assert (
        'property="og:image" content="https://example.org/previews/fr/00_start_here.webp"' in text
    )
    places = {"00_start_here": 1, "pitfalls": len(keys()), "glossary": 0}
    assert len(taken) == len({*taken}) == sum(places[name] for name, _ in notebooks)
    assert any(
        "Calculation outside of the library: GradientTape returns None" in one for one in taken
    )


def test_a_title_in_a_picture_is_text():
    page = whole.Page("x.html", "en", "</h1><script>x</script>")
    assert "</h1><script>x" not in previews.html_of(page, {"storyboard": {}})


def test_pictures_are_kept_and_without_a_browser_none_is_taken(tmp_path, monkeypatch, capsys):
    (tmp_path / "old.webp").write_bytes(b"old")
    monkeypatch.setenv("MINITAPE_BROWSER", "")
    with previews.camera(tmp_path) as take:
        assert take is None and "general picture" in capsys.readouterr().out
    assert (tmp_path / "old.webp").exists()
    monkeypatch.setattr(previews, "Camera", OneShot)
    for _ in range(2):
        with previews.camera(tmp_path) as take:
            assert take("a page") == b"1"
    assert len(list(tmp_path.iterdir())) == 1


class OneShot:
    """A camera that takes one picture, and cannot take another."""

    count = 0

    def __init__(self, *_):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def picture(self, text, ready):
        OneShot.count += 1
        return str(OneShot.count).encode()


def test_the_front_page_has_the_first_tape_that_is_played():
    traces = [
        {"question": {}},
        {"pair": []},
        {"storyboard": {"title": "first"}},
        {"storyboard": {}},
    ]
    outputs = [nbformat.v4.new_output("display_data", data={TRACE: trace}) for trace in traces]
    lesson = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x", outputs=outputs)])
    site = whole.site_of({("index", "en"): hostile(), (whole.FIRST, "en"): lesson})
    (place,) = [a for _, a in pages(site)["index.html"].tags if "data-from" in a]
    assert json.loads(site.files[place["data-from"]]) == traces[2]


def test_two_headings_of_the_same_words_have_two_places():
    cell = nbformat.v4.new_markdown_cell("# X\n\n## Same words\n\n## Same words")
    site = whole.site_of({("x", "en"): nbformat.v4.new_notebook(cells=[cell])})
    ids = pages(site)["x.html"].ids
    assert [one for one in ids if one.startswith("Same")] == ["Same-words", "Same-words-2"]


def hostile():
    """A notebook of somebody who wants a script to run, in every place that holds text."""
    code, prose = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    script, image = f"<script>{HACK}</script>", f'<img src=x onerror="{HACK}">'
    both = f"{script}{image}"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="{HACK}"><desc>"{both}</desc></svg>'
    bundles = [
        {
            "text/html": f'<p style="background:url(https://example.org/x)" onclick="{HACK}">{both}<a href="javascript:{HACK}">x</a></p>'
        },
        {"text/plain": both},
        {"text/markdown": f"{both}\n\n[x](javascript:{HACK})"},
        {"image/svg+xml": svg},
        {TRACE: {"storyboard": both}, "text/plain": both},
        {CARD: {"deflate": both}, "text/html": both},
    ]
    outputs = [nbformat.v4.new_output("display_data", data=data) for data in bundles]
    outputs.append(nbformat.v4.new_output("stream", name='x" onload="x', text=both))
    outputs.append(nbformat.v4.new_output("error", ename=both, evalue=both, traceback=[both]))
    cells = [
        prose(
            f'# A "title" {both}\n\nText {both} <details onclick="x"> [x](javascript:{HACK}) ![x](javascript:{HACK})\n\n```"{both}\n{both}\n```'
        ),
        code(f"{both}", outputs=outputs),
        prose(f"### {both}\n\n{both}"),
        code(f"</textarea>{both}", metadata={"exercise": f'"{both}'}),
    ]
    return nbformat.v4.new_notebook(cells=cells)


def test_nothing_that_a_notebook_holds_becomes_a_script():
    site = whole.site_of({("x", "en"): hostile()})
    page = pages(site)["x.html"]
    scripts = [attrs for tag, attrs in page.tags if tag == "script"]
    assert [one.get("src") for one in scripts] == ["static/site.js"]
    assert not [a for _, attrs in page.tags for a in attrs if a.startswith("on")]
    assert not [a for _, a in page.addresses if "javascript" in a or "example.org/x" in a]
    assert not [attrs for _, attrs in page.tags if "url" in attrs.get("style", "")]
    assert {tag for tag, _ in page.tags} <= {
        *"html head meta title link script body a header nav form input div main p span details summary ol li".split(),
        *"h1 h3 pre code img section textarea button footer".split(),
    }


def test_what_a_cell_answers_lies_folded_under_its_question():
    answer = nbformat.v4.new_code_cell("1 + 1", metadata={"tags": [build.UNSTORED]})
    asks = nbformat.v4.new_code_cell(
        'ask(exercise("00.nudge"))', metadata={"tags": [build.UNSTORED]}
    )
    for cell, text in ((answer, "2"), (asks, "How many?")):
        cell.outputs = [nbformat.v4.new_output("display_data", data={"text/plain": text})]
    notebook = nbformat.v4.new_notebook(cells=[asks, answer])
    text = whole.site_of({("x", "en"): notebook}).files["x.html"].decode()
    assert re.search(
        r'<details class="answer"><summary>[^<]+</summary><pre[^>]*>2</pre></details>', text
    )
    assert "How many?" in text and "ask(" not in text


def test_a_run_is_kept_until_a_cell_changes(tmp_path, monkeypatch):
    runs = []
    monkeypatch.setattr(build, "run", lambda notebook: runs.append(notebook.cells[0].source))

    def run(text):
        cell = nbformat.v4.new_code_cell(text, id="a")
        return executed.run_all({("x", "en"): nbformat.v4.new_notebook(cells=[cell])}, tmp_path)

    assert run("1")["x", "en"].cells[0].source == run("1")["x", "en"].cells[0].source == "1"
    run("2")
    assert runs == ["1", "2"] and len(list(tmp_path.iterdir())) == 1


def test_a_site_takes_away_its_own_old_pages_only(tmp_path):
    site = whole.site_of({("x", "en"): hostile(), ("y", "en"): hostile()})
    site.write(tmp_path)
    other = tmp_path / "lab" / "index.html"
    other.parent.mkdir()
    other.write_text("the lab")
    whole.site_of({("x", "en"): hostile()}).write(tmp_path)
    assert other.exists() and (tmp_path / "x.html").exists() and not (tmp_path / "y.html").exists()
