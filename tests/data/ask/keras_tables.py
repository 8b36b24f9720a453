"""Optimizers, schedules, losses and metrics: one program per object, on fixed numbers."""

STEP = """
w, b = tf.Variable([1.0, -2.0]), tf.Variable(0.5)
optimizer = tf.keras.optimizers.{optimizer}
steps = []
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w ** 2 * [1.0, 3.0]) + b * w[0] + b ** 2
    _grads = tape.gradient(loss, [w, b])
    optimizer.apply_gradients(zip(_grads, [w, b]))
    steps.append([w.numpy(), b.numpy()])
iterations = int(optimizer.iterations)
rate = float(optimizer.learning_rate)
"""
OPTIMIZERS = {
    "sgd": "SGD()", "sgd-rate": "SGD(learning_rate=0.1)", "sgd-momentum": "SGD(0.1, momentum=0.9)",
    "sgd-nesterov": "SGD(0.1, momentum=0.9, nesterov=True)", "sgd-weight-decay": "SGD(0.1, weight_decay=0.01)",
    "adam": "Adam()", "adam-rate": "Adam(0.1)", "adam-betas": "Adam(0.1, beta_1=0.8, beta_2=0.9, epsilon=1e-3)", "adam-amsgrad": "Adam(0.1, amsgrad=True)",
    "adamw": "AdamW(0.1)", "adamw-decay": "AdamW(0.1, weight_decay=0.1)", "adamax": "Adamax(0.1)", "nadam": "Nadam(0.1)",
    "rmsprop": "RMSprop(0.1)", "rmsprop-momentum": "RMSprop(0.1, rho=0.8, momentum=0.9)", "rmsprop-centered": "RMSprop(0.1, centered=True)",
    "adagrad": "Adagrad(0.1)", "adadelta": "Adadelta(1.0)", "adadelta-default": "Adadelta()",
    "clipnorm": "SGD(0.1, clipnorm=1.0)", "clipvalue": "SGD(0.1, clipvalue=0.5)", "global-clipnorm": "SGD(0.1, global_clipnorm=1.0)", "adam-clipnorm": "Adam(0.1, clipnorm=0.5)",
    "schedule-exponential": "SGD(tf.keras.optimizers.schedules.ExponentialDecay(0.1, decay_steps=2, decay_rate=0.5))",
    "schedule-piecewise": "SGD(tf.keras.optimizers.schedules.PiecewiseConstantDecay([1, 2], [0.1, 0.05, 0.01]))",
}
SCHEDULES = {
    "exponential": "ExponentialDecay(0.1, decay_steps=10, decay_rate=0.5)", "exponential-staircase": "ExponentialDecay(0.1, 10, 0.5, staircase=True)",
    "piecewise": "PiecewiseConstantDecay([10, 20], [1.0, 0.5, 0.1])", "polynomial": "PolynomialDecay(0.1, decay_steps=20)",
    "polynomial-power-cycle": "PolynomialDecay(0.1, 8, end_learning_rate=0.01, power=2.0, cycle=True)",
    "inverse-time": "InverseTimeDecay(0.1, decay_steps=10, decay_rate=0.5)",
    "inverse-time-staircase": "InverseTimeDecay(0.1, 10, 0.5, staircase=True)", "cosine": "CosineDecay(0.1, decay_steps=20)", "cosine-alpha": "CosineDecay(0.1, 20, alpha=0.1)",
    "cosine-warmup": "CosineDecay(0.0, 10, warmup_target=0.1, warmup_steps=5)",
}
LOSS = """
y_true = tf.constant({y_true})
y_pred = tf.constant({y_pred})
with tf.GradientTape() as tape:
    tape.watch(y_pred)
    loss = tf.keras.losses.{loss}(y_true, y_pred{extra})
g = tape.gradient(loss, y_pred)
"""
REGRESSION = ("[[0.0, 1.0], [2.0, 3.0]]", "[[0.5, 0.5], [2.0, 5.0]]")
BINARY = ("[[0.0, 1.0], [1.0, 0.0]]", "[[0.1, 0.8], [0.4, 0.3]]")
LOGITS = ("[[0.0, 1.0], [1.0, 0.0]]", "[[-2.0, 1.5], [-0.5, 0.3]]")
CLASSES = ("[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]", "[[0.05, 0.9, 0.05], [0.1, 0.8, 0.1]]")
CLASS_LOGITS = ("[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]", "[[1.0, 2.0, 3.0], [0.5, -1.0, 0.0]]")
SPARSE = ("[1, 2]", "[[0.05, 0.9, 0.05], [0.1, 0.8, 0.1]]")
SPARSE_LOGITS = ("[1, 2]", "[[1.0, 2.0, 3.0], [0.5, -1.0, 0.0]]")
SIGNS = ("[[-1.0, 1.0], [1.0, -1.0]]", "[[0.6, 0.4], [0.4, -2.0]]")
LOSSES = {
    "mse": ("MeanSquaredError()", REGRESSION), "mse-sum": ("MeanSquaredError(reduction='sum')", REGRESSION), "mse-none": ("MeanSquaredError(reduction=None)", REGRESSION), "mse-none-text": ("MeanSquaredError(reduction='none')", REGRESSION),
    "mse-weights": ("MeanSquaredError()", REGRESSION, ", sample_weight=[0.5, 2.0]"), "mse-weights-none": ("MeanSquaredError(reduction='none')", REGRESSION, ", sample_weight=[0.5, 2.0]"), "mse-weights-sum": ("MeanSquaredError(reduction='sum')", REGRESSION, ", sample_weight=[0.5, 2.0]"),
    "mse-weights-mean": ("MeanSquaredError(reduction='mean_with_sample_weight')", REGRESSION, ", sample_weight=[0.5, 2.0]"), "mse-function": ("MSE", REGRESSION), "mse-vector": ("MeanSquaredError()", ("[0.0, 1.0]", "[0.5, 3.0]")), "mse-scalar": ("MeanSquaredError()", ("1.0", "3.0")), "mse-column-and-vector": ("MeanSquaredError()", ("[0.0, 1.0]", "[[0.5], [3.0]]")), "mse-integers": ("MeanSquaredError()", ("[[0, 1]]", "[[0.5, 3.0]]")),
    "mae": ("MeanAbsoluteError()", REGRESSION), "mae-function": ("MAE", REGRESSION), "mape": ("MeanAbsolutePercentageError()", REGRESSION), "msle": ("MeanSquaredLogarithmicError()", REGRESSION), "huber": ("Huber()", REGRESSION), "huber-delta": ("Huber(delta=0.4)", REGRESSION), "huber-function": ("huber", REGRESSION),
    "cosine": ("CosineSimilarity()", REGRESSION), "kld": ("KLDivergence()", CLASSES), "kld-function": ("kld", CLASSES),
    "hinge": ("Hinge()", SIGNS), "hinge-zero-one-labels": ("Hinge()", BINARY),
    "binary-crossentropy": ("BinaryCrossentropy()", BINARY), "binary-crossentropy-logits": ("BinaryCrossentropy(from_logits=True)", LOGITS), "binary-crossentropy-smoothing": ("BinaryCrossentropy(label_smoothing=0.2)", BINARY), "binary-crossentropy-function": ("binary_crossentropy", BINARY), "binary-crossentropy-function-logits": ("binary_crossentropy", LOGITS, ", from_logits=True"), "binary-crossentropy-saturated": ("BinaryCrossentropy()", ("[[0.0, 1.0]]", "[[1.0, 0.0]]")), "binary-crossentropy-exact": ("BinaryCrossentropy()", ("[[0.0, 1.0]]", "[[0.0, 1.0]]")),
    "categorical-crossentropy": ("CategoricalCrossentropy()", CLASSES), "categorical-crossentropy-logits": ("CategoricalCrossentropy(from_logits=True)", CLASS_LOGITS), "categorical-crossentropy-smoothing": ("CategoricalCrossentropy(label_smoothing=0.1)", CLASSES), "categorical-crossentropy-function": ("categorical_crossentropy", CLASSES), "categorical-crossentropy-not-normalised": ("CategoricalCrossentropy()", ("[[0.0, 1.0]]", "[[1.0, 3.0]]")), "categorical-crossentropy-zero": ("CategoricalCrossentropy()", ("[[0.0, 1.0]]", "[[1.0, 0.0]]")), "categorical-crossentropy-weights": ("CategoricalCrossentropy()", CLASSES, ", sample_weight=[0.3, 0.7]"),
    "sparse-crossentropy": ("SparseCategoricalCrossentropy()", SPARSE), "sparse-crossentropy-logits": ("SparseCategoricalCrossentropy(from_logits=True)", SPARSE_LOGITS), "sparse-crossentropy-function": ("sparse_categorical_crossentropy", SPARSE), "sparse-crossentropy-column": ("SparseCategoricalCrossentropy()", ("[[1], [2]]", SPARSE[1])), "sparse-crossentropy-ignore": ("SparseCategoricalCrossentropy(from_logits=True, ignore_class=2)", SPARSE_LOGITS), "sparse-crossentropy-float-labels": ("SparseCategoricalCrossentropy(from_logits=True)", ("[1.0, 2.0]", SPARSE_LOGITS[1])), "sparse-crossentropy-out-of-range": ("SparseCategoricalCrossentropy(from_logits=True)", ("[1, 5]", SPARSE_LOGITS[1])),
}
METRIC = """
m = tf.keras.metrics.{metric}
variables = [v.name for v in m.variables]
first = m({arguments})
m.update_state({arguments})
second = m.result()
m.reset_state()
after_reset = m.result()
name = m.name
m = None
"""
METRICS = {
    "mean": ("Mean()", "[1.0, 3.0, 5.0]"), "mean-weights": ("Mean()", "[1.0, 3.0], sample_weight=[1.0, 0.5]"), "mean-scalar": ("Mean()", "4.0"), "accuracy": ("Accuracy()", "[1, 2, 3, 4], [0, 2, 3, 4]"),
    "binary-accuracy": ("BinaryAccuracy()", "[[1.0], [1.0], [0.0], [0.0]], [[0.98], [0.5], [0.0], [0.6]]"), "categorical-accuracy": ("CategoricalAccuracy()", "[[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]], [[0.1, 0.9, 0.8], [0.05, 0.95, 0.0]]"),
    "sparse-categorical-accuracy": ("SparseCategoricalAccuracy()", "[2, 1], [[0.1, 0.6, 0.3], [0.05, 0.95, 0.0]]"), "sparse-accuracy-column": ("SparseCategoricalAccuracy()", "[[2], [1]], [[0.1, 0.6, 0.3], [0.05, 0.95, 0.0]]"), "sparse-accuracy-ties": ("SparseCategoricalAccuracy()", "[0, 1], [[0.5, 0.5], [0.5, 0.5]]"),
    "mse": ("MeanSquaredError()", "[[0.0, 1.0]], [[0.5, 3.0]]"), "mae": ("MeanAbsoluteError()", "[[0.0, 1.0]], [[0.5, 3.0]]"), "rmse": ("RootMeanSquaredError()", "[[0.0, 1.0]], [[0.5, 3.0]]"), "precision": ("Precision()", "[0, 1, 1, 1], [1, 0, 1, 1]"), "recall": ("Recall()", "[0, 1, 1, 1], [1, 0, 1, 1]"),
    "mean-named": ("Mean(name='loss')", "[1.0]"), "binary-crossentropy": ("BinaryCrossentropy()", "[[0.0, 1.0]], [[0.4, 0.8]]"), "sparse-crossentropy": ("SparseCategoricalCrossentropy()", "[1, 2], [[0.05, 0.95, 0.0], [0.1, 0.8, 0.1]]"),
}
MORE = {
    "optimizer-on-a-variable-made-later": "o = tf.keras.optimizers.SGD(0.1)\na, b = tf.Variable(1.0), tf.Variable(2.0)\no.apply_gradients([(tf.constant(1.0), a)])\no.apply_gradients([(tf.constant(1.0), b)])\n",
    "optimizer-gradient-none-among-others": "o = tf.keras.optimizers.SGD(0.1)\na, b = tf.Variable(1.0), tf.Variable(2.0)\no.apply_gradients([(None, a), (tf.constant(1.0), b)])\n",
    "optimizer-learning-rate-can-be-set": "o = tf.keras.optimizers.SGD(0.1)\na = tf.Variable(1.0)\no.learning_rate = 1.0\no.apply_gradients([(tf.constant(1.0), a)])\nrate = float(o.learning_rate)\nkind = type(o.learning_rate).__name__\no.learning_rate.assign(0.5)\no.apply_gradients([(tf.constant(1.0), a)])\n",
    "optimizer-returns": "o = tf.keras.optimizers.SGD(0.1)\na = tf.Variable(1.0)\nr = o.apply_gradients([(tf.constant(1.0), a)])\n",
    "optimizer-variables": "o = tf.keras.optimizers.Adam(0.1)\na = tf.Variable([1.0, 2.0], name='a')\nbefore = [v.name for v in o.variables]\no.build([a])\nafter = [v.name for v in o.variables]\npaths = [v.path for v in o.variables]\nshapes = [v.shape for v in o.variables]\n",
    "optimizer-sparse-gradient": "o = tf.keras.optimizers.SGD(0.1)\na = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])\nwith tf.GradientTape() as tape:\n    y = tf.reduce_sum(tf.gather(a, [0, 2, 2]))\no.apply_gradients([(tape.gradient(y, a), a)])\n",
    "optimizer-sparse-gradient-adam": "o = tf.keras.optimizers.Adam(0.1)\na = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])\nfor _ in range(2):\n    with tf.GradientTape() as tape:\n        y = tf.reduce_sum(tf.gather(a, [0, 2, 2]) ** 2)\n    o.apply_gradients([(tape.gradient(y, a), a)])\n",
    "optimizer-get": "results = [type(tf.keras.optimizers.get(n)).__name__ for n in ['sgd', 'adam', 'rmsprop', 'Adam', 'adagrad']]\nrates = [float(tf.keras.optimizers.get(n).learning_rate) for n in ['sgd', 'adam', 'rmsprop', 'adagrad', 'adadelta', 'adamax', 'adamw']]\n",
    "optimizer-apply": "o = tf.keras.optimizers.SGD(0.1)\na = tf.Variable(1.0)\no.apply([tf.constant(1.0)], [a])\no.build([a])\n",
    "optimizer-minimize": "o = tf.keras.optimizers.SGD(0.1)\na = tf.Variable(1.0)\no.minimize(lambda: a * a, [a])\n",
    "optimizer-legacy-arguments": "o = tf.keras.optimizers.SGD(lr=0.1)\n",
    "optimizer-python-float-gradient": "o = tf.keras.optimizers.SGD(0.1)\na = tf.Variable(1.0)\no.apply_gradients([(1.0, a)])\n",
    "optimizer-not-trainable-variable": "o = tf.keras.optimizers.SGD(0.1)\na = tf.Variable(1.0, trainable=False)\no.apply_gradients([(tf.constant(1.0), a)])\n",
    "metric-reset-states": "m = tf.keras.metrics.Mean()\nm.reset_states()\n",
    "metric-float-result": "m = tf.keras.metrics.Mean()\nm.update_state(3.0)\nvalue = float(m.result())\ntext = f'{m.result():.2f}'\nreturned = m.update_state(4.0)\nkind = type(m.result()).__name__\nm = None\n",
    "loss-get": "results = [getattr(tf.keras.losses.get(n), '__name__', '?') for n in ['mse', 'mae', 'mean_squared_error', 'categorical_crossentropy', 'binary_crossentropy', 'huber', 'kld', 'hinge']]\n",
    "loss-of-lists": "a = tf.keras.losses.MSE([0.0, 1.0], [1.0, 1.0])\nb = tf.keras.losses.MeanSquaredError()([[0.0, 1.0]], [[1.0, 1.0]])\n",
    "loss-float64": "a = tf.keras.losses.MeanSquaredError()(np.array([0.0, 1.0]), np.array([1.0, 1.0]))\nb = tf.keras.losses.MSE(np.array([0.0, 1.0]), np.array([1.0, 1.0]))\nc = tf.keras.losses.MSE(tf.constant([0.0, 1.0], tf.float64), tf.constant([1.0, 1.0], tf.float64))\n",
    "fit-one-step": "m = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer='ones')])\nm.compile(optimizer=tf.keras.optimizers.SGD(0.1), loss='mse')\n_h = m.fit(np.ones((4, 2), 'float32'), np.zeros((4, 1), 'float32'), batch_size=4, epochs=2, verbose=0)\nlosses = _h.history['loss']\nweights = m.get_weights()\n",
    "training-loop-with-a-model": "m = tf.keras.Sequential([tf.keras.layers.Dense(3, activation='tanh', kernel_initializer=tf.keras.initializers.Constant(0.1)), tf.keras.layers.Dense(1, kernel_initializer='ones')])\nx, t = tf.constant([[0.0, 1.0], [1.0, 0.5], [-1.0, 2.0]]), tf.constant([[1.0], [0.0], [2.0]])\no, f = tf.keras.optimizers.Adam(0.05), tf.keras.losses.MeanSquaredError()\nlosses = []\nfor _ in range(4):\n    with tf.GradientTape() as tape:\n        loss = f(t, m(x, training=True))\n    o.apply_gradients(zip(tape.gradient(loss, m.trainable_variables), m.trainable_variables))\n    losses.append(float(loss))\nweights = m.get_weights()\n",
    "to-categorical": "r = tf.keras.utils.to_categorical([0, 2, 1])\n",
    "regularizers": "x = tf.constant([1.0, -2.0])\nresults = {'L1': tf.keras.regularizers.L1(0.1)(x), 'L2': tf.keras.regularizers.L2(0.1)(x), 'L1L2': tf.keras.regularizers.L1L2(0.1, 0.2)(x), 'default L2': tf.keras.regularizers.L2()(x)}\n",
    "constraints": "x = tf.constant([[3.0, -1.0], [4.0, 2.0]])\nresults = {'MaxNorm': tf.keras.constraints.MaxNorm(2.0)(x), 'NonNeg': tf.keras.constraints.NonNeg()(x)}\n",
}


def training():
    pairs = [(f"optimizer-{name}", STEP.format(optimizer=text).strip() + "\n") for name, text in OPTIMIZERS.items()]
    pairs += [(f"schedule-{name}", f"s = tf.keras.optimizers.schedules.{text}\nvalues = [float(s(k)) for k in [0, 1, 5, 8, 9, 10, 11, 15, 20, 25]]\nkind = type(s(3)).__name__\n")
              for name, text in SCHEDULES.items()]
    for name, (loss, (y_true, y_pred), *extra) in LOSSES.items():
        pairs.append((f"loss-{name}", LOSS.format(loss=loss, y_true=y_true, y_pred=y_pred, extra=extra[0] if extra else "").strip() + "\n"))
    pairs += [(f"metric-{name}", METRIC.format(metric=metric, arguments=arguments).strip() + "\n") for name, (metric, arguments) in METRICS.items()]
    return pairs + list(MORE.items())
