"""Families of programs that differ only in an expression: elementwise functions and their kinks, reductions and ties, operators and dtypes.

Each table turns rows of text into (id, code) pairs; the code stands in full in the recorded answers.
"""

from array_tables import complex_numbers, linear_algebra, neural_nets, renamed
from keras_tables import training
from operators import operators, protocols, refusals
from templates import BINARY, HESSIAN, UNARY, WEIGHTED, program, table

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


TABLES = {"elementwise": elementwise(), "kinks": kinks(), "reductions": reductions(), "operators": operators(),
          "protocols": protocols(), "refusals": refusals(),
          "linear_algebra": linear_algebra(), "neural_nets": neural_nets(), "complex_numbers": renamed(complex_numbers()), "keras_training": training()}
