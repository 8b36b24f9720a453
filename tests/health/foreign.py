"""Words of TensorFlow's that a learner of PyTorch does not know."""

import re

WORDS = re.compile(
    r"\btapes?\b|\bbandes?\b|\btf\b|\bvariables?\b|glorot|\bhe_uniform|clipnorm|from_logits|trainable"
    r"|apply_gradients|assign_sub|[gs]et_weights|reduce_\w+|divide_no_nan|clip_by_value|\bnumpy\(\)",
    re.IGNORECASE,
)
# what a watch keeps is called so in every library
OWN = re.compile(r"(tape = )?seen\.tape\(step\)|play\(tape, tape\.target, tape\.sources\)")


def foreign(text):
    """Returns those that a text has."""
    return WORDS.findall(OWN.sub("", text))
