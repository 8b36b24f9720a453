"""Ask TensorFlow for the signatures of the names that programs around the tape use.

The names stand in `names.txt` and their neighbours in `more_names.txt`, one a line (`math.log` means `tf.math.log`), and the members of classes in MEMBERS below.
The answer, `tf_signatures.json`, maps each name to its kind and its parameters in order, each with the repr of its default.
"""

import enum
import inspect
import re
from pathlib import Path

import numpy as np
import tensorflow as tf

HERE = Path(__file__).parent

LAYER = """__call__ add_weight build call count_params get_weights set_weights weights variables trainable_weights
           trainable_variables non_trainable_weights non_trainable_variables built trainable name dtype losses get_config
           kernel bias gamma beta moving_mean moving_variance embeddings"""
MEMBERS = {
    "GradientTape": "gradient watch jacobian batch_jacobian watched_variables reset stop_recording __enter__ __exit__",
    "Tensor": """numpy shape dtype ndim ref get_shape device graph op name set_shape
                 __len__ __iter__ __bool__ __int__ __float__ __index__ __array__ __format__ __hash__ __getitem__ __abs__ __invert__
                 __neg__ __add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __floordiv__ __rfloordiv__
                 __mod__ __rmod__ __pow__ __rpow__ __matmul__ __rmatmul__ __lt__ __le__ __gt__ __ge__ __eq__ __ne__
                 __and__ __or__ __xor__ __rand__ __ror__ __rxor__ __iadd__ __copy__ __deepcopy__ __array_priority__""",
    "Variable": """assign assign_sub assign_add read_value value trainable numpy shape dtype name ref get_shape device
                   initial_value initialized_value count_up_to experimental_ref
                   scatter_nd_add scatter_nd_sub scatter_nd_update scatter_nd_max scatter_nd_min set_shape ndim
                   synchronization aggregation handle op graph constraint __iadd__ __add__ __getitem__ __array__ __len__ __iter__ __hash__""",
    "TensorShape": """rank as_list num_elements ndims dims is_fully_defined is_compatible_with merge_with concatenate as_proto
                      __getitem__ __len__ __iter__ __bool__ __eq__""",
    "DType": """name size is_floating is_integer is_bool is_complex is_unsigned is_numeric as_numpy_dtype min max limits base_dtype
                real_dtype as_datatype_enum is_compatible_with""",
    "Module": "name name_scope submodules trainable_variables variables non_trainable_variables with_name_scope",
    "TensorSpec": "shape dtype name is_compatible_with",
    "UnconnectedGradients": "NONE ZERO",
    "IndexedSlices": "values indices dense_shape dtype shape",
    "TensorArray": "write read stack unstack gather concat scatter size identity",
    "name_scope": "name",
    "data.Dataset": """from_tensor_slices from_tensors from_generator range zip map filter shuffle batch unbatch take skip repeat concatenate
                       enumerate shard flat_map cache prefetch apply reduce cardinality as_numpy_iterator get_single_element element_spec
                       __len__ __iter__ __bool__""",
    "keras.layers.Layer": LAYER,
    "keras.Model": LAYER + " layers compile fit evaluate predict summary get_layer train_step test_step reset_metrics metrics",
    "keras.Sequential": LAYER + " layers add pop compile fit evaluate predict summary get_layer",
    "keras.optimizers.Optimizer": """apply_gradients apply learning_rate iterations variables build minimize assign name
                                     update_step get_config set_weights""",
    "keras.metrics.Metric": "result update_state reset_state reset_states variables name dtype __call__ add_weight",
    "keras.metrics.Mean": "result update_state reset_state variables",
    "keras.losses.Loss": "__call__ call name reduction dtype",
    "keras.initializers.Initializer": "__call__ get_config",
    "keras.optimizers.schedules.LearningRateSchedule": "__call__ get_config",
    "errors.OpError": "message op node_def error_code",
    "errors.InvalidArgumentError": "message op node_def",
}


def look_up(path):
    value = tf
    for part in path.split("."):
        value = getattr(value, part)
    return value


def steady(default):
    """The repr of a default, without memory addresses."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(default))


def signature_of(function, bound=False):
    """Parameters as they would be written: "x", "axis=None", "*" before keyword-only ones, "/" after positional-only ones, "**kwargs"."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    written, kinds = [], inspect.Parameter
    parameters = list(signature.parameters.values())
    if bound and parameters and parameters[0].name in ("self", "cls"):
        parameters = parameters[1:]
    for number, parameter in enumerate(parameters):
        before = parameters[number - 1].kind if number else None
        if parameter.kind == kinds.KEYWORD_ONLY and before not in (kinds.KEYWORD_ONLY, kinds.VAR_POSITIONAL):
            written.append("*")
        if before == kinds.POSITIONAL_ONLY != parameter.kind:
            written.append("/")
        star = {kinds.VAR_POSITIONAL: "*", kinds.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        default = "" if parameter.default is kinds.empty else "=" + steady(parameter.default)
        written.append(star + parameter.name + default)
    return written


def describe(value, bound=False):
    if isinstance(value, tf.DType):
        return {"kind": "dtype", "repr": repr(value), "size": value.size}
    if isinstance(value, enum.Enum):
        return {"kind": "constant", "repr": repr(value)}
    if value is None or isinstance(value, (int, float, str)):
        return {"kind": "constant", "repr": repr(value)}
    if inspect.isclass(value):
        row = {"kind": "class", "parameters": signature_of(value.__init__, bound=True),
               "bases": [base.__name__ for base in value.__mro__[1:] if base is not object][:3]}
        if issubclass(value, enum.Enum):
            row = {"kind": "enum", "members": {member.name: member.value for member in value}}
        elif issubclass(value, BaseException):
            row["kind"] = "exception"
        return row
    if isinstance(value, property) or (not callable(value) and bound):
        return {"kind": "property"}
    if callable(value):
        return {"kind": "function", "parameters": signature_of(value, bound)}
    return {"kind": type(value).__name__}


def instance_of(path):
    """A live object of a class whose members exist only after it has been built (keras layers, optimizers ...)."""
    layer = tf.keras.layers.Dense(2)
    layer.build((None, 3))
    model = tf.keras.Sequential([layer])
    model.build((None, 3))
    optimizer = tf.keras.optimizers.SGD(0.1)
    return {"keras.layers.Layer": layer, "keras.Model": model, "keras.Sequential": model,
            "keras.optimizers.Optimizer": optimizer, "keras.metrics.Metric": tf.keras.metrics.Mean(),
            "keras.losses.Loss": tf.keras.losses.MeanSquaredError(), "Tensor": tf.constant([1.0]),
            "Variable": tf.Variable([1.0]), "DType": tf.float32, "TensorShape": tf.TensorShape([1]),
            "TensorSpec": tf.TensorSpec([1]), "errors.OpError": tf.errors.OpError(None, None, "", 1),
            "errors.InvalidArgumentError": tf.errors.InvalidArgumentError(None, None, "")}.get(path)


def member(path, name):
    owner = look_up(path)
    if hasattr(owner, name):
        value = inspect.getattr_static(owner, name)
        if isinstance(value, (staticmethod, classmethod)):
            return {"kind": "classmethod" if isinstance(value, classmethod) else "staticmethod",
                    "parameters": signature_of(value.__func__, bound=isinstance(value, classmethod))}
        if inspect.isfunction(value) or inspect.isclass(value) or isinstance(value, (property, enum.Enum)):
            row = describe(value, bound=True)
            return {**row, "kind": "method"} if row["kind"] == "function" else row
        value = getattr(owner, name)
        if callable(value):
            return {"kind": "method", "parameters": signature_of(value, bound=True)}
        return {"kind": "property"} if not isinstance(value, (int, type(None))) else {"kind": "constant", "repr": repr(value)}
    owner = instance_of(path)
    if owner is not None and hasattr(owner, name):
        value = getattr(owner, name)
        return {"kind": "method", "parameters": signature_of(value)} if callable(value) else {"kind": "property"}
    return None


def ask():
    names, absent = {}, []
    for group, file in (("surface", "names.txt"), ("more", "more_names.txt")):
        for name in (HERE / file).read_text().split():
            try:
                row = describe(look_up(name))
            except AttributeError:
                absent.append(name)
                continue
            names.setdefault(name, {**row, "group": group})
    for path in MEMBERS:
        names.setdefault(path, {**describe(look_up(path)), "group": "surface"})
    members, missing = {}, []
    for path, wanted in MEMBERS.items():
        for name in wanted.split():
            row = member(path, name)
            if row is None:
                missing.append(f"{path}.{name}")
            else:
                members[f"{path}.{name}"] = row
    return {"tensorflow": tf.__version__, "keras": tf.keras.__version__, "numpy": np.__version__,
            "absent": sorted(set(absent)), "absent_members": sorted(set(missing)), "names": names, "members": members}
