"""What a pool is asked for later: the lines that call it at once give the same number, and a
gradient; where a future is more, no line.
"""

import pytest

from tests.explain.pasting import pasted, ran
from tests.explain.programs import Program, as_cells

CODE = """import minitape as tf
from concurrent.futures import ThreadPoolExecutor, as_completed
w, pool = tf.Variable(3.0), ThreadPoolExecutor(2)

def term(k):
    return w * float(k)

with tf.GradientTape() as tape:
    {lines}
value = y.numpy()
g = tape.gradient(y, w)
e = tape.explain(y, w)
"""
IN_A_LIST = "fs = [pool.submit(term, k) for k in (1, 2)]\n    "
CURED = {
    IN_A_LIST + "y = tf.add_n([f.result() for f in fs])": [
        "fs = [term(k) for k in (1, 2)]",
        "y = tf.add_n([f for f in fs])",
    ],
    IN_A_LIST + "y = 0.0\n    for f in fs:\n        y += f.result()": [
        "fs = [term(k) for k in (1, 2)]",
        "y = 0.0",
        "for f in fs:",
        "    y += f",
    ],
    IN_A_LIST + "y = fs[0].result() * fs[1].result()": [
        "fs = [term(k) for k in (1, 2)]",
        "y = fs[0] * fs[1]",
    ],
    "fs = []\n    for k in (1, 2):\n        fs.append(pool.submit(term, k))\n    y = "
    "sum(f.result() for f in fs)": [
        "for k in (1, 2):",
        "    fs.append(term(k))",
        "y = sum((f for f in fs))",
    ],
    "f = pool.submit(term, 2)\n    y = f.result() * 2.0": ["f = term(2)", "y = f * 2.0"],
}
LEFT = [
    IN_A_LIST + "y = tf.add_n([f.result() for f in as_completed(fs)])",
    "f = pool.submit(term, 2)\n    y = f.result(9) * 2.0",
    "f = pool.submit(term, 2)\n    f.done()\n    y = f.result() * 2.0",
    IN_A_LIST + "y = fs[0].result() * len(fs)",
    "with pool:\n        f = pool.submit(term, 2)\n    y = f.result() * 2.0",
]
quiet = pytest.mark.filterwarnings("ignore")


@quiet
@pytest.mark.parametrize("lines", CURED)
def test_what_is_asked_for_later_is_called_at_once(lines):
    program = Program("awaited", "", CODE.format(lines=lines))
    e, texts = ran(program)
    assert e.category == "other-thread" and e.cure == CURED[lines]
    before, _ = as_cells(program, None)
    after, _ = as_cells(pasted(program, e, texts[e.filename]), None)
    assert after["e"].healthy and after["value"] == before["value"] and after["g"] is not None


@quiet
@pytest.mark.parametrize("lines", LEFT)
def test_no_line_where_a_future_is_used_as_one(lines):
    e, _ = ran(Program("awaited", "", CODE.format(lines=lines)))
    assert e.category == "other-thread" and e.cure == []
