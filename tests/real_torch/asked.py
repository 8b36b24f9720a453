"""Programs with a surprise, as `programs.txt` has them, and what is said of each."""

import linecache
import types
import warnings
from pathlib import Path

import torch

import minitape.torch

HEAD = "import numpy as np, torch, torch.nn as nn, torch.nn.functional as F\n"
PROGRAMS = Path(__file__).parent / "programs.txt"


def programs(path=PROGRAMS):
    """Yields (kind, line or None, text) of each program."""
    for part in path.read_text().split("#=== ")[1:]:
        kind, _, body = part.partition("\n")
        lines = (HEAD + body).splitlines()
        line = next((k for k, each in enumerate(lines, 1) if each.endswith("# <-")), None)
        yield kind.strip(), line, "\n".join(lines) + "\n"


def answer_to(text, name):
    """Runs a program, and returns its answer: to its own question, else to that about its last
    error or its last gradient of None.
    """
    filename = f"{name}.py"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    module = types.ModuleType("program")
    names = vars(module)
    names["explain"] = minitape.torch.explain
    torch.manual_seed(0)
    with warnings.catch_warnings(), minitape.torch.watch() as block:
        warnings.simplefilter("ignore")
        try:
            exec(compile(text, filename, "exec"), names)
        except RuntimeError:
            pass
        if "answer" not in names:
            exec(compile("answer = explain()", "<question>", "exec"), names)
    for error in block.trouble:
        raise error
    return names["answer"]
