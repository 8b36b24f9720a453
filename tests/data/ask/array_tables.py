"""Linear algebra, neural nets and complex numbers: one program per expression."""

from templates import HESSIAN, IRREGULAR, UNARY, WEIGHTED, table


def linear_algebra():
    return table(IRREGULAR, """
det                | tf.linalg.det(x)                        | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
det-singular       | tf.linalg.det(x)                        | [[1.0, 2.0], [2.0, 4.0]]
logdet             | tf.linalg.logdet(x)                     | [[4.0, 1.0, 0.5], [1.0, 3.0, -0.5], [0.5, -0.5, 2.0]]
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
lu                 | tf.linalg.lu(x)[0]                      | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
matrix-rank        | tf.cast(tf.linalg.matrix_rank(x), tf.float64) | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
matrix-transpose   | tf.linalg.matrix_transpose(x)           | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
adjoint            | tf.linalg.adjoint(x)                    | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
diag-offset        | tf.linalg.diag(x, k=1)                  | [1.0, 2.0]
diag-part-offset   | tf.linalg.diag_part(x, k=-1)            | [[2.0, -1.0, 0.3], [0.7, 1.5, -0.2], [0.1, 0.4, -1.2]]
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
separable-conv2d     | tf.nn.separable_conv2d(tf.reshape(x, [1, 2, 4, 2]), tf.reshape(tf.constant([1.0, -1.0, 2.0, 0.5]), [1, 2, 2, 1]), tf.reshape(tf.constant([1.0, -2.0]), [1, 1, 2, 1]), [1, 1, 1, 1], 'SAME') | {X16}
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
l2-loss             | tf.nn.l2_loss(x)                                             | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
moments-mean        | tf.nn.moments(x, axes=[0])[0]                                | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
moments-variance    | tf.nn.moments(x, axes=[0, 1])[1]                             | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
moments-keepdims    | tf.nn.moments(x, axes=[1], keepdims=True)[1]                 | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
batch-normalization | tf.nn.batch_normalization(x, tf.constant([1.0, 2.0, 3.0]), tf.constant([4.0, 1.0, 0.25]), [0.1, 0.2, 0.3], [2.0, 3.0, 4.0], 0.001) | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
batch-normalization-no-scale | tf.nn.batch_normalization(x, tf.constant([1.0, 2.0, 3.0]), tf.constant([4.0, 1.0, 0.25]), None, None, 0.001) | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
layer-norm-by-hand  | (x - tf.reduce_mean(x, -1, keepdims=True)) * tf.math.rsqrt(tf.math.reduce_variance(x, -1, keepdims=True) + 0.001) | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
embedding-2d-ids    | tf.nn.embedding_lookup(x, [[0, 1], [1, 1]])                  | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
dropout-zero        | tf.nn.dropout(x, 0.0)                                        | [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
grayscale           | tf.image.rgb_to_grayscale(tf.reshape(x, [1, 2, 3]))          | [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
flip-left-right     | tf.image.flip_left_right(tf.reshape(x, [1, 2, 3]))           | [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
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
