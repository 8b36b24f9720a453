"""What is said of an error that TensorFlow or Keras raises where tapes are used: a note under its
traceback.

The error stays the program's own: its type and its message are what they were.
"""

from __future__ import annotations

import re
from contextlib import suppress
from traceback import walk_tb

from minitape.sentences import Catalogue

from ..said import said

SAID = Catalogue("minitape.recorders.tensorflow")
OPTIMIZER = r"'(SGD|Ada\w*|Nadam|RMSprop|Ftrl|Lion|LossScaleOptimizer|Optimizer)' object"
# pattern of "Type: message", or of "functions in which it was raised: message" -> the sentence's key
TABLE = {
    r"Error: 'LossScaleOptimizer' object has no attribute 'get_(un)?scaled_\w+'": "scaled-loss",
    OPTIMIZER + r" has no attribute '(?P<name>minimize|get_gradients|get_updates"
    r"|_?compute_gradients)'": "optimizer-asks",
    OPTIMIZER + r" has no attribute 'lr'"
    r"|ValueError: Argument\(s\) not recognized: {'lr'": "rate",
    r"unexpected keyword argument '(?P<name>experimental_aggregate_gradients)'": "left-out",
    r"AttributeError: 'TensorArray' object has no attribute 'shape'"
    r"|TypeError: Cannot convert the argument `type_value`: .*ShouldUse": "tensor-array",
    r"RuntimeError: A non-persistent GradientTape can only": "used-tape",
    r"ValueError: custom_gradient function expected to return (?P<wanted>\d+) gradients, "
    r"but returned (?P<found>\d+)": "rule-count",
    r"TypeError: @tf.custom_gradient grad_fn must accept keyword argument 'variables'": "rule-names",
    r"ValueError: Must return gradient for each variable from @custom_gradient": "rule-variables",
    r"(_eager_mode_decorator|_graph_mode_decorator|actual_grad_fn|tape_grad_fn)( __iter__ \w+)?: "
    r".*(iterate|unpack)": "rule-pair",
    r"ValueError: Unknown variable: <": "other-variables",
    r"ValueError: No gradients provided for any variable": "all-none",
    r"ValueError: Attempt to convert a value \(None\)"
    r"|TypeError: unsupported operand type\(s\) for .*'NoneType'": "none",
    r"KerasTensor cannot be used as input|'KerasTensor' object has no attribute '_id'"
    r"|Passed in object <KerasTensor": "keras-tensor",
    r"AttributeError: '(?P<kind>[\w.]+)' object has no attribute '_id'": "no-tensor",
    r"ValueError: Passed in object .* of type '(?P<kind>\w+)', not tf.Tensor": "watched",
    r"RuntimeError: tf.gradients is not supported when eager": "gradients",
    r"'SymbolicTensor' object has no attribute 'numpy'"
    r"|Cannot convert a symbolic tf.Tensor": "symbolic",
    r"expected to be a (?P<one>\w+) tensor but is a (?P<other>\w+) tensor": "two-dtypes",
    r"TypeError: Cannot convert \S+ to EagerTensor of dtype u?int": "whole-numbers",
    r"ValueError: (in user code:[^$]*)?tf.function only supports singleton": "made-again",
    r"Tensor' object does not support item assignment": "tensor-item",
    r"Variable' object does not support item assignment": "variable-item",
    r"Unknown value for unconnected_gradients": "unconnected",
    r"batch_jacobian: list index out of range": "batch-jacobian",
    r"vectorizing the (batch_)?jacobian computation": "not-vectorized",
    r"KeyError: b'pyfunc_": "py-function",
}


def tell(error: BaseException | None) -> list[str]:
    """Add to an error what is to be done about it, where that is known and not yet said; returns
    what was added.
    """
    if error is None or said(error):
        return []
    functions = " ".join([frame.f_code.co_name for frame, _ in walk_tb(error.__traceback__)])
    with suppress(Exception):  # a learner's own error may have no text
        texts = f"{type(error).__name__}: {error}", f"{functions}: {error}"
        for pattern, key in TABLE.items():
            match = next(filter(None, [re.search(pattern, text) for text in texts]), None)
            if match is not None:
                note = "minitape: " + SAID.say(key, match.groupdict())
                error.add_note(note)
                return [note]
    return []
