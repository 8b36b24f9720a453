"""`%%tape` over a cell that uses PyTorch."""

import re
import warnings
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from minitape_widgets import TRACE

from .asked import HEAD, programs

SILENT = [*programs(Path(__file__).with_name("silent.txt"))]


@pytest.fixture(scope="module")
def shell():
    found = InteractiveShell.instance()
    found.run_cell(f"{HEAD}%load_ext minitape_widgets")
    yield found
    InteractiveShell.clear_instance()


def shown(shell, cell):
    """The storyboard under a cell, and what the cell printed."""
    with warnings.catch_warnings(), capture_output() as captured:
        warnings.simplefilter("ignore")
        shell.run_cell(f"%%tape\n{cell}")
    boards = [o.data[TRACE] for o in captured.outputs if TRACE in o.data]
    return boards[0].get("storyboard"), captured.stdout  # a large one is packed


def test_the_player_of_a_real_graph(shell):
    board, _ = shown(
        shell,
        "torch.manual_seed(0)\n"
        "net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))\n"
        "x = torch.ones(4, 2)\n"
        "loss = (net(x) ** 2).mean()\n"
        "loss.backward()\n",
    )
    labels = [node["label"] for node in board["nodes"]]
    assert {"net.0.weight", "net.0.bias", "net.2.weight", "net.2.bias", "x", "loss"} <= set(labels)
    assert [frame["act"] for frame in board["frames"]].count("result") == 4
    assert len(board["tapes"]) == 1


def test_a_none_is_drawn_where_it_is_cut(shell):
    board, printed = shown(
        shell,
        "x = torch.tensor(2.0, requires_grad=True)\n"
        "w = torch.tensor(1.0, requires_grad=True)\n"
        "y = x.detach() * w\ny.backward()\nprint(x.grad)\n",
    )
    assert printed.startswith("None") and "cut" in [frame["act"] for frame in board["frames"]]


@pytest.mark.parametrize("number", range(len(SILENT)))
def test_what_shows_only_at_the_steps_is_told_once(shell, number):
    kind, line, text = SILENT[number]
    cell = re.sub(r"^answer = .*\n", "", text.removeprefix(HEAD), flags=re.M)
    _, printed = shown(shell, cell)
    told = re.findall(r"^  line (\d+)$", printed, re.M)
    # of a zero the player tells; an earlier cell's losses are nothing new
    assert told == ([] if kind in ("healthy", "torch-hook") else [str(line)]), printed


def test_a_none_that_was_warned_of_is_not_told_again(shell):
    text = next(text for kind, _, text in SILENT if kind == "torch-detached")
    _, printed = shown(shell, text.removeprefix(HEAD) + "print(net.a.weight.grad)\n")
    assert printed == "None\n"


def test_two_steps_of_a_training_are_two_tapes(shell):
    board, _ = shown(
        shell,
        "w = torch.ones(2, requires_grad=True)\n"
        "optimizer = torch.optim.SGD([w], lr=0.1)\n"
        "for step in range(2):\n"
        "    optimizer.zero_grad()\n    (w * w).sum().backward()\n    optimizer.step()\n",
    )
    assert len(board["tapes"]) == 2


def test_a_number_is_drawn_as_a_number_and_what_is_one_there_has_a_formula(shell):
    board, _ = shown(
        shell,
        "x = torch.ones(4, 2, requires_grad=True)\n"
        "net, t = nn.Linear(2, 3), torch.tensor([0, 1, 2, 0])\n"
        "y = net(3 * x)\n"
        "loss = nn.functional.cross_entropy(y, t)\nloss.backward()\n",
    )
    by_op = {card["op"]: card for card in board["cards"]}
    called = [card.get("called") for card in board["cards"]]
    assert called == ["torch.mul", "F.linear", "F.cross_entropy"]
    labels = [board["nodes"][k]["label"] for k in by_op["Mul"]["inputs"]]
    assert labels == ["x", ""]
    assert by_op["torch.linear"]["formula"][0] == "ȳ @ net.weight"
    assert "softmax(y, axis=-1) - one_hot(t" in by_op["torch.cross_entropy"]["formula"][0]


def test_layers_are_called_by_their_paths(shell):
    board, _ = shown(
        shell,
        "class Coder(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.encoder = nn.Sequential(nn.Linear(2, 3), nn.ReLU())\n"
        "        self.decoder = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 2))\n"
        "    def code(self, x):\n"
        "        return self.decoder(self.encoder(x))\n"
        "model, other = Coder(), nn.Linear(2, 1)\n"
        "other(model.code(torch.ones(4, 2))).sum().backward()\n",
    )
    variables = [n["label"] for n in board["nodes"] if n["role"] == "variable"]
    assert [label for label in variables if label.endswith(".weight")] == [
        f"{layer}.weight" for layer in ("encoder.0", "decoder.0", "decoder.2", "other")
    ]


def test_layers_in_a_list_are_told_apart(shell):
    cell = (
        "class Net(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.layers = [nn.Linear(2, 2), nn.Linear(2, 2)]\n"
        "    def forward(self, x):\n"
        "        for layer in self.layers:\n"
        "            x = layer(x)\n"
        "        return x\n"
        "net = Net()\n"
        "net(torch.ones(4, 2)).sum().backward()\n"
    )
    board, _ = shown(shell, cell)
    variables = {n["label"] for n in board["nodes"] if n["role"] == "variable"}
    assert {"layer.weight", "layer2.weight"} < variables
