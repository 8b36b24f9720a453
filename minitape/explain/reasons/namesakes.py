"""What the library has for the functions of NumPy and of `math`, and which arguments of a call can
go over to it.

A row gives NumPy's name, the library's, and NumPy's parameters in NumPy's order. Those before the
bar are arrays: they go over in their order. Any other goes over only where the library's own
function has a parameter of that name (or of the name behind a colon), which its signature tells; a
call that gives more than that cannot be written with the library's function. `axis=0` is NumPy's
own default where the library has another or none, `axis!` must be given: without it, NumPy makes a
vector of the array first.
"""

from __future__ import annotations

import ast
import inspect
from typing import TYPE_CHECKING, Any, NamedTuple

from minitape.program.syntax import text_of

if TYPE_CHECKING:
    from minitape.program.aliases import Node
    from minitape.program.files import File

    from ..case.case import Case

SAME = """abs add asin asinh acos acosh atan atanh atan2 cos cosh divide exp floor maximum minimum multiply negative pow round sign sin sinh
    sqrt square subtract tan tanh"""
PAIRS = ("add", "atan2", "divide", "maximum", "minimum", "multiply", "pow", "subtract")
TABLE = """
sum                         = reduce_sum            a | axis dtype out keepdims initial where
mean                        = reduce_mean           a | axis dtype out keepdims where
average                     = reduce_mean           a | axis weights returned keepdims
max amax                    = reduce_max            a | axis out keepdims initial where
min amin                    = reduce_min            a | axis out keepdims initial where
prod                        = reduce_prod           a | axis dtype out keepdims initial where
std                         = math.reduce_std       a | axis dtype out ddof keepdims
var                         = math.reduce_variance  a | axis dtype out ddof keepdims
cumsum                      = cumsum                a | axis! dtype out
cumprod                     = math.cumprod          a | axis! dtype out
absolute fabs               = abs                   x
arcsin                      = asin                  x
arccos                      = acos                  x
arctan                      = atan                  x
arcsinh                     = asinh                 x
arccosh                     = acosh                 x
arctanh                     = atanh                 x
ceil                        = math.ceil             x
erf                         = math.erf              x
expm1                       = math.expm1            x
lgamma                      = math.lgamma           x
log                         = math.log              x
log1p                       = math.log1p            x
reciprocal                  = math.reciprocal       x
rint                        = math.rint             x
around                      = round                 x
arctan2                     = atan2                 x1 x2
floor_divide                = math.floordiv         x1 x2
mod remainder               = math.mod              x1 x2
power                       = pow                   x1 x2
true_divide                 = divide                x1 x2
clip                        = clip_by_value         a a_min a_max
where                       = where                 condition x y
concatenate concat          = concat                arrays | axis=0 out
append                      = concat                arr values | axis
vstack hstack               = concat                arrays
stack                       = stack                 arrays | axis out
array                       = stack                 object
asarray                     = convert_to_tensor     a | dtype
expand_dims                 = expand_dims           a | axis
squeeze                     = squeeze               a | axis
reshape                     = reshape               a | shape order
ravel                       = reshape               a | order
transpose                   = transpose             a | axes:perm
swapaxes                    = transpose             a axis1 axis2
moveaxis                    = transpose             a source destination
flip                        = reverse               m | axis!
roll                        = roll                  a shift | axis!
repeat                      = repeat                a repeats | axis
tile                        = tile                  A | reps:multiples
sort                        = sort                  a | axis kind order
median                      = sort                  a
take                        = gather                a indices | axis!
pad                         = pad                   array pad_width | mode constant_values
broadcast_to                = broadcast_to          array | shape
copy                        = identity              a
diag                        = linalg.diag           v
trace linalg.trace          = linalg.trace          a
dot                         = tensordot             a b
matmul                      = matmul                x1 x2
inner vdot                  = tensordot             a b
outer linalg.outer          = tensordot             a b
tensordot                   = tensordot             a b | axes=2
einsum                      = einsum                subscripts one two three
float32                     = cast                  x
linalg.cholesky             = linalg.cholesky       a
linalg.det                  = linalg.det            a
linalg.eigvalsh             = linalg.eigvalsh       a
linalg.inv                  = linalg.inv            a
linalg.matmul               = matmul                x1 x2
linalg.norm                 = norm                  x | ord axis keepdims
linalg.pinv                 = linalg.pinv           a
linalg.solve                = linalg.solve          a b
"""
SPELLED = {  # what the library has in several words, and how many arrays it takes
    "log2": (1, "{tf}.math.log({0}) / {tf}.math.log(2.0)"),
    "log10": (1, "{tf}.math.log({0}) / {tf}.math.log(10.0)"),
    "exp2": (1, "2.0 ** {0}"),
    "hypot": (2, "{tf}.sqrt({0} ** 2 + {1} ** 2)"),
    "ptp": (1, "{tf}.reduce_max({0}) - {tf}.reduce_min({0})"),
    "diff": (1, "{0}[..., 1:] - {0}[..., :-1]"),
    "logaddexp": (2, "{1} + {tf}.math.softplus({0} - {1})"),
}
# where that is None or not given
FEWER: dict[tuple[str, ...], str] = {("clip", "a_min"): "minimum", ("clip", "a_max"): "maximum"}
# yes or no: nobody's slope
MASKS = dict.fromkeys(("equal", "not_equal", "greater", "greater_equal", "less", "less_equal"))


class Row(NamedTuple):
    """The library's name for a function, which parameters are arrays, and the others: {name: (the
    library's name, NumPy's default)}.
    """

    name: str
    arrays: tuple[str, ...]
    others: dict[str, tuple[str, str]]


class Carried(NamedTuple):
    """A call as the library takes it: the name, the arrays, and the other arguments as (keyword or
    "", node or text).
    """

    name: str
    arrays: list[Any]
    others: list[tuple[str, Any]]


def _rows() -> dict[str, Row]:
    found = {
        name: Row(name, ("x1", "x2") if name in PAIRS else ("x",), {}) for name in SAME.split()
    }
    for line in TABLE.strip().splitlines():
        names, _, rest = line.partition(" = ")
        left, _, right = rest.partition("|")
        theirs, *arrays = left.split()
        others = {}
        for word in right.split():
            word, _, default = word.replace("!", "=!").partition("=")
            mine, _, other = word.partition(":")
            others[mine] = other or mine, default
        found.update(dict.fromkeys(names.split(), Row(theirs, tuple(arrays), others)))
    return found | {name: Row(name, ("x1", "x2"), {}) for name in MASKS}


ROWS = _rows()
ALSO = {"clip": {"min": "a_min", "max": "a_max"}}  # NumPy's second names of parameters


def called(case: Case, node: Node) -> str:
    """Return the name of the function of NumPy or `math` that a call calls, as `linalg.norm`; "?"
    for one of scipy; or "".
    """
    text = text_of(node.func) if isinstance(node, ast.Call) else ""
    if not text.replace(".", "").isidentifier():
        return ""
    file: File = node.file
    base, _, rest = text.partition(".")
    module = file.imports.get(base) or next(
        (f.imports[base] for f in case.program.trees() if file.is_cell and base in f.imports), ""
    )
    whole = f"{module or {'np': 'numpy'}.get(base, base if rest else '')}.{rest}".rstrip(".")
    home, _, name = whole.partition(".")
    return {"numpy": name, "math": name, "scipy": "?"}.get(home, "")


def instead(case: Case, node: Node) -> str:
    """Return the library's own name for the function of NumPy or `math` that a call calls, as
    `tf.sin`, or "".
    """
    name = called(case, node)
    found = carried(case, node, name) if name and name not in MASKS else None
    return f"{case.evidence.library[0]}.{found.name}" if found is not None else ""


def carried(case: Case, node: Node, name: str, of: Node = None) -> Carried | None:
    """Return a call as the library's own function takes it, or None where it does not. `of`: the
    array, of whose method it is the call.
    """
    row = ROWS.get(name)
    given = _bound(row, node, name, of) if row is not None else None
    if row is None or given is None:
        return None
    missing = [p for p in row.arrays if p not in given or _none(given[p][1])]
    if missing and name != "einsum":
        row = row._replace(name=FEWER.get((name, *missing), ""))
    arrays, ours = [given[p][1] for p in row.arrays if p not in missing], _library(case, row.name)
    if ours is None:
        return None
    theirs = {p.name: p for p in inspect.signature(ours).parameters.values()}
    others, after = [], len(arrays)
    for p, (mine, default) in row.others.items():
        place, value = given.get(p, (None, None))
        if value is None:
            if default == "!":
                return None
            if default and mine in theirs:
                others.append((mine, default))
            continue
        wanted = theirs.get(mine)
        if wanted is None or _none(value) and wanted.default is not None:
            return None
        if isinstance(value, (ast.Tuple, ast.List)) and str(wanted.annotation).startswith(
            "IntLike"
        ):
            return None
        in_order = (
            place is not None
            and after < len(theirs)
            and list(theirs)[after] == mine
            and not any(k for k, _ in others)
        )
        others.append(("" if in_order else mine, value))
        after += 1
    return Carried(row.name, arrays, others)


def _bound(row: Row, node: Node, name: str, of: Node) -> dict[str, tuple[int | None, Any]] | None:
    """Return {NumPy's parameter: (place or None, argument)} of a call, or None where the text does
    not tell.
    """
    names, args = [*row.arrays, *row.others], [*([of] if of is not None else []), *node.args]
    if len(args) > len(names) or any(isinstance(a, ast.Starred) for a in args):
        return None
    given = {p: (k, a) for k, (p, a) in enumerate(zip(names, args))}
    for keyword in node.keywords:
        p = ALSO.get(name, {}).get(keyword.arg, keyword.arg)
        if p not in names or p in given:
            return None
        given[p] = None, keyword.value
    return given


def _none(value: Any) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _library(case: Case, name: str) -> Any:
    """Return the library's function of a name, or None."""
    found = case.evidence.library[1]
    for part in name.split("."):
        try:
            found = getattr(found, part, None)
        except AttributeError:
            found = None
    return found
