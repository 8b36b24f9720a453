"""The variables of layers, metrics and optimizers: named as in Keras, `kernel`, with a path, `dense/kernel`."""

from contextvars import ContextVar

from ..engine.variable import Variable

scopes = ContextVar("the layers that are being built", default=())


def named(value, name, owner, **options):
    """Return a variable with a plain name; its path tells where it was built and whose it is."""
    variable = Variable(value, **options)
    variable.name = name
    scope = scopes.get()
    variable.path = "/".join([*scope, *([owner] if owner and scope[-1:] != (owner,) else []), name])
    variable._reading = {"name": name, "version": 0}
    return variable


class within:
    """Inside of this block, what is built belongs to a layer."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.token = scopes.set((*scopes.get(), self.name))

    def __exit__(self, *error):
        scopes.reset(self.token)
