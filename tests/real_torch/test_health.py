"""`health.watch` sees trainings of PyTorch: what stands out, on which line, in its own words."""

import linecache

import pytest
import torch

import minitape.torch
from minitape import health
from minitape.program.places import line_at
from minitape.sentences import COMPLETE
from minitape.storyboard import build
from minitape_widgets.training.payload import payload
from minitape_widgets.training.tapes import tapes
from tests.health.foreign import foreign

PROGRAM = """import torch, torch.nn as nn, torch.nn.functional as F, minitape.torch
from minitape import health
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(2, 8), nn.Linear(8, 2)
    def forward(self, x):
        h = self.fc1(x)
        h = {bend}
        return self.fc2(h)
torch.manual_seed(0)
x = torch.randn(60, 2)
y = (x[:, 0] * x[:, 1] > 0).long()
model = Net()
{before}
optimizer = torch.optim.SGD({moves}, lr={rate})
with minitape.torch.watch() as block, health.watch(model{language}) as seen:
    for step in range(12):
        {clears}
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        {after}
        optimizer.step()
"""
USUAL = {
    "bend": "torch.relu(h)",
    "before": "",
    "moves": "model.parameters()",
    "rate": "0.1",
    "clears": "optimizer.zero_grad()",
    "after": "pass",
    "language": "",
}


def seen_of(**changes):
    text = PROGRAM.format(**{**USUAL, **changes})
    linecache.cache["train.py"] = (len(text), None, text.splitlines(True), "train.py")
    names = {"__name__": "train"}
    exec(compile(text, "train.py", "exec"), names)
    assert names["seen"].failed is None and not names["block"].trouble
    return names


@pytest.mark.parametrize(
    ("changes", "key", "line", "says"),
    [
        ({"bend": "torch.relu(h).detach()"}, "none", "h = torch.relu(h).detach()", "its graph"),
        ({"clears": "pass"}, "known", "loss.backward()", "sum over several steps"),
        ({"moves": "Net().parameters()"}, "known", "loss.backward()", "the optimizer was given"),
        (
            {"clears": "pass", "after": "model.zero_grad()"},
            "known",
            "model.zero_grad()",
            "before the optimizer's step",
        ),
        (
            {"before": "model.own = [nn.Linear(8, 8)]", "bend": "torch.relu(self.own[0](h))"},
            "known",
            "model.own = [nn.Linear(8, 8)]",
            "A list or a dictionary hides layers",
        ),
        ({"rate": "0.0"}, "nothing_moves", "loss = F.cross_entropy", "Call optimizer.step()"),
        ({"rate": "1e6"}, "rate_large", None, "learning rate is too large"),
        ({"bend": "torch.log(h)"}, "nonfinite", "h = torch.log(h)", "F.cross_entropy"),
        (
            {"before": "nn.init.constant_(model.fc1.bias, -90.0)"},
            "dead",
            "h = torch.relu(h)",
            "8 of 8 units are dead",
        ),
    ],
)
def test_what_stands_out(changes, key, line, says):
    seen = seen_of(**changes)["seen"]
    first = seen.findings[0]
    assert first.key == key and says in " ".join(str(seen).split())
    assert line is None or line in line_at(first.where)[1]


def opened(seen):
    """What a click on a cell of the view opens."""
    return tapes(seen, lambda board: {"deflate": ""})


@pytest.mark.parametrize("language", COMPLETE)
@pytest.mark.parametrize(
    "changes",
    [
        {"bend": "torch.relu(h).detach()"},
        {"clears": "pass"},
        {"moves": "[model.fc1.weight]"},
        {"rate": "0.0"},
        {"bend": "1 / (h - h)"},
        {"bend": "torch.acos(3 * h)"},
        {"bend": "torch.exp(1000 * h)"},
        {"before": "nn.init.constant_(model.fc1.weight, 50.0)", "bend": "torch.sigmoid(h)"},
        {"before": "x = torch.log(x - x)"},
    ],
)
def test_it_is_said_in_words_of_pytorch(changes, language):
    seen = seen_of(**changes, language=f", language='{language}'")["seen"]
    (finding, *_), view = seen.findings, payload(seen.to_dict())
    assert finding.library == "torch" and view["recording"] == "graph"
    assert foreign(str(seen)) == [] and foreign(str(view["findings"])) == []
    assert foreign(str(view["bad"])) == [] and foreign(opened(seen)["note"]) == []


def test_a_kept_step_is_a_graph():
    seen = seen_of()["seen"]
    assert [row["step"] for row in opened(seen)["tapes"]] == seen.kept
    tape = seen.tape(seen.kept[-1])
    board = build(tape, tape.target, tape.sources)
    assert board["recording"] == "graph" and foreign(board.text(limit=None)) == []


@pytest.mark.parametrize("moves", ["model.parameters()", "[*model.parameters()]"])
@pytest.mark.parametrize("clears", ["optimizer.zero_grad()", "model.zero_grad(set_to_none=False)"])
def test_a_healthy_training_is_not_blamed(moves, clears):
    assert not seen_of(moves=moves, clears=clears)["seen"].findings


def test_nor_is_one_that_clears_after_its_step_and_looks_at_its_input():
    looked = {"before": "x.requires_grad_()", "clears": "pass"}
    after = "optimizer.step(); optimizer.zero_grad(); continue"
    assert not seen_of(**looked, after=after)["seen"].findings


def test_nor_is_one_whose_layers_are_frozen():
    frozen = {"before": "model.fc1.requires_grad_(False)"}
    assert not [f for f in seen_of(**frozen)["seen"].findings if f.sure == "sure"]


def test_a_training_computes_the_same():
    watched = seen_of()["model"]
    text = PROGRAM.format(**USUAL).replace("minitape.torch.watch() as block, ", "")
    names = {}
    exec(text.replace("with health.watch(model) as seen:", "if True:"), names)
    both = zip(watched.parameters(), names["model"].parameters())
    assert all(torch.equal(a, b) for a, b in both)


def test_parameters_can_be_named_and_steps_are_kept():
    w = torch.zeros(2, requires_grad=True)
    with minitape.torch.watch(), health.watch([w], every=1) as seen:
        for _ in range(4):
            loss = ((w - 1) ** 2).sum()
            w.grad = None
            loss.backward()
            with torch.no_grad():
                w -= 0.1 * w.grad
    tape = seen.tape(seen.kept[-1])
    (gradient,) = tape.gradient(tape.target, tape.sources)
    assert gradient.numpy() == pytest.approx(-2 * 0.8**3)


def test_what_is_no_model_is_refused():
    with pytest.raises(TypeError, match="a model"):
        health.watch(3.0)
