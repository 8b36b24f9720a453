"""Compare programs by chance with TensorFlow's recorded answers: `python -m tests.engine.chance
answers.json`.

`tests/data/ask/chance.py` writes them and asks TensorFlow. What differs is printed, the same
function beside the same; what is known to differ, with its reason, stands in `KNOWN` and is only
counted.
"""

import json
import re
import sys
import traceback
from collections import Counter

import numpy as np

import minitape as tf
from tests.engine.different import ABSENT, BETTER, BETTER_LISTS, CONSTANTS, LENIENT, STEP, TYPE
from tests.engine.test_answers import RELATIVE, array_of, verdict
from tests.engine.test_answers import run as run_program

ROUNDED = "the same up to the rounding of the numbers on the way"
EMPTY = "minitape looks at the arguments even where the tensor is empty or has no axes"
NAN = "NaN has no place in an order"
ONLY_ON_PAPER = "TensorFlow lists no kernel for this dtype, and says so with another exception type"

# patterns in the line (or the program, where no line is known), the difference, and what TensorFlow
# said
KNOWN = {
    r"has no attribute '(ndtri|zeta|bessel_i0)'|^\w+ = tf\.math\.(ndtri|zeta|bessel_i0)\(": ABSENT,
    # dtypes
    r"Cannot convert \S+ to EagerTensor of dtype bool|as input #1.*bool tensor.*TensorFlow None": "booleans and numbers are "
    "never mixed",
    r"meshgrid\(.*, not bool": "booleans and numbers are never mixed",
    r"(nn\.gelu|activations\.gelu|leaky_relu)\(.*, not |leaky_relu\(.* g\[": CONSTANTS,
    r"layers\.\w*Normalization\(.*(, not \[|expected to be a complex(64|128)|with dtype "
    r"complex(64|128))": "TensorFlow rounds what it normalised to the input's dtype, whole "
    "numbers too, and drops the imaginary parts of complex numbers",
    r"layers\.Dense\(.*complex64": "a layer computes in real numbers and refuses complex ones",
    r"losses\.mse\(.*j\b": "the squared distance of complex numbers is that of their absolute "
    "difference: a loss is real",
    r"(conj|real|truediv|truediv__|norm)\(.*(numeric tensor|numeric or variant tensor|Invalid "
    r"dtype tf\.bool)": LENIENT,
    r"clip_by_value\(.*attr 'T' of complex64|linspace\(.*Incompatible type|jacobian.*parameter "
    r"'a' has DataType float16": LENIENT,
    r"meshgrid\(.*cannot compute Mul": "a mixed grid is made of each axis in its own dtype",
    r"sort\(.*Requires delta != 0": "TensorFlow cannot sort lines of length 0",
    r"(local_response|polygamma\().*attr 'T' of (double|complex64)| == .*cannot compute Equal": LENIENT,
    r"CategoricalCrossentropy\(.*must have the same shape": "labels with an axis less are "
    "numbers of classes, for the sparse "
    "loss",
    r"rsqrt\(.*\[inf, .*not \[*-inf": "the root of -0 is taken for that of 0",
    r"gather_nd\(.*params is empty": "an empty row is a row",
    r"cross_entropy_with_logits\(.*axis=-2.*Range": "TensorFlow counts only the last axis from "
    "the end",
    r"jacobian.*is not compatible with supplied shape": "TensorFlow loses the shapes of empty "
    "tensors in a Jacobian",
    r"Tindices' of float|softplus.*attr 'T' of half|attr 'T' of (half|bool) is not in the list "
    r"of allowed values: float, double": LENIENT,
    r"cross_entropy_with_logits\(.*TensorFlow InvalidArgumentError.*attr 'T' of": LENIENT,
    r"Could not find device for node": ONLY_ON_PAPER,
    # what is refused on both sides, or on one of them with a reason
    r"raised (ValueError|TypeError|InvalidArgumentError|LookupError)\(.*TensorFlow (?!None)\w+": TYPE,
    r"map_fn\(.*must not be empty": "nothing is known of what the function would return; "
    "TensorFlow answers with the elements' dtype",
    r"(gather|gather_nd|embedding_lookup|Embedding\(.*)\(.*is not in \[|reverse\(.*(Expected "
    r"dim|list of num|repeated)": EMPTY,
    r"linalg\.diag\(.*has no diagonals": "beside the middle one, a matrix has no diagonals of "
    "length 0",
    r"confusion_matrix\(.*two vectors of one length": "TensorFlow takes matrices for pairs of "
    "indices",
    r"(pool|conv)\dd\(.*does not fit into": "a window that fits nowhere is a mistake; TensorFlow "
    "answers with an empty image",
    r"Expected an instance of list|Only input tensors may be passed as positional|'list' object "
    r"has no attribute 'dtype'": BETTER_LISTS,
    # what TensorFlow has no derivative for, and its slips
    r"gradient registry has no entry for: (IsNan|IsFinite)": STEP,
    r"None is no indexed_slices": "of whole numbers that were gathered there is no gradient; "
    "TensorFlow answers with zeros",
    r"gradient registry has no entry for: SoftsignGrad": BETTER,
    r"softmax_cross_entropy_with_logits\(.*axis=.*transpose expects a vector": "TensorFlow changes axes where "
    "the axis is the last already",
    r"\b(argsort|conj|real)\(.* g\[\d\]: None is no tensor": STEP,
    r"IndexedSlices' object has no attribute '_id'": "gradients of gathered rows are dense "
    "tensors, and have gradients themselves",
    r"(gather_nd|scatter_nd|boolean_mask)\(.*(ScatterNd|Updates shape must have rank)": f"{BETTER}, of a single index",
    r"transpose\(.*InvertPermutation": "TensorFlow has no derivative for negative axes",
    r"complex64.*(xlogy|xlog1py|xdivy|multiply_no_nan|silu|swish)\(.* [gh]\[": "TensorFlow forgets to "
    "conjugate in these rules",
    r"(xdivy\(| / ).*inf.*, not .*nan": "x / 0 of complex numbers: one quotient that is no "
    "number is as good as another",
    r"\*\* t.*\(1\+0j\), not \(nan": "0 ** 0 is 1, of complex numbers too",
    r"softmax_cross_entropy_with_logits\(.* h\[": "TensorFlow leaves the labels out of its "
    "second derivative",
    r"softmax_cross_entropy_with_logits\(.*Input to reshape": "TensorFlow has no derivative "
    "where labels are broadcast",
    r"total_variation\(.* g\[": "the slope of |x| where the last bit decides about the sign",
    r"moments\(.*\[\], keepdims=False": "without axes nothing is taken away; TensorFlow drops "
    "all axes of length 1",
    r"(argsort|sort|top_k|argmax|argmin|unique)\(.*, not.*some are NaN": NAN,
    r"cholesky\(.*nan.*, not": "where there is no factor, TensorFlow leaves some of what was in "
    "the memory",
    r"digamma\(.* h\[.*(inf|nan)": "at a pole, what is no number can be infinity or NaN",
    r"linspace\(.*nan": "an end that is no number spoils all numbers between",
    r"linalg\.svd\(.*is no tuple of 3": "the three parts have names, and the signs of singular "
    "vectors are free",
}


def line_of(code, found, error):
    """Return the line of the program that a difference is about, or the whole program where that
    cannot be told.
    """
    if "raised" in found and error is not None:
        where = [
            frame.lineno
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename == "<answer>"
        ]
        return code.splitlines()[where[-1] - 1].strip()
    name = re.search(r" (t\d+)\b", found)
    lines = [
        line.strip()
        for line in code.splitlines()
        if name and line.strip().startswith(f"{name[1]} = ")
    ]
    return lines[-1] if lines else code


def rounded(answer, names):
    """Return True where all numbers agree up to the rounding of the largest one, in the coarsest
    dtype on the way.
    """
    pairs = list(arrays({k: names.get(k) for k in answer["results"]}, answer["results"]))
    sizes = [
        np.max(np.abs(want[np.isfinite(want)]), initial=1)
        for _, want, _ in pairs
        if want.dtype.kind in "fc"
    ]
    tolerance = max([RELATIVE.get(dtype, 0) for _, _, dtype in pairs], default=0) * max(
        sizes, default=1
    )
    return all(
        found.shape == want.shape
        and np.allclose(found, want, rtol=0, atol=tolerance, equal_nan=True)
        for found, want, _ in pairs
    )


def arrays(found, want):
    """Yield the tensors of nested results as arrays, with the recorded ones and their dtypes."""
    if isinstance(want, dict) and "items" in want:
        want = want["items"]
        found = found._asdict() if hasattr(found, "_asdict") and isinstance(want, dict) else found
    if isinstance(want, dict) and "dtype" in want:
        wanted = array_of(want)
        here = np.asarray(found.numpy() if isinstance(found, (tf.Tensor, tf.Variable)) else np.nan)
        yield here.astype(wanted.dtype), wanted, want["dtype"]
    elif isinstance(want, (dict, list)):
        for k in want if isinstance(want, dict) else range(len(want)):
            yield from arrays(found[k] if found is not None else None, want[k])


def reason(answer, found):
    """Return the line that a difference is about, and why it is known, or None."""
    names, error = run_program(answer["code"])
    if "not bound" in found:  # both raised, minitape before TensorFlow
        found = f"raised {error!r}, TensorFlow None"
    line, said = (
        line_of(answer["code"], found, error),
        (answer["raises"] or {"message": ""})["message"],
    )
    said += " some are NaN" if '"nan"' in json.dumps(answer["results"]) else ""
    if error is None and not answer["raises"] and rounded(answer, names):
        return line.splitlines()[-1], ROUNDED
    why = next(
        (
            why
            for pattern, why in KNOWN.items()
            if re.search(pattern, f"{line}\n{found}\n{said}", re.S)
        ),
        None,
    )
    return line.splitlines()[-1], why


def main(*files):
    counted, shown = Counter(), []
    for file in files:
        with open(file) as lines:
            for line in lines:
                answer = json.loads(line)
                counted["programs"] += 1
                found = verdict(answer)
                if found:
                    call, why = reason(answer, found[0])
                    counted[why or "unexplained"] += 1
                    shown += [] if why else [(call, found[0][:300])]
    for call, found in sorted(shown, key=lambda pair: re.sub(r"^t\d+ = ", "", pair[0])):
        print(f"{call}\n    {found}")
    for what, n in counted.most_common():
        print(f"{n:7} {what}")
    print(f"{counted['unexplained']} unexplained")


if __name__ == "__main__":
    main(*sys.argv[1:])
