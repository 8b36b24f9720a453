"""The cure is code: put in the place of the guilty line it runs, and the answer is another one,
nearly always a gradient.
"""

import numpy as np
import pytest

import minitape as tf
from tests.explain.pasting import pasted, ran
from tests.explain.programs import Program, as_cells, programs

pytestmark = pytest.mark.filterwarnings("ignore")


LEFT = {
    "h.numpy().mean()": "tf.reduce_mean(h)",
    "h.numpy().sum(axis=1)": "tf.reduce_sum(h, axis=1)",
    "h.numpy().mean(axis=1, keepdims=True)": "tf.reduce_mean(h, axis=1, keepdims=True)",
    "h.numpy().T": "tf.transpose(h)",
    "h.numpy().reshape(1, -1)": "tf.reshape(h, [1, -1])",
    "h.numpy().reshape((4, 1))": "tf.reshape(h, (4, 1))",
    "h.numpy().T.sum()": "tf.reduce_sum(tf.transpose(h))",
    "(h.numpy() ** 2).mean()": "tf.reduce_mean(h ** 2)",
    "((h.numpy() - q.numpy()) ** 2).mean() / 2": "tf.reduce_mean((h - q) ** 2) / 2",
    "(h.numpy() * 2).T": "tf.transpose(h * 2)",
    "np.log(np.exp(h).sum())": "tf.math.log(tf.reduce_sum(tf.exp(h)))",
    "float(np.mean(h.numpy()))": "tf.reduce_mean(h)",
    "np.cumsum(h, axis=0)": "tf.cumsum(h, axis=0)",
    "np.cumsum(h)": "",  # a vector is made of h first
    "np.roll(h, 1)": "",
    "np.tile(h, 2)": "tf.tile(h, [1, 2])",
    "np.tile(q, (3, 1))": "tf.tile(q[None], (3, 1))",
    "np.tile(h, x.shape)": "",
    "np.append(h, 5)": "tf.concat([tf.reshape(h, [-1]), [5]], axis=0)",
    "np.append(q, [1.0, 2.0])": "tf.concat([q, [1.0, 2.0]], axis=0)",
    "np.append(h, h, axis=1)": "tf.concat([h, h], axis=1)",
    "np.swapaxes(h, 0, 1)": "tf.transpose(h)",
    "np.swapaxes(h, 1, 1)": "",
    "h.numpy()[None].swapaxes(0, -1)": "",
    "np.moveaxis(h, 0, 1)": "tf.transpose(h)",
    "np.clip(h, 0.5, None)": "tf.maximum(h, 0.5)",
    "np.clip(h, a_min=None, a_max=0.5)": "tf.minimum(h, 0.5)",
    "h.numpy().clip(max=0.5)": "tf.minimum(h, 0.5)",
    "np.clip(h, None, None)": "",
    "np.median(q)": "tf.reduce_mean(tf.sort(q)[(q.shape[0] - 1) // 2:q.shape[0] // 2 + 1])",
    # the text would be too long, or computed three times
    "np.median(h)": "",
    "np.median(q * 2)": "",
    "np.median(h, axis=0)": "",
    "np.diff(h)": "h[..., 1:] - h[..., :-1]",
    "np.diff(h.numpy()).sum()": "tf.reduce_sum(h[..., 1:] - h[..., :-1])",
    "np.diff(h * 2)": "",  # it would be computed twice
    "np.diff(h, axis=0)": "",
    "10 * np.log10(h + 1.0)": "10 * (tf.math.log(h + 1.0) / tf.math.log(10.0))",
    "np.hypot(h, q)": "tf.sqrt(h ** 2 + q ** 2)",
    "np.hypot(q, [1.0, 2.0])": "",
    "np.logaddexp(h, q)": "q + tf.math.softplus(h - q)",
    "np.exp2(-h)": "2.0 ** (-h)",
    "np.interp(q, [0.0, 1.0], [0.0, 2.0])": "",
    "h.numpy().sum(dtype=np.float64)": "",
    "h.numpy().copy()": "",
    "round(float(h[0, 0]), 2)": "h[0, 0] + tf.stop_gradient(tf.round(h[0, 0] * 100.0) / 100.0 - "
    "h[0, 0])",
    "int(h[0, 1] * 9.0)": "h[0, 1] * 9.0 + tf.stop_gradient(tf.cast(tf.cast(h[0, 1] * 9.0, "
    "tf.int32), tf.float32) - h[0, 1] * 9.0)",
    "float('%.1f' % h[1, 1])": "h[1, 1] + tf.stop_gradient(tf.round(h[1, 1] * 10.0) / 10.0 - "
    "h[1, 1])",
    "float('{:.0f}'.format(q[0] * 9.0))": "q[0] * 9.0 + tf.stop_gradient(tf.round(q[0] * 9.0) - "
    "q[0] * 9.0)",
    "float(format(q[0], '.2f'))": "q[0] + tf.stop_gradient(tf.round(q[0] * 100.0) / 100.0 - q[0])",
    "int(tf.reduce_sum(h))": "",  # it would be computed twice
    "float(f'{h[0, 0]:.2e}')": "",
    "q.numpy() @ q.numpy()": "tf.tensordot(q, q, axes=1)",
    "np.matmul(q, q)": "tf.tensordot(q, q, axes=1)",
    "h.numpy() @ h.numpy()": "h @ h",
    "h.numpy()[[1, 0]]": "tf.gather(h, [1, 0])",
    "h.numpy()[h.numpy() > 0.4]": "tf.boolean_mask(h, h > 0.4)",
    "np.outer(h, q)": "tf.tensordot(tf.reshape(h, [-1]), q, axes=0)",
    "np.dot(h, 2.0)": "h * 2.0",
    "np.random.normal(h)": "",
    "np.sum(h, 1)": "tf.reduce_sum(h, 1)",
    "np.sum(a=h, axis=1)": "tf.reduce_sum(h, axis=1)",
    "np.sum(h, dtype=np.float64)": "",
    "np.clip(h, a_max=0.9, a_min=0.4)": "tf.clip_by_value(h, 0.4, 0.9)",
    "np.transpose(h, axes=(1, 0))": "tf.transpose(h, perm=(1, 0))",
    "np.hstack([q, q])": "tf.concat([q, q], axis=0)",
    "np.linalg.norm(h, 1)": "",  # of a matrix: another norm
    "np.linalg.norm(q, 1)": "tf.norm(q, ord=1)",
    "own(h.numpy())": "",  # it asks for a method of arrays
    "other(h.numpy())": "other(h)",
}


@pytest.mark.parametrize("left", LEFT)
def test_what_left_the_library_comes_back_as_the_same_number(left):
    """As a function or a method of arrays; and where the library's own takes something else, there
    is no line.
    """
    if "None, None" in left:
        pytest.importorskip("numpy", "2.1")  # before it, a bound must be given
    code = f"""import numpy as np
import minitape as tf
def own(t): return t.sum() * 2.0
def other(t): return t * 2.0
x = tf.Variable([[0.5, 0.3], [0.2, 0.9]])
with tf.GradientTape() as tape:
    h = x * 1.5
    q = h[0]
    z = {left}
    y = tf.reduce_sum(z)
e, value = tape.explain(y, x), float(y)
"""
    program = Program("left", "", code)
    names, texts = as_cells(program, None)
    e = names["e"]
    assert e.category in ("numpy-escape", "python-escape", "partial-escape") and e.cure == (
        [f"z = {LEFT[left]}"] if LEFT[left] else []
    )
    if e.cure:
        after, _ = as_cells(pasted(program, e, texts[e.filename]), None)
        assert after["e"].healthy and np.isclose(after["value"], names["value"], rtol=1e-5)


@pytest.mark.parametrize(
    ("left", "cure"),
    [
        ("np.sum(x.numpy() @ x.numpy())", "y = tf.reduce_sum(x @ x)"),
        ("np.dot(np.add(a, 1.0, out=a), x)", ""),
        ("np.sum(x) * next(numbers)", "y = tf.reduce_sum(x) * next(numbers)"),
        ("np.sum(owner.w.numpy() @ owner.w.numpy())", ""),
    ],
)
def test_trying_a_cure_out_leaves_the_program_as_it_was(left, cure):
    """No tape hears of it, no array is written, nothing is read up, and no property of the learner
    is asked.
    """
    code = f"""import numpy as np
import minitape as tf
class Owner:
    asked = 0
    @property
    def w(self):
        Owner.asked += 1
        return x
x, a, numbers, owner = tf.Variable([[0.5, 0.3], [0.2, 0.9]]), np.ones((2, 2)), iter([1.0, 2.0, 3.0]), Owner()
with tf.GradientTape() as outer:
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.constant({left}))
    before = len(outer.recording.notes), len(outer.recording.entries), a.sum(), Owner.asked
    e = tape.explain(y, x)
    after = len(outer.recording.notes), len(outer.recording.entries), a.sum(), Owner.asked
rest = len(list(numbers))
"""
    names, _ = as_cells(Program("tried", "", code), None)
    assert names["e"].cure == ([cure.replace("y = ", "y = tf.reduce_sum(") + ")"] if cure else [])
    assert names["before"] == names["after"] and names["rest"] == 3 - ("next" in left)


def test_a_function_of_the_learners_own_stays_what_it_is():
    code = """import types
import numpy as np
import minitape as tf
own = types.SimpleNamespace(mean=np.mean)
x = tf.Variable([0.5, 0.3])
with tf.GradientTape() as tape:
    y = tf.constant(np.exp(own.mean(x.numpy())))
e = tape.explain(y, x)
"""
    e, _ = ran(Program("own", "", code))
    assert "own.mean(x)" in "".join(e.cure), "own is no array: its mean is no method"


@pytest.mark.parametrize(
    ("made", "used", "lines"),
    [
        ("a['z'] = np.sum(h)", "a['z']", ["a['z'] = tf.reduce_sum(h)"]),
        ("c[0, 1] = np.sum(h)", "c[0, 1]", []),
        ("b[0] = np.sum(h)", "b[0]", []),
        ("b[:] = np.exp(h)", "tf.reduce_sum(b)", ["b = tf.exp(h)"]),
        ("s = json.dumps({'z': float(h[0])})", "json.loads(s)['z']", []),
        ("s = dumps([float(h[0])])", "json.loads(s)[0]", []),
        ("s = dumps(float(h[0]))", "json.loads(s)", []),
        ("label = q = np.max(h)", "label", ["label = q = tf.reduce_max(h)"]),
        ("label = np.max(h)", "label", ["label = tf.stop_gradient(tf.reduce_max(h))"]),
    ],
)
def test_where_the_value_goes_decides(made, used, lines):
    """Into a NumPy array no tensor goes, nor into a function of another module; a label stands
    still.
    """
    code = f"""import json
from json import dumps
import numpy as np
import minitape as tf
x = tf.Variable([0.5, 0.3])
a = {{}}
b = np.zeros(2, np.float32)
c = np.zeros((2, 2), np.float32)
with tf.GradientTape() as tape:
    h = x * 1.5
    {made}
    y = tf.reduce_sum(h) + {used}
e = tape.explain(y, x)
"""
    e, _ = ran(Program("made", "", code))
    assert e.category == "partial-escape" and e.cure == lines


def test_constant_of_a_list_that_map_made_is_written_anew_as_well():
    code = """import numpy as np
import minitape as tf
x = tf.Variable([0.5, 0.3])
with tf.GradientTape() as tape:
    z = list(map(lambda v: np.exp(v), tf.unstack(x)))
    y = tf.reduce_sum(tf.constant(z))
e = tape.explain(y, x)
"""
    e, _ = ran(Program("map", "", code))
    assert e.cure == [
        "z = list(map(lambda v: tf.exp(v), tf.unstack(x)))",
        "y = tf.reduce_sum(tf.convert_to_tensor(z))",
    ]


@pytest.mark.parametrize(
    ("then", "cures"),
    [
        ("z = np.tile(a, 2)", ["a = h", "z = tf.tile(a, [2])"]),
        ("z = a[np.argmax(a)]", ["a = h"]),
        ("np.asarray(a); z = a * 2", ["a = h"]),
        ("z = np.interp(a, [0.0, 1.0], [0.0, 2.0])", []),
        ("z = np.percentile(a, 30)", []),
        ("z = np.linalg.svd(a[None])[1]", []),
    ],
)
def test_a_tensor_under_the_old_name_is_a_cure_where_the_way_goes_on(then, cures):
    """A function of NumPy that the library does not have would only take it out again."""
    code = f"""import numpy as np
import minitape as tf
x = tf.Variable([0.5, 0.3])
with tf.GradientTape() as tape:
    h = x * 1.5
    a = h.numpy()
    {then}
    y = tf.reduce_sum(tf.constant(z, tf.float32))
e = tape.explain(y, x)
"""
    for cure in cures:
        e, texts = ran(Program("then", "", code))
        assert e.cure == [cure]
        code = pasted(Program("then", "", code), e, code).code
    e, _ = ran(Program("then", "", code))
    assert e.healthy if cures else not e.cure


WHOLE = {
    "tf.Variable(np.arange(6).reshape(2, 3))": "tf.Variable(tf.cast(np.arange(6).reshape(2, 3), "
    "tf.float32))",
    "tf.Variable(tf.argmax(v))": "tf.Variable(tf.cast(tf.argmax(v), tf.float32))",
    "tf.ones([2, 2], dtype=tf.int32)": "tf.ones([2, 2], dtype=tf.float32)",
    "tf.fill([2], 3)": "tf.cast(tf.fill([2], 3), tf.float32)",
    "tf.cast(v, tf.int32)": "tf.cast(v, tf.float32)",
    "tf.shape(v)": "tf.cast(tf.shape(v), tf.float32)",
    "tf.constant([1, -2], tf.int32)": "tf.constant([1.0, -2.0], tf.float32)",
    "tf.constant([data[0], 2])": "tf.constant(tf.cast([data[0], 2], tf.float32))",
    "tf.constant(3, shape=[2])": "tf.constant(3.0, shape=[2])",
    "tf.Variable(initial_value=3, name='w')": "tf.Variable(3.0, name='w')",
    "tf.constant(value=[1, 2])": "tf.constant([1.0, 2.0])",
    "tf.eye(2, dtype=tf.int32)": "tf.eye(2, dtype=tf.float32)",
    "tf.ones(shape=[2], dtype=tf.int32)": "tf.ones(shape=[2], dtype=tf.float32)",
    "tf.range(start=0, limit=3)": "tf.cast(tf.range(start=0, limit=3), tf.float32)",
    "tf.random.categorical([[1.0, 2.0]], 2)": "tf.cast(tf.random.categorical([[1.0, 2.0]], 2), "
    "tf.float32)",
    "tf.random.stateless_uniform([2], [1, 2], 1, 5, dtype=tf.int32)": "tf.random.stateless_uniform([2], "
    "[1, 2], 1, 5, "
    "dtype=tf.float32)",
    "tf.keras.initializers.Ones()([2], dtype=tf.int32)": "tf.keras.initializers.Ones()([2], "
    "dtype=tf.float32)",
    "tf.Variable(lambda: 3)": "",
}


@pytest.mark.parametrize("made", WHOLE)
def test_whole_numbers_are_made_floats_however_they_were_made(made):
    """Only numbers that are the value become floats: no shape, no index, no axis."""
    code = f"""import numpy as np
import minitape as tf
data, v = [1, 2], tf.constant([1.0, 3.0])
x = {made}
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.reduce_sum(x * 2)
e = tape.explain(y, x)
"""
    e, texts = ran(program := Program("whole", "", code))
    assert e.category == "integer-dtype" and e.cure == (
        [f"x = {WHOLE[made]}"] if WHOLE[made] else []
    )
    if not e.cure:
        return
    after, _ = ran(pasted(program, e, texts[e.filename]))
    assert after.healthy, str(after)


# that is to be looked at
BRANCHES = [
    p for p in programs() if p.category == "branch-not-taken" and " exception " not in p.name
]


@pytest.mark.parametrize("program", BRANCHES, ids=lambda p: p.name)
def test_a_branch_that_was_not_taken_has_a_line_that_gives_zero(program):
    names, texts = as_cells(program, None)
    e = names["e"]
    (line,) = e.cure
    if "over" in e.params:
        names, _ = as_cells(pasted(program, e, texts[e.params["over"][0]]), None)
        found = names.get("g")
        assert found is None and "tf.where(" in line or not np.any(found), (line, found)
    else:
        assert float(tf.reduce_sum(eval(line, names))) == 0.0
