"""Families of programs that differ only in an expression: elementwise functions and their kinks, reductions and ties, operators and dtypes.

Each table turns rows of text into (id, code) pairs; the code stands in full in the recorded answers.
"""

import textwrap

from keras_tables import training
from operators import operators, protocols, refusals

UNARY = """
x = tf.constant({points}, dtype=tf.{dtype})
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = {expression}
    g = inner.gradient(y, x)
g2 = None if g is None else outer.gradient(g, x)
"""

BINARY = """
a = tf.constant({a}, dtype=tf.{dtype})
b = tf.constant({b}, dtype=tf.{dtype})
with tf.GradientTape(persistent=True) as outer:
    outer.watch([a, b])
    with tf.GradientTape() as inner:
        inner.watch([a, b])
        y = {expression}
    ga, gb = inner.gradient(y, [a, b])
gaa = None if ga is None else outer.gradient(ga, a)
gab = None if ga is None else outer.gradient(ga, b)
gbb = None if gb is None else outer.gradient(gb, b)
"""

WEIGHTED = """
x = tf.constant({points}, dtype=tf.{dtype})
with tf.GradientTape() as tape:
    tape.watch(x)
    y = {expression}
    _weights = tf.reshape(tf.cast(tf.range(1, tf.size(y) + 1), y.dtype), tf.shape(y))
    s = tf.reduce_sum(y * _weights)
g = tape.gradient(s, x)
"""

IRREGULAR = WEIGHTED.replace("_weights = tf.reshape(", "_weights = tf.sin(tf.reshape(").replace("tf.shape(y))", "tf.shape(y)))")

HESSIAN = """
x = tf.constant({points}, dtype=tf.{dtype})
with tf.GradientTape() as outer:
    outer.watch(x)
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = {expression}
    g = inner.gradient(y, x)
h = None if g is None else outer.jacobian(g, x, experimental_use_pfor=False)
"""


def program(template, **words):
    return textwrap.dedent(template.format(**words)).strip() + "\n"


def table(template, rows, **fixed):
    """Rows `id | expression | points` (more columns for more inputs) as programs."""
    pairs = []
    for line in rows.strip().splitlines():
        if not line.strip():
            continue
        name, expression, *columns = [part.strip() for part in line.split("|")]
        words = dict(fixed, expression=expression)
        if template is BINARY:
            words["a"], words["b"] = columns
        else:
            words["points"] = columns[0] if columns else words["points"]
        pairs.append((name, program(template, **words)))
    return pairs


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
    for name in ["elu", "selu", "relu", "relu6", "leaky_relu", "gelu", "silu", "swish", "softplus", "softsign", "sigmoid", "tanh", "log_softmax", "softmax", "l2_loss", "crelu"]:
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
polyval                   | tf.math.polyval([2.0, 0.0, 1.0], x)        | [-1.5, 0.5, 2.0]
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
realdiv              | tf.realdiv(a, b)                 | [7.5, -7.5]       | [[2.0], [-2.0]]
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
zero-fraction    | tf.math.zero_fraction(x)  | [0.0, 1.0, 2.0]
is-nan           | tf.math.is_nan(x)         | {EDGE}
is-finite        | tf.math.is_finite(x)      | {EDGE}
is-inf           | tf.math.is_inf(x)         | {EDGE}
logical-of-float | tf.logical_not(x)         | [0.0, 1.0]
inf-minus-inf    | x - x                     | [float('inf'), 1.0]
zero-times-inf   | x * 0.0                   | [float('inf'), 1.0]
erf-limits       | tf.math.erf(x)            | {HUGE}
lgamma-poles     | tf.math.lgamma(x)         | [-1.0, -0.5, 0.0, 1.0]
digamma-poles    | tf.math.digamma(x)        | [-1.0, -0.5, 0.0, 1.0]
bincount         | tf.math.bincount(tf.cast(x, tf.int32)) | [0.0, 2.0, 2.0]
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


M = "[[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]]"


def reductions():
    pairs = table(WEIGHTED, f"""
sum                   | tf.reduce_sum(x)                               | {M}
sum-axis              | tf.reduce_sum(x, axis=1)                       | {M}
sum-keepdims          | tf.reduce_sum(x, axis=0, keepdims=True)        | {M}
sum-axes              | tf.reduce_sum(x, axis=[0, 1])                  | {M}
sum-negative-axis     | tf.reduce_sum(x, -1)                           | {M}
sum-no-axes           | tf.reduce_sum(x, axis=[])                      | {M}
mean                  | tf.reduce_mean(x)                              | {M}
mean-axis             | tf.reduce_mean(x, axis=0)                      | {M}
max-ties              | tf.reduce_max(x)                               | [1.0, 3.0, 3.0, 2.0, 3.0]
min-ties              | tf.reduce_min(x)                               | [1.0, 3.0, 1.0, 2.0]
max-ties-axis         | tf.reduce_max(x, axis=1)                       | [[1.0, 2.0, 2.0], [3.0, 3.0, 3.0]]
max-axis-keepdims     | tf.reduce_max(x, axis=0, keepdims=True)        | {M}
max-nan               | tf.reduce_max(x)                               | [1.0, float('nan'), 3.0]
min-nan               | tf.reduce_min(x)                               | [1.0, float('nan'), 3.0]
max-of-minus-infinity | tf.reduce_max(x)                               | [float('-inf'), float('-inf')]
prod                  | tf.reduce_prod(x)                              | [2.0, 3.0, 4.0]
prod-one-zero         | tf.reduce_prod(x)                              | [2.0, 0.0, 4.0]
prod-two-zeros        | tf.reduce_prod(x)                              | [0.0, 3.0, 0.0]
prod-axis             | tf.reduce_prod(x, axis=1)                      | [[1.0, 2.0, 3.0], [4.0, 0.0, 6.0]]
logsumexp-axis        | tf.reduce_logsumexp(x, axis=1)                 | {M}
std-axis              | tf.math.reduce_std(x, axis=1)                  | {M}
variance-axis         | tf.math.reduce_variance(x, axis=0)             | {M}
euclidean-axis        | tf.math.reduce_euclidean_norm(x, axis=1)       | {M}
norm-axis             | tf.norm(x, axis=1)                             | {M}
norm-fro              | tf.norm(x, ord='fro', axis=[0, 1])             | {M}
moments               | tf.stack(tf.nn.moments(x, axes=[1]))           | {M}
cumsum                | tf.cumsum(x)                                   | [1.0, 2.0, 3.0]
cumsum-exclusive      | tf.cumsum(x, exclusive=True)                   | [1.0, 2.0, 3.0]
cumsum-reverse        | tf.cumsum(x, reverse=True)                     | [1.0, 2.0, 3.0]
cumsum-both           | tf.cumsum(x, exclusive=True, reverse=True)     | [1.0, 2.0, 3.0]
cumsum-axis           | tf.cumsum(x, axis=1)                           | {M}
cumprod               | tf.math.cumprod(x)                             | [1.0, 2.0, 3.0]
cumprod-exclusive     | tf.math.cumprod(x, exclusive=True)             | [1.0, 2.0, 3.0]
cumprod-reverse       | tf.math.cumprod(x, reverse=True)               | [1.0, 2.0, 3.0]
cumprod-both          | tf.math.cumprod(x, exclusive=True, reverse=True) | [1.0, 2.0, 3.0]
cumprod-zero          | tf.math.cumprod(x)                             | [2.0, 0.0, 3.0]
cumulative-logsumexp  | tf.math.cumulative_logsumexp(x)                | [1.0, -2.0, 30.0]
cumulative-logsumexp-exclusive-reverse | tf.math.cumulative_logsumexp(x, exclusive=True, reverse=True) | [1.0, -2.0, 3.0]
sort                  | tf.sort(x)                                     | [3.0, 1.0, 2.0, 1.0]
sort-descending       | tf.sort(x, direction='DESCENDING')             | [3.0, 1.0, 2.0, 1.0]
sort-axis             | tf.sort(x, axis=0)                             | {M}
top-k                 | tf.math.top_k(x, 2).values                     | [3.0, 1.0, 3.0, 2.0]
top-k-matrix          | tf.math.top_k(x, k=2)[0]                       | {M}
gather-repeated       | tf.gather(x, [2, 0, 2])                        | [1.0, 2.0, 3.0]
gather-axis           | tf.gather(x, [2, 0, 2], axis=1)                | {M}
gather-rows           | tf.gather(x, [1, 1, 0])                        | {M}
gather-scalar-index   | tf.gather(x, 1)                                | {M}
gather-2d-indices     | tf.gather(x, [[0, 1], [1, 1]])                 | [1.0, 2.0, 3.0]
gather-batch-dims     | tf.gather(x, [[2, 0], [1, 1]], batch_dims=1, axis=1) | {M}
gather-nd             | tf.gather_nd(x, [[0, 1], [1, 2], [0, 1]])      | {M}
gather-nd-rows        | tf.gather_nd(x, [[1], [1]])                    | {M}
embedding-lookup      | tf.nn.embedding_lookup(x, [[1, 0], [1, 1]])    | {M}
index-integer         | x[1]                                           | {M}
index-negative        | x[-1, -2]                                      | {M}
index-slice           | x[:, 1:]                                       | {M}
index-step            | x[:, ::2]                                      | {M}
index-negative-step   | x[:, ::-1]                                     | {M}
index-negative-step-bounds | x[:, 2:0:-1]                              | {M}
index-newaxis         | x[:, tf.newaxis, 1]                            | {M}
index-ellipsis        | x[..., 1]                                      | {M}
index-boolean-tensor  | x[x > 0]                                       | {M}
index-tensor-scalar   | x[tf.constant(1)]                              | {M}
index-tensor-in-slice | x[:, tf.constant(1):]                          | {M}
boolean-mask          | tf.boolean_mask(x, [True, False])              | {M}
boolean-mask-2d       | tf.boolean_mask(x, x > 0)                      | {M}
where-one-argument    | tf.cast(tf.where(x > 0), tf.float32)           | {M}
unstack               | tf.unstack(x)[1] * 2.0                         | {M}
unstack-axis          | tf.unstack(x, axis=1)[0] + tf.unstack(x, axis=1)[2] | {M}
split                 | tf.split(x, 3, axis=1)[1]                      | {M}
split-sizes           | tf.split(x, [1, 2], axis=1)[1]                 | {M}
split-minus-one       | tf.split(x, [1, -1], axis=1)[1]                | {M}
concat                | tf.concat([x, 2.0 * x], axis=1)                | {M}
stack                 | tf.stack([x, 2.0 * x], axis=1)                 | {M}
stack-last            | tf.stack([x, 2.0 * x], axis=-1)                | {M}
transpose             | tf.transpose(x)                                | {M}
transpose-perm        | tf.transpose(x[tf.newaxis], [2, 0, 1])         | {M}
reshape               | tf.reshape(x, [3, -1])                         | {M}
expand-squeeze        | tf.squeeze(tf.expand_dims(x, 1))               | {M}
pad                   | tf.pad(x, [[1, 0], [0, 2]], constant_values=9.0) | {M}
pad-reflect           | tf.pad(x, [[0, 1], [1, 1]], 'REFLECT')         | {M}
pad-symmetric         | tf.pad(x, [[0, 1], [1, 1]], 'SYMMETRIC')       | {M}
tile                  | tf.tile(x, [2, 2])                             | {M}
repeat                | tf.repeat(x, 2, axis=0)                        | {M}
repeat-flat           | tf.repeat(x, 2)                                | {M}
repeat-counts         | tf.repeat(x, [1, 3], axis=0)                   | {M}
reverse               | tf.reverse(x, [1])                             | {M}
roll                  | tf.roll(x, shift=1, axis=1)                    | {M}
roll-two              | tf.roll(x, shift=[1, -1], axis=[0, 1])         | {M}
broadcast-to          | tf.broadcast_to(x, [2, 2, 3])                  | {M}
slice                 | tf.slice(x, [0, 1], [2, -1])                   | {M}
strided-slice         | tf.strided_slice(x, [0, 0], [2, 3], [1, 2])    | {M}
meshgrid              | tf.meshgrid(x, 2.0 * x)[0]                     | [1.0, 2.0]
meshgrid-ij           | tf.meshgrid(x, 2.0 * x, indexing='ij')[1]      | [1.0, 2.0]
linspace              | tf.linspace(x[0], x[1], 3)                     | [1.0, 2.0]
fill                  | tf.fill([2, 2], x[0])                          | [1.0, 2.0]
one-hot-values        | tf.one_hot([1, 0], 2, on_value=x[0], off_value=x[1]) | [5.0, 2.0]
zeros-like            | tf.zeros_like(x)                               | {M}
ones-like             | tf.ones_like(x)                                | {M}
scatter-nd            | tf.scatter_nd([[1], [3], [1]], x, [5])         | [1.0, 2.0, 3.0]
scatter-update        | tf.tensor_scatter_nd_update(x, [[0], [2]], [9.0, 8.0]) | [1.0, 2.0, 3.0]
scatter-update-by-x   | tf.tensor_scatter_nd_update(tf.zeros([3]), [[0], [2]], x) | [1.0, 2.0]
scatter-update-repeated | tf.tensor_scatter_nd_update(tf.zeros([3]), [[1], [1]], x) | [1.0, 2.0]
scatter-add           | tf.tensor_scatter_nd_add(x, [[0], [0]], x[:2]) | [1.0, 2.0, 3.0]
scatter-sub           | tf.tensor_scatter_nd_sub(x, [[0], [0]], x[:2]) | [1.0, 2.0, 3.0]
scatter-max           | tf.tensor_scatter_nd_max(x, [[0], [1]], [5.0, 2.0]) | [1.0, 2.0, 3.0]
scatter-min           | tf.tensor_scatter_nd_min(x, [[0], [1]], [5.0, 2.0]) | [1.0, 2.0, 3.0]
segment-sum           | tf.math.segment_sum(x, [0, 0, 2])              | [1.0, 2.0, 3.0]
segment-mean          | tf.math.segment_mean(x, [0, 0, 2])             | [1.0, 2.0, 3.0]
segment-max-ties      | tf.math.segment_max(x, [0, 0, 1])              | [2.0, 2.0, 3.0]
segment-min           | tf.math.segment_min(x, [0, 0, 1])              | [2.0, 2.0, 3.0]
segment-prod          | tf.math.segment_prod(x, [0, 0, 1])             | [2.0, 4.0, 3.0]
unsorted-segment-sum  | tf.math.unsorted_segment_sum(x, [1, -1, 1], 3) | [1.0, 2.0, 3.0]
unsorted-segment-mean | tf.math.unsorted_segment_mean(x, [1, 0, 1], 3) | [1.0, 2.0, 3.0]
unsorted-segment-max  | tf.math.unsorted_segment_max(x, [1, 0, 1], 3)  | [1.0, 2.0, 1.0]
unsorted-segment-prod | tf.math.unsorted_segment_prod(x, [1, 0, 1], 2) | [0.0, 2.0, 3.0]
diag                  | tf.linalg.diag(x)                              | [1.0, 2.0]
diag-part             | tf.linalg.diag_part(x)                         | {M}
set-diag              | tf.linalg.set_diag(x, [7.0, 8.0])              | {M}
band-part             | tf.linalg.band_part(x, 0, 1)                   | {M}
trace                 | tf.linalg.trace(x)                             | {M}
tensor-diag           | tf.linalg.tensor_diag(x)                       | [1.0, 2.0]
reduce-all-of-comparison | tf.cast(tf.reduce_all(x > 0), tf.float32)   | {M}
count-nonzero         | tf.cast(tf.math.count_nonzero(x), tf.float32)  | {M}
sequence              | tf.reverse_sequence(x, [2, 3], seq_axis=1, batch_axis=0) | {M}
dynamic-partition     | tf.dynamic_partition(x, [0, 1, 0], 2)[0]       | [1.0, 2.0, 3.0]
dynamic-stitch        | tf.dynamic_stitch([[0, 2], [1]], [x[:2], x[2:]]) | [1.0, 2.0, 3.0]
confusion-free-crelu  | tf.nn.crelu(x)                                 | [-1.0, 0.0, 2.0]
l2-normalize-axis     | tf.math.l2_normalize(x, axis=1)                | {M}
softmax-axis          | tf.nn.softmax(x, axis=0)                       | {M}
log-softmax-rows      | tf.nn.log_softmax(x)                           | {M}
add-n                 | tf.add_n([x, x, 2.0 * x])                      | {M}
einsum-transpose      | tf.einsum('ij->ji', x)                         | {M}
einsum-sum            | tf.einsum('ij->i', x)                          | {M}
einsum-outer          | tf.einsum('i,j->ij', x, x)                     | [1.0, 2.0]
einsum-trace          | tf.einsum('ii->', x)                           | [[1.0, 2.0], [3.0, 4.0]]
einsum-diagonal       | tf.einsum('ii->i', x)                          | [[1.0, 2.0], [3.0, 4.0]]
einsum-batch-matmul   | tf.einsum('bij,bjk->bik', x, x)                | [[[1.0, 2.0], [3.0, 4.0]]]
einsum-ellipsis       | tf.einsum('...i,...i->...', x, x)              | {M}
einsum-implicit       | tf.einsum('ij,jk', x, tf.transpose(x))         | {M}
tensordot-1           | tf.tensordot(x, tf.transpose(x), 1)            | {M}
tensordot-axes        | tf.tensordot(x, x, [[0], [0]])                 | {M}
tensordot-0           | tf.tensordot(x, x, 0)                          | [1.0, 2.0]
matvec                | tf.linalg.matvec(x, [1.0, 2.0, 3.0])           | {M}
matmul-transpose-b    | tf.matmul(x, x, transpose_b=True)              | {M}
matmul-transpose-a    | tf.matmul(x, x, transpose_a=True)              | {M}
matmul-batch-broadcast | tf.matmul(x[tf.newaxis], tf.ones([2, 3, 2]))  | {M}
space-to-depth        | tf.nn.space_to_depth(tf.reshape(x, [1, 2, 2, 1]), 2) | [1.0, 2.0, 3.0, 4.0]
map-fn                | tf.map_fn(lambda r: r * r, x)                  | [1.0, 2.0, 3.0]
scan                  | tf.scan(lambda c, r: c * r, x)                 | [1.0, 2.0, 3.0]
foldl                 | tf.foldl(lambda c, r: c * r, x)                | [1.0, 2.0, 3.0]
vectorized-map        | tf.vectorized_map(lambda r: r * r, x)          | [1.0, 2.0, 3.0]
while-loop            | tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * v), [0, x])[1] | [1.1, 0.9]
cond                  | tf.cond(x[0] > 0, lambda: x * 2.0, lambda: x * 3.0) | [1.0, 2.0]
case                  | tf.case([(x[0] > 5, lambda: x)], default=lambda: x * x) | [1.0, 2.0]
switch-case           | tf.switch_case(tf.constant(1), [lambda: x, lambda: x * x]) | [1.0, 2.0]
total-variation       | tf.image.total_variation(tf.reshape(x, [2, 2, 1])) | [1.0, 2.0, 4.0, 4.0]
normalize             | tf.linalg.normalize(x)[0]                      | [3.0, 4.0]
identity-n            | tf.identity_n([x, 2.0 * x])[1]                 | [3.0, 4.0]
ensure-shape          | tf.ensure_shape(x, [None])                     | [3.0, 4.0]
print-passes-through  | tf.grad_pass_through(tf.floor)(x)              | [3.5, 4.5]
""", dtype="float32")
    pairs += table(UNARY, """
sum-of-empty          | tf.reduce_sum(x)      | []
mean-of-empty         | tf.reduce_mean(x)     | []
max-of-empty          | tf.reduce_max(x)      | []
min-of-empty          | tf.reduce_min(x)      | []
prod-of-empty         | tf.reduce_prod(x)     | []
logsumexp-of-empty    | tf.reduce_logsumexp(x) | []
argmax-of-empty       | tf.argmax(x)          | []
""", dtype="float32")
    pairs += table(HESSIAN, """
second-order-prod     | tf.reduce_prod(x)     | [2.0, 3.0, 4.0]
second-order-max      | tf.reduce_max(x) ** 2 | [3.0, 1.0, 3.0]
second-order-cumsum   | tf.cumsum(x) ** 2     | [1.0, 2.0, 3.0]
second-order-gather   | tf.gather(x, [0, 0, 1]) ** 2 | [1.0, 2.0, 3.0]
second-order-logsumexp | tf.reduce_logsumexp(x) | [1.0, 2.0, 3.0]
""", dtype="float32")
    return pairs

def linear_algebra():
    return table(IRREGULAR, """
det                | tf.linalg.det(x)                        | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
det-singular       | tf.linalg.det(x)                        | [[1.0, 2.0], [2.0, 4.0]]
logdet             | tf.linalg.logdet(x)                     | [[4.0, 1.0, 0.5], [1.0, 3.0, -0.5], [0.5, -0.5, 2.0]]
slogdet            | tf.linalg.slogdet(x)[1]                 | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
slogdet-sign       | tf.linalg.slogdet(x)[0]                 | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
inverse            | tf.linalg.inv(x)                        | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
inverse-adjoint    | tf.linalg.inv(x, adjoint=True)          | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
pinv               | tf.linalg.pinv(x)                       | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
solve              | tf.linalg.solve(x, [[1.0], [2.0], [3.0]]) | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
solve-adjoint      | tf.linalg.solve(x, [[1.0], [2.0], [3.0]], adjoint=True) | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
solve-right-side   | tf.linalg.solve([[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]], x)                 | [[1.0], [2.0], [3.0]]
triangular-solve   | tf.linalg.triangular_solve(x, [[1.0], [2.0], [3.0]]) | [[4.0, 1.0, 0.5], [1.0, 3.0, -0.5], [0.5, -0.5, 2.0]]
triangular-solve-upper | tf.linalg.triangular_solve(x, [[1.0], [2.0], [3.0]], lower=False) | [[4.0, 1.0, 0.5], [1.0, 3.0, -0.5], [0.5, -0.5, 2.0]]
triangular-solve-adjoint | tf.linalg.triangular_solve(x, [[1.0], [2.0], [3.0]], adjoint=True) | [[4.0, 1.0, 0.5], [1.0, 3.0, -0.5], [0.5, -0.5, 2.0]]
cholesky           | tf.linalg.cholesky(x)                   | [[4.0, 1.0, 0.5], [1.0, 3.0, -0.5], [0.5, -0.5, 2.0]]
cholesky-not-symmetric | tf.linalg.cholesky(x)               | [[4.0, 100.0], [1.0, 3.0]]
cholesky-solve     | tf.linalg.cholesky_solve(tf.linalg.cholesky(x), [[1.0], [2.0], [3.0]]) | [[4.0, 1.0, 0.5], [1.0, 3.0, -0.5], [0.5, -0.5, 2.0]]
eigvalsh           | tf.linalg.eigvalsh(x)                   | [[4.0, 1.0, 0.5], [1.0, 3.0, -0.5], [0.5, -0.5, 2.0]]
eigh-values        | tf.linalg.eigh(x)[0]                    | [[4.0, 1.0, 0.5], [1.0, 3.0, -0.5], [0.5, -0.5, 2.0]]
eigh-vectors-squared | tf.linalg.eigh(x)[1] ** 2             | [[4.0, 1.0, 0.5], [1.0, 3.0, -0.5], [0.5, -0.5, 2.0]]
eigh-reads-lower-triangle | tf.linalg.eigh(x)[0]             | [[2.0, 100.0], [0.5, 1.0]]
eigh-repeated      | tf.linalg.eigh(x)[0]                    | [[2.0, 0.0], [0.0, 2.0]]
svd-values         | tf.linalg.svd(x, compute_uv=False)      | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
svd-values-with-vectors | tf.linalg.svd(x)[0]                | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
svd-reconstructed  | tf.matmul(tf.linalg.svd(x)[1] * tf.linalg.svd(x)[0], tf.linalg.svd(x)[2], adjoint_b=True) | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
svd-u-squared      | tf.linalg.svd(x)[1] ** 2                | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
svd-v-squared      | tf.linalg.svd(x)[2] ** 2                | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
nuclear-norm       | tf.reduce_sum(tf.linalg.svd(x, compute_uv=False)) | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
norm-2             | tf.norm(x, ord=2, axis=[0, 1])          | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
norm-1-matrix      | tf.norm(x, ord=1, axis=[0, 1])          | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
norm-inf-matrix    | tf.norm(x, ord=np.inf, axis=[0, 1])     | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
norm-default-matrix | tf.norm(x)                             | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
qr-r-squared       | tf.linalg.qr(x)[1] ** 2                 | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
qr-q-squared       | tf.linalg.qr(x)[0] ** 2                 | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
expm               | tf.linalg.expm(x)                       | [[0.1, 0.2], [-0.3, 0.4]]
sqrtm              | tf.linalg.sqrtm(x)                      | [[4.0, 1.0, 0.5], [1.0, 3.0, -0.5], [0.5, -0.5, 2.0]]
lstsq              | tf.linalg.lstsq(x, [[1.0], [2.0], [3.0]]) | [[1.0, 0.5], [0.3, 2.0], [-1.0, 0.7]]
lu                 | tf.linalg.lu(x)[0]                      | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
matrix-rank        | tf.cast(tf.linalg.matrix_rank(x), tf.float64) | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
matrix-transpose   | tf.linalg.matrix_transpose(x)           | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
adjoint            | tf.linalg.adjoint(x)                    | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
cross              | tf.linalg.cross(x, [0.3, -0.2, 0.9])    | [1.0, 2.0, 3.0]
diag-offset        | tf.linalg.diag(x, k=1)                  | [1.0, 2.0]
diag-part-offset   | tf.linalg.diag_part(x, k=-1)            | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
tensor-diag-part   | tf.linalg.tensor_diag_part(x)           | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
band-part-lower    | tf.linalg.band_part(x, -1, 0)           | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
trace-rectangular  | tf.linalg.trace(x)                      | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
normalize          | tf.linalg.normalize(x, axis=1)[0]       | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
normalize-norm     | tf.linalg.normalize(x, axis=1)[1]       | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
global-norm        | tf.linalg.global_norm([x, 2.0 * x])     | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
global-norm-zero   | tf.linalg.global_norm([x])              | [0.0, 0.0]
clip-by-global-norm | tf.clip_by_global_norm([x, 2.0 * x], 1.0)[0][0] | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
clip-by-global-norm-inside | tf.clip_by_global_norm([x], 100.0)[0][0] | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
clip-by-norm-axes  | tf.clip_by_norm(x, 2.0, axes=[1])       | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
matmul-power       | x @ x @ x                               | [[0.1, 0.2], [-0.3, 0.4]]
matvec-transpose   | tf.linalg.matvec(x, tf.constant([1.0, 2.0], tf.float64), transpose_a=True) | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
batch-inverse      | tf.linalg.inv(x)                        | [[[2.0, 0.0], [1.0, 1.0]], [[1.0, 3.0], [0.0, 2.0]]]
batch-det          | tf.linalg.det(x)                        | [[[2.0, 0.0], [1.0, 1.0]], [[1.0, 3.0], [0.0, 2.0]]]
set-diag-values    | tf.linalg.set_diag(tf.zeros([2, 2], tf.float64), x) | [1.0, 2.0]
""", dtype="float64") + table(HESSIAN, """
second-order-logdet  | tf.linalg.logdet(x)                  | [[4.0, 1.0, 0.5], [1.0, 3.0, -0.5], [0.5, -0.5, 2.0]]
second-order-inverse | tf.linalg.trace(tf.linalg.inv(x))     | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
second-order-solve   | tf.linalg.solve(x, [[1.0], [2.0], [3.0]]) | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
second-order-cholesky | tf.linalg.cholesky(x)               | [[4.0, 1.0, 0.5], [1.0, 3.0, -0.5], [0.5, -0.5, 2.0]]
second-order-eigvalsh | tf.linalg.eigvalsh(x) ** 2          | [[4.0, 1.0, 0.5], [1.0, 3.0, -0.5], [0.5, -0.5, 2.0]]
second-order-svd     | tf.linalg.svd(x, compute_uv=False) ** 2 | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
""", dtype="float64")


IMAGE = "tf.reshape(x, [1, 4, 4, 1])"
X16 = "[3.0, 1.0, 2.0, 0.0, 5.0, 5.0, -1.0, 4.0, 2.0, 2.0, 7.0, 6.0, 0.0, 1.0, -2.0, 3.0]"
KERNEL = "tf.reshape(tf.constant([1.0, -2.0, 0.5, 3.0]), [2, 2, 1, 1])"
KERNEL3 = "tf.reshape(tf.constant([1.0, -2.0, 0.5, 3.0, 0.1, -0.3, 2.0, -1.0, 0.7]), [3, 3, 1, 1])"


def neural_nets():
    return table(WEIGHTED, f"""
conv2d-valid        | tf.nn.conv2d({IMAGE}, {KERNEL}, 1, 'VALID')              | {X16}
conv2d-same         | tf.nn.conv2d({IMAGE}, {KERNEL}, 1, 'SAME')               | {X16}
conv2d-same-three   | tf.nn.conv2d({IMAGE}, {KERNEL3}, 1, 'SAME')              | {X16}
conv2d-stride-valid | tf.nn.conv2d({IMAGE}, {KERNEL}, 2, 'VALID')              | {X16}
conv2d-stride-same  | tf.nn.conv2d({IMAGE}, {KERNEL3}, strides=[1, 2, 2, 1], padding='SAME') | {X16}
conv2d-stride-three | tf.nn.conv2d({IMAGE}, {KERNEL}, 3, 'SAME')               | {X16}
conv2d-dilated      | tf.nn.conv2d({IMAGE}, {KERNEL}, 1, 'VALID', dilations=2) | {X16}
conv2d-explicit     | tf.nn.conv2d({IMAGE}, {KERNEL}, 1, [[0, 0], [1, 0], [0, 1], [0, 0]]) | {X16}
conv2d-filter       | tf.nn.conv2d(tf.reshape(tf.range(16, dtype=tf.float32), [1, 4, 4, 1]), tf.reshape(x, [2, 2, 1, 1]), 1, 'SAME') | [1.0, -2.0, 0.5, 3.0]
conv2d-filter-strided | tf.nn.conv2d(tf.reshape(tf.range(25, dtype=tf.float32), [1, 5, 5, 1]), tf.reshape(x, [2, 2, 1, 1]), 2, 'SAME') | [1.0, -2.0, 0.5, 3.0]
conv2d-channels     | tf.nn.conv2d(tf.reshape(tf.range(18, dtype=tf.float32), [1, 3, 3, 2]), tf.reshape(x, [1, 2, 2, 2]), 1, 'VALID') | [1.0, -2.0, 0.5, 3.0, 0.1, 0.2, -0.3, 0.4]
conv1d-same         | tf.nn.conv1d(tf.reshape(x, [1, 8, 2]), tf.reshape(tf.constant([1.0, -1.0, 2.0, 0.5, 0.3, -0.2]), [3, 2, 1]), 1, 'SAME') | {X16}
conv1d-stride       | tf.nn.conv1d(tf.reshape(x, [1, 8, 2]), tf.reshape(tf.constant([1.0, -1.0, 2.0, 0.5, 0.3, -0.2]), [3, 2, 1]), 2, 'VALID') | {X16}
conv2d-transpose    | tf.nn.conv2d_transpose(tf.reshape(x, [1, 2, 2, 1]), {KERNEL}, [1, 4, 4, 1], 2, 'SAME') | [1.0, 2.0, 3.0, 4.0]
conv2d-transpose-valid | tf.nn.conv2d_transpose(tf.reshape(x, [1, 2, 2, 1]), {KERNEL}, [1, 3, 3, 1], 1, 'VALID') | [1.0, 2.0, 3.0, 4.0]
depthwise-conv2d    | tf.nn.depthwise_conv2d(tf.reshape(x, [1, 2, 4, 2]), tf.reshape(tf.constant([1.0, -1.0, 2.0, 0.5]), [1, 2, 2, 1]), [1, 1, 1, 1], 'VALID') | {X16}
depthwise-multiplier | tf.nn.depthwise_conv2d(tf.reshape(x, [1, 2, 4, 2]), tf.reshape(tf.constant([1.0, -1.0, 2.0, 0.5]), [1, 1, 2, 2]), [1, 1, 1, 1], 'SAME') | {X16}
max-pool-valid      | tf.nn.max_pool2d({IMAGE}, 2, 2, 'VALID')                   | {X16}
max-pool-same       | tf.nn.max_pool2d({IMAGE}, 3, 2, 'SAME')                    | {X16}
max-pool-overlapping | tf.nn.max_pool2d({IMAGE}, 2, 1, 'VALID')                  | {X16}
max-pool-ties       | tf.nn.max_pool2d(tf.reshape(x, [1, 2, 2, 1]), 2, 2, 'VALID') | [5.0, 5.0, 5.0, 5.0]
max-pool-ties-late  | tf.nn.max_pool2d(tf.reshape(x, [1, 2, 2, 1]), 2, 2, 'VALID') | [1.0, 5.0, 2.0, 5.0]
max-pool-all-negative-same | tf.nn.max_pool2d(tf.reshape(x, [1, 3, 3, 1]), 2, 2, 'SAME') | [-1.0, -2.0, -3.0, -4.0, -5.0, -6.0, -7.0, -8.0, -9.0]
max-pool-nan        | tf.nn.max_pool2d(tf.reshape(x, [1, 2, 2, 1]), 2, 2, 'VALID') | [1.0, float('nan'), 2.0, 5.0]
avg-pool-valid      | tf.nn.avg_pool2d({IMAGE}, 2, 2, 'VALID')                   | {X16}
avg-pool-same       | tf.nn.avg_pool2d({IMAGE}, 3, 2, 'SAME')                    | {X16}
avg-pool-same-odd   | tf.nn.avg_pool2d(tf.reshape(x, [1, 3, 3, 1]), 2, 2, 'SAME')  | [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]
bias-add            | tf.nn.bias_add(tf.reshape(x, [2, 2]), [10.0, 20.0])          | [1.0, 2.0, 3.0, 4.0]
bias-add-bias       | tf.nn.bias_add(tf.ones([3, 2]), x)                           | [10.0, 20.0]
softmax-cross-entropy | tf.nn.softmax_cross_entropy_with_logits(labels=[[0.0, 1.0, 0.0], [0.2, 0.3, 0.5]], logits=x) | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
softmax-cross-entropy-labels | tf.nn.softmax_cross_entropy_with_logits(labels=x, logits=[[0.1, 0.2, 0.7]]) | [[0.2, 0.3, 0.5]]
softmax-cross-entropy-not-normalised | tf.nn.softmax_cross_entropy_with_logits(labels=[[1.0, 1.0, 0.0]], logits=x) | [[1.0, 2.0, 3.0]]
softmax-cross-entropy-extreme | tf.nn.softmax_cross_entropy_with_logits(labels=[[0.0, 1.0]], logits=x) | [[1000.0, -1000.0]]
softmax-cross-entropy-minus-infinity | tf.nn.softmax_cross_entropy_with_logits(labels=[[1.0, 0.0]], logits=x) | [[1.0, float('-inf')]]
softmax-cross-entropy-axis | tf.nn.softmax_cross_entropy_with_logits(labels=[[0.0, 1.0, 0.0], [1.0, 0.0, 1.0]], logits=x, axis=0) | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
sparse-cross-entropy | tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[2, 0], logits=x) | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
sparse-cross-entropy-extreme | tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=x) | [[1000.0, -1000.0]]
sigmoid-cross-entropy | tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0, 0.0, 0.3, 1.0, 0.0, 1.0], logits=x) | [0.0, 0.0, 2.0, -1000.0, 1000.0, 1000.0]
sigmoid-cross-entropy-labels | tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=[1.0, -2.0]) | [0.3, 0.9]
weighted-cross-entropy | tf.nn.weighted_cross_entropy_with_logits(labels=[1.0, 0.0, 0.3], logits=x, pos_weight=2.5) | [0.0, 2.0, -3.0]
l2-loss             | tf.nn.l2_loss(x)                                             | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
moments-mean        | tf.nn.moments(x, axes=[0])[0]                                | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
moments-variance    | tf.nn.moments(x, axes=[0, 1])[1]                             | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
moments-keepdims    | tf.nn.moments(x, axes=[1], keepdims=True)[1]                 | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
batch-normalization | tf.nn.batch_normalization(x, [1.0, 2.0, 3.0], [4.0, 1.0, 0.25], [0.1, 0.2, 0.3], [2.0, 3.0, 4.0], 0.001) | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
batch-normalization-no-scale | tf.nn.batch_normalization(x, [1.0, 2.0, 3.0], [4.0, 1.0, 0.25], None, None, 0.001) | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
layer-norm-by-hand  | (x - tf.reduce_mean(x, -1, keepdims=True)) * tf.math.rsqrt(tf.math.reduce_variance(x, -1, keepdims=True) + 0.001) | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
embedding-2d-ids    | tf.nn.embedding_lookup(x, [[0, 1], [1, 1]])                  | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
dropout-zero        | tf.nn.dropout(x, 0.0)                                        | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
local-response      | tf.nn.local_response_normalization(tf.reshape(x, [1, 1, 1, 6])) | [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
log-poisson         | tf.nn.log_poisson_loss([1.0, 2.0], x)                        | [0.5, 1.5]
grayscale           | tf.image.rgb_to_grayscale(tf.reshape(x, [1, 2, 3]))          | [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
flip-left-right     | tf.image.flip_left_right(tf.reshape(x, [1, 2, 3]))           | [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
image-gradients     | tf.image.image_gradients(tf.reshape(x, [1, 2, 3, 1]))[0]     | [1.0, 2.0, 4.0, 4.0, 5.0, 9.0]
total-variation-batch | tf.image.total_variation(tf.reshape(x, [2, 2, 2, 1]))      | [1.0, 2.0, 4.0, 4.0, 0.0, 1.0, 1.0, 5.0]
""", dtype="float32") + table(HESSIAN, """
second-order-softmax-cross-entropy | tf.nn.softmax_cross_entropy_with_logits(labels=[[0.2, 0.3, 0.5]], logits=x) | [[1.0, 2.0, 3.0]]
second-order-sparse-cross-entropy  | tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[2], logits=x) | [[1.0, 2.0, 3.0]]
second-order-sigmoid-cross-entropy | tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0, 0.3], logits=x) | [0.5, -2.0]
second-order-conv2d                | tf.nn.conv2d(tf.reshape(x, [1, 2, 2, 1]), tf.reshape(x, [2, 2, 1, 1]), 1, 'VALID') | [1.0, 2.0, 3.0, 4.0]
second-order-max-pool              | tf.nn.max_pool2d(tf.reshape(x, [1, 2, 2, 1]), 2, 2, 'VALID') ** 2 | [1.0, 2.0, 3.0, 4.0]
second-order-avg-pool              | tf.nn.avg_pool2d(tf.reshape(x, [1, 2, 2, 1]), 2, 2, 'VALID') ** 2 | [1.0, 2.0, 3.0, 4.0]
second-order-bias-add              | tf.nn.bias_add(tf.reshape(x, [1, 2]), x) ** 2 | [1.0, 2.0]
""", dtype="float32")


Z = "[1.0+2.0j, -3.0+0.5j, 0.0+0.0j, 2.0+0.0j]"


def complex_numbers():
    return table(UNARY, f"""
square            | z * z                      | {Z}
times-conjugate   | z * tf.math.conj(z)        | {Z}
abs               | tf.abs(z)                  | {Z}
abs-squared       | tf.abs(z) ** 2             | {Z}
real              | tf.math.real(z)            | {Z}
imag              | tf.math.imag(z)            | {Z}
conj              | tf.math.conj(z)            | {Z}
angle             | tf.math.angle(z)           | {Z}
exp               | tf.exp(z)                  | {Z}
log               | tf.math.log(z)             | [1.0+2.0j, -3.0+0.5j]
sin               | tf.sin(z)                  | {Z}
sqrt              | tf.sqrt(z)                 | [1.0+2.0j, -3.0+0.5j]
tanh              | tf.tanh(z)                 | [0.1+0.2j, -0.3+0.5j]
sigmoid           | tf.sigmoid(z)              | [0.1+0.2j, -0.3+0.5j]
reciprocal        | 1.0 / z                    | [1.0+2.0j, -3.0+0.5j]
power-3           | z ** 3                     | [1.0+2.0j, -3.0+0.5j]
sum               | tf.reduce_sum(z)           | {Z}
mean              | tf.reduce_mean(z)          | {Z}
prod              | tf.reduce_prod(z)          | [1.0+2.0j, -3.0+0.5j]
times-i           | z * 1j                     | {Z}
real-part-of-square | tf.math.real(z * z)      | {Z}
imag-part-of-square | tf.math.imag(z * z)      | {Z}
norm              | tf.norm(z)                 | {Z}
cast-to-real      | tf.cast(z, tf.float64)     | {Z}
sign              | tf.sign(z)                 | {Z}
equal             | tf.cast(z == z, tf.float64) | {Z}
matmul            | tf.matmul(tf.reshape(z, [2, 2]), tf.reshape(z, [2, 2])) | {Z}
matmul-adjoint    | tf.matmul(tf.reshape(z, [2, 2]), tf.reshape(z, [2, 2]), adjoint_a=True) | {Z}
transpose-conjugate | tf.transpose(tf.reshape(z, [2, 2]), conjugate=True) | {Z}
einsum            | tf.einsum('i,i->', z, tf.math.conj(z)) | {Z}
gather            | tf.gather(z, [0, 0, 1])    | {Z}
""", dtype="complex128", )


def renamed(pairs):
    """Complex programs call their input `z`."""
    return [(name, code.replace("x = tf.constant", "z = tf.constant").replace("watch(x)", "watch(z)").replace("(y, x)", "(y, z)").replace("(g, x)", "(g, z)"))
            for name, code in pairs]


TABLES = {"elementwise": elementwise(), "kinks": kinks(), "reductions": reductions(), "operators": operators(),
          "protocols": protocols(), "refusals": refusals(),
          "linear_algebra": linear_algebra(), "neural_nets": neural_nets(), "complex_numbers": renamed(complex_numbers()), "keras_training": training()}
