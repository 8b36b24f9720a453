"""PyTorch's dialect: what it calls things where it does not as TensorFlow does."""

from dataclasses import replace

from .minitape import MINITAPE

CURES = """
[torch-detached]
X.detach()                    ->  X
X.detach_()                   ->  X
X.data                        ->  X
[torch-copied]
tf.tensor(X, *R, **K)         ->  tf.stack(X)    if listed(X)
tf.tensor(X)                  ->  X
tf.as_tensor(X, *R, **K)      ->  tf.stack(X)    if listed(X)
tf.asarray(X, *R, **K)        ->  tf.stack(X)    if listed(X)
X.new_tensor(Y)               ->  Y
[python-escape torch-copied]
tf.FloatTensor(X)             ->  tf.stack(X)
tf.Tensor(X)                  ->  tf.stack(X)
[torch-copied.leaf]
tf.nn.Parameter(X, *R, **K)   ->  X    if assigned()
tf.nn.Parameter(data=X, **K)  ->  X    if assigned()
[torch-no-grad-wanted]
tf.tensor(X, **K)             ->  tf.tensor(X, **K, requires_grad=True)
tf.randn(*R, **K)             ->  tf.randn(*R, **K, requires_grad=True)
tf.rand(*R, **K)              ->  tf.rand(*R, **K, requires_grad=True)
tf.ones(*R, **K)              ->  tf.ones(*R, **K, requires_grad=True)
tf.zeros(*R, **K)             ->  tf.zeros(*R, **K, requires_grad=True)
tf.from_numpy(X)              ->  tf.from_numpy(X).requires_grad_()
[torch-buffer]
S.register_buffer(N, X)       ->  S.register_parameter(N, tf.nn.Parameter(X))
[torch-frozen]
P.requires_grad = False       ->  P.requires_grad = True
P.requires_grad_(False)       ->  P.requires_grad_(True)
[moved]
W = tf.tensor(W - G, **K)     ->  with tf.no_grad(): W -= G; W.grad = None
                                  if of_gradient(G) and repeated(W)
W = tf.tensor(W - G, **K)     ->  with tf.no_grad(): W -= G    if of_gradient(G)
W = (W - G).detach()          ->  with tf.no_grad(): W -= G; W.grad = None
                                  if of_gradient(G) and repeated(W)
W = (W - G).detach()          ->  with tf.no_grad(): W -= G    if of_gradient(G)
W = W.detach() - G            ->  with tf.no_grad(): W -= G    if of_gradient(G)
W = W.data - G                ->  with tf.no_grad(): W -= G    if of_gradient(G)
V = [W - G for T in I]        ->  with tf.no_grad():\\n for T in I: W -= G
                                  if of_gradient(I) and reads(I, V)
W = W - G                     ->  with tf.no_grad(): W -= G; W.grad = None
                                  if of_gradient(G) and repeated(W)
W = W - G                     ->  with tf.no_grad(): W -= G    if of_gradient(G)
W = W + G                     ->  with tf.no_grad(): W += G    if of_gradient(G)
W -= G                        ->  with tf.no_grad(): W -= G; W.grad = None
                                  if of_gradient(G) and repeated(W)
W -= G                        ->  with tf.no_grad(): W -= G    if of_gradient(G)
[torch-no-grad]
X.sample(*R)                  ->  X.rsample(*R)
                                  if made(X) in ('Normal', 'LogNormal', 'Uniform', 'Laplace', 'Beta',
                                  'Gamma', 'Dirichlet', 'MultivariateNormal')
[torch-only-returned]
G = tf.autograd.grad(Y, X)    ->  G = tf.autograd.grad(Y, X); X.grad = G[0]
[torch-create-graph]
tf.autograd.grad(*R, **K)     ->  tf.autograd.grad(*R, **K, create_graph=True)
X.backward(*R, **K)           ->  X.backward(*R, **K, create_graph=True)
[torch-numpy]
X.numpy()                     ->  X.detach().numpy()
[torch-not-scalar]
X.backward()                  ->  X.sum().backward()
[torch-graph-kept.arrays]
L.append(X)                   ->  L.append(X.detach())
L += [X]                      ->  L += [X.detach()]
T += X                        ->  T += X.detach()
T = T + X                     ->  T = T + X.detach()
[torch-graph-kept]
L.append(X)                   ->  L.append(X.item())
L += [X]                      ->  L += [X.item()]
T += X                        ->  T += X.item()
T = T + X                     ->  T = T + X.item()
[torch-no-grad.checkpoint]
tf.utils.checkpoint.checkpoint(F, *R, use_reentrant=A, **K)
                              ->  tf.utils.checkpoint.checkpoint(F, *R, use_reentrant=False, **K)
[torch-no-grad.sampled]
X.sample(*R, **K)             ->  X.rsample(*R, **K)
[piecewise-constant.shifted]
tf.normal(M, S)               ->  tf.distributions.Normal(M, S).rsample()
tf.normal(mean=M, std=S)      ->  tf.distributions.Normal(M, S).rsample()
[integer-dtype]
tf.tensor(X)                  ->  tf.tensor(X, dtype=tf.float32, requires_grad=True)
[integer-cast]
X.long()                      ->  X
X.int()                       ->  X
X.to(T)                       ->  X
[inf-forward]
tf.log(tf.softmax(*R, **K))   ->  tf.log_softmax(*R, **K)
tf.log(tf.exp(X) + 1)         ->  tf.nn.functional.softplus(X)
tf.log(1 + tf.exp(X))         ->  tf.nn.functional.softplus(X)
[nan-backward.root inf-backward.root nan-backward inf-backward]
tf.sqrt(X)                    ->  tf.sqrt(X + 1e-12)
tf.norm(X, **K)               ->  tf.sqrt((X ** 2).sum(**K) + 1e-12)
[nan-backward inf-backward nan-forward inf-forward]
A / B                         ->  A / B.clamp(min=1e-12)    if chain(B)
A ** P                        ->  (A + 1e-12) ** P    if 'value' in params and 0.0 < number(P) < 1
F(X)                          ->  F(HELD)      if held(x=X)
X.log()                       ->  X.clamp(min=1e-7).log()
[where-nan]
A / B                         ->  A / tf.where(C, S, D)    if unchosen(B)
A ** P                        ->  tf.where(C, S, D) ** P    if unchosen(A)
F(X)                          ->  F(tf.where(C, S, D))    if unchosen(X)
[underflow]
tf.prod(X, *R, **K)           ->  tf.sum(tf.log(X), *R, **K)
[zero-flat.one]
tf.softmax(X, *R, **K)        ->  tf.sigmoid(X)
[zero-flat]
tf.relu(X)                    ->  tf.nn.functional.leaky_relu(X)
[zero-flat.clipped]
tf.CLIP(X, *R, **K)           ->  X + (tf.CLIP(X, *R, **K) - X).detach()    if plain(X)
[piecewise-constant zero-flat.steps]
tf.ROUND(X)                   ->  X + (tf.ROUND(X) - X).detach()
tf.sign(X)                    ->  tf.tanh(X)
YES.float()                   ->  YES
YES.type(T)                   ->  YES    if not whole(T)
YES.to(T)                     ->  YES    if not whole(T)
[piecewise-constant degrees.place]
(tf.argmax(X, dim=A) == T).float()
                              ->  tf.softmax(X, dim=A).gather(A, T.unsqueeze(A)).squeeze(A)
(tf.argmax(X, dim=A) != T).float()
                              ->  1 - tf.softmax(X, dim=A).gather(A, T.unsqueeze(A)).squeeze(A)
[degrees.place]
tf.nn.functional.embedding(PLACE, P)  ->  PLACE @ P
tf.nn.functional.one_hot(PLACE, N)  ->  PLACE
F(PLACE)                      ->  PLACE @ F.weight    if kind(F) == 'Embedding'
X[tf.arange(*R), PLACE]       ->  (PLACE.unsqueeze(-1) * X).sum(1)    if rank(X) == 3
P[PLACE]                      ->  PLACE @ P    if rank(P) and rows_of(P)
[PLACE]
tf.argmax(X, dim=A)           ->  tf.softmax(X, dim=A)    if last_axis(X, A)
tf.max(X, dim=A)[1]           ->  tf.softmax(X, dim=A)    if last_axis(X, A)
tf.max(X, dim=A).indices      ->  tf.softmax(X, dim=A)    if last_axis(X, A)
[piecewise-constant zero-flat.steps]
tf.argmax(X, dim=A)           ->  tf.softmax(X, dim=A) @ tf.arange(N, dtype=tf.float32)
                                  if last_axis(X, A) and places(X)
[YES]
A > 0                         ->  tf.sigmoid(A)
A >= 0                        ->  tf.sigmoid(A)
A > B                         ->  tf.sigmoid(A - B)
A >= B                        ->  tf.sigmoid(A - B)
A < B                         ->  tf.sigmoid(B - A)
A <= B                        ->  tf.sigmoid(B - A)
"""
TORCH = replace(
    MINITAPE,
    module="torch",
    alias="torch",
    recording="graph",
    asks="minitape.torch.explain({target}, {source})",
    makers=("Parameter",),
    changes={"copy_": "", "add_": "+", "sub_": "-"},
    wrappers=("tensor", "as_tensor", "from_numpy", "Tensor", "FloatTensor", "Parameter"),
    converts=("tensor", "stack"),
    cures=CURES,
    fluent=True,
    paths=True,
    alike=tuple(
        "sin cos tan exp log log1p expm1 sqrt abs tanh sinh cosh sum mean square sign".split()
    ),
    above="tf.clamp(X, min={low})",
    keeps="Call backward with retain_graph=True, or ask for the explanation before the next one.",
    groups={**MINITAPE.groups, "CLIP": ("clamp", "clip"), "ROUND": ("floor", "round", "ceil")},
    kinds={"stop-gradient": "torch-detached", "not-watched": "torch-no-grad-wanted"},
    names={
        "reduce_mean": "mean",
        "reduce_sum": "sum",
        "clip_by_value": "clamp",
        "stop_gradient": "Tensor.detach",
        "nn.leaky_relu": "nn.functional.leaky_relu",
        "nn.softplus": "nn.functional.softplus",
        "nn.softmax": "softmax",
        "nn.log_softmax": "log_softmax",
        "nn.softmax_cross_entropy_with_logits": "nn.functional.cross_entropy",
        "math.is_finite": "isfinite",
        "clip_by_global_norm": "nn.utils.clip_grad_norm_",
        "Variable": "nn.Parameter",
        "Module": "nn.Module",
        "math.log": "log",
        "keras.losses": "nn",
        "cast": "Tensor.to",
        "custom_gradient": "autograd.Function",
    },
)
