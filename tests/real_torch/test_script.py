"""`python -m minitape explain train.py`, as a user runs it, answers what `explain(x)` answers: the
same kind, line and cure.
"""

import re
from pathlib import Path

import pytest

from .asked import STEPS, THREADS, answer_to, programs
from .terminal import told

SILENT = [*programs(Path(__file__).with_name("silent.txt"))]
QUESTION = re.compile(r"^answer = explain\((?:.*, )?(.*)\)$", re.M)
# there is a gradient, but it does not go where it should: no reading tells it
OF_STEPS = ("torch-accumulated", "torch-optimizer-old", "torch-not-registered")
ALONE = ("torch-compiled", "torch-cleared")  # these run as they do for a user, by themselves
# the first program of each other kind
KINDS = {
    kind: text
    for path in (STEPS, THREADS, None)
    for kind, _, text in [*(programs(path) if path else programs())][::-1]
    if kind.startswith("torch-") and kind not in OF_STEPS
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_gradient_that_is_read_is_explained_as_explain_does(kind, tmp_path):
    text = KINDS[kind]
    answer = answer_to(text, "train")
    status, said = told(QUESTION.sub(r"print(\1.grad)", text), tmp_path, kind not in ALONE)
    assert (status, answer.category) == (1, kind) and str(answer) in said, said


@pytest.mark.parametrize("number", range(len(SILENT)))
def test_what_shows_only_at_the_steps(number, tmp_path):
    kind, line, text = SILENT[number]
    status, said = told(QUESTION.sub("", text), tmp_path, number not in (0, len(SILENT) - 1))
    if kind == "healthy":
        assert status == 0 and "nothing surprising" in said and "meant" not in said, said
        return
    assert status == 1 and f"train.py, line {line}\n" in said, said
    if QUESTION.search(text):
        answer = answer_to(text, "train")
        assert answer.category == kind and by_path(str(answer)) in by_path(said), said


BY_HAND = """import torch
from torch import nn
net = nn.Linear(2, 1)
for step in range(4):
    net(torch.ones(4, 2)).pow(2).mean().backward()
    with torch.no_grad():
        for p in net.parameters():
            {step}
            p.grad = None
"""


def test_a_step_by_hand_that_only_gets_a_name(tmp_path):
    status, said = told(BY_HAND.format(step="p = p - 0.1 * p.grad"), tmp_path)
    assert status == 1 and "the tensors keep their value" in " ".join(said.split()), said
    assert "line 8, step 0" in said and "\n      p -= 0.1 * p.grad" in said, said


def test_a_step_by_hand_that_is_too_small_gets_no_other_name(tmp_path):
    _, said = told(BY_HAND.format(step="p -= 0.0 * p.grad"), tmp_path)
    assert "gives the result a name" not in " ".join(said.split()), said


def test_a_trainer_that_the_script_loads_is_not_the_programs(tmp_path):
    trainer = tmp_path / "pytorch_lightning"
    trainer.mkdir()
    (trainer / "__init__.py").write_text(
        "def fit(model, optimizer, batch):\n"
        "    def closure():\n"
        "        closure_loss = model(batch).sum()\n"
        "        closure_loss.backward()\n"
        "        return closure_loss\n"
        "    for step in range(3):\n"
        "        optimizer.zero_grad()\n"
        "        optimizer.step(closure)\n"
    )
    program = (
        "import torch\nfrom torch import nn\nfrom pytorch_lightning import fit\n"
        "class Net(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.a, self.b = nn.Linear(2, 2), nn.Linear(2, 1)\n"
        "    def forward(self, x):\n"
        "        return self.b(self.a(x).detach())\n"
        "net = Net()\n"
        "fit(net, torch.optim.SGD(net.parameters(), lr=0.1), torch.ones(4, 2))\n"
    )
    status, said = told(program, tmp_path)
    assert status == 1 and "train.py, line 9\n" in said, said
    assert "closure_loss" not in said and "pytorch_lightning" not in said, said


def by_path(text):
    """What `net[2].weight` is called where nobody wrote that: net.2.weight."""
    return re.sub(r"\[(\d)\]", r".\1", text)
