"""The rows of the benchmark, and what each is to reach."""

from typing import NamedTuple

FORMS = {
    "minitape": "eager",
    "with kernels": "kernels",
    "tf.function": "function",
    "jit": "function, jit, kernels",
}
PEERS = {
    "numpy": "numpy",
    "torch": "torch",
    "jax.jit": "jax",
    "micrograd": "micrograd",
    "autograd": "autograd",
}


class Row(NamedTuple):
    """A program: the candidates are minitape's forms of it and the peers that have it.

    A goal says for a form and another candidate which ratio of their times is wanted at most.
    """

    name: str
    program: str
    arguments: dict
    forms: tuple[str, ...]
    peers: tuple[str, ...]
    goals: dict[tuple[str, str], float]
    # further programs of minitape beside it: name -> (program, arguments)
    others: dict[str, tuple[str, dict]] = {}

    def candidates(self):
        """Return name -> what a worker needs to build the candidate."""
        found = {
            peer: {"library": PEERS[peer], "program": self.program, "arguments": self.arguments}
            for peer in self.peers
        }
        for form in self.forms:
            found[form] = {
                "library": "minitape",
                "program": self.program,
                "arguments": self.arguments,
                "form": FORMS[form],
            }
        for name, (program, arguments) in self.others.items():
            found[name] = {
                "library": "minitape",
                "program": program,
                "arguments": arguments,
                "form": "eager",
            }
        return found


E, K, F, J = FORMS
MOST = "numpy", "torch", "jax.jit"
TORCH, GRAD, FLOOR = (
    {(E, "torch"): 1.0},
    {(E, "micrograd"): 1.0, (E, "torch"): 1.0},
    {(E, "numpy"): 1.3},
)

ROWS = [
    Row(
        "1,000 scalar operations, half of them calls",
        "chain",
        {"n": 1000},
        (E, K, F, J),
        (*MOST, "micrograd"),
        {**GRAD, (J, "jax.jit"): 1.0},
    ),
    Row(
        "1,000 scalar operators",
        "operators",
        {"n": 1000},
        (E, K),
        ("numpy", "torch", "micrograd", "autograd"),
        GRAD,
    ),
    Row(
        "scalar network 2-16-16-1, 4 points",
        "scalar_network",
        {"batch": 4},
        (E, K),
        ("numpy", "torch", "micrograd"),
        GRAD,
    ),
    Row(
        "2-16-16-1 MLP, batch 100",
        "small_mlp",
        {"batch": 100},
        (E, K, F, J),
        MOST,
        {**TORCH, (F, "jax.jit"): 1.0, (J, "jax.jit"): 1.0},
    ),
    Row(
        "2-16-16-1 MLP, batch 100, of layers",
        "small_mlp_layers",
        {"batch": 100},
        (E, K, F, J),
        MOST,
        TORCH,
    ),
    Row(
        "784-128-10 SGD step, batch 32",
        "mlp",
        {"batch": 32},
        (E, K, F),
        MOST,
        {**TORCH, (F, "jax.jit"): 1.0},
    ),
    Row(
        "784-128-10 SGD step, batch 32, of layers",
        "mlp_layers",
        {"batch": 32},
        (E, K, F),
        MOST,
        TORCH,
    ),
    Row(
        "784-128-10 SGD step, batch 256",
        "mlp",
        {"batch": 256},
        (E, K, F),
        MOST,
        {**TORCH, (F, "jax.jit"): 1.0},
    ),
    Row(
        "784-128-10 SGD step, batch 256, of layers",
        "mlp_layers",
        {"batch": 256},
        (E, K, F),
        MOST,
        TORCH,
    ),
    Row(
        "CNN 5x5 SAME on 28x28, SGD step, batch 32",
        "cnn",
        {"batch": 32},
        (E, K, F),
        MOST,
        {**TORCH, (K, "torch"): 1.0},
    ),
    Row(
        "CNN 5x5 SAME on 28x28, SGD step, batch 32, of layers",
        "cnn_layers",
        {"batch": 32},
        (E, K, F),
        MOST,
        {**TORCH, (K, "torch"): 1.0},
    ),
    Row("elementwise chain, 10^6 numbers", "elementwise", {"n": 1_000_000}, (E, K, J), MOST, FLOOR),
    Row("softmax cross-entropy, 1000x1000", "softmax", {"n": 1000}, (E, K, F), MOST, FLOOR),
    Row(
        "layer normalisation, 1000x1000",
        "layer_norm",
        {"n": 1000},
        (E, K, J),
        MOST,
        {**FLOOR, (K, "torch"): 1.0},
    ),
    Row(
        "layer normalisation, 1000x1000, of a layer",
        "layer_norm_layers",
        {"n": 1000},
        (E, K, J),
        MOST,
        {**FLOOR, (K, "torch"): 1.0},
    ),
    Row(
        "embedding, 4,096 ids of 10,000",
        "embedding",
        {"ids": 4096, "rows": 10_000, "width": 64},
        (E, K, F),
        MOST,
        FLOOR,
    ),
    Row(
        "Jacobian 64x64 of a tanh layer",
        "jacobian",
        {"n": 64},
        (E, F),
        MOST,
        {**TORCH, (F, E): 0.5, (F, "jax.jit"): 3.0},
    ),
    Row(
        "Hessian of the 10-d Rosenbrock function",
        "hessian",
        {"n": 10},
        (E, F),
        MOST,
        {**TORCH, (F, E): 0.5, (F, "jax.jit"): 3.0},
    ),
    Row(
        "one tensor used 10,000 times",
        "fan",
        {"n": 10_000},
        (E,),
        (),
        {(E, "as many in a chain"): 1.5},
        {"as many in a chain": ("operators", {"n": 10_000})},
    ),
    Row(
        "100,000 operations in one chain",
        "operators",
        {"n": 100_000},
        (E,),
        (),
        {(E, "in ten chains"): 1.5},
        {"in ten chains": ("repeated", {"n": 10_000, "times": 10})},
    ),
    Row(
        "what explanations need, 1,000 operators",
        "operators",
        {"n": 1000},
        (E,),
        (),
        {(E, "without it"): 1.15},
        {"without it": ("without_notes", {"n": 1000})},
    ),
    Row("import", "imported", {}, (E,), ("numpy", "torch"), {(E, "numpy"): 1.1}),
]
