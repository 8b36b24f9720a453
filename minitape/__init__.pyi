# What editors and type checkers see of minitape: the names that __init__.py loads when they are
# first used. tests/test_typing.py compares the two.
# ruff: noqa: I001, PLC0414  (names in compact blocks; `x as x` says that a name is public)
from collections.abc import Callable
from typing import Any

from . import (
    config as config,
    data as data,
    debugging as debugging,
    errors as errors,
    exercises as exercises,
    explain as explain,
    jit as jit,
    health as health,
    image as image,
    keras as keras,
    linalg as linalg,
    math as math,
    memory as memory,
    nest as nest,
    nn as nn,
    random as random,
    storyboard as storyboard,
    strings as strings,
    typing as typing,
)
from .api.elementwise import (
    abs as abs,
    acos as acos,
    acosh as acosh,
    add as add,
    add_n as add_n,
    asin as asin,
    asinh as asinh,
    atan as atan,
    atan2 as atan2,
    atanh as atanh,
    cast as cast,
    clip_by_value as clip_by_value,
    complex as complex,
    cos as cos,
    cosh as cosh,
    divide as divide,
    equal as equal,
    exp as exp,
    floor as floor,
    greater as greater,
    greater_equal as greater_equal,
    less as less,
    less_equal as less_equal,
    logical_and as logical_and,
    logical_not as logical_not,
    logical_or as logical_or,
    maximum as maximum,
    minimum as minimum,
    multiply as multiply,
    negative as negative,
    not_equal as not_equal,
    pow as pow,
    round as round,
    saturate_cast as saturate_cast,
    scalar_mul as scalar_mul,
    sigmoid as sigmoid,
    sign as sign,
    sin as sin,
    sinh as sinh,
    sqrt as sqrt,
    square as square,
    subtract as subtract,
    tan as tan,
    tanh as tanh,
    truediv as truediv,
    truncatediv as truncatediv,
    truncatemod as truncatemod,
)
from .api.flow import (
    cond as cond,
    foldl as foldl,
    map_fn as map_fn,
    scan as scan,
    vectorized_map as vectorized_map,
    while_loop as while_loop,
)
from .api.function import function as function
from .api.gradients import (
    clip_by_global_norm as clip_by_global_norm,
    clip_by_norm as clip_by_norm,
    custom_gradient as custom_gradient,
    grad_pass_through as grad_pass_through,
    gradients as gradients,
    recompute_grad as recompute_grad,
)
from .api.indexing import (
    argsort as argsort,
    boolean_mask as boolean_mask,
    gather as gather,
    gather_nd as gather_nd,
    scatter_nd as scatter_nd,
    sort as sort,
    tensor_scatter_nd_add as tensor_scatter_nd_add,
    tensor_scatter_nd_max as tensor_scatter_nd_max,
    tensor_scatter_nd_min as tensor_scatter_nd_min,
    tensor_scatter_nd_sub as tensor_scatter_nd_sub,
    tensor_scatter_nd_update as tensor_scatter_nd_update,
    unique as unique,
    where as where,
)
from .api.linear_algebra import (
    einsum as einsum,
    eye as eye,
    matmul as matmul,
    norm as norm,
    tensordot as tensordot,
)
from .api.making import (
    ensure_shape as ensure_shape,
    fill as fill,
    linspace as linspace,
    meshgrid as meshgrid,
    one_hot as one_hot,
    ones as ones,
    ones_like as ones_like,
    range as range,
    rank as rank,
    sequence_mask as sequence_mask,
    shape as shape,
    size as size,
    zeros as zeros,
    zeros_like as zeros_like,
)
from .api.module import (
    Module as Module,
    device as device,
    executing_eagerly as executing_eagerly,
    name_scope as name_scope,
    print as print,
)
from .api.outside import numpy_function as numpy_function
from .api.reductions import (
    argmax as argmax,
    argmin as argmin,
    cumsum as cumsum,
    reduce_all as reduce_all,
    reduce_any as reduce_any,
    reduce_logsumexp as reduce_logsumexp,
    reduce_max as reduce_max,
    reduce_mean as reduce_mean,
    reduce_min as reduce_min,
    reduce_prod as reduce_prod,
    reduce_sum as reduce_sum,
)
from .api.shaping import (
    bitcast as bitcast,
    broadcast_to as broadcast_to,
    concat as concat,
    expand_dims as expand_dims,
    identity as identity,
    pad as pad,
    repeat as repeat,
    reshape as reshape,
    reverse as reverse,
    roll as roll,
    slice as slice,
    split as split,
    squeeze as squeeze,
    stack as stack,
    stop_gradient as stop_gradient,
    tile as tile,
    transpose as transpose,
    unstack as unstack,
)
from .api.tensor_array import TensorArray as TensorArray
from .compile.tensor_spec import TensorSpec as TensorSpec
from .debugging import (
    Assert as Assert,
    assert_equal as assert_equal,
    assert_greater as assert_greater,
    assert_less as assert_less,
)
from .engine.convert import (
    constant as constant,
    convert_to_tensor as convert_to_tensor,
    is_tensor as is_tensor,
)
from .engine.base.dtypes import (
    DType as DType,
    as_dtype as as_dtype,
    complex64 as complex64,
    complex128 as complex128,
    double as double,
    float16 as float16,
    float32 as float32,
    float64 as float64,
    half as half,
    int8 as int8,
    int16 as int16,
    int32 as int32,
    int64 as int64,
    string as string,
    uint8 as uint8,
    uint16 as uint16,
    uint32 as uint32,
    uint64 as uint64,
)
from .engine.parts import IndexedSlices as IndexedSlices
from .engine.base.shapes import TensorShape as TensorShape
from .engine.gradient_tape import (
    GradientTape as GradientTape,
    UnconnectedGradients as UnconnectedGradients,
)
from .engine.base.tensor import Tensor as Tensor
from .engine.variable import Variable as Variable
from .keras import (
    initializers as initializers,
    losses as losses,
    metrics as metrics,
    optimizers as optimizers,
)

constant_initializer = initializers.Constant
ones_initializer = initializers.Ones
random_normal_initializer = initializers.RandomNormal
random_uniform_initializer = initializers.RandomUniform
zeros_initializer = initializers.Zeros
bool: DType
__version__: str
newaxis: None

def check_gradients(
    f: Callable[..., Any], *args: Any, epsilon: float | None = None, tolerance: float | None = None
) -> Any: ...
