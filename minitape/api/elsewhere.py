"""What TensorFlow has and minitape has not, and what to write instead: read when a name is refused.

In each section of a module stand names, and indented below them the sentence that answers for them.
"""

TABLE = """
[tf]
bfloat16
    NumPy has no bfloat16; use tf.float16 or tf.float32.
log
    It is tf.math.log.
Session
    There are no sessions: everything runs at once.
placeholder
    There are no placeholders: pass tensors to a Python function.
enable_eager_execution
    Everything runs at once here; leave the line out.
train
    Optimizers are in tf.keras.optimizers. Keep weights with np.savez(file, *model.get_weights()).
saved_model
    Keep weights with np.savez(file, *model.get_weights()).
io
    Read files with Python and NumPy.
distribute
    Everything runs on one CPU.
autograph
    There is none: a tf.function is traced as it stands, and refuses an `if` that depends on a
    value.
signal
    For a fixed transform, multiply with its matrix: tf.linalg.matvec(matrix, x) is recorded.
dtypes
    The dtypes and their functions are in tf itself: tf.float32, tf.cast.
sparse SparseTensor SparseTensorSpec
    Every tensor is dense. Of places and values tf.scatter_nd(indices, values, shape) makes one,
    with a gradient; a sparse product is tf.matmul, rows of a table are looked up by tf.gather.
ragged RaggedTensor RaggedTensorSpec
    Every tensor is rectangular. Pad the rows, as dataset.padded_batch(n) does, and count with a
    mask: mask = tf.sequence_mask(lengths), then tf.reduce_sum(tf.where(mask, x, 0.0), axis=1).
compat
    The names of TensorFlow 1 are not there.
py_function
    Everything runs at once: call the function itself, or leave the decorator out.
hessians
    Nest two tapes, or call tape.jacobian on a gradient.
lookup
    Use a Python dictionary.
summary
    Keep numbers in a list, and print or plot them.
control_dependencies
    Everything happens in the order in which it stands: leave the line out.
Graph
    There are no graphs: tf.function(f) keeps a list of operations.
version
    It is tf.__version__.
timestamp
    Use time.perf_counter().
autodiff
    There is tf.GradientTape, reverse mode only.
realdiv
    Write x / y, or tf.divide(x, y).
foldr
    Reverse the elements first: tf.foldl(fn, tf.reverse(elems, [0])).
group no_op
    Everything happens in the order in which it stands: leave it out.
no_gradient
    tf.stop_gradient(x) lets no gradient through.
dynamic_partition
    Use a mask for each part: [tf.boolean_mask(x, parts == k) for k in range(n)].
dynamic_stitch
    Use tf.scatter_nd, with the places tf.concat(indices, 0)[:, tf.newaxis].
searchsorted
    Count what is smaller: tf.reduce_sum(tf.cast(x < v[:, tf.newaxis], tf.int32), axis=1).
strided_slice
    Write x[begin:end:step].
identity_n
    Write [tf.identity(x) for x in tensors].
case switch_case
    Write a Python `if`, or tf.where to choose element by element.
[math]
bincount
    Add one-hot rows: tf.reduce_sum(tf.one_hot(x, n, dtype=tf.int32), axis=0).
cumulative_logsumexp
    Write tf.math.log(tf.cumsum(tf.exp(x - m))) + m, with m = tf.reduce_max(x).
invert_permutation
    Use tf.argsort(x).
polyval
    Write it out by Horner's rule: (a * x + b) * x + c.
segment_max
    Use tf.math.unsorted_segment_max(x, ids, n).
segment_min
    Use tf.math.unsorted_segment_min(x, ids, n).
segment_mean
    Divide sums: tf.math.segment_sum(x, ids) / tf.math.segment_sum(tf.ones_like(x), ids).
unsorted_segment_mean
    Divide sums: tf.math.unsorted_segment_sum(x, ids, n) /
    tf.math.unsorted_segment_sum(tf.ones_like(x), ids, n).
unsorted_segment_sqrt_n
    Divide tf.math.unsorted_segment_sum(x, ids, n) by the root of
    tf.math.unsorted_segment_sum(tf.ones_like(x), ids, n).
zero_fraction
    Use tf.reduce_mean(tf.cast(x == 0, tf.float32)).
[linalg]
cross
    Write it out: a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1], and the other two in turn.
eig
    Of symmetric matrices there is tf.linalg.eigh; of others, NumPy's np.linalg.eig, without a
    gradient.
eigvals
    Of symmetric matrices there is tf.linalg.eigvalsh; of others, NumPy's np.linalg.eigvals,
    without a gradient.
expm
    Of a symmetric matrix with e, v = tf.linalg.eigh(a) it is v @ tf.linalg.diag(tf.exp(e)) @
    tf.transpose(v).
logm
    Of a symmetric matrix with e, v = tf.linalg.eigh(a) it is v @ tf.linalg.diag(tf.math.log(e)) @
    tf.transpose(v).
lstsq
    Solve the normal equations: tf.linalg.solve(tf.transpose(a) @ a, tf.transpose(a) @ b).
qr
    Orthonormal columns are u of s, u, v = tf.linalg.svd(a).
set_diag
    Write a - tf.linalg.diag(tf.linalg.diag_part(a)) + tf.linalg.diag(d).
slogdet
    Use tf.linalg.logdet of a positive definite matrix, or tf.math.log(tf.abs(tf.linalg.det(a))).
sqrtm
    Of a symmetric matrix with e, v = tf.linalg.eigh(a) it is v @ tf.linalg.diag(tf.sqrt(e)) @
    tf.transpose(v).
tensor_diag
    Use tf.linalg.diag(x).
tensor_diag_part
    Use tf.linalg.diag_part(x).
[nn]
pool
    Use tf.nn.max_pool or tf.nn.avg_pool.
convolution
    Use tf.nn.conv2d; of sequences, tf.nn.conv1d.
conv1d_transpose
    Give the sequences an axis of length 1, x[:, tf.newaxis], and use tf.nn.conv2d_transpose.
depth_to_space
    Use tf.reshape to [n, h, w, b, b, c], tf.transpose by [0, 1, 3, 2, 4, 5], tf.reshape to [n, h
    * b, w * b, c].
space_to_depth
    Use tf.reshape to [n, h, b, w, b, c], tf.transpose by [0, 1, 3, 2, 4, 5], tf.reshape to [n, h,
    w, b * b * c].
weighted_cross_entropy_with_logits
    Write tf.nn.sigmoid_cross_entropy_with_logits(labels=t, logits=x) * (1 + (pos_weight - 1) * t).
embedding_lookup_sparse safe_embedding_lookup_sparse
    Every tensor is dense: look up padded rows, and weigh them by a mask before the sum:
    tf.reduce_sum(tf.nn.embedding_lookup(params, ids) * mask[..., tf.newaxis], axis=1).
crelu
    Write tf.concat([tf.nn.relu(x), tf.nn.relu(-x)], -1).
compute_average_loss
    Use tf.reduce_sum(losses) / batch_size.
local_response_normalization lrn
    Use tf.keras.layers.LayerNormalization().
log_poisson_loss
    Write tf.exp(log_input) - log_input * targets.
zero_fraction
    Use tf.reduce_mean(tf.cast(x == 0, tf.float32)).
[random]
gamma
    Draw with NumPy: tf.constant(np.random.default_rng(1).gamma(alpha, size=shape)).
poisson
    Draw with NumPy: tf.constant(np.random.default_rng(1).poisson(lam, size=shape)).
get_global_generator
    Make one: generator = tf.random.Generator.from_seed(1).
set_global_generator
    Keep your own: generator = tf.random.Generator.from_seed(1).
[image]
adjust_brightness
    Write image + delta.
grayscale_to_rgb
    Write tf.repeat(image, 3, axis=-1).
psnr
    Write 10 * tf.math.log(max_val ** 2 / tf.reduce_mean((a - b) ** 2)) / np.log(10).
image_gradients
    Subtract neighbours: x[:, 1:] - x[:, :-1], and x[:, :, 1:] - x[:, :, :-1].
sobel_edges
    Use tf.nn.depthwise_conv2d with the filters that you want to see.
[debugging]
assert_none_equal
    Write tf.debugging.Assert(tf.reduce_all(x != y), [x, y]).
assert_negative
    Write tf.debugging.assert_less(x, 0.0).
assert_all_finite
    It is tf.debugging.check_numerics.
assert_rank
    Write assert x.shape.rank == 2.
assert_shapes
    Write assert x.shape == (8, 3).
assert_type
    Write assert x.dtype == tf.float32.
is_numeric_tensor
    Write x.dtype.is_numeric.
[data]
FixedLengthRecordDataset TFRecordDataset TextLineDataset
    minitape reads no record files. Read them with Python or NumPy, then
    tf.data.Dataset.from_tensor_slices or from_generator.
experimental
    tf.data.AUTOTUNE and dataset.cardinality() stand in for it.
[keras]
applications
    minitape downloads no trained weights. Build a small model of the layers that you want to look
    at, tf.keras.Sequential([...]), and train it on tf.data.digits(1000).
datasets
    minitape downloads nothing. Data of the same shape are made: (x_train, y_train), (x_test,
    y_test) = tf.data.digits(2000), tf.data.digits(500, seed=1) draws images as those of MNIST;
    tf.data.moons and its neighbours make points, a line, a text.
callbacks ops preprocessing
    minitape is for training loops of one's own.
mixed_precision DTypePolicy dtype_policies
    Everything computes in float32: leave the policy out, and scaling of the loss with it (the
    get_scaled_loss of its optimizer is gone from Keras as well). To see what float16 does, cast
    what goes in, tf.cast(x, tf.float16), and scale by hand: in the block scaled = loss * 1024.0,
    then gradients = [g / 1024.0 for g in tape.gradient(scaled, variables)].
config
    Everything computes in float32, operation by operation: leave the setting out.
[keras.activations]
celu
    Use elu.
exponential
    It is tf.exp.
hard_sigmoid
    Write tf.nn.relu6(x + 3) / 6.
hard_silu hard_swish
    Write x * tf.nn.relu6(x + 3) / 6.
mish
    Write x * tf.tanh(tf.nn.softplus(x)).
tanh_shrink
    Write x - tf.tanh(x).
[keras.backend]
floatx set_floatx
    It is 'float32', always.
[keras.constraints]
UnitNorm
    Any function of the weight will do: lambda w: tf.math.l2_normalize(w, axis=0).
[keras.initializers]
Identity
    Use Constant(np.eye(n)).
[keras.layers]
Attention AdditiveAttention MultiHeadAttention
    Write it with tf.matmul: weights = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) /
    tf.sqrt(size)), then weights @ v.
TextVectorization StringLookup IntegerLookup
    Number the words with a dictionary: ids = {word: k for k, word in enumerate(vocabulary)}.
    tf.strings.split makes words of a text.
Masking
    Layers do not pass a mask on to the next one: give it to the layer that uses it, rnn(x,
    mask=mask).
TimeDistributed
    Dense works along the last axis of any tensor: call it as it is.
ELU
    Use Activation("elu").
PReLU
    Write a layer of your own: build makes alpha, call returns tf.nn.relu(x) - alpha *
    tf.nn.relu(-x).
Permute
    Use Lambda(lambda x: tf.transpose(x, [0, 2, 1])).
SpatialDropout2D
    Use Dropout(rate, noise_shape=(None, 1, 1, None)).
GaussianNoise
    Add it in your training step: x + tf.random.normal(tf.shape(x), stddev=0.1).
UnitNormalization
    Use Lambda(lambda x: tf.math.l2_normalize(x, -1)).
RMSNormalization GroupNormalization
    Use LayerNormalization().
Minimum
    Write tf.minimum(a, b).
multiply
    Use Multiply()([a, b]).
StackedRNNCells
    Stack layers: RNN(cell, return_sequences=True), then RNN(other).
[keras.losses]
squared_hinge SquaredHinge
    Write it: lambda t, p: tf.reduce_mean(tf.nn.relu(1 - t * p) ** 2, axis=-1).
categorical_hinge CategoricalHinge
    Write it: lambda t, p: tf.nn.relu(1 + tf.reduce_max((1 - t) * p, -1) - tf.reduce_sum(t * p,
    -1)).
poisson Poisson
    Write it: lambda t, p: tf.reduce_mean(p - t * tf.math.log(p), axis=-1).
log_cosh logcosh LogCosh
    Write it: lambda t, p: tf.reduce_mean(tf.math.log(tf.cosh(p - t)), axis=-1).
binary_focal_crossentropy BinaryFocalCrossentropy
    Use binary_crossentropy, and multiply it with a weight of your own for each example.
[keras.metrics]
TopKCategoricalAccuracy SparseTopKCategoricalAccuracy
    Average tf.math.in_top_k(labels, predictions, k) with Mean().
top_k_categorical_accuracy sparse_top_k_categorical_accuracy
    Use tf.math.in_top_k(labels, predictions, k).
Sum
    Add in Python: total += float(x).
CosineSimilarity
    Use MeanMetricWrapper(tf.keras.losses.cosine_similarity).
[keras.optimizers]
LossScaleOptimizer
    Everything computes in float32: take the optimizer itself. A loss is scaled by hand: in the
    block scaled = loss * 1024.0, then gradients = [g / 1024.0 for g in tape.gradient(scaled,
    variables)].
legacy
    The optimizers of today have the same names: tf.keras.optimizers.SGD.
Lion
    Use Adam, or write its step: subclass tf.keras.optimizers.Optimizer.
Ftrl
    Use Adagrad, with a penalty that you add to the loss.
[keras.optimizers.schedules]
CosineDecayRestarts
    Write it: a subclass of LearningRateSchedule whose __call__(step) returns the rate.
[keras.utils]
get_file image_dataset_from_directory load_img text_dataset_from_directory
    minitape downloads nothing and reads no files. Read yours with Python and NumPy, or use data
    that are made: tf.data.digits(1000), tf.data.sentences(200).
"""


def instead() -> dict[tuple[str, str], str]:
    """Return the sentences, by module (as `linalg`, `keras.layers`; "tf" itself) and name."""
    hints: dict[tuple[str, str], str] = {}
    module, names = "", [""]
    for line in TABLE.split("\n"):
        if line.startswith("["):
            module, names = line[1:-1], []
        elif line.startswith(" "):
            for name in names:
                hints[module, name] = f"{hints.get((module, name), '')} {line.strip()}".strip()
        else:
            names = line.split()
    return hints
