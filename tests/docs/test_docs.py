"""The API pages: every public name once, in a learner's order, with signature and docstring;
nothing private; no dead link.
"""

import html
import inspect
import re
from collections import Counter
from urllib.parse import unquote

import pytest

import minitape as tf
from tests.docs import pages
from tests.docs.build import build


def text_of(page):
    """Return what a page shows, without tags, on one line."""
    page = re.sub(r"<(style|script).*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", page)).split())


def test_every_public_name_stands_in_one_group():
    assert Counter(name for _, names in pages.groups() for name in names) == Counter(tf.__all__)


def test_one_family(tmp_path):
    title, names = pages.groups()[2]
    assert title == "Reductions" and build(tmp_path, pages.public_pages(title)) == ["tf"]
    page = (tmp_path / "tf.html").read_text(encoding="utf-8")
    # pdoc puts a long signature on several lines
    text = text_of(page).replace("( ", "(").replace(" )", ")")
    for name in names:
        function = getattr(tf, name)
        assert f'<section id="{name}">' in page
        # annotations are no strings
        signature = re.sub("((?<=: )|(?<=> ))'(.*?)'", r"\2", str(inspect.signature(function)))
        assert f"tf.{name}{signature}" in text
        assert " ".join(function.__doc__.replace("`", "").split()) in text
    assert 'id="group-reductions"' in page and re.search("prefers-color-scheme: ?dark", page)
    assert "tf.html#group-reductions" in (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "reduce_logsumexp" in (tmp_path / "search.js").read_text(encoding="utf-8")


def test_nothing_private_and_nobodys_tools():
    made = pages.public_pages() | pages.reader_pages()
    assert {
        name for module in made.values() for name in module.__all__ if name.startswith("_")
    } == set()
    assert "MeanSquaredError" in made["tf.keras.losses"].__all__
    assert not {"np", "aligned", "convert_to_tensor"} & set(made["tf.keras.losses"].__all__)
    assert not {"array", "by_example"} & set(made["tf.keras.metrics"].__all__)
    assert {"assert_equal", "check_numerics"} <= set(made["tf.debugging"].__all__)


def test_readers_widgets_and_engine_have_pages():
    readers = {
        "minitape.storyboard",
        "minitape.explain",
        "minitape.health",
        "minitape.exercises",
        "minitape_widgets",
    }
    assert readers <= set(pages.reader_pages())
    assert {
        "minitape.engine.tape",
        "minitape.engine.walk",
        "minitape.engine.ops.elementwise",
    } <= set(pages.engine_pages())


@pytest.mark.long
def test_all_pages_are_made_and_no_link_is_dead(tmp_path):
    made = build(tmp_path, pages.public_pages(), pages.reader_pages(), pages.engine_pages())
    assert len(made) > 50
    texts = {
        file: re.sub("(?s)<script.*?</script>", "", file.read_text(encoding="utf-8"))
        for file in tmp_path.rglob("*.html")
    }
    ids = {file: set(re.findall(r'\sid="([^"]+)"', text)) for file, text in texts.items()}
    dead = []
    for file, text in texts.items():
        for link in re.findall(r'<a[^>]* href="(?!https?:)([^"]+)"', text):
            path, _, place = link.partition("#")
            target = (file.parent / path).resolve() if path else file
            if target not in ids or place and unquote(place) not in ids[target]:
                dead.append(f"{file.relative_to(tmp_path)}: {link}")
    assert not dead, "\n".join(dead)
    assert (
        'id="GradientTape.gradient"' in texts[tmp_path / "tf.html"]
        and "observers" not in texts[tmp_path / "tf.html"].split("<main")[0]
    )
