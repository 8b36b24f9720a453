"""Types: what a type checker says to programs, and what a signature says to the one who looks it
up.
"""

import ast
import functools
import inspect
import os
import re
import subprocess
import sys
import typing
from contextlib import suppress

import pytest
from jupyter_client.manager import start_new_kernel

import minitape as tf
from minitape.engine.base import aliases, value
from tests.test_layers import for_checkers
from tests.test_offered import MODULES
from tests.test_tree import ROOT

RIGHT = """
import numpy as np

import minitape as tf
from minitape_widgets import play


class Line(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = tf.Variable(tf.random.normal([2, 1]), name="w")
        self.b = tf.Variable(0.0)

    def __call__(self, x: tf.Tensor) -> tf.Tensor:
        return x @ self.w + self.b


class Net(tf.keras.Model):
    def __init__(self) -> None:
        super().__init__()
        self.hidden = tf.keras.layers.Dense(8, activation="relu")
        self.out = tf.keras.layers.Dense(1)

    def call(self, x: tf.Tensor) -> tf.Tensor:
        found: tf.Tensor = self.out(self.hidden(x))
        return found


class Scale(tf.keras.layers.Layer):
    def build(self, input_shape: tuple[int, ...]) -> None:
        self.s = self.add_weight(shape=(input_shape[-1],), initializer="ones")

    def call(self, inputs: tf.Tensor, training: bool = False) -> tf.Tensor:
        return inputs * self.s


@tf.function
def squared(x: tf.Tensor) -> tf.Tensor:
    return tf.reduce_sum(x * x)


@tf.function(jit_compile=False)
def compiled(x: tf.Tensor) -> tf.Tensor:
    return x * 2


class Doubled(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([None, 2])])
    def __call__(self, x: tf.Tensor) -> tf.Tensor:
        return compiled(x)


x = tf.constant(np.arange(32, dtype=np.float32).reshape(16, 2) / 32)
y = 3.0 * x[:, :1] - 2 * x[:, 1:] ** 2
line, net, loss_fn = Line(), Net(), tf.keras.losses.MeanSquaredError()
optimizer = tf.keras.optimizers.SGD(tf.keras.optimizers.schedules.ExponentialDecay(0.1, 10, 0.9), momentum=0.9)
for step in range(3):
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_mean(tf.square(line(x) - y), axis=[0, 1])
        penalized = loss_fn(y, net(x, training=True)) + tf.exp(-loss) + tf.maximum(0.0, loss)
    gw, gb = tape.gradient(loss, [line.w, line.b])
    line.w.assign_sub(0.1 * gw)
    line.b.assign(line.b - 0.1 * gb)
    line.w[0].assign([1.0])
    optimizer.apply_gradients(zip(tape.gradient(penalized, net.trainable_variables), net.trainable_variables))
    if float(loss) < 0.01 or tf.reduce_any(tf.math.is_nan(loss)):
        break
    print(f"{step} {float(loss):.3f}", loss.numpy(), loss.shape[0:], loss.dtype.name, len(x))
model = tf.keras.Sequential([tf.keras.Input(shape=(2,)), tf.keras.layers.Dense(4, "tanh"), Scale()])
inputs = tf.keras.Input((2,))
described = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs * 2))
values, places = tf.math.top_k([1.0, 3.0, 2.0], k=2)
parts = [part + 1 for part in tf.split(tf.linalg.matmul(x, x, transpose_b=True), 2, axis=1)]
picked = tf.where((x > 0.5) & ~(x == 0.7), x, tf.zeros_like(x))
images = tf.nn.conv2d(tf.zeros([1, 8, 8, 1]), tf.ones([3, 3, 1, 4]), strides=1, padding="SAME")
with tf.GradientTape() as watching:
    watching.watch([x, y])
    with watching.stop_recording():
        outside = x * 2
    target = tf.reduce_sum(x * x) + loss_fn(y, x[:, :1]) + tf.keras.losses.mse([1.0], [2.0]) + squared(x)
way = [(step.index, part.value) for step in watching.steps(target, x) for part in step.parts]
names = [entry.op for entry in watching.entries], [note.kind for note in watching.notes], watching.watched_variables()
jacobian, why = tape.jacobian(loss, line.b), tape.explain(loss, line.b)
again = tf.nest.pack_sequence_as([x], tf.nest.flatten(tf.nest.map_structure(lambda t: t + 1, [x])))
print(squared.source(), compiled(x), Doubled()(x).shape, tf.check_gradients(lambda t: t * t, 2.0))
film = tf.storyboard.build(tape, loss, line.b, title="a line").text()
line.w.scatter_nd_add([[0]], [[1.0]])
tf.keras.metrics.Mean().update_state(1.0)
kinds = tf.cast(tf.argmax(images, axis=-1), tf.int32), tf.range(3), tf.one_hot([0, 1], 2), tf.stack([x, x]), tf.concat([x, x], 0)
print(squared(x), [row + 1 for row in x], play)
"""

WRONG = {
    "tf.reduce_sum([1.0, 2.0], axes=0)": 'Unexpected keyword argument "axes"',
    "tf.reduce_summ([1.0])": 'has no attribute "reduce_summ"; maybe "reduce_sum"',
    "tf.math.loag(1.0)": 'has no attribute "loag"',
    'tf.keras.layers.Dense("eight")': 'Argument 1 to "Dense" has incompatible type "str"',
    "tf.zeros([2]).asign(1.0)": '"Tensor" has no attribute "asign"',
    "tf.nn.conv2d(tf.zeros([1, 8, 8, 1]), tf.ones([3, 3, 1, 4]), 1)": "Missing positional argument "
    '"padding"',
    "tf.GradientTape(persistant=True)": 'Unexpected keyword argument "persistant"',
    "tf.Variable(1.0).asign(2.0)": 'has no attribute "asign"; maybe "assign"',
    "tf.function(lambda x: x, input_signatur=[])": 'No overload variant of "function" matches',
    "tf.nest.flatten()": 'Missing positional argument "structure"',
    "minitape_widgets.plaay": 'has no attribute "plaay"; maybe "play"',
    "minitape_widgets.play()": 'Missing positional argument "tape"',
}


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What mypy says to both programs where it is strict: {(file, line): message}."""
    folder = tmp_path_factory.mktemp("programs")
    (folder / "right.py").write_text(RIGHT)
    (folder / "wrong.py").write_text(
        "\n".join(["import minitape as tf, minitape_widgets", *WRONG]) + "\n"
    )
    cache = ROOT / ".mypy_cache" / "programs"
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file=",
        "--strict",
        "--follow-imports=silent",
        f"--cache-dir={cache}",
        "right.py",
        "wrong.py",
    ]
    path = os.pathsep.join([str(ROOT), str(ROOT / "widgets")])
    result = subprocess.run(
        command, cwd=folder, env=dict(os.environ, MYPYPATH=path), capture_output=True, text=True
    )
    assert result.returncode in (0, 1), result.stdout + result.stderr
    return {
        (file, int(line)): text
        for file, line, text in re.findall(
            r"^(\w+)\.py:(\d+): error: (.*)$", result.stdout, re.MULTILINE
        )
    }


def test_a_right_program_passes(said):
    assert {line: text for (file, line), text in said.items() if file == "right"} == {}
    exec(compile(RIGHT, "right.py", "exec"), {"__name__": "right"})


@pytest.mark.parametrize("line", WRONG)
def test_a_mistake_is_found(said, line):
    assert WRONG[line] in said["wrong", list(WRONG).index(line) + 2]


@pytest.mark.parametrize("name", ["Op", "Output", "Play", "Tape", "Value", "Variable"])
def test_a_noun_of_the_engine_is_checked(name):
    assert getattr(aliases, name) is not typing.Any


def test_the_stub_says_what_the_package_loads():
    named = set()
    for node in ast.parse((ROOT / "minitape" / "__init__.pyi").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            named |= {name.asname for name in node.names if name.asname}
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            named.add((node.targets[0] if isinstance(node, ast.Assign) else node.target).id)
        elif isinstance(node, ast.FunctionDef):
            named.add(node.name)
    assert named == set(dir(tf))


def public_callables():
    """Yield (name, function) for every public function, and for every public method of a public
    class.
    """
    for module in MODULES.values():
        for name in dir(module) if module is not tf.typing else ():
            obj = getattr(module, name)
            if not callable(obj):
                continue
            if not inspect.isclass(obj):
                yield f"{module.__name__}.{name}", obj
                continue
            for part, method in vars(obj).items():
                method = getattr(method, "__func__", method)
                if inspect.isfunction(method) and (part == "__init__" or not part.startswith("_")):
                    yield f"{module.__name__}.{name}.{part}", method


CALLABLES = dict(public_callables())


@pytest.mark.parametrize("name", CALLABLES)
def test_signatures_tell_types(name):
    function = CALLABLES[name]
    signature = inspect.signature(function)
    untold = [
        p.name
        for p in signature.parameters.values()
        if p.name not in ("self", "cls") and p.annotation is p.empty
    ]
    assert not untold and signature.return_annotation is not inspect.Signature.empty
    home = sys.modules[inspect.unwrap(function).__module__]  # what is public says the public module
    typing.get_type_hints(function, localns=names_for_checkers(home))


@functools.cache
def names_for_checkers(module):
    """What a module imports for type checkers alone: under `if TYPE_CHECKING:` at its head; and
    what the engine's aliases name between quotes.
    """
    names = {} if module is aliases else names_for_checkers(aliases) | {"Value": value.Value}
    for node in ast.parse(inspect.getsource(module)).body:
        if for_checkers(node):
            with suppress(ModuleNotFoundError):  # TensorFlow, where that is not installed
                exec(
                    compile(ast.Module(node.body, []), module.__file__, "exec"),
                    names | vars(module),
                    names,
                )
    return names


@pytest.mark.parametrize(
    "name",
    [
        n
        for n, f in CALLABLES.items()
        if "TensorLike" in str(inspect.signature(f))
        and n.count(".") == 1
        or n.startswith(("minitape.linalg.", "minitape.math.", "minitape.nn.", "minitape.image."))
    ],
)
def test_docstrings_tell_shapes(name):
    if inspect.signature(CALLABLES[name]).return_annotation != "None":
        assert re.search(r"\b[Ss]hape\b.*Source:", CALLABLES[name].__doc__, re.DOTALL)


BEGIN = """
import minitape as tf
from minitape.explain import explain
from minitape.storyboard import build
from minitape_widgets import play
layer, tape = tf.keras.layers.Dense(2), tf.GradientTape()
"""


@pytest.fixture(scope="module")
def looked_up(tmp_path_factory):
    """A function that returns what JupyterLab's tooltip shows for a name: the kernel's answer to an
    `inspect_request`.
    """
    manager, client = start_new_kernel(
        kernel_name="python3",
        cwd=str(tmp_path_factory.mktemp("kernel")),
        env=dict(os.environ, PYTHONPATH=os.pathsep.join([str(ROOT), str(ROOT / "widgets")])),
    )
    client.execute_interactive(BEGIN, timeout=60)

    def look_up(name):
        content = client.inspect(name, len(name), reply=True, timeout=60)["content"]
        assert content["found"], name
        return re.sub(r"\x1b\[[0-9;]*m", "", content["data"]["text/plain"])

    yield look_up
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (
            "tf.reduce_sum",
            [
                "input_tensor: 'TensorLike'",
                "axis: 'AxisLike | None' = None",
                "-> 'Tensor'",
                "Compute the sum",
                "Shape: (...)",
            ],
        ),
        (
            "tf.matmul",
            ["transpose_a: 'bool' = False", "a (..., n, m), b (..., m, k) -> (..., n, k)"],
        ),
        (
            "tf.keras.layers.Dense",
            [
                "units: 'int'",
                "activation: 'ActivationLike' = None",
                "Shape: (n, ..., inputs) -> (n, ..., units)",
            ],
        ),
        ("layer.count_params", ["-> 'int'", "Return how many numbers"]),
        ("tf.function", ["input_signature: 'Sequence[Any] | None' = None", "Compile a function"]),
        (
            "tf.GradientTape",
            [
                "persistent: 'bool' = False",
                "watch_accessed_variables: 'bool' = True",
                "Record operations",
            ],
        ),
        (
            "tape.gradient",
            [
                "target: 'Nested'",
                "unconnected_gradients: 'UnconnectedGradients | str'",
                "-> 'Any'",
                "Shape of each: that of its source",
            ],
        ),
        ("tape.jacobian", ["target: 'Tensor | Variable'", "Shapes: target.shape + source.shape"]),
        ("tape.watch", ["tensor: 'Nested'", "-> 'None'"]),
        (
            "build",
            [
                "tape: 'GradientTape'",
                "predict: 'Questions' = None",
                "-> 'Storyboard'",
                "Plays a tape backwards",
            ],
        ),
        (
            "explain",
            [
                "tape: 'GradientTape | Recording'",
                "source: 'Nested | object'",
                "Returns an `Explanation`",
            ],
        ),
        (
            "play",
            [
                "tape: 'GradientTape'",
                "hide: 'str | Sequence[str]' = ()",
                "-> 'Player'",
                "Plays a tape backwards",
            ],
        ),
    ],
)
def test_the_tooltip_shows_types_and_shapes(looked_up, name, shown):
    text = looked_up(name)
    assert all(part in " ".join(text.split()) for part in shown), text
