"""Programs by chance: written while TensorFlow runs them, so that most of them go on for a while, and recorded with their answers.

    CUDA_VISIBLE_DEVICES='' path/to/tf-venv/bin/python tests/data/ask/chance.py 0 1000 answers.json     # seeds from 0 to 999
    python -m tests.engine.chance answers.json                                                          # what minitape answers otherwise

A program has a few sources, watched or not, some operations on what is there, and asks for gradients. Arguments fit most of the time.
"""

import contextlib
import io
import json
import os
import random
import sys
import warnings

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

ELEMENTWISE = """abs acos acosh asin asinh atan atanh cos cosh exp floor negative round sigmoid sign sin sinh sqrt square tan tanh identity
    stop_gradient math.log math.log1p math.expm1 math.reciprocal math.rsqrt math.erf math.lgamma math.digamma math.softplus math.ceil
    math.rint math.is_nan math.is_finite math.log_sigmoid math.reciprocal_no_nan math.sigmoid nn.relu nn.relu6 nn.elu nn.selu nn.gelu
    nn.silu nn.softsign nn.softplus nn.leaky_relu zeros_like ones_like math.erfinv math.ndtri math.bessel_i0 math.conj math.real
    math.imag math.angle shape size rank logical_not nn.l2_loss nn.zero_fraction""".split()
BINARY = """add subtract multiply divide maximum minimum pow math.floordiv math.floormod math.squared_difference atan2 math.xlogy math.xdivy
    math.divide_no_nan math.multiply_no_nan math.truediv equal not_equal greater greater_equal less less_equal truncatediv math.xlog1py
    math.mod truncatemod logical_and logical_or math.polygamma math.zeta matmul linalg.matvec tensordot""".split()
REDUCE = """reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_logsumexp math.reduce_std math.reduce_variance
    math.reduce_euclidean_norm reduce_any reduce_all norm math.count_nonzero""".split()
MORE = """tf.{f}({t}, {axis})|argmax argmin sort argsort cumsum math.cumprod nn.softmax nn.log_softmax expand_dims squeeze math.l2_normalize
    math.cumulative_logsumexp unstack gather repeat stack reverse
tf.reshape({t}, {shape})
tf.transpose({t}, {axes})
tf.tile({t}, {axes})
tf.concat([{t}, {t}], {axis})
tf.stack([{t}, {t}], axis={axis})
tf.split({t}, {n}, axis={axis})
tf.roll({t}, {n}, {axis})
tf.reverse({t}, {axes})
tf.pad({t}, [[{n}, {n}]] * {n}, mode={mode})
tf.gather({t}, {places}, axis={axis})
tf.gather({t}, {places})
tf.gather_nd({t}, {places})
tf.boolean_mask({t}, {t} > 0)
tf.where({t} > {t}, {t}, {t})
tf.where({t} > 0.1)
tf.broadcast_to({t}, {shape})
tf.clip_by_value({t}, {x}, {x})
tf.clip_by_norm({t}, {x}, axes={axes})
tf.cast({t}, {dtype})
tf.one_hot(tf.cast({t}, tf.int32), {n}, axis={axis})
tf.repeat({t}, {n}, axis={axis})
tf.repeat({t}, {places}, axis={axis})
tf.slice({t}, {axes}, {shape})
{t}[{n}:]
{t}[..., {n}]
{t}[::{n}]
{t}[:, None]
{t} {op} {t}
{t} {op} {x}
{x} {op} {t}
tf.linspace({x}, {x}, {n})
tf.linspace({t}, {t}, {n}, axis={axis})
tf.range({x}, {x}, {x})
tf.range({n})
tf.eye({n}, {n}, dtype={dtype})
tf.fill({shape}, {x})
tf.zeros({shape}, {dtype})
tf.meshgrid({t}, {t}, indexing={indexing})
tf.einsum({equation}, {t}, {t})
tf.linalg.{l}({t})
tf.linalg.solve({t}, {t})
tf.linalg.band_part({t}, {n}, {n})
tf.linalg.diag({t}, k={n})
tf.linalg.diag_part({t})
tf.linalg.norm({t}, ord={ord}, axis={axis})
tf.math.top_k({t}, {n})
tf.math.segment_sum({t}, {places})
tf.nn.moments({t}, {axes}, keepdims={bool})
tf.nn.leaky_relu({t}, {x})
tf.nn.softmax_cross_entropy_with_logits({t}, {t}, axis={axis})
tf.nn.sigmoid_cross_entropy_with_logits({t}, {t})
tf.nn.sparse_softmax_cross_entropy_with_logits({places}, {t})
tf.nn.conv1d({t}, {t}, {n}, {padding})
tf.nn.conv2d({t}, {t}, {n}, {padding})
tf.nn.max_pool2d({t}, {n}, {n}, {padding})
tf.nn.avg_pool2d({t}, {n}, {n}, {padding})
tf.nn.bias_add({t}, {t})
tf.nn.embedding_lookup({t}, {places})
tf.map_fn(lambda a: a * {x}, {t})
tf.scan(lambda a, b: a + b, {t})
tf.foldl(lambda a, b: a * b, {t})
tf.tensor_scatter_nd_add({t}, {places}, {t})
tf.tensor_scatter_nd_update({t}, {places}, {t})
tf.scatter_nd({places}, {t}, {shape})
tf.unique(tf.reshape({t}, [-1]))
tf.math.confusion_matrix({places}, {places})
tf.image.total_variation({t})
tf.complex({t}, {t})
tf.keras.losses.mse({t}, {t})
tf.keras.losses.Huber({x})({t}, {t})
tf.keras.losses.BinaryCrossentropy(from_logits={bool})({t}, {t})
tf.keras.losses.CategoricalCrossentropy(label_smoothing={x}, axis={axis})({t}, {t})
tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)({places}, {t})
tf.keras.losses.KLDivergence()({t}, {t})
tf.keras.activations.{a}({t})
tf.keras.layers.Dense({n}, {act}, kernel_initializer="ones")({t})
tf.keras.layers.LayerNormalization(axis={axis})({t})
tf.keras.layers.BatchNormalization(axis={axis})({t}, training={bool})
tf.keras.layers.Flatten()({t})
tf.keras.layers.UpSampling2D({n})({t})
tf.keras.layers.Conv2D({n}, {n}, padding={kpad}, kernel_initializer="ones")({t})
tf.keras.layers.Embedding({n}, 2, embeddings_initializer="ones")({places})""".split("\n")
FILL = {
    "n": lambda r: r.choice([0, 1, 1, 2, 2, 3, 4, -1]), "x": lambda r: r.choice([0.5, 1.5, -0.5, 0.0, 2.0, -2, 3]),
    "bool": lambda r: r.random() < 0.5, "axis": lambda r: r.choice([0, 0, 1, -1, -1, 2, -2, None, 3]),
    "axes": lambda r: r.choice([[0], [1], [0, 1], [1, 0], [-1], [], [1, 0, 2], [0, 2], [0, 0], None, 1, 2]),
    "shape": lambda r: r.choice([[-1], [2, 3], [3, 2], [6], [2, 1, 3], [1], [], [3], [2, -1], [0], [2, 2], [-1, -1], [1, 2, 2, 1]]),
    "places": lambda r: r.choice([[0], [0, 1], [1, 0, 1], [[0], [1]], [[0, 1], [1, 0]], [2], [], [0, 0, 1], 1, [-1], [0, 1, 2]]),
    "dtype": lambda r: "tf." + r.choice(["float32", "float64", "int32", "int64", "bool", "float16", "complex64", "uint8"]),
    "op": lambda r: r.choice(["+", "-", "*", "/", "//", "%", "**", "@", "<", ">=", "=="]),
    "mode": lambda r: repr(r.choice(["CONSTANT", "REFLECT", "SYMMETRIC", "symmetric", "EDGE"])),
    "indexing": lambda r: repr(r.choice(["xy", "ij"])),
    "padding": lambda r: repr(r.choice(["SAME", "VALID", "same"])), "kpad": lambda r: repr(r.choice(["same", "valid"])),
    "ord": lambda r: r.choice(["'euclidean'", 1, 2, "np.inf", "'fro'", 3]),
    "equation": lambda r: repr(r.choice(["ij,jk->ik", "i,i->", "ij,ij->j", "i,j->ij", "...i,i->...", "bij,bjk->bik", "ij,j", "ii,i->i"])),
    "l": lambda r: r.choice("inv det logdet cholesky trace diag matrix_transpose svd pinv eigvalsh adjoint".split()),
    "a": lambda r: r.choice("relu softmax gelu elu selu softplus tanh sigmoid softsign silu log_softmax".split()),
    "act": lambda r: r.choice(["None", "'relu'", "'softmax'", "'tanh'"]),
}
SHAPES = [(), (1,), (2,), (3,), (2, 3), (3, 2), (2, 2), (3, 3), (1, 3), (2, 1), (2, 2, 3), (2, 3, 2), (1, 3, 3, 1), (2, 2, 1, 1), (0,), (0, 3), (2, 0)]


def filled(template, names, rng):
    """Return a template with its blanks filled by chance; {t} is one of the tensors that are there."""
    if "|" in template:
        template, functions = template.split("|")
        template = template.replace("{f}", rng.choice(functions.split()))
    while "{" in template and (start := next((template.find("{" + k + "}") for k in ["t", *FILL] if "{" + k + "}" in template), -1)) >= 0:
        key = template[start + 1:template.index("}", start)]
        template = template.replace("{" + key + "}", str(rng.choice(names[-4:] + names) if key == "t" else FILL[key](rng)), 1)
    return template


def statement(names, rng):
    kind = rng.random()
    if kind < 0.2:
        return filled(f"tf.{rng.choice(ELEMENTWISE)}({{t}})", names, rng)
    if kind < 0.38:
        function = rng.choice(BINARY)
        return filled(f"tf.{function}({{t}}, {{t}}{', {n}' if function == 'tensordot' else ''})", names, rng)
    if kind < 0.5:
        return filled(f"tf.{rng.choice(REDUCE)}({{t}}, axis={rng.choice(['{axis}', '{axes}'])}, keepdims={{bool}})", names, rng)
    return filled(rng.choice(MORE), names, rng)


def source(k, rng):
    import numpy as np
    shape = rng.choice(SHAPES)
    dtype = rng.choice(["float32"] * 6 + ["float64"] * 3 + ["int32", "float16", "complex64", "bool"])
    draw = np.random.default_rng(rng.randrange(2 ** 31))
    values = np.round(draw.uniform(0.1, 2, shape) if rng.random() < 0.5 else draw.normal(0, 1, shape), 1)
    values = (values * 3).astype(int) if dtype == "int32" else values > 0.5 if dtype == "bool" else values
    text = f"tf.reshape(tf.constant([], tf.{dtype}), {list(shape)})" if 0 in shape else f"tf.constant({values.tolist()}, tf.{dtype})"
    if dtype == "complex64" and 0 not in shape:
        text = f"tf.constant({(values + 0.5j).tolist()}, tf.complex64)"
    return f"s{k} = " + (f"tf.Variable({text})" if rng.random() < 0.4 else text)


def written(seed):
    """Return the text of one program. TensorFlow runs along: a statement that fails stays in one case of five, and ends the program."""
    import numpy as np
    import tensorflow as tf
    rng = random.Random(seed)
    space = {"tf": tf, "np": np}
    lines = [source(k, rng) for k in range(rng.randint(1, 3))]
    for line in lines:
        exec(line, space)
    sources = [line.split(" = ")[0] for line in lines]
    names, inside, wanted = list(sources), [], rng.randint(1, 6)
    persistent = rng.random() < 0.3
    watch = [f"    _tape.watch({s})" for s in sources if "Variable" not in lines[sources.index(s)] and rng.random() < 0.8]
    for _ in range(60):
        if len(inside) == wanted:
            break
        text = statement(names, rng)
        try:
            with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = eval(text, space)
        except Exception:
            if rng.random() < 0.06:
                inside.append(f"    t{len(inside)} = {text}")
                break
            continue
        name = f"t{len(inside)}"
        inside.append(f"    {name} = {text}")
        if isinstance(value, tf.Tensor):
            if int(tf.size(value)) > 500:
                return "\n".join(lines)
            space[name] = value
            names.append(name)
    target = rng.choice(names[len(sources):][-2:] or sources)
    asked = f"[{', '.join(sources)}]"
    how = rng.choice(["gradient"] * 16 + ["jacobian", "gradient_zero", "gradient_zero", "second", "second"])
    if how == "second":
        inner = [f"    {line}" for line in [*watch, *inside]]
        body = ["with tf.GradientTape() as _outer:", *[w.replace("_tape", "_outer") for w in watch], "    with tf.GradientTape() as _tape:", *inner,
                f"    g = _tape.gradient({target}, {asked})", f"h = _outer.gradient([_g for _g in g if _g is not None], {asked})"]
    else:
        zero = ", unconnected_gradients='zero'" if how == "gradient_zero" else ""
        body = [f"with tf.GradientTape({'persistent=True' if persistent else ''}) as _tape:", *(watch or ["    pass"]), *inside,
                f"g = _tape.{'jacobian' if how == 'jacobian' else 'gradient'}({target}, {asked}{zero})"]
    return "\n".join([*lines, *body]) + "\n"


def main(start, stop, file):
    import recorder
    import tensorflow as tf
    tf.keras.backend.clear_session = lambda: None             # nothing here depends on the names of layers, and it takes long
    with open(file, "w") as out:
        for seed in range(int(start), int(stop)):
            out.write(json.dumps(recorder.run(f"chance/{seed}", written(seed))) + "\n")
            out.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
