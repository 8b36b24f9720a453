"""What minitape answers differently from TensorFlow, on purpose, and why.

A key is a pattern (`*` stands for anything) that fits the beginning of a difference as
test_answers.py writes it: the program's name, then the result. Patterns that fit nothing any more
make the tests fail.
"""

import sys

import numpy as np

NAMES = "the classes are called Tensor and Variable; there is no second, internal class beside them"
BFLOAT = "NumPy has no bfloat16"
ABSENT = "not among the names that programs around the tape use"
LENIENT = "minitape converts, where TensorFlow refuses"
TYPE = "another exception type, the one that the same mistake gives everywhere else in TensorFlow"
STEP = "the tape answers None for yes-or-no and integer targets instead of raising"
CONSTANTS = "TensorFlow rounds this constant to float32 even where it computes in float64"
BETTER = "minitape has the derivative that TensorFlow never registered"

BETTER_LISTS = "lists are taken where tensors are"
FORMULA = "minitape's formula holds for complex numbers as well"
SMALL = "NumPy computes with these numbers, TensorFlow has no kernel for them"
OUTSIDE = "TensorFlow converts what is no number of that kind"
READINGS = "reading a variable twice gives the same tensor until it is assigned"

DIFFERENT = {
    # names of classes
    "* kind: 'Tensor', not 'EagerTensor'": NAMES,
    "dtypes/* results[*]: 'Tensor', not 'EagerTensor'": NAMES,
    "dtypes/tensor-attributes results['variable kind']": NAMES,
    "protocols/* results['type']": NAMES,
    "protocols/* results['iter(t)']": NAMES,
    "guide/pitfall-variable-replaced-by-a-tensor kinds": NAMES,
    "guide/state-returned-value-of-assign-add kind": NAMES,
    "guide/state-returned-value-of-assign same": "assign returns the variable itself",
    "reprs/assign-result": "assign returns the variable itself",
    "reprs/keras": "keras layers hold ordinary variables",
    "errors/variable-in-place-operators": "the message says more",
    "errors/invalid-argument-error-attributes": "the message says more, and the error knows the "
    "operation",
    "keras_layers/keras-variable-in-programs": "keras layers hold ordinary variables",
    "keras_layers/custom-layer-with-tf-variables": "a variable in an attribute of a layer is "
    "found, as it was in Keras 2",
    "keras_layers/initializers-statistics results[*]['about": "random numbers are NumPy's",
    "keras_training/fit-one-step": "here one writes the loop oneself",
    "keras_training/metric-sparse-crossentropy": BETTER_LISTS,
    "keras_training/optimizer-sparse-gradient-adam": "gradients of gathered rows are whole tensors",
    "neural_nets/conv2d-dilated": BETTER,
    # dtypes that NumPy does not have, functions that nobody asked for
    "protocols/bfloat16": BFLOAT,
    "dtypes/casts results['bfloat16']": BFLOAT,
    "dtypes/dtype-objects results['is_floating']": BFLOAT,
    "reprs/tensors": BFLOAT,
    "elementwise/betainc-igamma": ABSENT,
    "elementwise/math-bessel": ABSENT,
    "elementwise/math-ndtri": ABSENT,
    "reductions/*segment-prod": ABSENT,
    "reductions/sequence": ABSENT,
    "errors/registry-histogram": ABSENT,
    "dtypes/dtype-objects results['cast spelled']": ABSENT,
    "dtypes/tensor-shape-objects results['unknown rank']": "every tensor is there, so every rank "
    "is known",
    # kinder
    "dtypes/constant-with-dtype results['by Python int']": LENIENT,
    "dtypes/dtype-objects results['as_dtype": LENIENT,
    "dtypes/default-dtypes-of-makers results['meshgrid']": LENIENT,
    "errors/format-variable": "a variable is formatted like its tensor",
    "protocols/*variable results[\"format(t, '.2f')\"]": "a variable is formatted like its tensor",
    "protocols/*variable results['t.ndim']": "a variable has ndim, as its tensor has",
    "protocols/variable results['len(t)']": "a variable has len(), as its tensor has",
    "guide/batch-jacobian-scalar-target": TYPE,
    "arguments/einsum-44": BETTER_LISTS,
    # dtypes of inputs
    "accepted/*bessel": ABSENT,
    "accepted/*ndtri": ABSENT,
    "accepted/*segment_prod": ABSENT,
    "accepted/*reverse_sequence": ABSENT,
    "accepted/*bitwise": ABSENT,
    "accepted/*igamma": ABSENT,
    "accepted/* results['uint8']": SMALL,
    "accepted/* results['float16']: ['float16'], not 'refused'": SMALL,
    "accepted/*inv-x* results['float16']: 'refused'": "NumPy has no matrices of float16",
    "accepted/* results['float64']: ['float64'], not 'refused'": BETTER_LISTS,
    "accepted/* results['str']: ['string'], not 'refused'": "what only moves elements moves "
    "strings, too",
    "accepted/* results['bool']: ['bool'], not 'refused'": "what only moves elements moves truth "
    "values, too",
    "accepted/tf-cast-tf-linalg-matrix_rank* results['complex": FORMULA,
    "accepted/tf-unique* results['complex": FORMULA,
    "accepted/tf-image-rgb_to_grayscale* results['complex": FORMULA,
    "accepted/tf-linalg-global_norm* results['complex": FORMULA,
    "accepted/tf-scatter_nd* results['str']": "strings cannot be added",
    "accepted/tf-unstack* results['bool']": OUTSIDE,
    # exception types
    "datasets/one-by-one kinds[2]": TYPE,
    "datasets/padded kinds[0]": TYPE,
    "datasets/refused kinds[16]": TYPE,
    "datasets/refused kinds[34]": TYPE,
    "protocols/* results['[10, 20, 30][t]']": TYPE,
    "protocols/* results['range(t)']": TYPE,
    "protocols/* results['round(t)']": TYPE,
    "errors/range-of-float-tensor": TYPE,
    "refusals/index-protocol-float": TYPE,
    "refusals/variable-bad-argument": TYPE,
    "arguments/tensordot-2": TYPE,
    "arguments/tensordot-10": TYPE,
    "protocols/* results['t[[0]]']": "a list is no index, of whatever length",
    # the tape
    "errors/custom-gradient-wrong-shape": "a gradient of the wrong shape is refused instead of "
    "given back",
    "errors/jacobian-numpy-target": "the target of a Jacobian must be a tensor, as that of a "
    "gradient",
    "errors/output-gradients-": "the seeds must fit the targets, one by one; None stands for ones",
    "guide/output-gradients": "the seeds must fit the targets, one by one; None stands for ones",
    "errors/tensor-constructor": "a tensor can be made of a NumPy value",
    "errors/tensor-set-attribute": "a tensor has slots only: it is small, and a mistyped name is "
    "an error",
    "kinks/is-": STEP,
    "kinks/argsort": STEP,
    "guide/gradient-with-respect-to-a-read-value grads": READINGS,
    "watching/target-unwatched-23": READINGS,
    "watching/target-unwatched-11": "a target counts for itself, also where a recorded operation "
    "used it",
    "watching/target-itself-5": "None stands for ones, one by one",
    "watching/watched-variables-40": "a variable has len(), as its tensor has",
    "complex_numbers/gather": "gradients of gather are dense tensors",
    # numbers
    "elementwise/nn-gelu": CONSTANTS,
    "elementwise/nn-leaky": CONSTANTS,
    "elementwise/*softsign": BETTER,
    "kinks/softsign": BETTER,
    "elementwise/math-softsign": BETTER,
    "kinks/digamma-poles g2": "no number at a pole; minus infinity is one as good as NaN",
    "kinks/where-log-not-taken g2": "the rule of log is a plain division, so that a learner can "
    "read it",
    "kinks/log-of-sigmoid": "NumPy keeps the smallest numbers where TensorFlow flushes them to 0",
    # tf.function
    "functions/a-set-as-argument": "a set is a Python argument like others: its elements decide "
    "about a new trace",
    "functions/a-variable-as-argument traces": "a program belongs to its variables, so another "
    "variable makes another one",
    "functions/control-flow-operations": "a list of operations has no branches: tf.cond on a "
    "traced value is refused",
    "functions/numpy-method-inside": "a method that is there but cannot work says so, instead of "
    "seeming to be misspelled",
    "functions/variables-made-at-every-call": "the second call refuses: the first cannot know yet",
    # the rest
    "dtypes/variable-assignments": "a slice of a variable is a tensor; scatter_nd_update changes "
    "a part of a variable",
    "dtypes/variable-with-free-shape v": "the recorder took the free shape for the shape of the "
    "content",
    "dtypes/strings results['bytes']": "the same byte, written differently by the recorder",
    "operators/multiply-*bool tensor": "booleans and numbers are never mixed",
    "protocols/string": "strings of one tensor are NumPy's bytes, without operations on single "
    "ones",
}

# in a browser: `np.array([1])` is int32, and so is what TensorFlow would make of it
NARROW = "NumPy's own integers have 32 bits here"
if np.dtype(int).itemsize < 8:
    DIFFERENT |= dict.fromkeys(
        [
            "datasets/descriptions specs",
            "datasets/slices",
            "dtypes/*-defaults results['int64 array']",
            "edges/which-parts-are-joined joined",
            "protocols/*int64 results['repr(t)']",
            "protocols/* results['np.",
            "reprs/others results['tensor in dict']",
            "reprs/variables results['int64']",
            "tutorials/words-near-each-other spec",
        ],
        NARROW,
    )
if sys.platform == "emscripten":
    DIFFERENT["guide/thread-does-not-record"] = "there are no threads here"
