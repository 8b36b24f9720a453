"""The exporter: every trace becomes a player, the module is there once, nothing is asked of a
network.
"""

import gc
import logging
import os
import re
import subprocess
import sys
import time
import tomllib
from importlib import metadata
from pathlib import Path

import nbformat
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from traitlets.config import Config

import minitape as tf
from minitape.exercises.line import Numbered
from minitape_widgets import TRACE, drawn, module, pitfalls, play
from minitape_widgets.export import CARD as EXPORTED
from minitape_widgets.export import CARDS_PAGE, UNSTORED, MinitapeExporter, card, picture
from minitape_widgets.outputs import WIDGET
from minitape_widgets.pitfalls.card import CARD, PAGE

ROOT = Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "widgets")])}


def notebook(*bundles):
    cells = [nbformat.v4.new_markdown_cell("# A lesson")]
    for bundle in bundles:
        output = nbformat.v4.new_output("display_data", data=bundle)
        cells.append(nbformat.v4.new_code_cell("play(tape, y, x)", outputs=[output]))
    return nbformat.v4.new_notebook(cells=cells)


@pytest.fixture(scope="module")
def bundle():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x + 3 * x
    view = {"version_major": 2, "version_minor": 0, "model_id": "model-that-went"}
    return {WIDGET: view} | play(tape, y, x, title="</script><b>").picture()


def export(*bundles):
    return MinitapeExporter().from_notebook_node(notebook(*bundles))[0]


def test_players_take_the_place_of_outputs(bundle):
    text = export(bundle, bundle)
    assert text.count('class="minitape-trace"') == 2
    assert text.count(module.source()) == 1
    assert text.count(module.literal(bundle[TRACE])) == 2
    assert "data:image/svg+xml;base64," in text and WIDGET not in text


def test_a_notebook_that_is_run_on_the_way_has_its_players(tmp_path):
    """`jupyter nbconvert --to minitape --execute`: the outputs are made while the page is."""
    cells = [
        "import minitape as tf\n%load_ext minitape_widgets",
        "%%tape\nx = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * x\nslope = "
        "tape.gradient(y, x)",
    ]
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
    nb.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    config = Config({"ExecutePreprocessor": {"enabled": True}})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", ENVIRONMENT["PYTHONPATH"])
        text, _ = MinitapeExporter(config=config).from_notebook_node(
            nb, {"metadata": {"path": str(tmp_path)}}
        )
    assert text.count('class="minitape-trace"') == 1 and text.count(module.source()) == 1
    assert all(not cell.get("outputs") for cell in nb.cells), (
        "the notebook that was given stays as it was"
    )


def test_code_brings_its_letters_along():
    """An exported page has a style of nbconvert's own, `.jp-OutputArea-output pre`, which sets all
    code in the letters of prose.
    """
    x = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.abs(x * 0.0)
    explanation = tape.explain(tf.constant(float(y)), x)
    shown = [
        explanation._repr_html_(),
        Numbered("  1  y = x")._repr_html_(),
        picture({"text/plain": "y"}, ""),
    ]
    assert all(
        re.findall('<pre(?! style="font-family:[^"]*monospace).?', text) == [] and "<pre" in text
        for text in shown
    ), shown


def test_nothing_comes_from_a_network(bundle):
    text = export(bundle)
    assert not re.findall(r"""(?:src|href)=["']?((?:https?:)?//[^"'> ]+)""", text)
    assert (
        "cdn"
        not in re.sub(r"<style.*?</style>|<script.*?</script>", "", text, flags=re.DOTALL).lower()
    )


def test_a_notebook_without_traces_is_left_alone():
    text = export({"text/plain": "2"})
    assert "minitape-trace" not in text and "showAll" not in text


def test_the_entry_point():
    from nbconvert.exporters import ExporterNameError, get_exporter

    try:
        assert get_exporter("minitape") is MinitapeExporter
    except ExporterNameError:
        pytest.skip("minitape is not installed here, only imported")


def test_a_pitfall_card_asks_in_jupyterlab_and_plays_on_a_page():
    """A card is no trace: the extension would show the plays, which are the answer. Its page has
    the gallery's module.
    """
    card = pitfalls.show("numpy-escape")
    data = card._repr_mimebundle_()
    assert TRACE not in data and data[WIDGET]["model_id"] == card.model_id
    output = nbformat.v4.new_output("display_data", data=data)
    page = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell("pitfalls.show(...)", outputs=[output])]
    )
    shown = MinitapeExporter().from_notebook_node(page)[0]
    assert (
        shown.count('class="minitape-trace"') == 1 and module.source("card/deliveries.js") in shown
    )
    assert (EXPORTED, CARDS_PAGE) == (CARD, PAGE)
    card.close()


@pytest.mark.parametrize(
    "text", ["<div>" * 20_000, "<div " + "a=1 " * 50_000 + ">", "<b><p>" * 10_000, "x" * 200_000]
)
def test_a_card_that_is_larger_than_any_is_not_drawn(text):
    """What sanitizes HTML takes time with the square of its tags: 35 s for the first of these."""
    began = time.process_time()
    assert card(text) == "" and "<div>" * 100 not in export(
        {CARD: {"card": {}}, "text/html": text, "text/plain": "asked"}
    )
    assert time.process_time() - began < 5  # nearly all of it is nbconvert's


def test_the_largest_card_that_is_drawn_takes_no_time():
    for text in (
        "<div>" * drawn.MOST_TAGS,
        "<b><p>" * (drawn.MOST_TAGS // 2),
        "<mark>a</mark>b" * (drawn.MOST_TAGS // 2),
    ):
        gc.collect()
        gc.disable()  # it would look through all that the tests before have left
        try:
            began = time.process_time()
            assert card(text)
            assert time.process_time() - began < 0.5
        finally:
            gc.enable()


# ---- what it takes

SAVING = """
import sys

class Refusing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {refused!r}:
            raise ModuleNotFoundError(f"minitape[widgets] brings no {{name}}", name=name)

sys.meta_path.insert(0, Refusing())
import minitape as tf
from minitape_widgets import play
x = tf.Variable(2.0)
with tf.GradientTape(persistent=True) as tape:
    y = x * x
for suffix in ("html", "svg", "json"):
    print(play(tape, y, x).save("tape." + suffix))
"""


def brought(extra):
    """The distributions that `pip install minitape[extra]` brings."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    open_ends, found = project["dependencies"] + project["optional-dependencies"][extra], set()
    while open_ends:
        asked = Requirement(open_ends.pop())
        name = canonicalize_name(asked.name)
        if name in found or asked.marker and not asked.marker.evaluate({"extra": ""}):
            continue
        found.add(name)
        try:
            open_ends += metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            pytest.skip(f"{name} is not installed here")
    return found


def test_the_widgets_alone_can_save_pages(tmp_path):
    """In an environment with `minitape[widgets]` and nothing else: no nbconvert, no nbformat."""
    here = brought("widgets")
    refused = {
        module
        for module, owners in metadata.packages_distributions().items()
        if module not in ("minitape", "minitape_widgets")
        and here.isdisjoint(map(canonicalize_name, owners))
    }
    assert {"nbformat", "nbconvert", "jupyterlab"} <= refused
    done = subprocess.run(
        [sys.executable, "-c", SAVING.format(refused=refused)],
        cwd=tmp_path,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["tape.html", "tape.svg", "tape.json"]
    assert "minitape-trace" in (tmp_path / "tape.html").read_text(encoding="utf-8")


def test_an_exported_page_costs_no_engine_of_pictures():
    """nbconvert only puts together what stands in the notebook: it waits for nothing that draws or
    computes.
    """
    asked = (
        "import sys, minitape_widgets.export as e; e.script(); print([m for m in sys.modules "
        "if m.startswith('minitape.storyboard')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked], env=ENVIRONMENT, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_a_cell_whose_output_is_not_stored_says_so(bundle, caplog):
    nb = notebook(bundle)
    unstored = nbformat.v4.new_code_cell("play(tape, y, x)", metadata={"tags": [UNSTORED]})
    exporter = MinitapeExporter(language_code="fr")
    exporter.log = logging.getLogger("export")
    whole, _ = exporter.from_notebook_node(nb)
    assert not caplog.text, "this notebook lacks nothing"
    nb.cells += [unstored, nbformat.v4.new_code_cell("x = 1")]
    text, _ = exporter.from_notebook_node(nb)
    note = "ou exportez-le avec --execute"  # stands in the trace too: this file is its program
    assert text.count(note) == whole.count(note) + 1
    assert "of 1 cells are not stored" in caplog.text and not unstored.outputs
