"""A program run twice in real PyTorch: alone, and watched and filmed."""

import warnings

import torch

import minitape.torch
from minitape.recorders.torch import the_recorder
from minitape.storyboard import Film


def watched(program):
    """Runs a program and returns (its result, the film of it). What went wrong while something was
    noted is raised.
    """
    film, block = Film(), minitape.torch.watch()
    with warnings.catch_warnings(), block, film:
        warnings.simplefilter("ignore")
        torch.manual_seed(1)
        found = program()
    for tape in film.tapes:
        tape.develop()
    for error in block.trouble:
        raise error
    return found, film


def alone(program):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(1)
        return program()


def equal(a, b):
    """Says whether two results are the same, bit for bit."""
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, torch.Tensor):
        return torch.equal(torch.nan_to_num(a), torch.nan_to_num(b))
    return a == b


def adjoint_of(film, tensor):
    """What a film's last play from which a tensor's adjoint is known says of it, or None."""
    number = the_recorder().describe(tensor)
    for play in reversed(film.played):
        for step in play.steps:
            outputs = play.tape.entries[step.index].outputs
            if number.tensor in outputs:
                return step.adjoints[outputs.index(number.tensor)]
    return None
