"""Calls of public functions with odd arguments, as source text; run as a program, it makes them
under limits and says what came of each.

    python -m tests.engine.odd_calls SEED START STOP

prints one JSON line before each call (its number) and one after it (see `judged`). A call is text,
so that whatever is found can be typed again. Which call has a number follows from the seed alone.
"""

import contextlib
import functools
import inspect
import io
import json
import random
import re
import resource
import signal
import sys
import traceback
import warnings
from pathlib import Path

import numpy as np

import minitape as tf
from minitape.engine.base.where import is_inside
from tests.test_offered import MODULES

SECONDS, BYTES = 3, 600 * 2**20  # of the processor and of memory: what one call may take
FAMILIES = ("", "math", "nn", "linalg", "image", "random", "strings", "nest", "debugging", "keras")
# What is no function of a program, prints, or changes how all calls after it behave.
LEFT_OUT = re.compile(
    r"(UnconnectedGradients|random\.set_global_generator|debugging\.(enable|disable)_check_numerics"
    r"|keras\.backend\.set_floatx|\.(from_config|call|build|update_step|compute_output_shape))$"
)
PRIVATE = re.compile(r"(?<![\w.`'\"])_[A-Za-z]\w*[.(]")  # a function or class of ours in a message

TENSORS = [
    "1.0",
    "[1.0, 2.0]",
    "tf.constant([1.0, -2.0, 3.0])",
    "tf.ones([2, 3])",
    "tf.ones([3, 3])",
    "tf.ones([2, 3, 4])",
    "tf.ones([1, 4, 4, 2])",
    "tf.constant([0, 1, 2])",
    "tf.constant([[0], [1]])",
    "tf.constant([True, False])",
    "np.ones((2, 2))",
    "tf.Variable([1.0, 2.0])",
    "tf.constant(2.0)",
    "tf.constant(['a', 'b'])",
    "tf.constant([1.0 + 2.0j])",
    "tf.zeros([0])",
    "tf.ones([2, 2], tf.float64)",
    "3",
]
ODD = [
    "None",
    "-1",
    "0",
    "1",
    "7",
    "10**9",
    "-10**9",
    "2**70",
    "1.5",
    "float('nan')",
    "float('inf')",
    "'y'",
    "''",
    "b'y'",
    "True",
    "[]",
    "[[]]",
    "[1, [2]]",
    "()",
    "{}",
    "{'a': 1}",
    "object()",
    "lambda: 1",
    "tf.float32",
    "'float32'",
    "range(3)",
    "iter([1.0])",
    "int",
    "...",
    "slice(2)",
    "1j",
    "set()",
    "[None]",
    "[1.0, 'y']",
    "['y']",
    "[-1, 2]",
    "[0, 0]",
    "(10**9, 10**9)",
    "[10**9]",
    "np.array(['y'])",
    "np.array([None])",
    "np.ones((0, 2))",
    "tf.constant(5)",
    "tf.constant(-3)",
    "tf.zeros([2, 0])",
    "tf.constant('y')",
    "tf.constant([10**9])",
    "tf.TensorShape([2])",
    "tf.Variable(1)",
    "tf.keras.Input([2])",
    "tf.keras.layers.Dense(2)",
    "tf.ones([1, 1, 1, 1, 1])",
    "[tf.ones([2]), tf.ones([3])]",
    "NotImplemented",
    "ValueError",
]
NUMBERS, WHOLE = (
    ["0.5", "1.0", "2.0", "tf.constant(0.5)"],
    ["0", "1", "2", "3", "-1", "tf.constant(1)"],
)
NAMED = [
    "'SAME'",
    "'VALID'",
    "'same'",
    "'valid'",
    "'relu'",
    "'channels_last'",
    "'NHWC'",
    "'CONSTANT'",
    "'ij,jk->ik'",
    "'ASCENDING'",
    "'bilinear'",
    "'sum'",
    "'none'",
    "'euclidean'",
    "'left'",
    "'a'",
]
FIT = {  # by the annotation of a parameter, the first that is found in it
    "Callable": [
        "lambda *a: a[0] if a else tf.constant(1.0)",
        "tf.square",
        "lambda *a: tf.constant(1.0)",
    ],
    "TensorLike": TENSORS,
    "Nested": TENSORS + ["[tf.ones([2]), {'a': tf.ones([3])}]"],
    "AxisLike": ["0", "-1", "1", "[0, 1]", "[0]"],
    "ShapeLike": ["[2, 3]", "(2,)", "[]", "3", "[6]", "[-1]", "tf.constant([3, 2])"],
    "IntLike": WHOLE,
    "DTypeLike": ["tf.float32", "'int32'", "tf.float64", "np.float32", "tf.bool"],
    "ScalarLike": NUMBERS,
    "RateLike": ["0.1", "tf.Variable(0.1)"],
    "SeedLike": ["1", "[1, 2]"],
    "ActivationLike": ["'relu'", "tf.tanh"],
    "InitializerLike": ["'zeros'", "'glorot_uniform'"],
    "RegularizerLike": ["'l2'"],
    "ConstraintLike": ["'non_neg'"],
    "Variable": ["tf.Variable([1.0, 2.0])"],
    "Tensor": TENSORS,
    "Sequence[int": ["2", "[2, 2]", "(1, 2, 2, 1)", "[2]"],
    "Sequence": ["[1, 2]", "[tf.ones([2]), tf.ones([2])]"],
    "bool": ["True", "False"],
    "int": WHOLE,
    "float": NUMBERS,
    "str": NAMED,
    "Any": TENSORS,
    "object": ["None"],
    "Iterable": ["[1.0]"],
    "IndexedSlices": ["tf.IndexedSlices(tf.ones([1, 2]), [0], [2, 2])"],
    "Mapping": ["{}"],
    "list": ["[1.0, 2.0]"],
    "UnconnectedGradients": ["'zero'"],
    "TensorSpec": ["tf.TensorSpec([2])"],
    "Literal": ["'left'"],
    "Generator": ["None"],
}
# What methods are called on, where it is not made by calling the class without arguments.
MADE = {
    "Tensor": "tf.constant([1.0, 2.0])",
    "Variable": "tf.Variable([1.0, 2.0])",
    "TensorArray": "tf.TensorArray(tf.float32, 3)",
    "TensorShape": "tf.TensorShape([2, None])",
    "TensorSpec": "tf.TensorSpec([2, None])",
    "DType": "tf.float32",
    "GradientTape": "tape_of(persistent=True)",
    "IndexedSlices": "tf.IndexedSlices(tf.ones([1, 2]), [0], [2, 2])",
    "Generator": "tf.random.Generator.from_seed(1)",
    "Model": "tf.keras.Sequential([tf.keras.layers.Dense(2)])",
    "Sequential": "tf.keras.Sequential([tf.keras.layers.Dense(2)])",
}
OF_LAYERS = [
    ["2"],
    ["2", "2"],
    ["3", "2"],
    ["[2, 1]"],
    ["'relu'"],
    ["lambda x: x"],
    ["0.5"],
    ["[0.1, 0.2]", "[1.0, 0.5, 0.1]"],
    ["0.1", "10"],
    ["0.1", "10", "0.9"],
    ["tf.square"],
    ["0.1", "[0.2, 0.3]"],
]
OPERATORS = dict(
    add="+",
    sub="-",
    mul="*",
    truediv="/",
    floordiv="//",
    mod="%",
    pow="**",
    matmul="@",
    lt="<",
    le="<=",
    gt=">",
    ge=">=",
    eq="==",
    ne="!=",
    xor="^",
    getitem="indices",
) | {"and": "&", "or": "|"}


def tape_of(**settings):
    """Return a tape that has recorded a little."""
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape(**settings) as tape:
        tf.reduce_sum(x * x)
    return tape


MEMBERS = json.loads((Path(__file__).parent.parent / "data" / "tf_signatures.json").read_text())[
    "members"
]
NAMES = {"tf": tf, "np": np, "tape_of": tape_of}


def made(path, obj):
    """Return the text that makes an object of a class to call methods on, or None."""
    if obj.__name__ in MADE:
        return MADE[obj.__name__]
    for args in ([], *OF_LAYERS):
        text = f"{path}({', '.join(args)})"
        with contextlib.suppress(Exception):
            eval(text, dict(NAMES))
            return text
    return None


@functools.cache
def targets():
    """Return all that is called: {label: (text before the arguments, parameters, names of which one
    tells the function)}.
    """
    found, seen = {}, set()
    for family in FAMILIES:
        for name, module in sorted(MODULES.items()):
            inner = name.partition(".")[2]
            if (
                inner != family
                and not (family == "keras" and inner.startswith("keras."))
                or name.partition(".")[0] != "minitape"
            ):
                continue
            for public in sorted(set(dir(module)) & set(module.__all__)):
                obj, path = getattr(module, public), f"tf.{inner + '.' if inner else ''}{public}"
                if (
                    not callable(obj)
                    or id(obj) in seen
                    or inspect.isclass(obj)
                    and issubclass(obj, Exception)
                ):
                    continue
                seen.add(id(obj))
                if inspect.isclass(obj):
                    found |= dict(of_class(path, obj, seen))
                else:
                    found[path] = path, takes(obj), (public, obj.__name__)
    for kind in ("Tensor", "Variable"):
        for name, sign in OPERATORS.items():
            for side in ("", "r") if hasattr(tf.Tensor, f"__r{name}__") else ("",):
                found[f"tf.{kind}.__{side}{name}__"] = (
                    f"{MADE[kind]}.__{side}{name}__",
                    [parameter("other", "TensorLike")],
                    (sign, "Op:"),
                )
    return {label: what for label, what in found.items() if not LEFT_OUT.search(label)}


def of_class(path, obj, seen):
    """Yield what can be called of a class: itself, the public methods that no class before it had,
    and the calling of its objects.
    """
    yield path, (path, takes(obj), (obj.__name__,))
    text = made(path, obj)
    for name in dir(obj) if text else ():
        static = inspect.getattr_static(obj, name)
        method = getattr(static, "__func__", static)
        if (
            not inspect.isfunction(method)
            or not method.__module__.startswith("minitape")
            or id(method) in seen
            and name != "__call__"
        ):
            continue
        if name == "__call__" or f"{path[3:]}.{name}" in MEMBERS and not name.startswith("_"):
            seen.add(id(method))
            layer = (
                name == "__call__"
                and hasattr(obj, "call")
                and takes(obj.__call__)[1].kind is inspect.Parameter.VAR_POSITIONAL
            )
            parameters = takes(obj.call if layer else getattr(obj, name))[
                not isinstance(static, (classmethod, staticmethod)) :
            ]
            yield (
                f"{path}.{name}",
                (
                    text if name == "__call__" else f"{text}.{name}",
                    parameters,
                    (name, obj.__name__),
                ),
            )


def parameter(name, annotation):
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=annotation)


def takes(obj):
    try:
        return list(inspect.signature(obj).parameters.values())
    except ValueError:
        return []


def call(seed, k):
    """Return the call of a number: (label, text, names of the function, names of the arguments)."""
    labels = list(targets())
    label = labels[(k * 7919 + seed) % len(labels)]
    draw = random.Random(f"{seed} {label} {k}")
    before, parameters, names = targets()[label]
    texts, by_name, oddness = [], False, draw.choice([0.15, 0.4, 0.8])
    for p in parameters:
        if p.kind is p.VAR_KEYWORD:
            continue
        if p.kind is p.VAR_POSITIONAL:
            texts += (
                [value(p, draw, oddness) for _ in range(draw.randrange(3))] if not by_name else []
            )
            continue
        if p.default is not p.empty and draw.random() < 0.6:
            by_name = True
            continue
        by_name = by_name or p.kind is p.KEYWORD_ONLY
        texts.append(f"{p.name}={value(p, draw, oddness)}" if by_name else value(p, draw, oddness))
    if draw.random() < 0.15 and "__" not in before:
        texts = misshapen(texts, parameters, draw)
    return (
        label,
        f"{before}({', '.join(texts)})",
        names,
        [p.name for p in parameters] if texts and "__" not in before else [],
    )


def misshapen(texts, parameters, draw):
    """Return arguments that the signature refuses: too few, too many, misnamed, given twice."""
    name = draw.choice([p.name for p in parameters] or ["x"])
    return draw.choice(
        [
            texts[:-1],
            [],
            ["1.0"] * draw.randint(1, 3) + texts,
            ["1.0"] * (len(parameters) + 1),
            [*texts, "nonsense=1"],
            [*texts, f"{name[:-1]}_=1"],
            [*texts, f"{name}=1"] if f"{name}=" not in "".join(texts) else texts,
        ]
    )


def value(p, draw, oddness):
    annotation = (
        p.annotation
        if isinstance(p.annotation, str)
        else getattr(p.annotation, "__name__", str(p.annotation))
    )
    fit = next((texts for kind, texts in FIT.items() if kind in annotation), TENSORS)
    return draw.choice(ODD) if draw.random() < oddness else draw.choice(fit)


class Hang(BaseException):
    """A call took too long."""


def judged(text, names, arguments):
    """Make a call; return (what came of it, what was raised, its message).

    fine, refused (the message names the function and an argument), unnamed (it does not), internal
    (an error of another kind), theirs (an error of the program's own function), hang, allocation
    (memory was asked for before the arguments were looked at).
    """
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with (
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            eval(compile(text, "<a call>", "eval"), dict(NAMES))
        return "fine", "", ""
    except Hang as error:
        return "hang", "Hang", "".join(traceback.format_tb(error.__traceback__)[-2:])
    except Exception as error:
        signal.setitimer(signal.ITIMER_PROF, 0)
        return kind_of(error, names, arguments), type(error).__name__, f"{error}\n{place(error)}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def place(error):
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"@ {last.filename[-40:]}:{last.lineno}"


def kind_of(error, names, arguments):
    if (
        not is_inside(traceback.extract_tb(error.__traceback__)[-1].filename)
        and len(traceback.extract_tb(error.__traceback__)) > 2
    ):
        return "theirs"
    if (
        isinstance(error, MemoryError)
        or isinstance(error.__context__, MemoryError)
        and not isinstance(error, tf.errors.ResourceExhaustedError)
    ):
        return "allocation"
    if isinstance(error, AttributeError) and error.name is None:
        pass  # raised on purpose: as TensorFlow does
    elif not isinstance(
        error, (ValueError, TypeError, tf.errors.OpError, RuntimeError)
    ) or isinstance(error, (IndexError, np.linalg.LinAlgError, RecursionError)):
        return "internal"
    if PRIVATE.search(str(error)):
        return "internal"
    text, arguments = (
        str(error),
        []
        if isinstance(error, RuntimeError) and not isinstance(error, NotImplementedError)
        else arguments,
    )
    named = any(word(n, text) for n in names) and (
        not arguments or any(word(a, text) for a in [*arguments, "nonsense"])
    )
    return (
        "refused"
        if named or "argument" in text and "() " in text and any(word(n, text) for n in names)
        else "unnamed"
    )


def word(name, text):
    """Tell whether a name stands in a message as a word."""
    return (
        re.search(
            rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])"
            if name.isidentifier()
            else re.escape(name),
            text,
        )
        is not None
    )


def main(seed, start, stop):
    targets()
    limit()
    for k in range(start, stop):
        print(k, flush=True)
        label, text, names, arguments = call(seed, k)
        print(json.dumps([label, text, *judged(text, names, arguments)]), flush=True)


def limit():
    """From here on this process has little memory, and hears of calls that take long."""
    signal.signal(signal.SIGPROF, alarm)
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + BYTES, -1))


def alarm(*_):
    raise Hang


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
