"""The cures as a table: what a program says, and what to write instead, one line each.

    [category category.variant ...]
    pattern  ->  instead  if condition

A row is for the mistakes that stand in the brackets above it; of several that match, the first is
taken. In a pattern a capital letter is a hole for any expression, the same letter twice for the
same one twice; `*R` and `**K` take the arguments that are left. `tf.sqrt(X)` is a call of the
library's function, however it was imported; `axis=A` is given by its name or in its place;
`tf.ROUND(X)` is a call of any function of that group. A hole in more capitals (`YES`, `PLACE`) is
filled by the first row that matches in the section of that name; in `instead` such a word may be
what the explanation knows (`TWIN`). A name that ends in `_` is a new one. An indented line goes on
with its row.

`minitape/explain/cures/conditions.py` has the words of the conditions.
"""

CURES = """
[inf-forward]
tf.math.log(tf.nn.softmax(*R, **K))  ->  tf.nn.log_softmax(*R, **K)
tf.math.log(tf.reduce_sum(tf.exp(X), *R, **K))  ->  tf.reduce_logsumexp(X, *R, **K)
tf.math.log(1 + tf.exp(X))    ->  tf.math.softplus(X)
tf.math.log(tf.exp(X) + 1)    ->  tf.math.softplus(X)
tf.exp(X)                     ->  tf.exp(X - tf.reduce_max(X, *R, **K))    if divided_by_sum()
[nan-backward inf-backward nan-forward inf-forward]
A / B                         ->  tf.math.divide_no_nan(A, B)
tf.divide(A, B)               ->  tf.math.divide_no_nan(A, B)
tf.math.reciprocal(X)         ->  tf.math.divide_no_nan(1.0, X)
[nan-backward.root inf-backward.root]
tf.sqrt(X)                    ->  tf.sqrt(X + 1e-12)    if op == 'Sqrt'
tf.norm(X)                    ->  tf.sqrt(tf.reduce_sum(X ** 2) + 1e-12)
[nan-backward inf-backward nan-forward inf-forward]
A ** P                        ->  (A + 1e-12) ** P    if 'value' in params and 0.0 < number(P) < 1
A ** P                        ->  HELD ** P    if held(a=A)
F(X)                          ->  F(HELD)      if held(x=X)
F(A, B)                       ->  F(HELD, B)   if held(a=A)
F(A, B)                       ->  F(A, HELD)   if held(b=B)
[where-nan]
A / B                         ->  A / tf.where(C, S, D)    if unchosen(B)
A ** P                        ->  tf.where(C, S, D) ** P    if unchosen(A)
F(X)                          ->  F(tf.where(C, S, D))    if unchosen(X)

[underflow]
tf.reduce_prod(X, *R, **K)    ->  tf.reduce_sum(tf.math.log(X), *R, **K)
[zero-flat.pieces.there]
tf.nn.relu(X)                 ->  tf.nn.softplus(X)
tf.nn.leaky_relu(X)           ->  tf.nn.softplus(X)
[zero-flat]
tf.nn.relu(X)                 ->  tf.nn.leaky_relu(X)
tf.maximum(X, 0)              ->  tf.nn.leaky_relu(X)
tf.maximum(0, X)              ->  tf.nn.leaky_relu(X)
[zero-flat.clipped]
tf.CLIP(X, *R)                ->  X + tf.stop_gradient(tf.CLIP(X, *R) - X)
                                  if plain(X) and not read(*R)
tf.CLIP(A, X)                 ->  X + tf.stop_gradient(tf.CLIP(A, X) - X)
                                  if plain(X) and not read(A)
[zero-cancel.alike]
A - B                         ->  A - tf.stop_gradient(B)
A / B                         ->  A / tf.stop_gradient(B)
[upstream-not-used]
X                             ->  UPSTREAM * X
[piecewise-constant.shape]
tf.zeros_like(X)              ->  X
[piecewise-constant zero-flat.steps]
tf.cast(YES, T)               ->  YES    if not whole(T)
A // B                        ->  A / B + tf.stop_gradient(A // B - A / B)
tf.sign(X)                    ->  tf.tanh(X)
tf.ROUND(X)                   ->  X + tf.stop_gradient(tf.ROUND(X) - X)    if not index('cast')
tf.argmax(X)                  ->  tf.nn.softmax(X)    if not index('cast')
tf.argmax(X, axis=A)          ->  tf.nn.softmax(X, axis=A)    if not index('cast')
tf.argmin(X)                  ->  tf.nn.softmax(-X)    if not index('cast')
tf.argmin(X, axis=A)          ->  tf.nn.softmax(-X, axis=A)    if not index('cast')

# What is done with a step, by degrees: a place, a yes or no.
[degrees.place]
tf.gather(P, indices=PLACE)   ->  tf.tensordot(PLACE, Q, axes=1)    if rows_of(P)
tf.embedding_lookup(P, PLACE)  ->  tf.tensordot(PLACE, Q, axes=1)    if rows_of(P)
P[PLACE]                      ->  tf.tensordot(PLACE, Q, axes=1)    if rank(P) and rows_of(P)
tf.one_hot(PLACE, N)          ->  PLACE    if many(N)
tf.cast(CHOSEN, T)            ->  tf.tensordot(CHOSEN, tf.range(N, dtype=tf.float32), axes=1)
                                  if not whole(T) and places()
tf.math.confusion_matrix(T, CHOSEN)  ->  tf.matmul(tf.one_hot(T, N), CHOSEN, transpose_a=True)
                                  if places()
[degrees.choice]
tf.cast(YES, T)               ->  YES    if not whole(T)
tf.math.count_nonzero(YES)    ->  tf.reduce_sum(YES)
tf.where(YES, 1, 0)           ->  YES
tf.where(YES, A, 0)           ->  YES * A
tf.where(YES, A, B)           ->  B + YES * (A - B)
[degrees.size]
tf.linalg.matrix_rank(X)      ->  tf.reduce_sum(tf.linalg.svd(X, compute_uv=False), axis=-1)
tf.math.count_nonzero(X)      ->  tf.reduce_sum(tf.abs(X))

[YES]
A > 0                         ->  tf.sigmoid(A)
A >= 0                        ->  tf.sigmoid(A)
A > B                         ->  tf.sigmoid(A - B)
A >= B                        ->  tf.sigmoid(A - B)
A < B                         ->  tf.sigmoid(B - A)
A <= B                        ->  tf.sigmoid(B - A)
[RIGHT]
A == T                        ->  A
[CHOSEN PLACE]
tf.argmax(X)                  ->  tf.nn.softmax(X)    if rank(X) == 1
tf.argmax(X, axis=A)          ->  tf.nn.softmax(X)    if last_axis(X, A)
tf.argmin(X)                  ->  tf.nn.softmax(-X)    if rank(X) == 1
tf.argmin(X, axis=A)          ->  tf.nn.softmax(-X)    if last_axis(X, A)
tf.argsort(X)                 ->  tf.nn.softmax(-tf.abs(tf.sort(X)[:, None] - X))    if rank(X) == 1
tf.argsort(X, direction=D)    ->  tf.nn.softmax(-tf.abs(tf.sort(X, direction=D)[:, None] - X))
                                  if rank(X) == 1
tf.math.top_k(X, K).indices   ->  tf.nn.softmax(-tf.abs(tf.math.top_k(X, K).values[:, None] - X))
                                  if rank(X) == 1
tf.math.top_k(X, K)[1]        ->  tf.nn.softmax(-tf.abs(tf.math.top_k(X, K).values[:, None] - X))
                                  if rank(X) == 1
[PLACE]
tf.ROUND(X)                   ->  tf.nn.softmax(-(X - tf.range(M, dtype=tf.float32)) ** 2)
                                  if rank(X) == 0
tf.ROUND(X)                   ->  tf.nn.softmax(-(X[:, None] - tf.range(M, dtype=tf.float32)) ** 2)
                                  if rank(X) == 1
tf.cast(X, T)                 ->  tf.nn.softmax(-(X - tf.range(M, dtype=tf.float32)) ** 2)
                                  if rank(X) == 0
tf.cast(X, T)                 ->  tf.nn.softmax(-(X[:, None] - tf.range(M, dtype=tf.float32)) ** 2)
                                  if rank(X) == 1
int(float(X))                 ->  tf.nn.softmax(-(X - tf.range(M, dtype=tf.float32)) ** 2)
int(X.numpy())                ->  tf.nn.softmax(-(X - tf.range(M, dtype=tf.float32)) ** 2)
int(X)                        ->  tf.nn.softmax(-(X - tf.range(M, dtype=tf.float32)) ** 2)
X.numpy().astype(T)           ->  tf.nn.softmax(-(X[:, None] - tf.range(M, dtype=tf.float32)) ** 2)
                                  if rank(X) == 1

[integer-cast stop-gradient.]
F(X, *R, **K)                 ->  X    if not index() and not varies(F)
[variable-made-anew.wrapped]
F(X)                          ->  X
[not-trainable]
F(*R, trainable=False, **K)   ->  F(*R, **K)
[own-label.swapped]
F(A, B, *R, **K)              ->  F(B, A, *R, **K)
[own-label.]
X                             ->  tf.stop_gradient(X)
[same-object.list]
X                             ->  [ELEMENT for _ in range(TIMES)]
[same-object.owner]
X                             ->  import copy; copy.deepcopy(X)
[same-object.]
X                             ->  tf.Variable(X)
[divided-twice]
X                             ->  REST
[summed-target.]
tf.reduce_mean(X, axis=A)     ->  tf.reduce_mean(X)    if assigned()
X                             ->  tf.reduce_mean(X)    if assigned()
[metric-state]
F(X)                          ->  tf.reduce_mean(X)    if made(F) == 'Mean'
[other-thread]
list(P.map(*R))               ->  list(map(*R))
P.map(*R)                     ->  list(map(*R))
P.submit(F, *R).result()      ->  F(*R)
[stretched-both]
L - R                         ->  tf.squeeze(L, axis=1) - R    if column == 0
L - R                         ->  L - tf.squeeze(R, axis=1)    if column == 1
L + R                         ->  tf.squeeze(L, axis=1) + R    if column == 0
L + R                         ->  L + tf.squeeze(R, axis=1)    if column == 1
L * R                         ->  tf.squeeze(L, axis=1) * R    if column == 0
L * R                         ->  L * tf.squeeze(R, axis=1)    if column == 1
L / R                         ->  tf.squeeze(L, axis=1) / R    if column == 0
L / R                         ->  L / tf.squeeze(R, axis=1)    if column == 1
[no-gradient-registered]
tf.truncatemod(A, B)          ->  tf.math.floormod(A, B)
tf.adjust_contrast(A, B)
                              ->  mean_ = tf.reduce_mean(A, axis=[-3, -2], keepdims=True);
                                  (A - mean_) * B + mean_
                                  if chain(A)

# A variable that keeps its name, and both branches of a choice.
[variable-replaced]
W = tf.stop_gradient(X)       ->  constant_ = tf.stop_gradient(X)
W = W - G                     ->  W.assign_sub(G)
W = W + G                     ->  W.assign_add(G)
W -= G                        ->  W.assign_sub(G)
W += G                        ->  W.assign_add(G)
W *= G                        ->  W.assign(W * G)
W /= G                        ->  W.assign(W / G)
return W - G                  ->  W.assign_sub(G); return W
return W + G                  ->  W.assign_add(G); return W
V = [W - G for T in I]        ->  for T in I: W.assign_sub(G)    if reads(I, V)
V = [W + G for T in I]        ->  for T in I: W.assign_add(G)    if reads(I, V)
V = [A for T in I]            ->  for T in I: T.assign(A)    if reads(I, V) and reads(A, T)
W = A                         ->  W.assign(A)    if reads(A, W) and not listed(A)
[branch-not-taken]
A if T else B                 ->  tf.where(T, A, B)    if tested(T)
if T:\\n Y = A\\nelse:\\n Y = B  ->  Y = tf.where(T, A, B)    if tested(T)

# What left the library in a form that has a cure of its own.
[left.python-escape]
P.loads(Q.dumps(X))           ->  X    if chain(X)

# The learner's call of `gradient`, asked otherwise.
[asked.branch-not-taken asked.constant-gradient]
T.gradient(*R, **K)           ->  T.gradient(*R, **K, unconnected_gradients='zero')
                                  if variant != 'except'
[asked.another-object]
T.gradient(Y, X, *R, **K)     ->  T.gradient(Y, TWIN, *R, **K)
                                  if asked(X) and of_one() and named()
[asked.not-trainable.asked]
T.gradient(Y, X, *R, **K)     ->  T.gradient(Y, OWNER.trainable_variables, *R, **K)    if asked(X)
[asked.not-used.downstream]
T.gradient(Y, X)              ->  T.gradient(X, Y)    if asked(X) and of_one()
[asked.exploding]
G = T.gradient(*R, **K)       ->  G = T.gradient(*R, **K); G = tf.clip_by_norm(G, 1.0)
                                  if chain(G) and of_one()
G = T.gradient(*R, **K)       ->  G = T.gradient(*R, **K); G, _ = tf.clip_by_global_norm(G, 1.0)
                                  if chain(G)
"""
