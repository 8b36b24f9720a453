"""Operators between tensors and everything else a learner may write beside them: one program per operator and dtype.

`results["t + int"]` is the answer with the tensor on the left, `results["int + t"]` on the right: a tensor, a NumPy array, or the
name of the error's type.
"""

from pathlib import Path

ATTEMPT = '''def attempt(f):
    try:
        return f()
    except Exception as error:
        return type(error).__name__

'''
OTHERS = {
    "int": "2", "float": "2.5", "bool": "True", "list of ints": "[2, 3]", "list of floats": "[2.5, 3.5]", "tuple of ints": "(2, 3)",
    "float64 array": "np.array([2.5, 3.5])", "float32 array": "np.array([2.5, 3.5], 'float32')", "int64 array": "np.array([2, 3])",
    "float64 scalar": "np.float64(2.5)", "float32 scalar": "np.float32(2.5)", "int64 scalar": "np.int64(2)",
    "0-d float64 array": "np.array(2.5)", "int32 tensor": "tf.constant([2, 3])", "float32 tensor": "tf.constant([2.5, 3.5])",
    "float64 tensor": "tf.constant([2.5, 3.5], tf.float64)", "bool tensor": "tf.constant([True, False])",
    "float32 variable": "tf.Variable([2.5, 3.5])", "complex": "1j", "None": "None", "str": "'2'",
}
OPERATORS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "floordiv": "//", "mod": "%", "power": "**", "less": "<", "equal": "=="}
TENSORS = {
    "float32": "tf.constant([7.0, -7.0])", "int32": "tf.constant([7, 5])", "float64": "tf.constant([7.0, -7.0], tf.float64)",
    "variable": "tf.Variable([7.0, -7.0])",
}


def operator_program(symbol, tensor, others):
    lines = [f"t = {tensor}", "results = {}"]
    for name, text in others.items():
        lines.append(f"results[{f't {symbol} {name}'!r}] = attempt(lambda: t {symbol} {text})")
        lines.append(f"results[{f'{name} {symbol} t'!r}] = attempt(lambda: {text} {symbol} t)")
    return ATTEMPT + "\n".join(lines) + "\n"


def operators():
    pairs = [(f"{name}-{dtype}", operator_program(symbol, tensor, OTHERS))
             for name, symbol in OPERATORS.items() for dtype, tensor in TENSORS.items()]
    logic = {"bool": "True", "bool tensor": "tf.constant([True, False])", "list of bools": "[True, False]",
             "bool array": "np.array([True, False])", "int": "1", "int32 tensor": "tf.constant([6, 3])", "float32 tensor": "tf.constant([1.0, 0.0])"}
    for name, symbol in {"and": "&", "or": "|", "xor": "^"}.items():
        for dtype, tensor in {"bool": "tf.constant([True, True])", "int32": "tf.constant([5, 5])", "float32": "tf.constant([1.0, 1.0])"}.items():
            pairs.append((f"{name}-{dtype}", operator_program(symbol, tensor, logic)))
    matrices = {"matrix": "tf.constant([[1.0, 2.0], [3.0, 4.0]])", "vector": "tf.constant([1.0, 2.0])", "list": "[[1.0, 2.0], [3.0, 4.0]]",
                "float64 array": "np.eye(2)", "float32 array": "np.eye(2, dtype='float32')", "int list": "[[1, 2], [3, 4]]", "float": "2.0",
                "int32 matrix": "tf.constant([[1, 2], [3, 4]])", "batch": "tf.ones([3, 2, 2])", "variable": "tf.Variable([[1.0, 0.0], [0.0, 1.0]])",
                "bad shape": "tf.ones([3, 1])"}
    for dtype, tensor in {"float32": "tf.constant([[1.0, 2.0], [3.0, 4.0]])", "vector": "tf.constant([1.0, 2.0])", "int32": "tf.constant([[1, 2], [3, 4]])"}.items():
        pairs.append((f"matmul-{dtype}", operator_program("@", tensor, matrices)))
    return pairs


def protocols():
    pairs = []
    unary = {"-t": "-t", "+t": "+t", "abs(t)": "abs(t)", "~t": "~t", "not t": "not t", "bool(t)": "bool(t)", "int(t)": "int(t)", "float(t)": "float(t)",
             "len(t)": "len(t)", "list(t)": "list(t)", "round(t)": "round(t)", "complex(t)": "complex(t)", "hash(t)": "type(hash(t)).__name__",
             "t == t": "t == t", "t != t": "t != t", "t is t": "t is t", "t == None": "t == None", "t != None": "t != None", "t == 'a'": "t == 'a'",
             "t in [t]": "t in [t]", "[10, 20, 30][t]": "[10, 20, 30][t]", "range(t)": "list(range(t))", "f'{t}'": "f'{t}'", "format(t, '.2f')": "format(t, '.2f')",
             "str(t)": "str(t)", "repr(t)": "repr(t)", "t.shape": "t.shape", "t.ndim": "t.ndim", "t.dtype": "t.dtype", "t.numpy()": "t.numpy()", "np.asarray(t)": "np.asarray(t)",
             "np.array(t, 'float64')": "np.array(t, 'float64')", "np.sin(t)": "np.sin(t)", "np.add(t, 1)": "np.add(t, 1)", "np.sum(t)": "np.sum(t)", "np.stack([t, t])": "np.stack([t, t])",
             "t.item()": "t.item()", "t.tolist()": "t.tolist()", "t.T": "t.T", "t.sum()": "t.sum()", "t.reshape(1)": "t.reshape(1)", "t.size": "t.size", "t.name": "t.name",
             "t.assign(1)": "t.assign(1)", "t ** 0.5": "t ** 0.5", "divmod(t, 2)": "divmod(t, 2)", "iter(t)": "type(iter(t)).__name__",
             "max(t)": "max(t)", "sum(t)": "sum(t)", "t and 1": "t and 1", "'%s' % t": "'%s' % t", "'%f' % t": "'%f' % t", "t.copy": "t.copy()", "tf.is_tensor(t)": "tf.is_tensor(t)",
             "isinstance(t, tf.Tensor)": "isinstance(t, tf.Tensor)", "type": "type(t).__name__", "t[...]": "t[...]", "t[None]": "t[None]", "t[0]": "t[0]", "t[5]": "t[5]", "t[0, 0]": "t[0, 0]",
             "t[[0]]": "t[[0]]", "t[0.0]": "t[0.0]", "t['a']": "t['a']", "t[True]": "t[True]", "t[np.array([0])]": "t[np.array([0])]", "t[tf.constant([0])]": "t[tf.constant([0])]"}
    things = {"scalar-float32": "tf.constant(2.5)", "scalar-int32": "tf.constant(2)", "scalar-bool": "tf.constant(True)", "vector-float32": "tf.constant([1.5, 2.5])",
              "vector-of-one": "tf.constant([2.5])", "vector-bool": "tf.constant([True, False])", "matrix-int64": "tf.constant([[1, 2], [3, 4]], tf.int64)",
              "empty": "tf.constant([])", "string": "tf.constant('ab')", "variable": "tf.Variable([1.5, 2.5], name='v')", "scalar-variable": "tf.Variable(2.5)",
              "float16": "tf.constant([1.5], tf.float16)", "bfloat16": "tf.constant([1.5], tf.bfloat16)", "complex64": "tf.constant([1+2j], tf.complex64)"}
    for name, tensor in things.items():
        lines = [f"t = {tensor}", "results = {}"] + [f"results[{label!r}] = attempt(lambda: {text})" for label, text in unary.items()]
        pairs.append((name, ATTEMPT + "\n".join(lines) + "\n"))
    return pairs


def refusals():
    """`error_rows.txt`: one expression a row, most of which raise."""
    rows = (Path(__file__).parent / "error_rows.txt").read_text().strip().splitlines()
    pairs = [[part.strip() for part in line.split("|", 1)] for line in rows]
    return [(name, f"y = {expression}\n") for name, expression in pairs]
