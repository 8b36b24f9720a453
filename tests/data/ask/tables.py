"""Families of programs that differ only in an expression: elementwise functions and their kinks, and the table of all families.

Each table turns rows of text into (id, code) pairs; the code stands in full in the recorded answers.
"""

from array_tables import complex_numbers, linear_algebra, neural_nets, renamed
from dtype_tables import accepted
from keras_tables import training
from operators import operators, protocols, refusals
from reductions import reductions
from templates import BINARY, UNARY, program, table

SMOOTH = "[-1.7, -0.6, 0.3, 1.2, 2.5]"
POSITIVE = "[0.1, 0.7, 1.3, 2.9]"
INSIDE = "[-0.9, -0.3, 0.2, 0.8]"
ELEMENTWISE = {
    SMOOTH: """abs acos:x/3 acosh:x+3 asin:x/3 asinh atan ceil cos cosh erf erfc exp expm1 floor log_sigmoid negative reciprocal rint round
               sigmoid sign sin sinh softplus softsign square tan tanh reciprocal_no_nan""",
    POSITIVE: "acosh:x+1 digamma lgamma log log1p rsqrt sqrt erfinv:x/4 ndtri:x/4 bessel_i0 bessel_i0e bessel_i1 bessel_i1e",
    INSIDE: "acos asin atanh",
}


def elementwise():
    pairs = []
    for points, names in ELEMENTWISE.items():
        for entry in names.split():
            name, _, argument = entry.partition(":")
            identifier = f"math-{name}" + ("-inside" if points is INSIDE else "-shifted" if argument else "")
            identifier += "-positive" if name == "acosh" and points is POSITIVE else ""
            pairs.append((identifier, program(UNARY, points=points, dtype="float64", expression=f"tf.math.{name}({argument or 'x'})")))
    for name in ["elu", "selu", "relu", "relu6", "leaky_relu", "gelu", "silu", "swish", "softplus", "softsign", "sigmoid", "tanh", "log_softmax", "softmax", "l2_loss"]:
        pairs.append((f"nn-{name}", program(UNARY, points="[-3.0, -0.6, 0.3, 1.2, 7.5]", dtype="float64", expression=f"tf.nn.{name}(x)")))
    pairs += table(UNARY, """
nn-gelu-approximate       | tf.nn.gelu(x, approximate=True)            | [-3.0, -0.6, 0.0, 1.2, 7.5]
nn-leaky-relu-alpha       | tf.nn.leaky_relu(x, alpha=0.3)             | [-3.0, 0.0, 2.0]
nn-silu-beta              | tf.nn.silu(x, beta=2.0)                    | [-3.0, 0.0, 2.0]
pow-constant              | x ** 3                                     | [-1.5, 0.5, 2.0]
pow-fraction              | x ** 2.5                                   | [0.5, 2.0]
pow-negative              | x ** -2                                    | [-1.5, 0.5, 2.0]
pow-base                  | 2.0 ** x                                   | [-1.5, 0.5, 2.0]
divided                   | 3.0 / x                                    | [-1.5, 0.5, 2.0]
reversed-minus            | 3.0 - x                                    | [-1.5, 0.5, 2.0]
l2-normalize              | tf.math.l2_normalize(x)                    | [3.0, 4.0]
squared-norm              | tf.reduce_sum(x * x)                       | [3.0, 4.0]
""", dtype="float64")
    pairs += table(BINARY, """
add                  | a + b                            | [1.0, 2.0]        | [[3.0], [4.0]]
subtract             | a - b                            | [1.0, 2.0]        | [[3.0], [4.0]]
multiply             | a * b                            | [1.0, 2.0]        | [[3.0], [4.0]]
divide               | a / b                            | [1.0, 2.0]        | [[3.0], [4.0]]
pow                  | a ** b                           | [1.5, 2.0]        | [[3.0], [-1.0]]
atan2                | tf.atan2(a, b)                   | [1.0, -2.0]       | [[3.0], [-4.0]]
squared-difference   | tf.math.squared_difference(a, b) | [1.0, -2.0]       | [[3.0], [-4.0]]
maximum              | tf.maximum(a, b)                 | [1.0, 5.0]        | [[3.0], [-4.0]]
minimum              | tf.minimum(a, b)                 | [1.0, 5.0]        | [[3.0], [-4.0]]
floordiv             | a // b                           | [7.5, -7.5]       | [[2.0], [-2.0]]
mod                  | a % b                            | [7.5, -7.5]       | [[2.0], [-2.0]]
floormod             | tf.math.floormod(a, b)           | [7.5, -7.5]       | [[2.0], [-2.0]]
truncatemod          | tf.truncatemod(a, b)             | [7.5, -7.5]       | [[2.0], [-2.0]]
truncatediv          | tf.truncatediv(a, b)             | [7.5, -7.5]       | [[2.0], [-2.0]]
divide-no-nan        | tf.math.divide_no_nan(a, b)      | [7.5, -7.5]       | [[2.0], [0.0]]
multiply-no-nan      | tf.math.multiply_no_nan(a, b)    | [7.5, float('inf')] | [[2.0], [0.0]]
xlogy                | tf.math.xlogy(a, b)              | [0.0, 2.0]        | [[0.0], [3.0]]
xlog1py              | tf.math.xlog1py(a, b)            | [0.0, 2.0]        | [[-1.0], [3.0]]
xdivy                | tf.math.xdivy(a, b)              | [0.0, 2.0]        | [[0.0], [3.0]]
hypot-by-hand        | tf.sqrt(a * a + b * b)           | [3.0, 0.0]        | [[4.0], [0.0]]
matmul               | a @ b                            | [[1.0, 2.0]]      | [[3.0], [4.0]]
scalar-mul           | tf.scalar_mul(a, b)              | 2.0               | [[3.0], [4.0]]
polygamma            | tf.math.polygamma(a, b)          | [1.0]             | [2.0]
betainc-igamma       | tf.math.igamma(a, b)             | [1.5]             | [2.0]
nextafter            | tf.math.nextafter(a, b)          | [1.0]             | [2.0]
greater              | tf.cast(a > b, tf.float64)       | [1.0, 5.0]        | [[3.0], [-4.0]]
""", dtype="float64")
    return pairs


EDGE = "[float('-inf'), -1.0, -0.0, 0.0, 1.0, float('inf'), float('nan')]"
HUGE = "[-1000.0, -100.0, -20.0, 0.0, 20.0, 100.0, 1000.0]"


def kinks():
    pairs = table(UNARY, f"""
relu             | tf.nn.relu(x)             | {EDGE}
relu6            | tf.nn.relu6(x)            | [-1.0, 0.0, 3.0, 6.0, 7.0]
elu              | tf.nn.elu(x)              | {EDGE}
selu             | tf.nn.selu(x)             | {EDGE}
leaky-relu       | tf.nn.leaky_relu(x)       | {EDGE}
gelu             | tf.nn.gelu(x)             | {EDGE}
gelu-approximate | tf.nn.gelu(x, True)       | {EDGE}
silu             | tf.nn.silu(x)             | {HUGE}
softplus         | tf.nn.softplus(x)         | {HUGE}
softsign         | tf.nn.softsign(x)         | {HUGE}
sigmoid          | tf.sigmoid(x)             | {HUGE}
log-sigmoid      | tf.math.log_sigmoid(x)    | {HUGE}
tanh             | tf.tanh(x)                | {HUGE}
exp              | tf.exp(x)                 | {HUGE}
log-of-sigmoid   | tf.math.log(tf.sigmoid(x)) | {HUGE}
log-of-softmax   | tf.math.log(tf.nn.softmax(x)) | {HUGE}
log-softmax      | tf.nn.log_softmax(x)      | {HUGE}
softmax          | tf.nn.softmax(x)          | {HUGE}
softmax-infinite | tf.nn.softmax(x)          | [0.0, float('-inf'), 1.0]
softmax-all-minus-infinite | tf.nn.softmax(x) | [float('-inf'), float('-inf')]
softmax-plus-infinite | tf.nn.softmax(x)     | [0.0, float('inf')]
logsumexp        | tf.reduce_logsumexp(x)    | {HUGE}
logsumexp-minus-infinite | tf.reduce_logsumexp(x) | [float('-inf'), float('-inf')]
logsumexp-plus-infinite | tf.reduce_logsumexp(x) | [0.0, float('inf')]
abs              | tf.abs(x)                 | {EDGE}
sign             | tf.sign(x)                | {EDGE}
sqrt             | tf.sqrt(x)                | [-1.0, -0.0, 0.0, 4.0]
rsqrt            | tf.math.rsqrt(x)          | [-1.0, 0.0, 4.0]
log              | tf.math.log(x)            | [-1.0, -0.0, 0.0, 1.0]
log1p            | tf.math.log1p(x)          | [-2.0, -1.0, 0.0, 1e-8]
reciprocal       | tf.math.reciprocal(x)     | [-0.0, 0.0, 2.0]
reciprocal-no-nan | tf.math.reciprocal_no_nan(x) | [-0.0, 0.0, 2.0]
acos-bounds      | tf.acos(x)                | [-1.0, 1.0, 2.0]
asin-bounds      | tf.asin(x)                | [-1.0, 1.0, 2.0]
atanh-bounds     | tf.atanh(x)               | [-1.0, 1.0, 2.0]
acosh-bounds     | tf.acosh(x)               | [0.5, 1.0, 2.0]
floor            | tf.floor(x)               | [-1.5, -1.0, 0.0, 0.5]
ceil             | tf.math.ceil(x)           | [-1.5, -1.0, 0.0, 0.5]
round-halves     | tf.round(x)               | [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]
rint-halves      | tf.math.rint(x)           | [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]
square-of-relu   | tf.nn.relu(x) ** 2        | [-1.0, 0.0, 1.0]
pow-zero         | x ** 0                    | [-2.0, 0.0, 2.0]
pow-zero-float   | x ** 0.0                  | [-2.0, 0.0, 2.0]
pow-one          | x ** 1                    | [-2.0, 0.0, 2.0]
pow-two          | x ** 2                    | [-2.0, 0.0, 2.0]
pow-three        | x ** 3                    | [-2.0, 0.0, 2.0]
pow-half         | x ** 0.5                  | [-1.0, 0.0, 4.0]
pow-minus-one    | x ** -1                   | [-2.0, 0.0, 2.0]
zero-to-the-x    | 0.0 ** x                  | [-1.0, 0.0, 2.0]
negative-to-the-x | (-2.0) ** x              | [-1.0, 0.0, 2.0, 0.5]
one-to-the-x     | 1.0 ** x                  | [-1.0, 0.0, 2.0]
x-to-the-x       | x ** x                    | [0.0, 0.5, 1.0, 2.0]
x-times-x        | x * x                     | [-2.0, 0.0, 2.0]
clip-by-value    | tf.clip_by_value(x, -1.0, 1.0) | [-2.0, -1.0, 0.0, 1.0, 2.0, float('nan')]
clip-by-value-min-above-max | tf.clip_by_value(x, 1.0, -1.0) | [-2.0, 0.0, 2.0]
maximum-with-constant | tf.maximum(x, 0.0)   | {EDGE}
minimum-with-constant | tf.minimum(x, 0.0)   | {EDGE}
maximum-constant-first | tf.maximum(0.0, x)  | {EDGE}
maximum-of-itself | tf.maximum(x, x)         | [1.0, 2.0]
clip-by-norm     | tf.clip_by_norm(x, 1.0)   | [3.0, 4.0]
clip-by-norm-inside | tf.clip_by_norm(x, 10.0) | [3.0, 4.0]
clip-by-norm-zero | tf.clip_by_norm(x, 1.0)  | [0.0, 0.0]
norm             | tf.norm(x)                | [3.0, 4.0]
norm-zero        | tf.norm(x)                | [0.0, 0.0]
norm-one         | tf.norm(x, ord=1)         | [3.0, 0.0, -4.0]
norm-infinity    | tf.norm(x, ord=np.inf)    | [3.0, -4.0, 4.0]
norm-three       | tf.norm(x, ord=3)         | [3.0, -4.0, 0.0]
euclidean-norm-zero | tf.math.reduce_euclidean_norm(x) | [0.0, 0.0]
euclidean-norm   | tf.math.reduce_euclidean_norm(x) | [3.0, 4.0]
l2-normalize-zero | tf.math.l2_normalize(x)  | [0.0, 0.0]
l2-normalize-small | tf.math.l2_normalize(x) | [1e-7, 0.0]
std-of-constant  | tf.math.reduce_std(x)     | [2.0, 2.0, 2.0]
std              | tf.math.reduce_std(x)     | [1.0, 2.0, 4.0]
variance         | tf.math.reduce_variance(x) | [1.0, 2.0, 4.0]
sum-of-squares-then-sqrt | tf.sqrt(tf.reduce_sum(x ** 2)) | [0.0, 0.0]
where-relu       | tf.where(x > 0, x, 0.0)   | [-1.0, 0.0, 1.0]
where-nan-not-taken | tf.where(x > 0, tf.sqrt(x), 0.0) | [-1.0, 0.0, 4.0]
where-log-not-taken | tf.where(x > 0, tf.math.log(x), 0.0) | [-1.0, 0.0, 4.0]
where-divide-not-taken | tf.where(x == 0, 1.0, tf.sin(x) / x) | [-1.0, 0.0, 4.0]
where-double     | tf.where(x > 0, tf.sqrt(tf.where(x > 0, x, 1.0)), 0.0) | [-1.0, 0.0, 4.0]
sinc-by-divide-no-nan | tf.math.divide_no_nan(tf.sin(x), x) | [-1.0, 0.0, 4.0]
mask-times-nan   | tf.cast(x > 0, tf.float32) * tf.sqrt(x) | [-1.0, 0.0, 4.0]
cast-to-int-and-back | tf.cast(tf.cast(x, tf.int32), tf.float32) | [-1.7, 1.7]
cast-to-double-and-back | tf.cast(tf.cast(x, tf.float64) * 3, tf.float32) | [-1.7, 1.7]
cast-to-bool-and-back | tf.cast(tf.cast(x, tf.bool), tf.float32) | [0.0, 0.5, -2.0]
argmax           | tf.argmax(x)              | [1.0, 3.0, 3.0]
argmin           | tf.argmin(x)              | [1.0, 1.0, 3.0]
argsort          | tf.argsort(x)             | [3.0, 1.0, 2.0, 1.0]
argsort-descending | tf.argsort(x, direction='DESCENDING') | [3.0, 1.0, 3.0, 1.0]
comparison       | tf.cast(x > 1.0, tf.float32) | [0.0, 1.0, 2.0]
l1-by-hand       | tf.reduce_sum(tf.abs(x))  | [-1.0, 0.0, 2.0]
hinge            | tf.reduce_sum(tf.maximum(0.0, 1.0 - x)) | [0.0, 1.0, 2.0]
is-nan           | tf.math.is_nan(x)         | {EDGE}
is-finite        | tf.math.is_finite(x)      | {EDGE}
is-inf           | tf.math.is_inf(x)         | {EDGE}
logical-of-float | tf.logical_not(x)         | [0.0, 1.0]
inf-minus-inf    | x - x                     | [float('inf'), 1.0]
zero-times-inf   | x * 0.0                   | [float('inf'), 1.0]
erf-limits       | tf.math.erf(x)            | {HUGE}
lgamma-poles     | tf.math.lgamma(x)         | [-1.0, -0.5, 0.0, 1.0]
digamma-poles    | tf.math.digamma(x)        | [-1.0, -0.5, 0.0, 1.0]
stop-gradient    | tf.stop_gradient(x) * x   | [2.0, 3.0]
shuffle-of-one   | tf.random.shuffle(x)      | [2.0]
""", dtype="float32")
    pairs += table(BINARY, """
maximum-ties      | tf.maximum(a, b)            | [1.0, 2.0, 3.0]    | [2.0, 2.0, 2.0]
minimum-ties      | tf.minimum(a, b)            | [1.0, 2.0, 3.0]    | [2.0, 2.0, 2.0]
maximum-nan       | tf.maximum(a, b)            | [1.0, float('nan')] | [float('nan'), 1.0]
maximum-broadcast-ties | tf.maximum(a, b)       | 2.0                | [1.0, 2.0, 3.0]
pow-zero-zero     | tf.pow(a, b)                | [0.0, 0.0, 0.0, 0.0] | [0.0, 2.0, 0.5, 1.0]
pow-negative-base | tf.pow(a, b)                | [-2.0, -2.0, -2.0] | [2.0, 3.0, 0.5]
pow-zero-negative | tf.pow(a, b)                | [0.0, 0.0]         | [-1.0, -0.5]
divide-by-zero    | a / b                       | [1.0, 0.0, -1.0]   | [0.0, 0.0, 0.0]
divide-no-nan     | tf.math.divide_no_nan(a, b) | [1.0, 0.0, -1.0]   | [0.0, 0.0, 2.0]
multiply-no-nan   | tf.math.multiply_no_nan(a, b) | [float('inf'), float('nan'), 3.0] | [0.0, 0.0, 2.0]
xlogy-zero        | tf.math.xlogy(a, b)         | [0.0, 0.0, 1.0]    | [0.0, 2.0, 0.0]
xdivy-zero        | tf.math.xdivy(a, b)         | [0.0, 0.0, 1.0]    | [0.0, 2.0, 0.0]
xlog1py-zero      | tf.math.xlog1py(a, b)       | [0.0, 0.0, 1.0]    | [-1.0, 2.0, -1.0]
atan2-zero        | tf.atan2(a, b)              | [0.0, 0.0, 1.0, -1.0, -0.0] | [0.0, -1.0, 0.0, 0.0, -1.0]
mod-signs         | a % b                       | [7.0, -7.0, 7.0, -7.0, 6.0] | [3.0, 3.0, -3.0, -3.0, 3.0]
floordiv-signs    | a // b                      | [7.0, -7.0, 7.0, -7.0, 6.0] | [3.0, 3.0, -3.0, -3.0, 3.0]
truncatemod-signs | tf.truncatemod(a, b)        | [7.0, -7.0, 7.0, -7.0, 6.0] | [3.0, 3.0, -3.0, -3.0, 3.0]
mod-by-zero       | a % b                       | [1.0, -1.0]        | [0.0, 0.0]
floordiv-by-zero  | a // b                      | [1.0, -1.0, 0.0]   | [0.0, 0.0, 0.0]
where-both        | tf.where(a > b, a, b)       | [1.0, 2.0, 3.0]    | [2.0, 2.0, 2.0]
clip-by-value-bounds-have-gradients | tf.clip_by_value(a, b, 3.0) | [1.0, 2.0, 4.0] | [2.0, 2.0, 2.0]
squared-difference-equal | tf.math.squared_difference(a, b) | [1.0, 2.0] | [1.0, 1.0]
equal             | tf.cast(a == b, tf.float32) | [1.0, 2.0]         | [1.0, 1.0]
norm-of-difference | tf.norm(a - b)             | [1.0, 1.0]         | [1.0, 1.0]
stack-then-max    | tf.reduce_max(tf.stack([a, b]), axis=0) | [1.0, 2.0, 3.0] | [2.0, 2.0, 2.0]
""", dtype="float32")
    return pairs


TABLES = {"elementwise": elementwise(), "kinks": kinks(), "reductions": reductions(), "operators": operators(),
          "protocols": protocols(), "refusals": refusals(),
          "accepted": accepted(elementwise(), kinks(), reductions(), linear_algebra(), neural_nets()),
          "linear_algebra": linear_algebra(), "neural_nets": neural_nets(), "complex_numbers": renamed(complex_numbers()), "keras_training": training()}
