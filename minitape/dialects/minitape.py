"""minitape's dialect, which is TensorFlow's: its names, and its cures as tables."""

from .arrays import METHODS, NUMPY, PARTS, SPELLED
from .cures import CURES
from .dialect import Dialect

MINITAPE = Dialect(
    module="minitape",
    alias="tf",
    recording="tape",
    recorder="GradientTape",
    plays=("gradient", "jacobian", "batch_jacobian"),
    makers=("Variable", "add_weight"),
    changes={"assign": "", "assign_add": "+", "assign_sub": "-"},
    leads_out=("numpy", "item", "tolist"),
    wrappers=("constant", "convert_to_tensor", "Variable"),
    converts=("constant", "convert_to_tensor"),
    groups={
        "ROUND": ("floor", "round", "ceil", "rint"),
        "CLIP": ("clip_by_value", "minimum", "maximum"),
        "DRAW": ("categorical", "stateless_categorical"),
        "INDEX": (
            *("gather", "gather_nd", "embedding_lookup", "one_hot", "equal", "bincount"),
            *("confusion_matrix", "SparseCategoricalCrossentropy"),
        ),
    },
    cures=CURES,
    numpy=NUMPY,
    spelled=SPELLED,
    parts=PARTS,
    methods=tuple(METHODS.split()),
)
