"""Data that are made (`tf.data.digits` and its neighbours), and what pipelines promise beside
TensorFlow's recorded answers.
"""

import numpy as np
import pytest

import minitape as tf

MADE = [
    tf.data.digits,
    tf.data.line,
    tf.data.blobs,
    tf.data.circles,
    tf.data.moons,
    tf.data.spirals,
]


@pytest.mark.parametrize("make", MADE, ids=lambda f: f.__name__)
def test_the_same_seed_gives_the_same_data_and_another_one_others(make):
    x, y = make(30)
    again, other = make(30), make(30, seed=1)
    assert len(x) == len(y) == 30 and np.isfinite(x).all()
    assert (
        np.array_equal(x, again[0])
        and np.array_equal(y, again[1])
        and not np.array_equal(x, other[0])
    )


@pytest.mark.parametrize("make", [*MADE, tf.data.sentences], ids=lambda f: f.__name__)
def test_what_cannot_be_made_is_refused(make):
    with pytest.raises(ValueError, match="`n` of at least 1"):
        make(0)
    with pytest.raises(ValueError, match="`seed`"):
        make(5, seed=-1)


def test_digits_have_the_form_of_mnist():
    x, y = tf.data.digits(50)
    assert (
        x.shape == (50, 28, 28)
        and x.dtype == y.dtype == np.uint8
        and np.bincount(y).tolist() == [5] * 10
    )
    # bright strokes on black
    assert x.max() > 250 and np.median(x) < 30 and 0.05 < (x > 128).mean() < 0.25
    assert tf.data.digits(3, size=8)[0].shape == (3, 8, 8)
    with pytest.raises(ValueError, match="at least 1 pixel"):
        tf.data.digits(3, size=0)


def test_what_was_learned_from_one_seed_is_true_of_another():
    x, y = tf.data.digits(600, size=12)
    tf.random.set_seed(0)
    model = tf.keras.Sequential(
        [tf.keras.layers.Flatten(), tf.keras.layers.Dense(32, "relu"), tf.keras.layers.Dense(10)]
    )
    loss_fn, optimizer = (
        tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        tf.keras.optimizers.Adam(0.01),
    )
    dataset = (
        tf.data.Dataset.from_tensor_slices((x, y))
        .map(lambda x, y: (tf.cast(x, tf.float32) / 255, y))
        .cache()
        .shuffle(600)
        .batch(50)
    )
    for images, labels in dataset.repeat(10):
        with tf.GradientTape() as tape:
            loss = loss_fn(labels, model(images))
        optimizer.apply_gradients(
            zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
        )
    new_x, new_y = tf.data.digits(200, size=12, seed=1)
    right = np.mean(model(new_x / 255).numpy().argmax(1) == new_y)
    assert 0.9 < right < 1, right  # learned, and not so easy that nothing is left to learn


def test_points_are_as_they_are_described():
    x, y = tf.data.line(500, w=2.0, b=-1.0)
    assert x.shape == y.shape == (500, 1) and np.allclose(
        np.polyfit(x[:, 0], y[:, 0], 1), [2, -1], atol=0.1
    )
    x, y = tf.data.circles(100, noise=0)
    assert np.allclose(np.hypot(*x.T), np.where(y == 0, 1, 0.5), atol=1e-6)
    for make, classes in ((tf.data.moons, 2), (tf.data.spirals, 2), (tf.data.blobs, 3)):
        x, y = make(60)
        assert (
            x.shape == (60, 2)
            and x.dtype == np.float32
            and y.dtype == np.int32
            and np.bincount(y).tolist() == [60 // classes] * classes
        )
        nearest = [np.argsort(((x - p) ** 2).sum(1))[1] for p in x]
        assert np.mean(y[nearest] == y) > 0.85  # neighbours belong together


def test_sentences_are_a_text():
    text = tf.data.sentences(5)
    assert text.count("\n") == text.count(".") == 5 and text == tf.data.sentences(
        5
    ) != tf.data.sentences(5, seed=2)


def test_set_seed_repeats_an_order_and_a_seed_is_the_same_for_every_data_set():
    def order(**kwargs):
        return [int(x) for x in tf.data.Dataset.range(50).shuffle(50, **kwargs)]

    tf.random.set_seed(1)
    first, second = order(), order()
    tf.random.set_seed(1)
    assert first == order() != second
    assert order(seed=4) == order(seed=4) != order(seed=5)


def test_a_small_buffer_shuffles_what_is_near():
    found = [int(x) for x in tf.data.Dataset.range(400).shuffle(10, seed=1)]
    moved = [place - x for place, x in enumerate(found)]
    assert (
        sorted(found) == list(range(400))
        and min(moved) == -9
        and 20 < max(moved) < 150
        and len(set(moved)) > 25
    )


def test_a_data_set_in_a_traced_function_is_refused_with_the_line():
    dataset = tf.data.Dataset.range(3)

    @tf.function
    def total():
        found = 0
        for x in dataset:
            found += x
        return found

    with pytest.raises(
        NotImplementedError, match=r"`for x in dataset:`.*Loop outside of the function"
    ):
        total()


def test_elements_are_made_where_the_learner_asks_and_no_tape_hears_the_pipeline():
    v = tf.Variable(2.0, name="v")
    dataset = (
        tf.data.Dataset.from_tensor_slices([1.0, 2.0])
        .map(lambda x: tf.square(x) * v)
        .filter(lambda x: x * v > 0)
    )
    with tf.GradientTape() as tape:
        for x in dataset:
            tape.watch(x)
            y = x * 3
    assert [entry.op for entry in tape.entries] == ["Mul", "Mul"] and tape.watched_variables() == ()
    assert tape.gradient(y, x).numpy() == 3


def test_a_broken_off_loop_keeps_nothing_in_the_cache():
    asked = []

    def numbers():
        for k in range(3):
            asked.append(k)
            yield k

    dataset = tf.data.Dataset.from_generator(
        numbers, output_signature=tf.TensorSpec((), tf.int32)
    ).cache()
    next(iter(dataset))
    assert [int(x) for x in dataset] == [int(x) for x in dataset] == [0, 1, 2] and asked == [
        0,
        0,
        1,
        2,
    ]
    with pytest.raises(ValueError, match="in memory only"):
        dataset.cache("somewhere")


@pytest.mark.parametrize(
    ("where", "name", "said"),
    [
        (tf.keras, "datasets", "tf.data.digits"),
        (tf.keras, "applications", "tf.data.digits"),
        (tf.keras.utils, "get_file", "made"),
        (tf.keras.utils, "image_dataset_from_directory", "NumPy"),
        (tf.data, "TFRecordDataset", "from_generator"),
        (tf.data, "experimental", "tf.data.AUTOTUNE"),
        (tf.data, "digit", "Did you mean digits?"),
        (tf.data.Dataset.range(3), "interleave", "from_generator"),
        (tf.data.Dataset.range(3), "column", "attribute 'column'.$"),
    ],
)
def test_what_would_be_downloaded_says_what_there_is_instead(where, name, said):
    with pytest.raises(AttributeError, match=said):
        getattr(where, name)


def test_static_methods_name_themselves_in_their_errors():
    with pytest.raises(ValueError, match=r"This was Dataset\.from_tensor_slices\(tensors=3\)"):
        tf.data.Dataset.from_tensor_slices(3)
    with pytest.raises(
        TypeError, match=r"Dataset\.range takes as `args` one whole number, not 'a'"
    ):
        tf.data.Dataset.range("a")
