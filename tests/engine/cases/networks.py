"""Networks: activations, softmax, losses, convolution, pooling, normalisation."""

import numpy as np

import minitape as tf
from minitape import image, random
from minitape.engine.ops.further import convolution, neural_nets, normalisation, pooling
from tests.engine.case import elementwise, shaped

LABELS = {1: tf.constant([2, 0]), 2: tf.constant([[2, 0, 1], [1, 1, 0]])}  # by their number of axes
CONVOLUTIONS = [
    (
        dict(strides=(1, 1), pads=((0, 0), (0, 0)), dilations=(1, 1), groups=1),
        (2, 4, 5, 2),
        (3, 2, 2, 3),
    ),
    (
        dict(strides=(2, 1), pads=((1, 0), (1, 1)), dilations=(1, 2), groups=1),
        (1, 5, 4, 1),
        (2, 2, 1, 2),
    ),
    (
        dict(strides=(1, 2), pads=((0, 1), (0, 0)), dilations=(1, 1), groups=2),
        (2, 3, 4, 4),
        (2, 2, 2, 2),
    ),
]
POOLS = [
    dict(window=(2, 2), strides=(2, 2), pads=((0, 0), (0, 0))),
    dict(window=(3, 2), strides=(1, 2), pads=((1, 1), (0, 1))),
]
AXES = [
    dict(axis=(-1,), epsilon=1e-3),
    dict(axis=(-2, -1), epsilon=1e-2),
    dict(axis=(-2,), epsilon=1e-3),
]


def probabilities(t):
    """Return positive numbers, as labels are."""
    return t * t + 0.1


def convolved(how, x, w):
    """Return the shape of a convolution's result."""
    return tuple(convolution.conv2d(np.zeros(x), np.zeros(w), **how).shape)


CASES = [
    elementwise("Relu", neural_nets.relu),
    elementwise("ReluGrad", neural_nets.relu_grad, 2),
    elementwise("Relu6", lambda x: neural_nets.relu6(x * 5.0)),
    elementwise("Relu6Grad", lambda g, y: neural_nets.relu6_grad(g, y * 5.0), 2),
    elementwise("LeakyRelu", lambda x: neural_nets.leaky_relu(x, alpha=0.3)),
    elementwise("LeakyReluGrad", lambda g, x: neural_nets.leaky_relu_grad(g, x, alpha=0.3), 2),
    elementwise("Elu", neural_nets.elu),
    elementwise("EluGrad", neural_nets.elu_grad, 2),
    elementwise("Selu", neural_nets.selu),
    elementwise("SeluGrad", neural_nets.selu_grad, 2),
    elementwise("Softsign", neural_nets.softsign),
    elementwise("SoftsignGrad", neural_nets.softsign_grad, 2),
    elementwise("SignOverOnePlusAbs", neural_nets.sign_over),
    elementwise("Gelu", neural_nets.gelu),
    elementwise("GeluTanh", neural_nets.gelu_tanh),
    *[
        shaped("Softmax", lambda x, k=k: neural_nets.softmax(x, axis=k), [(2, 3)], [(2, 2, 3)])
        for k in (-1, -2)
    ],
    *[
        shaped(
            "LogSoftmax", lambda x, k=k: neural_nets.log_softmax(x, axis=k), [(2, 3)], [(2, 2, 3)]
        )
        for k in (-1, -2)
    ],
    shaped(
        "SoftmaxCrossEntropyWithLogits",
        lambda x, t: neural_nets.cross_entropy(x, tf.nn.softmax(t)),
        [(2, 3), (2, 3)],
        [(3,), (3,)],
    ),
    shaped(
        "SoftmaxCrossEntropyGrad",
        lambda g, x, t: neural_nets.cross_entropy_grad(g, x, tf.nn.softmax(t)),
        [(2,), (2, 3), (2, 3)],
    ),
    shaped(
        "SparseSoftmaxCrossEntropyWithLogits",
        lambda x: neural_nets.sparse_cross_entropy(x, LABELS[x.ndim - 1]),
        [(2, 3)],
        [(2, 3, 4)],
    ),
    shaped(
        "SparseSoftmaxCrossEntropyGrad",
        lambda g, x: neural_nets.sparse_cross_entropy_grad(g, x, LABELS[g.ndim]),
        [(2,), (2, 3)],
        [(2, 3), (2, 3, 4)],
    ),
    elementwise("SigmoidCrossEntropyWithLogits", neural_nets.sigmoid_cross_entropy, 2),
    shaped("L2Loss", neural_nets.l2_loss, [(2, 3)], [(0,)], [()]),
    shaped("BiasAdd", neural_nets.bias_add, [(2, 3), (3,)], [(2, 2, 3), (3,)]),
    *[
        shaped(
            "Normalize",
            lambda x, how=how: normalisation.normalize(x, **how),
            [(3, 4)],
            [(2, 3, 2)],
            tolerance=1e-4,
        )
        for how in AXES
    ],
    *[
        shaped(
            "NormalizeGrad",
            lambda g, x, how=how: normalisation.normalize_grad(
                g, x, normalisation.normalize(x, **how), **how
            ),
            [(3, 4), (3, 4)],
            tolerance=1e-3,
        )
        for how in AXES
    ],
    *[
        shaped(
            "InverseDeviation",
            lambda x, how=how: normalisation.inverse_deviation(x, **how),
            [(3, 4)],
            tolerance=1e-3,
        )
        for how in AXES
    ],
    *[
        shaped("Conv2D", lambda x, w, how=how: convolution.conv2d(x, w, **how), [x, w])
        for how, x, w in CONVOLUTIONS
    ],
    *[
        shaped(
            "Conv2DBackpropInput",
            lambda g, w, how=how, x=x: convolution.conv2d_image(g, w, shape=x, **how),
            [convolved(how, x, w), w],
        )
        for how, x, w in CONVOLUTIONS
    ],
    *[
        shaped(
            "Conv2DBackpropFilter",
            lambda x, g, how=how, w=w: convolution.conv2d_filter(x, g, shape=w, **how),
            [x, convolved(how, x, w)],
        )
        for how, x, w in CONVOLUTIONS
    ],
    *[
        shaped("MaxPool", lambda x, how=how: pooling.max_pool(x, **how), [(2, 4, 5, 2)])
        for how in POOLS
    ],
    *[
        shaped(
            "MaxPoolGrad",
            lambda x, how=how: pooling.max_pool_grad(
                pooling.max_pool(x, **how) ** 2.0, x, pooling.max_pool(x, **how), **how
            ),
            [(2, 4, 5, 2)],
        )
        for how in POOLS
    ],
    *[
        shaped(
            "MaxPoolGradGrad",
            lambda x, how=how: pooling.max_pool_pick(x * x, x, pooling.max_pool(x, **how), **how),
            [(2, 4, 5, 2)],
        )
        for how in POOLS
    ],
    *[
        shaped("AvgPool", lambda x, how=how: pooling.avg_pool(x, **how), [(2, 4, 5, 2)])
        for how in POOLS
    ],
    *[
        shaped(
            "AvgPoolGrad",
            lambda g, how=how: pooling.avg_pool_grad(g, shape=(2, 4, 5, 2), **how),
            [tuple(pooling.avg_pool(np.zeros((2, 4, 5, 2)), **how).shape)],
        )
        for how in POOLS
    ],
    shaped(
        "AdjustContrastv2",
        lambda x: image.adjust_contrast(x, 2.0),
        [(3, 4, 2)],
        unregistered=True,
        dtypes=("float32",),
    ),
    shaped("Multinomial", lambda x: random.categorical(x, 2, seed=1), [(3, 2)], order=0),
    shaped("RandomShuffle", lambda x: random.shuffle(x, seed=1), [(3, 2)], order=0),
]
