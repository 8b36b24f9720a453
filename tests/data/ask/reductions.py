"""Programs of reductions with their ties, of sums along an axis, and of what sorts, chooses, joins or arranges elements."""

from templates import HESSIAN, UNARY, WEIGHTED, table

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
segment-prod          | tf.math.segment_prod(x, [0, 0, 1])             | [2.0, 4.0, 3.0]
unsorted-segment-sum  | tf.math.unsorted_segment_sum(x, [1, -1, 1], 3) | [1.0, 2.0, 3.0]
unsorted-segment-max  | tf.math.unsorted_segment_max(x, [1, 0, 1], 3)  | [1.0, 2.0, 1.0]
unsorted-segment-min  | tf.math.unsorted_segment_min(x, [1, 0, 1], 3)  | [1.0, 2.0, 1.0]
unsorted-segment-prod | tf.math.unsorted_segment_prod(x, [1, 0, 1], 2) | [0.0, 2.0, 3.0]
diag                  | tf.linalg.diag(x)                              | [1.0, 2.0]
diag-part             | tf.linalg.diag_part(x)                         | {M}
band-part             | tf.linalg.band_part(x, 0, 1)                   | {M}
trace                 | tf.linalg.trace(x)                             | {M}
reduce-all-of-comparison | tf.cast(tf.reduce_all(x > 0), tf.float32)   | {M}
count-nonzero         | tf.cast(tf.math.count_nonzero(x), tf.float32)  | {M}
sequence              | tf.reverse_sequence(x, [2, 3], seq_axis=1, batch_axis=0) | {M}
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
map-fn                | tf.map_fn(lambda r: r * r, x)                  | [1.0, 2.0, 3.0]
scan                  | tf.scan(lambda c, r: c * r, x)                 | [1.0, 2.0, 3.0]
foldl                 | tf.foldl(lambda c, r: c * r, x)                | [1.0, 2.0, 3.0]
vectorized-map        | tf.vectorized_map(lambda r: r * r, x)          | [1.0, 2.0, 3.0]
while-loop            | tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v * v), [0, x])[1] | [1.1, 0.9]
cond                  | tf.cond(x[0] > 0, lambda: x * 2.0, lambda: x * 3.0) | [1.0, 2.0]
total-variation       | tf.image.total_variation(tf.reshape(x, [2, 2, 1])) | [1.0, 2.0, 4.0, 4.0]
normalize             | tf.linalg.normalize(x)[0]                      | [3.0, 4.0]
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
