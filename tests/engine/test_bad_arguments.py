"""Odd arguments: a call is done, or refused with a sentence that names the function and the
argument; quickly, and before memory is taken.

`odd_calls.py` makes the calls, in processes of their own.
"""

import json
import subprocess
import sys
from collections import Counter
from select import select

import pytest

import minitape as tf
from tests.test_tree import ROOT

SEED = 17
FEW, MANY = 2500, 60_000  # calls in every run, and in `make test-long`
STUCK = 100  # seconds without a word: the process hangs where no alarm is heard, or it waits


def results(seed, start, stop):
    """Return what came of the calls: [label, text, kind, exception, message] of each. A process
    that is stuck or dies is begun anew.
    """
    found = []
    while start < stop:
        command = [sys.executable, "-m", "tests.engine.odd_calls", str(seed), str(start), str(stop)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
            begun = False
            while select([process.stdout], [], [], STUCK)[0] and (
                line := process.stdout.readline()
            ):
                begun = True
                if line.startswith(b"["):
                    found.append(json.loads(line))
                    start += 1
            process.kill()
        assert begun, "the program that makes the calls did not begin"
        if start < stop:
            from tests.engine.odd_calls import call

            found.append([*call(seed, start)[:2], "hang", "", "the process was stuck, or died"])
            start += 1
    return found


def judge(found):
    """Assert what all calls together must keep."""
    kinds = Counter(kind for _, _, kind, _, _ in found)
    reported = {
        kind: [f"{text}: {error}: {message}" for _, text, k, error, message in found if k == kind]
        for kind in kinds
    }
    for kind in ("internal", "hang", "allocation"):
        assert not reported.get(kind), "\n".join(reported[kind])
    assert kinds["refused"] >= 0.99 * (kinds["refused"] + kinds["unnamed"]), "\n".join(
        reported["unnamed"]
    )
    # else nothing was tried
    assert kinds["fine"] > 0.2 * len(found) and kinds["refused"] > 0.3 * len(found), kinds


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is limited as on Linux")
def test_odd_calls():
    judge(results(SEED, 0, FEW))


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is limited as on Linux")
@pytest.mark.parametrize("part", range(4))
def test_many_odd_calls(part):
    judge(results(SEED + 1 + part, 0, MANY // 4))


class Wide(tf.keras.layers.Layer):
    def call(self, inputs, training=False):
        return inputs.no_such_attribute


SAID = [  # call, exception, what stands in its message
    (
        "tf.reduce_sum([1.0], axis='y')",
        tf.errors.InvalidArgumentError,
        "tf.reduce_sum takes as `axis` an axis, which is a whole number, or a list of axes or "
        "None, not 'y'.",
    ),
    ("tf.tanh('y')", tf.errors.InvalidArgumentError, "This was tf.tanh(x='y'"),
    (
        "tf.add(tf.ones([2]), tf.ones([3]))",
        tf.errors.InvalidArgumentError,
        "This was tf.add(x=<float32 (2,)>, y=<float32 (3,)>",
    ),
    (
        "tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))",
        tf.errors.InvalidArgumentError,
        "tf.matmul(a=<float32 (2, 3)>, b=<float32 (2, 3)>",
    ),
    ("tf.reshape(tf.ones([2]), object())", TypeError, "tf.reshape takes as `shape` a shape"),
    (
        "tf.zeros([2], dtype=99)",
        TypeError,
        "tf.zeros takes as `dtype` a dtype such as tf.float32, not 99.",
    ),
    ("tf.cast(1.0, 'float31')", TypeError, "tf.cast takes as `dtype`"),
    ("tf.constant([1, [2]])", ValueError, "tf.constant takes as `value` a tensor"),
    ("tf.Variable([1.0, 2.0]).assign('y')", TypeError, "This was Variable.assign(value='y')."),
    (
        "tf.keras.layers.Dense('y')",
        (TypeError, ValueError),
        "Dense takes as `units` one whole number, not 'y'.",
    ),
    (
        "tf.keras.layers.Conv2D(2, 2)(tf.ones([2, 2]))",
        ValueError,
        "This was Conv2D.__call__(inputs=<float32 (2, 2)>).",
    ),
    (
        "tf.keras.layers.LSTMCell(2)(tf.constant(2.0), tf.ones([2, 3]))",
        ValueError,
        "expected min_ndim=2, found ndim=0",
    ),
    (
        "tf.keras.layers.SimpleRNNCell(2)(tf.ones([2, 2]), [])",
        ValueError,
        "`states` of a SimpleRNNCell must be 1 tensor",
    ),
    ("tf.keras.layers.Conv1D(3, 2, groups=0)", ValueError, "`groups`. Expected a positive number"),
    (
        "tf.keras.layers.LayerNormalization(axis=2)(tf.ones([2, 2]))",
        ValueError,
        "has 2 axes, none of them is axis=2",
    ),
    (
        "tf.keras.layers.BatchNormalization(axis=-3)(tf.ones([2, 2]))",
        ValueError,
        "has 2 axes, none of them is axis=-3",
    ),
    (
        "tf.keras.layers.Dense(2)(tf.ones([2, 2], tf.complex64))",
        tf.errors.InvalidArgumentError,
        "expected to be a complex64 tensor",
    ),
    ("tf.foldl(tf.add, tf.zeros([0]))", tf.errors.OutOfRangeError, "`elems` must not be empty"),
    (
        "tf.keras.layers.Cropping2D()({})",
        TypeError,
        "Cropping2D.__call__ takes as `inputs` one tensor, not {}.",
    ),
    ("tf.strings.upper(1.0)", TypeError, "Cannot convert 1.0 to EagerTensor of dtype string."),
    (
        "tf.ones([2]) + 'y'",
        tf.errors.InvalidArgumentError,
        "This was <float32 (2,)> + 'y' [Op:Add].",
    ),
    ("'y' - tf.ones([2])", TypeError, "This was 'y' - <float32 (2,)> [Op:Sub]."),
    (
        "tf.linalg.matvec(tf.ones([2, 2]), tf.ones([3]))",
        tf.errors.InvalidArgumentError,
        "tf.linalg.matvec(a=<float32 (2, 2)>, b=<float32 (3,)>",
    ),
    ("tf.TensorShape('ab')", TypeError, "tf.TensorShape takes as `dims`"),
    ("tf.keras.layers.Average(1.0)", TypeError, "Average.__init__() takes 1 positional argument"),
    ("tf.keras.layers.Identity(1.0)", TypeError, "Identity.__init__() takes 1 positional argument"),
    ("tf.keras.metrics.Recall()(1.0)", TypeError, "Recall.update_state() missing 1 required"),
    (
        "tf.keras.layers.Conv2D(2, 2)(tf.ones([1, 4, 4, 1]), nonsense=1)",
        TypeError,
        "Conv2D.call() does not take this: got an unexpected keyword argument 'nonsense'.",
    ),
    (
        "tf.keras.layers.Conv2D(2, 2)({'a': 1}, inputs=1)",
        TypeError,
        "Conv2D.call() does not take this: multiple values for argument 'inputs'.",
    ),
    ("tf.DType('half', 'y')", TypeError, "This was DType(name='half', numpy_type='y')."),
    ("tf.check_gradients(tf.square, 2)", ValueError, "This was tf.check_gradients(f=<function"),
    (
        "tf.random.Generator.from_seed('y')",
        (TypeError, ValueError),
        "Generator.from_seed takes as `seed`",
    ),
]


@pytest.mark.parametrize(("text", "kind", "said"), SAID, ids=[text for text, _, _ in SAID])
def test_what_is_said(text, kind, said):
    with pytest.raises(kind) as caught:
        eval(text, {"tf": tf})
    assert said in str(caught.value)
    if isinstance(caught.value, tf.errors.OpError):
        assert caught.value.message == str(caught.value)


def test_a_class_of_the_learners_own_is_named_by_itself():
    with pytest.raises(TypeError, match=r"Wide\.call\(\) got an unexpected keyword"):
        Wide()(tf.ones([2]), nonsense=1)


def test_what_is_not_touched():
    """Errors of the learner's own functions, and of functions that the learner called inside of
    them, are told once or not at all.
    """
    with pytest.raises(ZeroDivisionError, match="^division by zero$"):
        tf.map_fn(lambda x: 1 / 0, tf.ones([2]))
    with pytest.raises(
        AttributeError, match="^'Tensor' object has no attribute 'no_such_attribute'$"
    ):
        Wide()(tf.ones([2]))
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.map_fn(lambda x: tf.add(x, tf.ones([3])), tf.ones([2, 2]))
    assert str(caught.value).count("This was") == 1 and "tf.add(" in str(caught.value)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        # made of other functions: the one that was called is named
        tf.math.reduce_std(tf.ones([2]), axis=3)
    assert str(caught.value).count("This was") == 1 and "tf.math.reduce_std(input_tensor=" in str(
        caught.value
    )


def test_the_functions_stay_themselves():
    import inspect
    import pickle

    assert (
        tf.reshape is tf.reshape
        and tf.matmul is tf.linalg.matmul
        and tf.nn.softmax is tf.math.softmax
    )
    assert (
        list(inspect.signature(tf.nn.relu).parameters) == ["features", "name"]
        and tf.nn.relu.__name__ == "relu"
    )
    for function in (
        tf.reshape,
        tf.nn.relu,
        tf.nn.softmax,
        tf.concat,
        tf.keras.activations.relu,
        tf.tanh,
        tf.linalg.norm,
    ):
        assert pickle.loads(pickle.dumps(function)) is function


BIG = [
    "tf.random.uniform(10**9, b'y')",
    "tf.random.normal([10**9], 'y')",
    "tf.zeros([10**9], dtype=99)",
    "tf.random.normal([10**9], object())",
    "tf.random.uniform([10**9], 0.0, tf.constant('y'))",
    "tf.keras.initializers.Zeros()([10**9], 0)",
    "tf.random.normal([10**9], tf.ones([3, 2]))",
]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is limited as on Linux")
def test_memory_is_asked_for_last():
    """Under a limit, a wrong argument is named and not the lack of memory; where nothing is wrong,
    the lack of memory is told.
    """
    program = (
        "import json, sys; from tests.engine.odd_calls import judged, limit; limit(); "
        "print(json.dumps([judged(text, (), ()) for text in json.loads(sys.argv[1])]))"
    )
    command = [
        sys.executable,
        "-c",
        program,
        json.dumps([*BIG, "tf.zeros([10**9])", "tf.one_hot(0, 10**9)"]),
    ]
    found = json.loads(
        subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    )
    for text, (kind, error, message) in zip(BIG, found):
        assert kind != "allocation" and error in (
            "TypeError",
            "ValueError",
            "InvalidArgumentError",
        ), (text, kind, error, message)
    for (_, error, message), reported in zip(
        found[len(BIG) :],
        ("tf.zeros(shape=[1000000000])", "tf.one_hot(indices=0, depth=1000000000"),
    ):
        assert error == "ResourceExhaustedError" and reported in message
