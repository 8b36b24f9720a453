"""PyTorch's dialect: what it calls things where it does not as TensorFlow does."""

from dataclasses import replace

from .minitape import MINITAPE

CURES = """
[torch-detached]
X.detach()                    ->  X
X.detach_()                   ->  X
X.data                        ->  X
[torch-copied]
tf.tensor(X)                  ->  X
X.new_tensor(Y)               ->  Y
[torch-no-grad-wanted]
tf.tensor(X, **K)             ->  tf.tensor(X, **K, requires_grad=True)
tf.randn(*R, **K)             ->  tf.randn(*R, **K, requires_grad=True)
tf.rand(*R, **K)              ->  tf.rand(*R, **K, requires_grad=True)
tf.ones(*R, **K)              ->  tf.ones(*R, **K, requires_grad=True)
tf.zeros(*R, **K)             ->  tf.zeros(*R, **K, requires_grad=True)
[torch-create-graph]
tf.autograd.grad(*R, **K)     ->  tf.autograd.grad(*R, **K, create_graph=True)
[zero-flat]
tf.relu(X)                    ->  tf.nn.functional.leaky_relu(X)
[piecewise-constant zero-flat.steps]
tf.round(X)                   ->  X + (tf.round(X) - X).detach()
[nan-backward inf-backward]
tf.sqrt(X)                    ->  tf.sqrt(X + 1e-12)
"""
TORCH = replace(
    MINITAPE,
    module="torch",
    alias="torch",
    recording="graph",
    asks="minitape.torch.explain({target}, {source})",
    makers=("Parameter",),
    changes={"copy_": "", "add_": "+", "sub_": "-"},
    wrappers=("tensor", "as_tensor", "from_numpy", "Parameter"),
    converts=("tensor", "stack"),
    cures=CURES,
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
        "math.log": "log",
        "keras.losses": "nn",
        "cast": "Tensor.to",
        "custom_gradient": "autograd.Function",
    },
)
