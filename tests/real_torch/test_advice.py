"""What a sentence tells to write, PyTorch has: each call in it is run."""

import ast
import copy
import re

import pytest
import torch
from torch import nn

from minitape.explain import set_language
from minitape.explain.case.words import CATALOGUE, say

# what speaks of tapes, variables and Keras, which PyTorch has not
NOT_PYTORCHS = (
    "tape-|no-sources|not-watched|watch-accessed|not-trainable|variable-|state-|metric-|not-a-tensor"
    "|outside-outer|outer-tape|another-object|custom-gradient|no-gradient-|words|script|warning"
    "|computed-|watched-|recording-|no-outer|answer|place|stop-gradient|zero-flat.fix.outside"
)
FOREIGN = re.compile(
    r"\bgraph\.\w|persistent|from_logits|\b(axis|axes)=|embeddings|reduce_|[kK]eras|tf\."
)
SAID = {
    "tf": "torch",
    "tape": "graph",
    "dialect": "torch",
    "target": "loss",
    "source": "x",
    "name": "x",
    "code": "table[drawn]",
    "places": "table[drawn]",
    "library": "PyTorch",
    "count": 3,
}
OTHERS = {"source": "drawn"}, {"source": "loss.sum()", "target": "x"}
SPECIAL = {
    "integer-dtype.fix.inner": OTHERS[0],
    "used-as-index.fix.inner": OTHERS[0],
    "not-used.fix.downstream": OTHERS[1],
}
KEYS = [
    key
    for key in CATALOGUE("en")
    if ".fix" in key and not key.endswith(".torch") and not re.match(NOT_PYTORCHS, key)
]


def names():
    """What the calls in the sentences speak of."""
    torch.manual_seed(0)
    x = torch.ones(3, 1, requires_grad=True)
    t, u, table = torch.ones(3, 1), torch.rand(2, 4), torch.randn(4, 2, requires_grad=True)
    logits = torch.randn(2, 4, requires_grad=True)
    return {
        "torch": torch,
        "nn": nn,
        "x": x,
        "loss": x * x,
        "t": t,
        "table": table,
        "u": u,
        "k": 0,
        "logits": logits,
        "noise": u,
        "scores": logits,
        "drawn": torch.tensor([1, 3]),
        "weights": torch.softmax(logits, -1),
        "numbers": torch.arange(4.0),
        "p": t / 2,
        "mean": x,
        "std": t,
        "dist": torch.distributions.Categorical(logits=logits),
        "a": x,
        "embedding": nn.Embedding(4, 2),
        "vectors": table * 2,
        "log_p": torch.log(u),
        "y": x * 2,
        "optimizer": torch.optim.SGD([x]),
        "net": nn.Linear(2, 1),
        "model": nn.ReLU(),
        "condition": x > 0,
        "other": x,
        "f": torch.sin,
        "copy": copy,
        "discriminator": nn.Linear(1, 1),
        "fake": x,
    }


def calls(sentence):
    """The pieces of code of a sentence, as far as they are whole."""
    for code in re.findall("`([^`]+)`", sentence):
        code = re.sub(r"(?<!\w\[)\.\.\.", "x", code)
        try:
            tree = ast.parse(code)
        except SyntaxError:  # the head of a class, say
            continue
        if any(isinstance(node, (ast.Call, ast.Attribute, ast.BinOp)) for node in ast.walk(tree)):
            yield code


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("key", KEYS)
def test_each_call_that_is_named_runs(key, language):
    category, what, *variant = key.split(".")
    set_language(language)
    try:
        sentence = say(category, what, ".".join(variant), {**SAID, **SPECIAL.get(key, {})})
    finally:
        set_language("en")
    assert not FOREIGN.search(sentence), sentence
    known = names()
    for code in calls(sentence):
        exec(code, known)
