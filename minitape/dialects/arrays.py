"""The library's names for the functions of NumPy and of `math`, as tables.

A line of `NUMPY` gives NumPy's names, the library's, and NumPy's parameters in NumPy's order. Those
before the bar are arrays: they go over in their order. Any other goes over only where the library's
own function has a parameter of that name (or of the name behind a colon), as its signature tells; a
call that gives more than that cannot be written with the library's function. `axis=0` is NumPy's
own default where the library has another or none, `axis!` must be given: without it, NumPy makes a
vector of the array first.

A line of `SPELLED` is a call with those of NumPy's parameters that are given and not None, and what
to write instead under a condition, as in `cures.py`. A function that stands here is written so or
not at all. `PARTS` are the other forms of an expression that works with arrays and plain numbers;
`METHODS` the methods of arrays that have the parameters of NumPy's function.
"""

NUMPY = """
abs asin asinh acos acosh atan atanh cos cosh exp floor negative round sign sin sinh = * x
sqrt square tan tanh = * x
add atan2 divide maximum minimum multiply pow subtract = * x1 x2
equal not_equal greater greater_equal less less_equal = * x1 x2
sum                         = reduce_sum            a | axis dtype out keepdims initial where
mean                        = reduce_mean           a | axis dtype out keepdims where
average                     = reduce_mean           a | axis weights returned keepdims
max amax                    = reduce_max            a | axis out keepdims initial where
min amin                    = reduce_min            a | axis out keepdims initial where
prod                        = reduce_prod           a | axis dtype out keepdims initial where
std                         = math.reduce_std       a | axis dtype out ddof keepdims
var                         = math.reduce_variance  a | axis dtype out ddof keepdims
cumsum                      = cumsum                a | axis! dtype out
cumprod                     = math.cumprod          a | axis! dtype out
absolute fabs               = abs                   x
arcsin                      = asin                  x
arccos                      = acos                  x
arctan                      = atan                  x
arcsinh                     = asinh                 x
arccosh                     = acosh                 x
arctanh                     = atanh                 x
ceil                        = math.ceil             x
erf                         = math.erf              x
expm1                       = math.expm1            x
lgamma                      = math.lgamma           x
log                         = math.log              x
log1p                       = math.log1p            x
reciprocal                  = math.reciprocal       x
rint                        = math.rint             x
around                      = round                 x
arctan2                     = atan2                 x1 x2
floor_divide                = math.floordiv         x1 x2
mod remainder               = math.mod              x1 x2
power                       = pow                   x1 x2
true_divide                 = divide                x1 x2
clip                        = clip_by_value         a a_min a_max
where                       = where                 condition x y
concatenate concat          = concat                arrays | axis=0 out
append                      = concat                arr values | axis
vstack hstack               = concat                arrays
stack                       = stack                 arrays | axis out
array                       = stack                 object
asarray                     = convert_to_tensor     a | dtype
expand_dims                 = expand_dims           a | axis
squeeze                     = squeeze               a | axis
reshape                     = reshape               a | shape order
ravel                       = reshape               a | order
transpose                   = transpose             a | axes:perm
swapaxes                    = transpose             a axis1 axis2
moveaxis                    = transpose             a source destination
flip                        = reverse               m | axis!
roll                        = roll                  a shift | axis!
repeat                      = repeat                a repeats | axis
tile                        = tile                  A | reps:multiples
sort                        = sort                  a | axis kind order
median                      = sort                  a
take                        = gather                a indices | axis!
pad                         = pad                   array pad_width | mode constant_values
broadcast_to                = broadcast_to          array | shape
copy                        = identity              a
diag                        = linalg.diag           v
trace linalg.trace          = linalg.trace          a
dot                         = tensordot             a b
matmul                      = matmul                x1 x2
inner vdot                  = tensordot             a b
outer linalg.outer          = tensordot             a b
tensordot                   = tensordot             a b | axes=2
einsum                      = einsum                subscripts one two three
float32                     = cast                  x
linalg.cholesky             = linalg.cholesky       a
linalg.det                  = linalg.det            a
linalg.eigvalsh             = linalg.eigvalsh       a
linalg.inv                  = linalg.inv            a
linalg.matmul               = matmul                x1 x2
linalg.norm                 = norm                  x | ord axis keepdims
linalg.pinv                 = linalg.pinv           a
linalg.solve                = linalg.solve          a b
"""

SPELLED = """
log2(x)                       ->  tf.math.log(x) / tf.math.log(2.0)
log10(x)                      ->  tf.math.log(x) / tf.math.log(10.0)
exp2(x)                       ->  2.0 ** x    if arrays(x)
hypot(x1, x2)                 ->  tf.sqrt(x1 ** 2 + x2 ** 2)    if arrays(x1, x2)
ptp(a)                        ->  tf.reduce_max(a) - tf.reduce_min(a)
diff(a)                       ->  a[..., 1:] - a[..., :-1]
logaddexp(x1, x2)             ->  x2 + tf.math.softplus(x1 - x2)    if arrays(x1, x2)
clip(a, a_max)                ->  tf.minimum(a, a_max)
clip(a, a_min)                ->  tf.maximum(a, a_min)
clip(a, a_min, a_max)         ->  tf.clip_by_value(a, a_min, a_max)
where(condition, x, y)        ->  tf.where(condition, x, y)    if mask(condition)
matmul(x1, x2)                ->  tf.matmul(x1, x2)    if deep(x1, x2)
matmul(x1, x2)                ->  tf.tensordot(x1, x2, axes=1)    if flat(x1, x2)
linalg.matmul(x1, x2)         ->  tf.matmul(x1, x2)    if deep(x1, x2)
linalg.matmul(x1, x2)         ->  tf.tensordot(x1, x2, axes=1)    if flat(x1, x2)
dot(a, b)                     ->  a * b    if 0 in (rank(a), rank(b))
dot(a, b)                     ->  tf.tensordot(a, b, axes=1)    if rank(b) in (None, 1, 2)
inner(a, b)                   ->  tf.tensordot(a, b, axes=1)    if rank(a) == rank(b) == 1
vdot(a, b)                    ->  tf.tensordot(a, b, axes=1)    if rank(a) == rank(b) == 1
outer(a, b)                   ->  tf.tensordot(V, W, axes=0)    if vectors(a, b)
linalg.outer(a, b)            ->  tf.tensordot(V, W, axes=0)    if vectors(a, b)
linalg.norm(x)                ->  tf.norm(x)
linalg.norm(x, ord)           ->  tf.norm(x, ord=ord)    if rank(x) == 1
linalg.norm(x, axis)          ->  tf.norm(x, axis=axis)
linalg.norm(x, keepdims)      ->  tf.norm(x, keepdims=keepdims)
linalg.norm(x, axis, keepdims)  ->  tf.norm(x, axis=axis, keepdims=keepdims)
linalg.norm(x, ord, axis)     ->  tf.norm(x, ord=ord, axis=axis)    if arrays(axis)
linalg.solve(a, b)            ->  tf.linalg.solve(a, b)    if rank(b) != 1
vstack(arrays)                ->  tf.stack(arrays)    if ranks(arrays) == {1}
vstack(arrays)                ->  tf.concat(arrays, axis=0)    if min(ranks(arrays)) > 1
hstack(arrays)                ->  tf.concat(arrays, axis=0)    if ranks(arrays) == {1}
hstack(arrays)                ->  tf.concat(arrays, axis=1)    if min(ranks(arrays)) > 1
array(object)                 ->  tf.stack(object)    if listed(object)
array(object)                 ->  object
float32(x)                    ->  tf.cast(x, tf.float32)
reshape(a, shape)             ->  tf.reshape(a, [shape])    if number(shape) is not None
reshape(a, shape)             ->  tf.reshape(a, shape)
ravel(a)                      ->  tf.reshape(a, [-1])
flip(m, axis)                 ->  tf.reverse(m, axis=[axis])
append(arr, values, axis)     ->  tf.concat([arr, values], axis=axis)
append(arr, values)           ->  tf.concat([V, W], axis=0)    if vectors(arr, values)
tile(A, reps)                 ->  tf.tile(A, [reps])    if rank(A) == 1 and rank(reps) == 0
tile(A, reps)                 ->  tf.tile(A, [1, reps])    if rank(A) == 2 and rank(reps) == 0
tile(A, reps)                 ->  tf.tile(A, reps)    if rank(A) == length(reps)
tile(A, reps)                 ->  tf.tile(A[None], reps)    if rank(A) == length(reps) - 1
swapaxes(a, axis1, axis2)     ->  tf.transpose(a)    if rank(a) == 2
moveaxis(a, source, destination)  ->  tf.transpose(a)    if rank(a) == 2
median(a)                  ->  tf.reduce_mean(tf.sort(a)[(a.shape[0] - 1) // 2:a.shape[0] // 2 + 1])
                                  if rank(a) == 1
pad(array, pad_width)         ->  tf.pad(array, pad_width)    if pairs(pad_width)
pad(array, pad_width, mode)   ->  tf.pad(array, pad_width)
                                  if pairs(pad_width) and number(mode) == 'constant'
pad(array, pad_width, constant_values)
                              ->  tf.pad(array, pad_width, constant_values=constant_values)
                                  if pairs(pad_width)
diag(v)                       ->  tf.linalg.diag(v)    if rank(v) == 1
diag(v)                       ->  tf.linalg.diag_part(v)    if rank(v) == 2
"""
METHODS = """
sum mean max min prod std var cumsum cumprod dot clip repeat squeeze round take trace swapaxes
"""

PARTS = """
X.T                           ->  tf.transpose(X)
+X                            ->  X
A @ B                         ->  A @ B    if deep(A, B)
A @ B                         ->  tf.tensordot(A, B, axes=1)    if flat(A, B) and not wide(A)
X.numpy()                     ->  X
X.item()                      ->  X
X.tolist()                    ->  X
X.predict(A, *R, **K)         ->  X(A, *R)
X.predict_on_batch(A)         ->  X(A)
X.reshape(S)                  ->  tf.reshape(X, S)    if not number(S)
X.reshape(*R)                 ->  tf.reshape(X, [*R])
X.transpose()                 ->  tf.transpose(X)
X.transpose(S)                ->  tf.transpose(X, S)    if not number(S)
X.transpose(*R)               ->  tf.transpose(X, [*R])
X.flatten()                   ->  tf.reshape(X, [-1])
X.ravel()                     ->  tf.reshape(X, [-1])
X.astype(T)                   ->  tf.cast(X, tf.float32)    if last(T) == 'float32'
float(f'{X:{D}}')             ->  X + tf.stop_gradient(Q - X)    if rounded(X, D)
float(D % X)                  ->  X + tf.stop_gradient(Q - X)    if rounded(X, D)
float(D.format(X))            ->  X + tf.stop_gradient(Q - X)    if rounded(X, D)
float(format(X, D))           ->  X + tf.stop_gradient(Q - X)    if rounded(X, D)
round(X, D)                   ->  X + tf.stop_gradient(Q - X)    if rounded(X, D)
round(X)                      ->  X + tf.stop_gradient(tf.round(X) - X)
int(X)                  ->  X + tf.stop_gradient(tf.cast(tf.cast(X, tf.int32), tf.float32) - X)
float(X)                      ->  X    if not text(X)
max(A, B)                     ->  tf.maximum(A, B)
min(A, B)                     ->  tf.minimum(A, B)
F(map(float, X))              ->  F(X)
"""
