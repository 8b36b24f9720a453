"""Layers and models: when weights are made, how they are named and found, what `training` reaches."""

import numpy as np
import pytest

import minitape as tf
from minitape import keras

layers = keras.layers


class Net(keras.Model):
    """A model with layers in attributes, lists and dictionaries."""

    def __init__(self):
        super().__init__()
        self.first = layers.Dense(3, activation="relu")
        self.rest = [layers.Dense(2), {"last": layers.Dense(1)}]
        self.drop = layers.Dropout(0.5)

    def call(self, x):
        x = self.drop(self.first(x))
        return self.rest[1]["last"](self.rest[0](x))


def test_weights_are_made_at_the_first_call_and_found_in_structures():
    model = Net()
    assert model.weights == []
    y = model(tf.ones([4, 5]))
    assert y.shape == (4, 1)
    assert [tuple(v.shape) for v in model.trainable_variables] == [
        (5, 3),
        (3,),
        (3, 2),
        (2,),
        (2, 1),
        (1,),
    ]
    assert model.count_params() == 15 + 3 + 6 + 2 + 2 + 1
    assert [v.name for v in model.weights] == ["kernel", "bias"] * 3
    assert model.weights[0].path == f"{model.name}/{model.first.name}/kernel"


def test_training_reaches_inner_layers_by_itself():
    model = Net()
    tf.random.set_seed(1)
    x = tf.ones([8, 5])
    calm = [float(tf.reduce_sum(model(x))) for _ in range(3)]
    assert len(set(calm)) == 1 and calm[0] == float(tf.reduce_sum(model(x, training=False)))
    wild = {float(tf.reduce_sum(model.drop(tf.ones([20, 20]), training=True))) for _ in range(3)}
    assert len(wild) == 3
    seen = []

    class Inner(layers.Layer):
        def call(self, x, training=None):
            seen.append(training)
            return x

    class Outer(layers.Layer):
        def __init__(self):
            super().__init__()
            self.inner = Inner()

        def call(self, x):
            return self.inner(x)

    outer = Outer()
    outer(x, training=True)
    outer(x)
    outer(x, training=False)
    assert seen == [True, None, False]


def test_a_layer_of_ones_own():
    class Scale(layers.Layer):
        def build(self, input_shape):
            self.gain = self.add_weight(name="gain", shape=(input_shape[-1],), initializer="ones")
            self.count = self.add_weight(
                name="count", shape=(), initializer="zeros", trainable=False
            )

        def call(self, x):
            return x * self.gain

    layer = Scale(name="scale")
    x = tf.constant([[1.0, 2.0]])
    with tf.GradientTape() as tape:
        y = layer(x)
    assert tape.gradient(y, layer.gain).numpy().tolist() == [1, 2]
    assert [v.path for v in layer.weights] == ["scale/gain", "scale/count"]
    assert len(layer.trainable_variables) == 1 and len(layer.non_trainable_variables) == 1
    with pytest.raises(ValueError, match="keyword"):
        layer.add_weight("w", shape=(2,))
    with pytest.raises(ValueError, match="to a shape"):
        layer.add_weight(name="w", shape=2)


def test_frozen_layers_are_left_out_of_the_lists():
    model = keras.Sequential([layers.Dense(2), layers.Dense(1)])
    x = tf.ones([1, 3])
    model(x)
    model.layers[0].trainable = False
    assert len(model.trainable_variables) == 2 and len(model.weights) == 4
    with tf.GradientTape() as tape:
        y = model(x)
    assert len(tape.watched_variables()) == 4  # a tape watches them all the same
    assert None not in [tape.gradient(y, model.trainable_variables)]
    model.trainable = True
    assert len(model.trainable_variables) == 4


def test_a_sequential_that_knows_its_input_is_built_at_once():
    model = keras.Sequential([keras.Input(shape=(4,)), layers.Dense(3), layers.Dense(2)])
    assert model.built and model.count_params() == 15 + 8
    assert [type(x).__name__ for x in model.layers] == ["Dense", "Dense"]
    lines = []
    model.summary(print_fn=lines.append)
    assert any("23" in line for line in lines)
    assert model.get_layer(index=1) is model.layers[1]
    with pytest.raises(ValueError, match="No such layer"):
        model.get_layer("none")


def test_get_and_set_weights():
    model = keras.Sequential([layers.Dense(2)])
    model(tf.ones([1, 3]))
    values = [np.arange(6.0).reshape(3, 2), np.array([1.0, 2.0])]
    model.set_weights(values)
    assert model(tf.ones([1, 3])).numpy().tolist() == [[7.0, 11.0]]
    assert all(np.array_equal(a, b) for a, b in zip(model.get_weights(), values))
    with pytest.raises(ValueError, match="expecting 2"):
        model.set_weights(values[:1])
    with pytest.raises(ValueError, match="shape"):
        model.set_weights([values[0].T, values[1]])


def test_penalties_stand_in_losses():
    layer = layers.Dense(
        2, kernel_regularizer=keras.regularizers.L2(0.5), kernel_initializer="ones"
    )
    layer(tf.ones([1, 3]))
    with tf.GradientTape() as tape:
        loss = tf.add_n(layer.losses)
    assert float(loss) == 3.0
    assert tape.gradient(loss, layer.kernel).numpy().tolist() == [[1.0, 1.0]] * 3


def test_losses_that_layers_add_are_those_of_the_last_call():
    class Sum(layers.Layer):
        def call(self, x):
            self.add_loss(tf.reduce_sum(x))
            return x

    inner = Sum()
    model = keras.Sequential([inner, inner])
    for x in (1.0, 2.0):
        model(tf.constant([[x]]))
        # as in Keras: old ones are forgotten, each layer counts once
        assert [float(loss) for loss in model.losses] == [x, x]
    inner(tf.constant([[3.0]]))
    assert [float(loss) for loss in inner.losses] == [3.0]


def test_batch_normalisation_while_training_and_after():
    layer = layers.BatchNormalization(momentum=0.5)
    x = np.random.default_rng(0).normal(3.0, 2.0, (64, 3)).astype("float32")
    y = layer(x, training=True).numpy()
    assert np.allclose(y.mean(0), 0, atol=1e-5) and np.allclose(y.std(0), 1, atol=1e-3)
    assert np.allclose(layer.moving_mean.numpy(), 0.5 * x.mean(0), rtol=1e-5)
    assert np.allclose(layer.moving_variance.numpy(), 0.5 + 0.5 * x.var(0), rtol=1e-5)
    still = layer(x).numpy()
    assert np.allclose(
        still,
        (x - layer.moving_mean.numpy()) / np.sqrt(layer.moving_variance.numpy() + 1e-3),
        atol=1e-4,
    )
    layer.trainable = False
    assert np.allclose(layer(x, training=True).numpy(), still)


@pytest.mark.parametrize("axis, shape", [(-1, (4, 6)), ((1, 2), (2, 3, 4)), (1, (3, 4, 2))])
def test_layer_normalisation_along_any_axis(axis, shape):
    x = np.random.default_rng(0).normal(3.0, 2.0, shape).astype("float32")
    y = layers.LayerNormalization(axis=axis)(x).numpy()
    assert np.allclose(y.mean(axis), 0, atol=1e-5) and np.allclose(y.std(axis), 1, atol=1e-2)


def test_shapes_of_many_layers():
    image = tf.random.normal([2, 8, 8, 4])
    expected = {
        layers.Conv2D(5, 3): (2, 6, 6, 5),
        layers.Conv2D(5, 3, padding="same", strides=2): (2, 4, 4, 5),
        layers.Conv2D(6, 3, groups=2): (2, 6, 6, 6),
        layers.DepthwiseConv2D(3, depth_multiplier=2): (2, 6, 6, 8),
        layers.SeparableConv2D(7, 3): (2, 6, 6, 7),
        layers.Conv2DTranspose(3, 3, strides=2, padding="same"): (2, 16, 16, 3),
        layers.Conv2DTranspose(3, 3, strides=2): (2, 17, 17, 3),
        layers.MaxPool2D(): (2, 4, 4, 4),
        layers.AveragePooling2D(3, strides=2, padding="same"): (2, 4, 4, 4),
        layers.GlobalAveragePooling2D(): (2, 4),
        layers.GlobalMaxPooling2D(keepdims=True): (2, 1, 1, 4),
        layers.Flatten(): (2, 256),
        layers.Reshape((16, -1)): (2, 16, 16),
        layers.ZeroPadding2D(((1, 2), (0, 3))): (2, 11, 11, 4),
        layers.UpSampling2D(2): (2, 16, 16, 4),
    }
    for layer, shape in expected.items():
        assert tuple(layer(image).shape) == shape, layer
    steps = tf.random.normal([2, 9, 3])
    for layer, shape in {
        layers.Conv1D(4, 3): (2, 7, 4),
        layers.Conv1D(4, 3, padding="causal", dilation_rate=2): (2, 9, 4),
        layers.MaxPooling1D(2): (2, 4, 3),
        layers.GlobalAveragePooling1D(): (2, 3),
    }.items():
        assert tuple(layer(steps).shape) == shape, layer


def test_causal_convolution_looks_only_back():
    layer = layers.Conv1D(1, 3, padding="causal")
    x = tf.random.normal([1, 6, 1])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = layer(x)[0, 2, 0]
    g = tape.gradient(y, x).numpy()[0, :, 0]
    assert (g[3:] == 0).all() and (g[:3] != 0).all()


def test_merging_layers():
    a, b = tf.constant([[1.0, 5.0]]), tf.constant([[3.0, 2.0]])
    for layer, expected in [
        (layers.Add(), [[4, 7]]),
        (layers.Subtract(), [[-2, 3]]),
        (layers.Multiply(), [[3, 10]]),
        (layers.Average(), [[2, 3.5]]),
        (layers.Maximum(), [[3, 5]]),
        (layers.Concatenate(), [[1, 5, 3, 2]]),
        (layers.Dot(axes=1), [[13]]),
    ]:
        assert layer([a, b]).numpy().tolist() == expected
    with pytest.raises(ValueError, match="at least 2"):
        layers.Add()([a])


def test_embedding_gives_rows_and_gets_their_gradients():
    layer = layers.Embedding(5, 2)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(layer(tf.constant([[1, 3], [3, 3]])))
    assert tape.gradient(y, layer.embeddings).numpy()[:, 0].tolist() == [0, 1, 0, 3, 0]


def test_errors_say_what_to_do():
    with pytest.raises(ValueError, match="positive integer"):
        layers.Dense(0)
    with pytest.raises(NotImplementedError, match="GradientTape"):
        keras.Sequential([layers.Dense(1)]).fit(None)
    with pytest.raises(ValueError, match="made from tf.keras.Input"):
        keras.Model(inputs=1, outputs=2)
    with pytest.raises(ValueError, match="incompatible"):
        model = layers.Dense(1)
        model(tf.ones([1, 2]))
        model(tf.ones([1, 3]))
    with pytest.raises(ValueError, match="Known names"):
        layers.Dense(1, activation="reel")

    class Forgot(layers.Layer):
        def __init__(self):
            self.units = 3

    with pytest.raises(RuntimeError, match="super"):
        Forgot()(tf.ones([1]))


def test_numpy_inputs_and_float64_take_the_layers_dtype():
    layer = layers.Dense(2)
    assert layer(np.ones((1, 3))).dtype == tf.float32
    assert layer(tf.ones([1, 3], tf.float64)).dtype == tf.float32
    assert layers.Dense(2, dtype="float64")(np.ones((1, 3))).dtype == tf.float64


def test_a_layer_called_on_a_layer_says_what_to_write_instead():
    with pytest.raises(ValueError, match="Call it on what that layer returns"):
        tf.keras.layers.Dense(3)(tf.keras.layers.Dense(2))
    with pytest.raises(ValueError, match="no tensor"):
        tf.keras.layers.Add()([tf.keras.layers.Dense(2), tf.ones([1, 2])])


def test_describing_a_model_leaves_no_trace_on_a_tape():
    with tf.GradientTape() as tape:
        x = tf.keras.Input((3,))
        model = tf.keras.Model(x, tf.keras.layers.Dense(2)(x) * 2.0)
        assert tape.watched_variables() == ()
        y = model(tf.ones([1, 3]))
    assert len(tape.watched_variables()) == 2
    assert tape.gradient(y, model.weights[1]).numpy().tolist() == [2.0, 2.0]


def test_a_described_model_says_what_is_wrong_with_it():
    a, b = tf.keras.Input((3,), name="left"), tf.keras.Input((3,), name="right")
    model = tf.keras.Model([a, b], tf.keras.layers.Add()([a, b]))
    with pytest.raises(
        ValueError, match=r"expects 2 inputs, \['left', 'right'\], and was called on 1"
    ):
        model(tf.ones([1, 3]))
    with pytest.raises(ValueError, match="name=right> is needed, and is not among the inputs"):
        tf.keras.Model(a, model.output)
    with pytest.raises(ValueError, match=r"only layers can be called on it.*Lambda"):
        tf.reduce_sum(a)
    with pytest.raises(AttributeError, match="never been called on a tf.keras.Input"):
        _ = layers.Dense(3).output
    with pytest.raises(
        AttributeError, match="not described by tf.keras.Input, so its outputs are only known"
    ):
        _ = tf.keras.Sequential([layers.Dense(3)]).output_shape
    with pytest.raises(NotImplementedError, match="np.savez"):
        model.save("model.keras")


def test_a_stack_tells_its_shape_after_every_change():
    model = tf.keras.Sequential([tf.keras.Input((4,)), layers.Dense(3), layers.Dense(2)])
    shapes = [
        model.output_shape,
        model.pop() and model.output_shape,
        model.add(layers.Dense(5)) or model.output_shape,
    ]
    assert shapes == [(None, 2), (None, 3), (None, 5)]
    assert model(tf.ones([1, 4])).shape == (1, 5)


def test_a_layer_may_return_a_structure_with_holes():
    class Both(layers.Layer):
        def call(self, x):
            return {"a": x * 2.0, "b": [x, None]}

    x = tf.keras.Input((1,))
    made = Both()(x)
    assert made["b"][1] is None
    assert tf.keras.Model(x, [made["a"], made["b"][0]])(tf.ones([1, 1]))[0].numpy().tolist() == [
        [2.0]
    ]
    assert tf.keras.Input((), dtype="string").dtype == "string"


def test_hundreds_of_layers_in_a_row_are_described_and_called():
    x = first = tf.keras.Input((1,))
    for _ in range(1500):
        x = layers.Identity()(x)
    assert tf.keras.Model(first, x)(tf.ones([1, 1])).numpy().tolist() == [[1.0]]


def test_compiled_metrics_are_objects_or_names_of_losses():
    model = tf.keras.Sequential([layers.Dense(1)])
    model.compile("sgd", "mse", metrics=["mae", tf.keras.metrics.BinaryAccuracy()])
    assert [m.name for m in model.metrics] == ["loss", "mae", "binary_accuracy"]
    assert type(model.optimizer) is tf.keras.optimizers.SGD
    model.compile("sgd", "mse", metrics=["accuracy"])
    with pytest.raises(ValueError, match="'accuracy' is no metric object"):
        _ = model.metrics


@pytest.mark.parametrize(
    "make",
    [
        lambda: layers.Conv2D(2, 3),
        lambda: layers.Conv2D(2, 2, dilation_rate=2),
        lambda: layers.DepthwiseConv2D(3),
        lambda: layers.MaxPooling2D(3),
        lambda: layers.AveragePooling2D((1, 3)),
    ],
)
def test_a_window_larger_than_the_image_is_refused(make):
    with pytest.raises(ValueError, match="zero or negative.*does not fit into an input of shape"):
        make()(tf.ones([1, 2, 2, 1]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="5 x 5"):
        tf.nn.conv2d(tf.ones([1, 2, 2, 1]), tf.ones([5, 5, 1, 1]), 1, "VALID")


def test_a_leaky_relu_with_a_ceiling_has_no_slope_at_zero():
    x = tf.Variable([-1.0, 0.0, 1.0, 3.0])
    with tf.GradientTape() as tape:
        y = keras.activations.relu(x, negative_slope=0.5, max_value=2.0)
    assert y.numpy().tolist() == [-0.5, 0.0, 1.0, 2.0]
    assert tape.gradient(y, x).numpy().tolist() == [0.5, 0.0, 1.0, 0.0]


def test_a_frozen_layer_says_so_of_its_variables_and_is_watched_all_the_same():
    """As Keras 3 with TensorFlow does; each variable is as it was made once the layer is set free
    again.
    """
    layer = keras.layers.BatchNormalization()
    layer(tf.ones([2, 3]))
    before = [v.trainable for v in layer.variables]
    layer.trainable = False
    assert not any(v.trainable for v in layer.variables) and layer.trainable_variables == []
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(tf.ones([2, 3])) ** 2)
    assert tape.gradient(loss, layer.gamma) is not None
    layer.trainable = True
    assert [v.trainable for v in layer.variables] == before == [True, True, False, False]


def test_a_mask_that_nobody_would_use_is_refused():
    with pytest.raises(NotImplementedError, match=r"rnn\(embedding\(ids\), mask=ids != 0\)"):
        layers.Embedding(3, 2, mask_zero=True)
    with pytest.raises(NotImplementedError, match="tf.boolean_mask"):
        layers.BatchNormalization()(tf.ones([2, 3]), mask=tf.constant([True, False]))


def test_predict_gives_arrays_in_the_structure_of_the_outputs():
    x = keras.Input([2])
    model = keras.Model(x, [keras.layers.Dense(1)(x), keras.layers.Dense(3)(x)])
    assert [y.shape for y in model.predict(np.ones((4, 2), np.float32))] == [(4, 1), (4, 3)]
    with pytest.raises(ValueError, match="stands for a tensor that comes later"):
        model.predict(keras.Input([2]))
