"""Random programs: texts, whose lines hand an expression to `tried`. `random_answers.py` runs them."""

import random
import re

SHAPES = [(), (), (), (2,), (2,), (3,), (2, 2), (2, 3), (1, 2), (2, 1), (0,)]
DTYPES = (
    ["float32"] * 10 + ["float64"] * 3 + ["int32"] * 3 + ["int64", "bool", "string", "complex64"]
)
FLOATS = ("float32", "float64")
NUMBERS = (*FLOATS, "int32", "int64", "complex64")
SMOOTH = "sin cos exp tanh sqrt square sigmoid math.log identity stop_gradient negative abs nn.relu"
UNARY = (
    f"{SMOOTH} {SMOOTH} floor sign math.reciprocal nn.softplus zeros_like ones_like round".split()
)
OPERATORS = "+ + - - * * / / ** // % @".split()
COMPARED = "< <= > >= == !=".split()
FUNCTIONS = """add add subtract multiply divide maximum minimum pow matmul math.floordiv
    math.squared_difference math.divide_no_nan math.xlogy""".split()
RELATIONS = "less greater equal not_equal logical_and logical_or".split()
REDUCTIONS = "sum sum mean max min prod any all logsumexp".split()


class Writer:
    """One program while it is written: its lines, and what its names will most likely hold."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines, self.indent, self.tapes, self.count = [], 0, [], 0
        self.names, self.variables = {}, []  # name: (dtype, shape)
        self.leaves, self.nested, self.closed = [], False, []
        self.costly = self.rng.random() < 0.02  # Jacobians and traces take a hundred times as long

    def name(self, letter="a"):
        self.count += 1
        return f"{letter}{self.count}"

    def line(self, text):
        self.lines.append("    " * self.indent + text)

    def keep(self, expression, dtype="float32", shape=(), name=None):
        """Write a line that tries an expression, and remember its name."""
        name = name or self.name()
        instead = {"bool": ", True", "string": ", 'a'", "int32": ", 1"}.get(dtype or "", "")
        self.line(f"{name} = tried({name!r}, lambda: {expression}{instead})")
        if dtype is not None:
            self.names[name] = (dtype, shape)
        return name

    def pick(self, dtypes=None, shapes=None, strict=False):
        """Return a name, of these dtypes and shapes where there is one (and chance does not want
        another).
        """
        fits = [
            name
            for name, (dtype, shape) in self.names.items()
            if (dtypes is None or dtype in dtypes) and (shapes is None or shape in shapes)
        ]
        if strict and not fits:
            return self.keep("tf.constant(1.5)")
        if not fits or not strict and self.rng.random() < 0.06:
            fits = list(self.names)
        return self.rng.choice(fits[-4:] + fits)

    def literal(self, dtype, shape):
        """Return numbers as Python writes them."""
        if shape:
            return "[" + ", ".join(self.literal(dtype, shape[1:]) for _ in range(shape[0])) + "]"
        rng = self.rng
        if dtype == "bool":
            return rng.choice(["True", "False"])
        if dtype == "string":
            return rng.choice(["'a'", "'b'", "''"])
        if dtype.startswith("int"):
            return rng.choice(["1", "2", "3", "-2", "0"])
        if dtype == "complex64":
            return rng.choice(["1j", "(1+2j)", "2.0"])
        return rng.choice(["0.5", "1.5", "-0.5", "2.0", "-1.0", "0.25", "3.0", "0.0"])

    def other(self, dtype, shape):
        """Return the other side of an operation: nearly always something that fits."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.62:
            return self.pick([dtype], [shape, ()])
        if kind < 0.86:
            plain = "float32" if dtype in FLOATS else dtype
            return self.literal(plain, rng.choice([(), (), shape]))
        if kind < 0.92:
            wanted = rng.choice(["float32", "int32", "bool", "string"])
            return self.literal(wanted, rng.choice([(), shape]))
        if kind < 0.96:
            numpy = rng.choice(["float32", "float64", "int32"])
            return f"np.array({self.literal(numpy, shape)}, '{numpy}')"
        return self.pick()

    # ---- lines

    def source(self):
        dtype, shape = self.rng.choice(DTYPES), self.rng.choice(SHAPES)
        value = self.literal(dtype, shape)
        given = (
            ""
            if dtype in ("float32", "int32", "bool", "string") and 0 not in shape
            else f", tf.{dtype}"
        )
        if self.rng.random() < 0.5:
            given = given and f", dtype=tf.{dtype}"
            free = ", trainable=False" if self.rng.random() < 0.1 else ""
            name = self.keep(f"tf.Variable({value}{given}{free})", dtype, shape, self.name("v"))
            self.variables.append(name)
            self.leaves.append(name)
        else:
            name = self.keep(f"tf.constant({value}{given})", dtype, shape)
            self.leaves.append(name)
            if self.tapes and self.rng.random() < 0.7:
                self.watch(name)

    def watch(self, name=None):
        if self.tapes:
            tape = self.rng.choice(self.tapes)
            self.keep(f"{tape}.watch({name or self.pick(FLOATS)})", None)

    def unary(self):
        f = self.rng.choice(UNARY)
        x = self.pick(FLOATS)
        self.keep(f"tf.{f}({x})", *self.names[x])

    def binary(self):
        x = self.pick(NUMBERS)
        dtype, shape = self.names[x]
        y = self.other(dtype, shape)
        if self.rng.random() < 0.25 and "@" not in y:
            x, y = y, x
        if self.rng.random() < 0.6:
            sign = self.rng.choice(OPERATORS)
            if sign == "%" and "int" not in dtype or sign == "**" and dtype == "complex64":
                sign = "+"  # the sign of 0 is another; 0 ** 0
            if "'" in y + x and sign == "*":
                sign = "+"  # Python repeats a text
            if sign in "//%" and (dtype == "complex64" or "0" in re.split(r"[^.\d]+", y)):
                sign = "-"  # 1 // 0 is an error only where there are elements
            self.keep(f"{x} {sign} {y}", dtype, shape)
        else:
            f = self.rng.choice(FUNCTIONS)
            if dtype == "complex64" and f in ("pow", "math.xlogy"):
                f = "add"  # 0 ** 0; TensorFlow does not conjugate the slope of xlogy
            self.keep(f"tf.{f}({x}, {y})", dtype, shape)

    def compared(self):
        x = self.pick()
        shape = self.names[x][1]
        y = self.other(*self.names[x])
        if self.rng.random() < 0.7:
            self.keep(f"{x} {self.rng.choice(COMPARED)} {y}", "bool", shape)
        else:
            f = self.rng.choice(RELATIONS)
            if "logical" in f:
                x, y = self.truth(), self.truth()
            self.keep(f"tf.{f}({x}, {y})", "bool", shape)

    def truth(self):
        found = [name for name, (dtype, _) in self.names.items() if dtype == "bool"]
        return (
            self.rng.choice(found)
            if found
            else self.keep("tf.constant([True, False])", "bool", (2,))
        )

    def reduced(self):
        f = self.rng.choice(REDUCTIONS)
        x = self.truth() if f in ("any", "all") else self.pick(NUMBERS)
        axis = self.rng.choice(["", "", "", ", 0", ", -1", ", axis=1, keepdims=True", ", [0, 1]"])
        self.keep(f"tf.reduce_{f}({x}{axis})", self.names[x][0], () if not axis else (2,))

    def shaped(self):
        rng = self.rng
        x = self.pick(None, [s for s in SHAPES if s])
        dtype, shape = self.names[x]
        y = self.other(dtype, shape)
        text, new = rng.choice(
            [
                (f"{x}[0]", shape[1:]),
                (f"{x}[-1]", shape[1:]),
                (f"{x}[1:]", shape),
                (f"{x}[..., 0]", shape[:-1]),
                (f"{x}[:, None]", (*shape[:1], 1, *shape[1:])),
                (f"{x}[::-1]", shape),
                (f"tf.reshape({x}, [-1])", (4,)),
                (f"tf.reshape({x}, {rng.choice([[2, 2], [2], [1, -1], [3, 1]])})", (2, 2)),
                (f"tf.transpose({x})", shape[::-1]),
                (f"tf.expand_dims({x}, {rng.choice([0, -1, 1, 3])})", (1, *shape)),
                (f"tf.squeeze({x})", (2,)),
                (f"tf.concat([{x}, {y}], {rng.choice([0, 0, 1, -1])})", shape),
                (
                    f"tf.stack([{x}, {x if y == '[]' else y}]{rng.choice(['', '', ', 1', ', axis=-1'])})",
                    (2, *shape),
                ),
                (f"tf.convert_to_tensor([{x}, {x if y == '[]' else y}])", (2, *shape)),
                (f"tf.gather({x}, {rng.choice(['0', '[1, 0]', '[0, 0, 1]', '[1]'])})", shape),
                (f"tf.where({self.truth()}, {x}, {y})", shape),
                (f"tf.tile({x}, [2])", (4,)),
                (f"tf.broadcast_to({x}, [2, 2])", (2, 2)),
                (f"tf.cumsum({x})", shape),
                (f"tf.split({x}, 2)[0]", (1,)),
                (f"tf.unstack({x})[0]", shape[1:]),
                (f"tf.clip_by_value({x}, {rng.choice(['-1.0, 1.0', '0, 1', '0.0, 0.5'])})", shape),
                (f"tf.pad({x}, [[1, 0]])", (3,)),
                (f"tf.shape({x})", (1,)),
            ]
        )
        self.keep(text, "int32" if "tf.shape" in text else dtype, new)

    def cast(self):
        x, dtype = self.pick(), self.rng.choice(DTYPES)
        self.keep(f"tf.cast({x}, tf.{dtype})", dtype, self.names[x][1])

    def assigned(self):
        if self.variables:
            v = self.rng.choice(self.variables)
            how = self.rng.choice(["assign", "assign", "assign_add", "assign_sub"])
            dtype, shape = self.names[v]
            self.keep(f"[{v}.{how}({self.other(dtype, shape)})][1:]", None)

    def text(self):
        x = self.pick(["string"])
        y = self.rng.choice([self.pick(["string"]), "'b'"])
        self.keep(
            self.rng.choice(
                [f"{x} + {y}", f"tf.strings.length({x})", f"tf.add({y}, {x})", f"{x} == {y}"]
            ),
            "string",
            self.names[x][1],
        )

    def plain(self):
        x = self.pick()
        self.keep(
            self.rng.choice([f"float({x})", f"int({x})", f"bool({x})", f"{x}.shape.rank"]), None
        )

    def sources(self, count=3):
        names = [self.pick(FLOATS, None, True) for _ in range(self.rng.randint(1, count))]
        if self.nested:  # which results a rule makes use of is not promised
            leaves = [n for n in self.leaves if self.names[n][0] in FLOATS] or names
            names = [self.rng.choice(leaves) for _ in names]
        numbers = [v for v in self.variables if self.names[v][0] != "string"]
        if numbers and self.rng.random() < 0.7:
            names[0] = self.rng.choice(numbers)
        return names

    def gradient(self):
        """Ask one of the tapes, seldom one whose block is still open."""
        if not self.asked:
            return
        rng, tape = self.rng, self.rng.choice(self.asked)
        xs, y = self.sources(), self.pick(FLOATS, None, True)
        last = list(self.names)[-1]
        if rng.random() < 0.6 and last not in self.variables:
            y = last
        asked = xs[0] if len(xs) == 1 else f"[{', '.join(xs)}]"
        zero = rng.choice(
            [""] * 6 + [", unconnected_gradients='zero'", ", None, 'none'", ", None, 'nonsense'"]
        )
        zero = (
            zero if rng.random() < 0.9 else ", unconnected_gradients=tf.UnconnectedGradients.ZERO"
        )
        beside = self.pick(FLOATS, None, True)
        target = y if rng.random() < 0.9 or beside in xs or y in xs else f"[{y}, {beside}]"
        if self.costly and rng.random() < 0.5:
            zero = rng.choice(
                ["", "", ", unconnected_gradients='zero'", ", experimental_use_pfor=False"]
            )
            how = rng.choice(["jacobian", "jacobian", "batch_jacobian"])
            self.keep(
                f"{tape}.{how}({y}, {xs[0] if how == 'batch_jacobian' else asked}{zero})", None
            )
            return
        self.nested = self.nested or self.indent > 0
        name = self.keep(f"{tape}.gradient({target}, {asked}{zero})", None)
        if len(xs) == 1:
            self.names[name] = self.names[xs[0]]

    @property
    def asked(self):
        return self.closed * 4 + self.tapes

    def own_rule(self):
        f, rule = (
            self.name("f"),
            self.rng.choice(
                ["2.0 * g", "g * x", "tf.zeros_like(g)", "None", "tf.clip_by_value(g, -1.0, 1.0)"]
            ),
        )
        self.line("@tf.custom_gradient")
        self.line(f"def {f}(x):")
        self.line(f"    return x * {self.rng.choice(['1.0', 'x', '3.0'])}, lambda g: ({rule})")
        x = self.pick(FLOATS, None, True)
        self.keep(f"{f}({x})", *self.names[x])

    def function(self):
        f, e = (
            self.name("f"),
            self.rng.choice(
                [
                    "x * y",
                    "x + y * y",
                    "tf.sin(x) * y",
                    "tf.reduce_sum(x) + y",
                    "tf.stop_gradient(x) * y",
                ]
            ),
        )
        self.line("@tf.function")
        self.line(f"def {f}(x, y):")
        self.line(f"    return {e}")
        x = self.pick(["float32"], None, True)
        y = self.rng.choice([x, self.pick(["float32"], [(), self.names[x][1]], True)])
        self.keep(f"{f}({x}, {y})", *self.names[x])

    def tape(self):
        """Write a block with a tape, and ask it afterwards."""
        rng, tape = self.rng, self.name("t")
        options = rng.choice(["", "", "persistent=True", "watch_accessed_variables=False"])
        if rng.random() < 0.02:
            self.line(f"{tape} = tf.GradientTape()")
            self.keep(rng.choice([f"{tape}.watch({self.pick()})", f"{tape}.reset()"]), None)
        self.line(f"with tf.GradientTape({options}) as {tape}:")
        self.indent += 1
        self.tapes.append(tape)
        for _ in range(rng.choice([0, 1, 1, 2])):
            self.watch()
        self.keep("1", None)
        self.some(rng.randint(2, 6))
        self.indent -= 1
        self.tapes.pop()
        self.closed.append(tape)
        for _ in range(rng.choice([1, 1, 2])):
            self.gradient()

    def paused(self):
        if self.tapes:
            self.line(f"with {self.tapes[-1]}.stop_recording():")
            self.indent += 1
            self.keep("1", None)
            self.some(self.rng.randint(1, 2), ["unary", "binary", "assigned"])
            self.indent -= 1

    def noted(self):
        if self.asked:
            self.keep(f"len({self.rng.choice(self.asked)}.watched_variables())", None)

    def some(self, count, kinds=None):
        """Write some lines."""
        common = ["binary"] * 9 + ["unary"] * 5 + ["reduced"] * 3 + ["shaped"] * 5 + ["source"] * 2
        rare = [
            "compared",
            "compared",
            "cast",
            "assigned",
            "assigned",
            "text",
            "plain",
            "gradient",
            "watch",
            "noted",
            "own_rule",
        ]
        for _ in range(count):
            kind = self.rng.choice(kinds or common + rare)
            if kinds is None and self.indent < 3 and self.rng.random() < 0.06:
                kind = "tape"
            if kinds is None and self.costly and self.rng.random() < 0.1:
                kind = "function"
            if kinds is None and self.indent == 1 and self.rng.random() < 0.03:
                kind = "paused"
            getattr(self, kind)()


def written(seed):
    """Return the text of one program."""
    writer = Writer(seed)
    for _ in range(writer.rng.randint(2, 4)):
        writer.source()
    for _ in range(writer.rng.choice([1, 1, 1, 2])):
        writer.some(writer.rng.choice([0, 1]))
        writer.tape()
    return "\n".join(writer.lines) + "\n"
