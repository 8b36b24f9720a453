"""`%%tape` over cells of real TensorFlow, in a real JupyterLab."""

import sys

import pytest

from tests.browser.lab import Notebook, Server, copy_of
from tests.browser.pages import ARGUMENTS, watch

CELLS = [
    "import numpy as np\nimport tensorflow as tf\n%load_ext minitape_widgets",
    "%%tape --start end\nx = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    y = x * x + "
    "3 * x\nprint(tape.gradient(y, x))",
    "%%tape --start end\nx = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    h = x * x\n"
    "    y = tf.constant(np.sin(h))\n"
    "print(tape.gradient(y, x))",
    "%%tape --start end\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(3, "
    "activation='tanh', name='hidden'),\n"
    "                             tf.keras.layers.Dense(1, name='out')])\nwith tf.GradientTape() "
    "as tape:\n"
    "    loss = tf.reduce_mean(model(tf.ones([4, 2])) ** 2)\ngradients = tape.gradient(loss, "
    "model.trainable_variables)",
    "%%tape\nmodel.compile('sgd', 'mse')\nhistory = model.fit(np.ones((4, 2)), np.ones((4, 1)), "
    "verbose=0)",
    "import minitape.tensorflow\nx = tf.Variable(2.0)\nwith minitape.tensorflow.watch(), "
    "tf.GradientTape() as tape:\n"
    "    y = tf.round(x)\nminitape.tensorflow.explain(tape, y, x)",
    "%%tape\nwith tf.GradientTape() as tape:\n    y = tf.matmul(x, x)",
]


pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def notebook(tmp_path_factory, browser_path):
    from playwright.sync_api import sync_playwright

    with (
        Server(tmp_path_factory.mktemp("lab"), python=sys.executable) as server,
        sync_playwright() as playwright,
    ):
        page = watch(
            playwright.chromium.launch(executable_path=browser_path, args=ARGUMENTS).new_page()
        )
        opened = Notebook(
            page,
            server,
            copy_of(server.folder, None, CELLS),
            "lab",
            tmp_path_factory.mktemp("pictures"),
        )
        opened.wait_for_kernel()
        opened.run_all(errors_allowed=True, seconds=200)
        yield opened


def shown(notebook, cell):
    """All words of the player under a cell."""
    output = notebook.output(cell)
    output.locator(".caption").first.wait_for()
    return " ".join(output.locator(".caption, .margin, svg text").all_text_contents())


def test_the_player_of_a_real_tape(notebook):
    assert "7.0" in notebook.text(1) and "dy/dx = 7.0" in shown(notebook, 1)


def test_a_none_says_why_in_the_warning_and_in_the_picture(notebook):
    assert "takes h out of TensorFlow" in notebook.text(2)
    assert "dy/dx = None" in shown(notebook, 2) and "h leaves the tape here" in shown(notebook, 2)


def test_layers_have_the_learners_names(notebook):
    assert "hidden.kernel" in shown(notebook, 3) and "out.bias" in shown(notebook, 3)


def test_what_is_not_seen_is_named(notebook):
    assert not notebook.output(4).locator(".minitape").count()
    assert "run_eagerly=True" in notebook.text(4)


def test_an_error_is_the_programs_own(notebook):
    reported = notebook.output(6).inner_text()
    assert (
        "InvalidArgumentError" in reported
        and "minitape" not in reported.partition("InvalidArgumentError")[0]
    )


def test_an_explanation_in_its_own_box(notebook):
    assert "tf.round(x)" in notebook.text(5) and not notebook.problems and not notebook.blocked
