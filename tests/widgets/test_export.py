"""The exporter: every trace becomes a player, the module is there once, nothing is asked of a network."""

import os
import re
from pathlib import Path

import nbformat
import pytest
from traitlets.config import Config

import minitape as tf
from minitape_widgets import TRACE, module, pitfalls, play
from minitape_widgets.export import WIDGET, MinitapeExporter


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
    assert "<svg" in text and WIDGET not in text


def test_a_notebook_that_is_run_on_the_way_has_its_players(tmp_path):
    """`jupyter nbconvert --to minitape --execute`: the outputs are made while the page is."""
    cells = ["import minitape as tf\n%load_ext minitape_widgets",
             "%%tape\nx = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * x\nslope = tape.gradient(y, x)"]
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in cells])
    nb.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    config = Config({"ExecutePreprocessor": {"enabled": True}})
    root = Path(__file__).resolve().parent.parent.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(root), str(root / "widgets")]))
        text, _ = MinitapeExporter(config=config).from_notebook_node(nb, {"metadata": {"path": str(tmp_path)}})
    assert text.count('class="minitape-trace"') == 1 and text.count(module.source()) == 1
    assert all(not cell.get("outputs") for cell in nb.cells), "the notebook that was given stays as it was"


def test_nothing_comes_from_a_network(bundle):
    text = export(bundle)
    assert not re.findall(r"""(?:src|href)=["']?((?:https?:)?//[^"'> ]+)""", text)
    assert "cdn" not in re.sub(r"<style.*?</style>|<script.*?</script>", "", text, flags=re.DOTALL).lower()


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
    """JupyterLab's extension shows any trace among the data first: there a card's plays would be the answer."""
    card = pitfalls.show("numpy-escape")
    data, metadata = card._repr_mimebundle_()
    assert TRACE not in data and data[WIDGET]["model_id"] == card.model_id
    output = nbformat.v4.new_output("display_data", data=data, metadata=metadata)
    page = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("pitfalls.show(...)", outputs=[output])])
    assert MinitapeExporter().from_notebook_node(page)[0].count('class="minitape-trace"') == 1
    card.close()
