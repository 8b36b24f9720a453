"""Readings of a variable."""

from minitape.engine.variable import read
from tests.engine.case import elementwise

CASES = [elementwise("ReadVariableOp", lambda x: read(x, name="w", version=0) ** 2)]
