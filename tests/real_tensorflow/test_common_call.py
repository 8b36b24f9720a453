"""The common way of an operation writes down what the way that knows everything does; and how
short it is kept.
"""

import random
import sys

import pytest
import tensorflow as tf
from tensorflow.python import pywrap_tfe
from tensorflow.python.eager.record import stop_recording

from minitape.recorders import tensorflow as mt
from minitape.recorders.lines import GAP, Marks, Places
from minitape.recorders.tensorflow import common_call

X = tf.constant([1.0, 2.0])
NO_OFFSET = 2000
SLOT, GC = 8, 16  # bytes of a list's item, and before each tuple


class Own(tf.keras.layers.Layer):
    def call(self, x):
        return tf.tanh(x) * 2.0


def numbers(w):
    return 2.0 * w + w * 3 - 1.0 / w, w * w * tf.constant(2.0), tf.tanh(0.5) * w


def kinds_of_numbers(w):
    wide, whole = tf.cast(w, tf.float64), tf.constant([1, 2])
    return (
        wide * wide,
        whole * whole,
        tf.sin(tf.complex(w, w)),
        tf.sign(w),
        w > 1.0,
        tf.cast(whole * 2, tf.float32) * w,
    )


def not_watched(w):
    a = tf.exp(X) * X
    with stop_recording():
        b = tf.tanh(w * w)
    return a * 2.0, a * w, b * a, tf.stop_gradient(w * w) * X, tf.stop_gradient(w) * w


def in_layers(w):
    own = Own()
    return own(w * w), own(own(X)), tf.keras.layers.Dense(2)(tf.reshape(w, [1, 2]))


def through_functions(w):
    return (
        tf.function(lambda v: v * v)(w) * w,
        tf.map_fn(lambda v: v * v, w * 1.0),
        tf.custom_gradient(lambda v: (v * 1.0, tf.tanh))(w),
    )


def lists(w):
    return tf.add_n([w * X, w]), tf.add_n([w, X]), tf.add_n([w * w]), tf.stack([w, w * w])


def many(w):
    for _ in range(100):  # more than are met a moment ago
        w = tf.tanh(w) * X
    return w


def nested(w):
    with tf.GradientTape(persistent=True) as inner, tf.GradientTape(watch_accessed_variables=False):
        y = w * w * X
    return inner.gradient(y, w) * w, y


@pytest.mark.parametrize(
    "program",
    [numbers, kinds_of_numbers, not_watched, in_layers, through_functions, lists, many, nested],
    ids=lambda program: program.__name__,
)
def test_both_ways_write_the_same(program):
    quick = written(program)
    known = dict(common_call.ONE), dict(common_call.TWO)
    try:
        common_call.ONE.clear()
        common_call.TWO.clear()
        slow = written(program)
    finally:
        common_call.ONE.update(known[0])
        common_call.TWO.update(known[1])
    assert quick == slow and len(quick) > 5


def written(program):
    """Return all that is written of a program, with small numbers for its tensors."""
    while pywrap_tfe.TFE_Py_UID() < NO_OFFSET:  # so that numbers of tensors are none of positions
        pass
    tf.keras.backend.clear_session()
    tf.keras.utils.set_random_seed(1)
    w = tf.Variable([3.0, 4.0])
    tapes = mt.the_recorder().blocks.known
    with mt.watch() as look:
        before = set(tapes.values())
        with tf.GradientTape(persistent=True) as tape:
            y = program(w)
        tape.gradient([t for t in tf.nest.flatten(y) if t.dtype == tf.float32], w)
        found = [each for each in tapes.values() if each not in before]
    assert not look.trouble, look.trouble
    tensors, small = mt.the_recorder().tensors, {}

    def few(value):
        if type(value) is int and value >= NO_OFFSET:
            return small.setdefault(value, len(small))
        if isinstance(value, (tuple, list)):
            return [few(each) for each in value]
        if isinstance(value, dict):
            return {key: few(each) for key, each in value.items() if key != "rule"}
        return value.tolist() if hasattr(value, "tolist") else str(value)

    out = []
    for each in sorted(found, key=lambda each: each.blocks[0]):
        out += [
            few([entry, [made_at(tensors, number) for number in (*entry[1], entry[2])]])
            for entry in each.entries
        ]
        out += [few(note) for note in each.notes]
        out.append(few(sorted(each.watched)))
    return out


def made_at(tensors, number):
    site = tensors.places.site_of(number) if type(number) is int else None
    return site and (
        site.where,
        site.inner,
        [path for _, path in tensors.places.layers_of(number) or ()],
    )


def test_an_operation_keeps_less_than_200_bytes_beside_its_arrays():
    w, half = tf.Variable(2.0), tf.constant(0.5)
    for operation in (tf.tanh, lambda y: y * half):
        with mt.watch(), tf.GradientTape() as tape:
            y = w * 1.0
            for _ in range(1000):
                y = operation(y)
            kept = mt.the_recorder().tape_of(tape)
            lines, places = kept.entries.lines[-1000:], 1000 * (SLOT + 8)  # a place and its number
            whole = sum(map(sys.getsizeof, lines)) + sum(
                sys.getsizeof(line[3]) + GC + SLOT for line in lines
            )
            assert 100 * 1000 < whole + places + len(kept.watched.bytes) < 200 * 1000


def test_marks_are_a_set():
    rng, known, marks = random.Random(0), set(), Marks()
    marks.begin(1000)
    for _ in range(3000):
        number = rng.choice(
            [rng.randrange(900, 1400), rng.randrange(10), 2000 + GAP * rng.randrange(3)]
        )
        getattr(known, do := rng.choice(["add", "add", "discard"]))(number)
        getattr(marks, do)(number)
        assert (number in marks) == (number in known)
    assert (
        set(marks) == known
        and len(marks) == len(known)
        and marks.intersection(range(1100)) == known & set(range(1100))
    )
    assert marks.isdisjoint(set(range(1400)) - known) and not marks.isdisjoint(known)


def test_places_are_found_in_whatever_order_they_come():
    rng, known, places = random.Random(0), {}, Places(100)
    for k in range(90):
        number = rng.choice([2 * k, rng.randrange(200)])
        known[number] = k
        places.note(number, k)
    assert all(places.get(number) == known.get(number) for number in range(250)) and len(
        places
    ) == len(known)
    for number in range(300, 400):
        places.note(number, number)
    assert len(places) <= 100 and places.get(399) == 399 and places.get(min(known)) is None
