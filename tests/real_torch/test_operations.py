"""A row that PyTorch's function is written as computes what PyTorch computes, forward and back: its
formula in the picture is true.
"""

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: F401, N812  # the cases use it

from minitape.engine.ops.record import OPS
from minitape.engine.recording import rule_of

from .seen import watched

# x: 3 by 4, p: the same and positive, m: 4 by 2, b: 2 by 3 by 4
CASES = """
x + x; x - p; x * p; x / p; 3 - x; 2 / p; p ** x; x ** 2; 2 ** x; -x; abs(x); x % p
torch.add(x, p); torch.maximum(x, p); torch.minimum(x, p); torch.atan2(x, p); x.true_divide(p)
torch.exp(x); torch.expm1(x); torch.log(p); torch.log1p(p); torch.sqrt(p); torch.rsqrt(p)
torch.square(x); torch.reciprocal(p); torch.sin(x); torch.cos(x); torch.tan(x); torch.atan(x)
torch.sinh(x); torch.cosh(x); torch.tanh(x); torch.asinh(x); torch.sigmoid(x); torch.sign(x)
torch.floor(x); torch.ceil(x); torch.round(x); torch.erf(x); torch.erfc(x); torch.lgamma(p)
torch.relu(x); F.relu(x); F.relu6(x); F.selu(x); F.softsign(x); F.elu(x); F.gelu(x)
F.gelu(x, approximate="tanh"); F.leaky_relu(x); F.leaky_relu(x, 0.2); F.softmax(x, dim=-1)
F.log_softmax(x, dim=1); x.softmax(-1); x.sum(); x.sum(0); x.sum(dim=1, keepdim=True); x.mean()
x.mean((0, 1)); torch.sum(x, [1]); x.prod(); x.prod(1); x.max(); x.min(); x.amax(1); x.amin(0)
torch.logsumexp(x, 1); x @ m; torch.matmul(x, m); x.mm(m); b @ m; torch.bmm(b, b.transpose(1, 2))
x.reshape(12); x.view(4, 3); x.flatten(); x.unsqueeze(0); x[None].squeeze(0); x.t(); x.T; b.mT
b.permute(2, 0, 1); b.permute((1, 0, 2)); b.transpose(0, 2); torch.transpose(x, 0, 1)
x[0].expand(3, 4); torch.cat([x, p]); torch.cat((x, p), dim=1); torch.stack([x, p], 1); x[0]
x[1:, ::2]; x[..., -1]; x[:, None]; x.clone(); x.double(); x.to(torch.float64)
torch.where(x > 0, x, p); x.clamp(-0.5, 0.5); x.clamp(min=0); x.clamp(max=0.3)
torch.einsum("ij,jk->ik", x, m); torch.einsum("ij->j", x)
torch.cumsum(x, 0); p.cumsum(dim=-1); torch.cumprod(p, 1)
"""
# what PyTorch has in one
FUSED = """
F.linear(x, m.T); F.linear(x, m.T, m[0]); F.linear(b, m.T, m[0]); F.layer_norm(x, (4,), x[0], p[0])
F.layer_norm(b, (3, 4), x, p); F.cross_entropy(x, torch.tensor([3, 0, 1]))
F.scaled_dot_product_attention(b, b + 1, b * 2); nn.Linear(4, 2)(x); nn.LayerNorm(4)(x)
nn.CrossEntropyLoss()(x, torch.tensor([3, 0, 1]))
"""
# what has no row, or means something else there: one card, of PyTorch's name
OTHERS = """
torch.add(x, p, alpha=2); torch.div(x, p, rounding_mode="floor"); x.max(1).values; x @ x[0]
F.softmax(x, dim=0); F.elu(x, 0.5); x.sum(dtype=torch.float64); torch.round(x, decimals=1)
F.layer_norm(x, (4,)); x[x > 0]; F.softplus(x); F.cross_entropy(x, torch.tensor([3, 0, 1]), reduction="sum")
F.scaled_dot_product_attention(b, b, b, is_causal=True)
"""


def cases(text):
    return [each.strip() for line in text.strip().splitlines() for each in line.split(";")]


def entries_of(text):
    def run():
        torch.manual_seed(3)
        x, p = torch.randn(3, 4, requires_grad=True), (torch.rand(3, 4) + 0.2).requires_grad_()
        m, b = torch.randn(4, 2, requires_grad=True), torch.randn(2, 3, 4, requires_grad=True)
        y = eval(text, {"torch": torch, "nn": torch.nn, "F": F, "x": x, "p": p, "m": m, "b": b})
        (y * torch.arange(1.0, y.numel() + 1).reshape(y.shape)).sum().backward()

    _, film = watched(run)
    (play,) = film.played
    return play


@pytest.mark.parametrize("text", cases(CASES))
def test_minitapes_row_computes_the_same(text):
    play = entries_of(text)
    names = {entry.op for entry in play.tape.entries} - {"ReadVariableOp", "Mul", "Sum"}
    assert names or any(sign in text for sign in ("*", "sum", "mul")), text
    assert not any(name.startswith("torch.") for name in names), names
    compare(play)


@pytest.mark.parametrize("text", cases(FUSED))
def test_so_does_a_row_of_what_is_one_there(text):
    play = entries_of(text)
    assert any(entry.op.startswith("torch.") for entry in play.tape.entries)
    compare(play)


def compare(play):
    compared = 0
    for step in play.steps:
        entry, (values, outputs) = (
            play.tape.entries[step.index],
            play.tape.kept[step.index],
        )
        if entry.op == "ReadVariableOp":
            continue
        row, attributes = OPS[entry.op], entry.attributes or {}
        np.testing.assert_allclose(
            row.kernel(*values, **attributes), outputs[0], rtol=1e-4, atol=1e-5
        )
        for part in step.parts:
            own = rule_of(row, part.input)
            if own is None:  # no slope, where PyTorch gives zeros
                assert not part.value.any()
                continue
            found = own(step.adjoints[0], outputs[0], *values, **attributes)
            total = np.asarray(found, np.float64)
            while total.ndim > part.value.ndim:
                total = total.sum(0)
            for axis, length in enumerate(part.value.shape):
                if total.shape[axis] != length:
                    total = total.sum(axis, keepdims=True)
            np.testing.assert_allclose(total, part.value, rtol=1e-3, atol=1e-4)
            compared += 1
    assert compared


@pytest.mark.parametrize("text", cases(OTHERS))
def test_what_is_not_the_same_is_a_card_of_its_own(text):
    assert any(entry.op.startswith("torch.") for entry in entries_of(text).tape.entries)
