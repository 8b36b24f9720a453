"""The table of facts: what is known of an operation beside its derivative, one line per row.

Readers of tapes use it instead of lists of operations of their own: pictures for names and signs,
the page for what it can compute, `health` and `explain` for where a slope is 0 and how numbers
fail, the recorder of TensorFlow for TensorFlow's names. The engine does not use it: recording and
playing need the rows only, and importing them does not load this file.

For example, `"Log": Facts("math.log", SAME, PAGE, "curved", "x > 0", "log")` says:
learners call it `tf.math.log`, TensorFlow's operation has the same name, the page computes it too,
its graph is curved, it is defined where x > 0, and it fails as a logarithm. What a rule keeps is
not listed: it is read off the rule itself (`storyboard/stage/formula.py`).

`make check OP=Log` compares each fact with what the row does.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Bend = Literal[
    "same",  # the numbers of its input, elsewhere or in another dtype
    "straight",  # a sum of its inputs: the slope does not depend on them
    "curved",  # nothing of what follows
    "relu",  # 0 where its input is negative, and so is its slope
    "leaky",  # straight, with another slope where its input is negative
    "saturated",  # its slope goes to 0 far out, on one side or both
    "clipped",  # one input wins, the others are not felt
    "branch",  # a condition chooses between inputs
    "factor",  # a product: the slope of one input is the other
    "kink",  # its slope jumps at 0
    "bottom",  # level at 0
    "steps",  # a slope of 0, or none, between two jumps
    "pieces",  # the slope of straight pieces: a product with what never changes on a piece
    "flat",  # the same for all inputs
    "drawn",  # random numbers
    "length",  # of a vector: no slope where all of it is 0
]
SAME, NONE = "=", ""  # TensorFlow has an operation of this name; has none that is like it
PAGE, HERE = True, False  # computed in the page, too; only by the engine


class Facts(NamedTuple):
    """What is known of one operation.

    `called`: the function in `tf` that learners know it by, "" for a row that only rules use.
    `tensorflow`: the operations that TensorFlow has with the same inputs, and no attribute that
    changes a number, "=" for one of the row's own name; those with attributes are translated in
    `minitape/recorders/tensorflow/operations.py`. `page`: the page has the row in
    `static/replay/table.js`. `bends`: how its graph looks, where a slope may be 0. `domain`: where
    it is defined, if not everywhere, in the letters of its rules. `fails`: how finite numbers
    become infinite or NaN, "log", "division", "root" or "power", in the order to ask. `sign`: its
    operator in Python. `limits`: what an activation flattens out to, far left and far right.
    `mixes`: a number of an input goes into several of the output. `commutes`: the inputs may change
    places. `compares`: of a loss, what its labels are, "classes", "shares", "yes or no" or
    "numbers".
    """

    called: str = ""
    tensorflow: str = NONE
    page: bool = HERE
    bends: Bend = "curved"
    domain: str = ""
    fails: str = ""
    sign: str = ""
    limits: tuple[float, float] | None = None
    mixes: bool = False
    commutes: bool = False
    compares: str = ""


def facts_of(op: str) -> Facts:
    """Return what is known of an operation; of one that the table does not have, nothing."""
    return FACTS.get(op, UNKNOWN)


def names_in_tensorflow() -> dict[str, str]:
    """Return {operation of TensorFlow's: row with the same inputs}."""
    return {
        op if name == SAME else name: op
        for op, facts in FACTS.items()
        for name in facts.tensorflow.split()
    }


UNKNOWN = Facts()

# fmt: off
FACTS: dict[str, Facts] = {
    # row           called in tf, in TensorFlow, computed where, bends, domain, how it fails, and more
    # elementwise.py
    "Exp":          Facts("exp",                  SAME, PAGE, "curved",     "", "power"),
    "Expm1":        Facts("math.expm1",           SAME, PAGE, "curved",     "", "power"),
    "Log":          Facts("math.log",             SAME, PAGE, "curved",     "x > 0", "log"),
    "Log1p":        Facts("math.log1p",           SAME, PAGE, "curved",     "x > -1", "log"),
    "Sqrt":         Facts("sqrt",                 SAME, PAGE, "curved",     "x >= 0", "root"),
    "Rsqrt":        Facts("math.rsqrt", SAME, PAGE, "curved", "x > 0", "division root"),
    "Square":       Facts("square",               SAME, PAGE, "bottom"),
    "Reciprocal":   Facts("math.reciprocal", "= Inv", PAGE, "curved", "x != 0", "division"),
    "Sin":          Facts("sin",                  SAME, PAGE, "curved"),
    "Cos":          Facts("cos",                  SAME, PAGE, "curved"),
    "Tan":          Facts("tan",                  SAME, PAGE, "curved"),
    "Asin":         Facts("asin",                 SAME, PAGE, "curved",     "-1 <= x <= 1"),
    "Acos":         Facts("acos",                 SAME, PAGE, "curved",     "-1 <= x <= 1"),
    "Atan":         Facts("atan",                 SAME, PAGE, "saturated"),
    "Sinh":         Facts("sinh",                 SAME, PAGE, "curved",     "", "power"),
    "Cosh":         Facts("cosh",                 SAME, PAGE, "curved",     "", "power"),
    "Tanh":         Facts("tanh",                 SAME, PAGE, "saturated",  limits=(-1, 1)),
    "Asinh":        Facts("asinh",                SAME, PAGE, "curved"),
    "Acosh":        Facts("acosh",                SAME, PAGE, "curved",     "x >= 1"),
    "Atanh":        Facts("atanh",                SAME, PAGE, "curved",     "-1 < x < 1"),
    "Sigmoid":      Facts("sigmoid",              SAME, PAGE, "saturated",  limits=(0, 1)),
    "Softplus":     Facts("math.softplus",        SAME, PAGE, "saturated"),
    "Abs":          Facts("abs",                  SAME, PAGE, "kink"),
    "Sign":         Facts("sign",                 SAME, PAGE, "steps"),
    "Floor":        Facts("floor",                SAME, PAGE, "steps"),
    "Ceil":         Facts("math.ceil",            SAME, PAGE, "steps"),
    "Round":        Facts("round",                SAME, PAGE, "steps"),
    "Rint":         Facts("math.rint",            SAME, PAGE, "steps"),
    "ZerosLike":    Facts("zeros_like",           SAME, PAGE, "flat"),
    "OnesLike":     Facts("ones_like",            SAME, PAGE, "flat"),
    "Identity":     Facts("identity",             SAME, PAGE, "same"),
    "StopGradient": Facts("stop_gradient",        SAME, PAGE, "same"),
    "Cast":         Facts("cast",                 NONE, PAGE, "same"),
    "Conj":         Facts("math.conj",            SAME, HERE, "same"),
    "MulNoNan":     Facts("math.multiply_no_nan", SAME, PAGE, "factor"),
    "Select":       Facts("where",                "SelectV2", PAGE, "branch"),
    "ClipByValue":  Facts("clip_by_value",        NONE, PAGE, "clipped"),
    # arithmetic.py
    "Add":      Facts("add",           "= AddV2", PAGE, "straight", sign="+", commutes=True),
    "Sub":      Facts("subtract",      SAME, PAGE, "straight", sign="-", compares="numbers"),
    "Mul":      Facts("multiply",      SAME, PAGE, "factor",   sign="*", commutes=True),
    "Div":      Facts("divide", "= RealDiv", PAGE, "curved", "b != 0", "division", sign="/"),
    "Pow":      Facts("pow", SAME, PAGE, "bottom", "a >= 0 or b % 1 == 0", "root power", sign="**"),
    "Neg":      Facts("negative",      SAME, PAGE, "straight", sign="-"),
    "AddN":     Facts("add_n",         SAME, PAGE, "straight", commutes=True),
    "Maximum":  Facts("maximum",       SAME, PAGE, "clipped",  commutes=True),
    "Minimum":  Facts("minimum",       SAME, PAGE, "clipped",  commutes=True),
    "FloorDiv": Facts("math.floordiv", SAME, PAGE, "steps",    "b != 0", "division", sign="//"),
    "FloorMod": Facts("math.floormod", SAME, PAGE, "curved",   "b != 0", "division", sign="%"),
    # comparison.py
    "Less":         Facts("less",                SAME, PAGE, "steps",  sign="<"),
    "LessEqual":    Facts("less_equal",          SAME, PAGE, "steps",  sign="<="),
    "Greater":      Facts("greater",             SAME, PAGE, "steps",  sign=">"),
    "GreaterEqual": Facts("greater_equal",       SAME, PAGE, "steps",  sign=">="),
    "Equal":        Facts("equal",               SAME, PAGE, "steps",  sign="==", commutes=True),
    "NotEqual":     Facts("not_equal",           SAME, PAGE, "steps",  sign="!=", commutes=True),
    "LogicalAnd":   Facts("logical_and",         SAME, PAGE, "steps",  commutes=True),
    "LogicalOr":    Facts("logical_or",          SAME, PAGE, "steps",  commutes=True),
    "LogicalNot":   Facts("logical_not",         SAME, PAGE, "steps"),
    "BitwiseAnd":   Facts("",                    NONE, HERE, "steps",  sign="&", commutes=True),
    "BitwiseOr":    Facts("",                    NONE, HERE, "steps",  sign="|", commutes=True),
    "BitwiseXor":   Facts("",                    NONE, HERE, "steps",  sign="^", commutes=True),
    "Invert":       Facts("",                    NONE, HERE, "steps",  sign="~"),
    "IsNan":        Facts("math.is_nan",         SAME, PAGE, "steps"),
    "IsInf":        Facts("math.is_inf",         SAME, PAGE, "steps"),
    "IsFinite":     Facts("math.is_finite",      SAME, PAGE, "steps"),
    # reductions.py
    "Sum":       Facts("reduce_sum",       NONE, PAGE, "straight"),
    "Mean":      Facts("reduce_mean",      NONE, PAGE, "straight"),
    "Max":       Facts("reduce_max",       NONE, PAGE, "curved"),
    "Min":       Facts("reduce_min",       NONE, PAGE, "curved"),
    "LogSumExp": Facts("reduce_logsumexp", NONE, PAGE, "curved"),
    "Tile":      Facts("tile",             NONE, PAGE, "straight",  mixes=True),
    "ArgMax":    Facts("argmax",           NONE, PAGE, "steps"),
    "ArgMin":    Facts("argmin",           NONE, PAGE, "steps"),
    "All":       Facts("reduce_all",       NONE, PAGE, "steps"),
    "Any":       Facts("reduce_any",       NONE, PAGE, "steps"),
    # shaping.py
    "Reshape":            Facts("reshape",       NONE, PAGE, "same"),
    "BroadcastTo":        Facts("broadcast_to",  NONE, PAGE, "straight"),
    "Transpose":          Facts("transpose",     NONE, PAGE, "same"),
    "Bitcast":            Facts("bitcast",       NONE, HERE, "steps"),
    "Pack":               Facts("stack",         NONE, PAGE, "straight"),
    "Unpack":             Facts("unstack",       NONE, PAGE, "straight"),
    "Concat":             Facts("concat",        NONE, PAGE, "straight"),
    "Split":              Facts("split",         NONE, PAGE, "straight"),
    "StridedSlice":       Facts("slice",        NONE, PAGE, "straight"),
    "StridedSliceGrad":   Facts("",              NONE, PAGE, "straight"),
    "StridedSliceAssign": Facts("",              NONE, HERE, "straight"),
    "Pad":                Facts("pad",           NONE, PAGE, "straight"),
    "Reverse":            Facts("reverse",       NONE, PAGE, "same"),
    "Roll":               Facts("roll",          NONE, PAGE, "same"),
    # indexing.py
    "GatherV2":            Facts("gather",                NONE, PAGE, "straight",  mixes=True),
    "UnsortedSegmentSum":  Facts("math.unsorted_segment_sum", NONE, HERE, "straight"),
    "GatherNd":            Facts("gather_nd",             SAME, HERE, "straight",  mixes=True),
    "ScatterNd":           Facts("scatter_nd",            NONE, HERE, "straight"),
    "TensorScatterUpdate": Facts("tensor_scatter_nd_update", SAME, HERE, "straight"),
    "TensorScatterAdd":    Facts("tensor_scatter_nd_add", SAME, HERE, "straight"),
    "TensorScatterSub":    Facts("tensor_scatter_nd_sub", SAME, HERE, "straight"),
    "TensorScatterMax":    Facts("tensor_scatter_nd_max", SAME, HERE, "clipped"),
    "TensorScatterMin":    Facts("tensor_scatter_nd_min", SAME, HERE, "clipped"),
    "Where":               Facts("where",                 NONE, HERE, "steps"),
    "OneHot":              Facts("one_hot",               NONE, HERE, "straight"),
    # linear_algebra.py
    "MatMul":          Facts("matmul", NONE, PAGE, "factor", sign="@", mixes=True),
    "MatrixTranspose": Facts("linalg.matrix_transpose", NONE, PAGE, "same"),
    # further/complex_numbers.py
    "Complex":     Facts("complex",    NONE, HERE, "straight"),
    "Real":        Facts("math.real",  SAME, HERE, "straight"),
    "Imag":        Facts("math.imag",  SAME, HERE, "straight"),
    "ComplexAbs":  Facts("abs",        SAME, HERE, "kink"),
    "Angle":       Facts("math.angle", SAME, HERE, "curved"),
    "ComplexSign": Facts("sign",       NONE, HERE, "curved"),
    # further/convolution.py
    "Conv2D":               Facts("nn.conv2d",           NONE, HERE, "factor", mixes=True),
    "Conv2DBackpropInput":  Facts("nn.conv2d_transpose", NONE, HERE, "factor", mixes=True),
    "Conv2DBackpropFilter": Facts("",                    NONE, HERE, "factor", mixes=True),
    # further/cumulative.py
    "Cumsum":              Facts("cumsum",       NONE, HERE, "straight", mixes=True),
    "Cumprod":             Facts("math.cumprod", NONE, HERE, "factor",   mixes=True),
    "Prod":                Facts("reduce_prod",  NONE, HERE, "factor"),
    # further/decompositions.py
    "Cholesky":           Facts("linalg.cholesky", NONE, HERE, "curved",    mixes=True),
    "SelfAdjointEig":     Facts("linalg.eigh",     NONE, HERE, "curved",    mixes=True),
    "SelfAdjointEigvals": Facts("linalg.eigvalsh", NONE, HERE, "curved",    mixes=True),
    "Svd":                Facts("linalg.svd",      NONE, HERE, "curved",    mixes=True),
    "SvdVals":            Facts("linalg.svd",      NONE, HERE, "curved",    mixes=True),
    "Lu":                 Facts("linalg.lu",       NONE, HERE, "curved",    mixes=True),
    # further/diagonals.py
    "MatrixDiagPart": Facts("linalg.diag_part", NONE, HERE, "straight"),
    "MatrixDiag":     Facts("linalg.diag",      NONE, HERE, "straight"),
    "MatrixSetDiag":  Facts("",                 NONE, HERE, "straight"),
    # further/divisions.py
    "DivNoNan":        Facts("math.divide_no_nan", SAME, HERE, "curved"),
    "Xdivy":           Facts("math.xdivy", SAME, HERE, "curved", "a == 0 or b != 0", "division"),
    "Xlogy":           Facts("math.xlogy",         SAME, HERE, "curved",  "a == 0 or b > 0", "log"),
    "Xlog1py":         Facts("math.xlog1py", SAME, HERE, "curved", "a == 0 or b > -1", "log"),
    "ReciprocalNoNan": Facts("math.reciprocal_no_nan", NONE, HERE, "curved"),
    "TruncateDiv":     Facts("truncatediv",        SAME, HERE, "steps",   "b != 0", "division"),
    "TruncateMod":     Facts("truncatemod",        SAME, HERE, "curved",  "b != 0", "division"),
    "Atan2":           Facts("atan2",              SAME, HERE, "curved"),
    "NextAfter":       Facts("math.nextafter",     SAME, HERE, "curved"),
    # further/einsum.py
    "Einsum": Facts("einsum", NONE, HERE, "factor", mixes=True),
    # further/image.py
    "AdjustContrastv2": Facts("image.adjust_contrast", NONE, HERE, "curved", mixes=True),
    # further/lengths.py
    "SquaredDifference": Facts("math.squared_difference", SAME, PAGE,
                               "bottom", commutes=True, compares="numbers"),
    "EuclideanNorm":     Facts("math.reduce_euclidean_norm", NONE, HERE, "kink"),
    # further/matrices.py
    "MatrixInverse":         Facts("linalg.inv",       NONE, HERE, "curved",    mixes=True),
    "MatrixDeterminant":     Facts("linalg.det",       NONE, HERE, "curved"),
    "MatrixSolve":           Facts("linalg.solve",     NONE, HERE, "curved",    mixes=True),
    "MatrixTriangularSolve": Facts("linalg.triangular_solve", NONE, HERE, "curved",    mixes=True),
    "MatrixBandPart":        Facts("linalg.band_part", NONE, HERE, "straight"),
    # further/neural_nets.py
    "Relu":               Facts("nn.relu",        SAME, PAGE, "relu"),
    "ReluGrad":           Facts("",               SAME, PAGE, "pieces"),
    "Relu6":              Facts("nn.relu6",       SAME, PAGE, "relu"),
    "Relu6Grad":          Facts("",               SAME, HERE, "pieces"),
    "LeakyRelu":          Facts("nn.leaky_relu",  NONE, PAGE, "leaky"),
    "LeakyReluGrad":      Facts("",               NONE, HERE, "pieces"),
    "Elu":                Facts("nn.elu",         SAME, PAGE, "saturated"),
    "EluGrad":            Facts("",               NONE, HERE, "curved"),
    "Selu":               Facts("nn.selu",        SAME, PAGE, "saturated"),
    "SeluGrad":           Facts("",               NONE, HERE, "curved"),
    "Softsign":           Facts("nn.softsign",    SAME, PAGE, "saturated",  limits=(-1, 1)),
    "SoftsignGrad":       Facts("",               NONE, HERE, "curved"),
    "SignOverOnePlusAbs": Facts("",               NONE, HERE, "curved"),
    "Gelu":               Facts("nn.gelu",        NONE, HERE, "saturated"),
    "GeluTanh":           Facts("nn.gelu",        NONE, HERE, "saturated"),
    "Softmax":            Facts("nn.softmax",     SAME, PAGE, "saturated",  mixes=True),
    "LogSoftmax":         Facts("nn.log_softmax", SAME, PAGE, "saturated",  mixes=True),
    "SoftmaxCrossEntropyWithLogits": Facts("nn.softmax_cross_entropy_with_logits", NONE, PAGE,
                                           "curved", compares="shares"),
    "SoftmaxCrossEntropyGrad": Facts("", NONE, HERE, "curved"),
    "SparseSoftmaxCrossEntropyWithLogits": Facts(
        "nn.sparse_softmax_cross_entropy_with_logits", NONE, PAGE, "curved", compares="classes"),
    "SparseSoftmaxCrossEntropyGrad": Facts("", NONE, HERE, "curved"),
    "SigmoidCrossEntropyWithLogits": Facts("nn.sigmoid_cross_entropy_with_logits", NONE, PAGE,
                                           "curved", compares="yes or no"),
    "L2Loss":             Facts("nn.l2_loss",     SAME, PAGE, "bottom"),
    "BiasAdd":            Facts("nn.bias_add",    NONE, PAGE, "straight"),
    # further/normalisation.py
    "Normalize":        Facts("", NONE, HERE, "curved",  mixes=True),
    "NormalizeGrad":    Facts("", NONE, HERE, "curved",  mixes=True),
    "InverseDeviation": Facts("", NONE, HERE, "curved"),
    # further/pooling.py
    "MaxPool":         Facts("nn.max_pool", NONE, HERE, "curved",    mixes=True),
    "MaxPoolGrad":     Facts("",            NONE, HERE, "straight",  mixes=True),
    "MaxPoolGradGrad": Facts("",            NONE, HERE, "straight"),
    "AvgPool":         Facts("nn.avg_pool", NONE, HERE, "straight",  mixes=True),
    "AvgPoolGrad":     Facts("",            NONE, HERE, "straight",  mixes=True),
    # further/sorting.py
    "TakeAlong":          Facts("",                      NONE, HERE, "straight",  mixes=True),
    "PutAlong":           Facts("",                      NONE, HERE, "straight"),
    "TopK":               Facts("math.top_k",            NONE, HERE, "curved"),
    "ArgSort":            Facts("argsort",               NONE, HERE, "steps"),
    "UnsortedSegmentMax": Facts("math.unsorted_segment_max", NONE, HERE, "curved"),
    "UnsortedSegmentMin": Facts("math.unsorted_segment_min", NONE, HERE, "curved"),
    "Unique":             Facts("unique",                NONE, HERE, "steps"),
    "InTopKV2":           Facts("math.in_top_k",         NONE, HERE, "steps"),
    "ConfusionMatrix":    Facts("math.confusion_matrix", NONE, HERE, "steps"),
    # further/special.py
    "Erf":       Facts("math.erf",       SAME, HERE, "saturated"),
    "Erfc":      Facts("math.erfc",      SAME, HERE, "saturated"),
    "Erfinv":    Facts("math.erfinv",    SAME, HERE, "curved",    "-1 < x < 1"),
    "Lgamma":    Facts("math.lgamma",    SAME, HERE, "curved",    "x > 0 or x % 1 != 0"),
    "Digamma":   Facts("math.digamma",   SAME, HERE, "curved",    "x > 0 or x % 1 != 0"),
    "Polygamma": Facts("math.polygamma", SAME, HERE, "curved",    "x > 0 or x % 1 != 0"),
}
# fmt: on
