"""Random programs of PyTorch: a few leaves, a dozen operations, a backward."""

import random

import torch
import torch.nn.functional as F  # noqa: N812

UNARY = [
    torch.sin,
    torch.exp,
    torch.tanh,
    torch.sigmoid,
    torch.relu,
    F.softplus,
    torch.abs,
    lambda x: x * 2,
    lambda x: 3 - x,
    lambda x: 1 / (x * x + 1),
    lambda x: x**2,
    lambda x: x.clone(),
    lambda x: x.T.contiguous(),
    lambda x: x.reshape(-1).view(x.shape),
    lambda x: F.softmax(x, dim=-1),
    lambda x: F.leaky_relu(x, 0.1),
    lambda x: x.clamp(-1, 1),
    lambda x: x - x.mean(0, keepdim=True),
    lambda x: x.sum(1, keepdim=True).expand(3, 3),
    lambda x: x[torch.tensor([2, 0, 1])],
    lambda x: torch.cat([x[:1], x[1:]]),
    lambda x: torch.stack(x.unbind(0)),
    lambda x: F.layer_norm(x, (3,)),
    lambda x: F.gelu(x),
    lambda x: torch.cumsum(x, 0),
    lambda x: x.detach() + x,
    lambda x: x.clone().mul_(2).add_(1),
    lambda x: F.dropout(x, 0.5),
    lambda x: torch.where(x > 0, x, 0.1 * x),
    lambda x: x.max(1, keepdim=True).values * torch.ones(3, 3),
]
BINARY = [
    torch.add,
    torch.mul,
    torch.sub,
    torch.matmul,
    torch.maximum,
    lambda a, b: a / (b * b + 1),
    lambda a, b: F.linear(a, b, b[0]),
    lambda a, b: torch.einsum("ij,jk->ik", a, b),
    lambda a, b: torch.addmm(a, a, b),
]


def written(seed):
    """Return a function that runs the program of a seed: it gives (leaves, values in the middle)."""

    def program():
        chance = random.Random(seed)
        torch.manual_seed(seed)
        leaves = [torch.randn(3, 3, requires_grad=True) for _ in range(chance.randint(1, 3))]
        values, middle = list(leaves), []
        for _ in range(chance.randint(3, 12)):
            if chance.random() < 0.6:
                value = chance.choice(UNARY)(chance.choice(values))
            else:
                value = chance.choice(BINARY)(chance.choice(values), chance.choice(values))
            value.retain_grad()
            values.append(value)
            middle.append(value)
        total = sum((v.mean() for v in values[-3:]), torch.zeros(()))
        total.backward()
        return leaves, middle

    return program
