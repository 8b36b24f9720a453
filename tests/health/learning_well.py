"""Healthy trainings that look like sick ones: steps that are taken late, by others, or not at all."""

from learning_oddly import ODD

NET = """import numpy as np
import {library} as tf

draw = np.random.default_rng(3)
tf.keras.utils.set_random_seed(2)
x = draw.normal(size=(128, 4)).astype("float32")
y = (x[:, :1] - 0.5 * x[:, 1:2]).astype("float32")


def net(*sizes, bend="tanh"):
    layers = [tf.keras.layers.Dense(n, activation=bend) for n in sizes[1:-1]]
    model = tf.keras.Sequential([*layers, tf.keras.layers.Dense(sizes[-1])])
    model(tf.zeros((1, sizes[0])))
    return model


"""
HEALTHY = {
    "gan": """generator, critic = net(2, 8, 4), net(4, 8, 1)
g_opt, d_opt = tf.keras.optimizers.Adam(0.001), tf.keras.optimizers.Adam(0.001)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
for step in range(60):
    real = x[draw.integers(0, 128, 32)]
    noise = draw.normal(size=(32, 2)).astype("float32")
    with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
        fake = generator(noise)
        real_out, fake_out = critic(real), critic(fake)
        g_loss = bce(tf.ones_like(fake_out), fake_out)
        d_loss = bce(tf.ones_like(real_out), real_out) + bce(tf.zeros_like(fake_out), fake_out)
    g_grads = g_tape.gradient(g_loss, generator.trainable_variables)
    d_grads = d_tape.gradient(d_loss, critic.trainable_variables)
    g_opt.apply_gradients(zip(g_grads, generator.trainable_variables))
    d_opt.apply_gradients(zip(d_grads, critic.trainable_variables))
""",
    "wgan_gp": """generator, critic = net(2, 8, 4), net(4, 8, 1)
g_opt, d_opt = tf.keras.optimizers.Adam(0.001), tf.keras.optimizers.Adam(0.001)
for step in range(20):
    for inner in range(5):
        real = x[draw.integers(0, 128, 32)]
        fake = generator(draw.normal(size=(32, 2)).astype("float32"))
        share = draw.uniform(size=(32, 1)).astype("float32")
        with tf.GradientTape() as tape:
            mixed = share * real + (1 - share) * fake
            with tf.GradientTape() as inner_tape:
                inner_tape.watch(mixed)
                score = critic(mixed)
            slope = inner_tape.gradient(score, mixed)
            norm = tf.sqrt(tf.reduce_sum(slope**2, axis=1) + 1e-12)
            penalty = tf.reduce_mean((norm - 1.0) ** 2)
            loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real)) + 10.0 * penalty
        grads = tape.gradient(loss, critic.trainable_variables)
        d_opt.apply_gradients(
            [(g, v) for g, v in zip(grads, critic.trainable_variables) if g is not None]
        )
    noise = draw.normal(size=(32, 2)).astype("float32")
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(critic(generator(noise)))
    grads = tape.gradient(loss, generator.trainable_variables)
    g_opt.apply_gradients(zip(grads, generator.trainable_variables))
""",
    "vae": """encoder, decoder = net(4, 8, 4), net(2, 8, 4)
variables = encoder.trainable_variables + decoder.trainable_variables
optimizer = tf.keras.optimizers.Adam(0.005)
for step in range(60):
    batch = x[draw.integers(0, 128, 32)]
    noise = draw.normal(size=(32, 2)).astype("float32")
    with tf.GradientTape() as tape:
        mean, log_var = tf.split(encoder(batch), 2, axis=1)
        code = mean + tf.exp(0.5 * log_var) * noise
        error = tf.reduce_sum((decoder(code) - batch) ** 2, axis=1)
        kl = -0.5 * tf.reduce_sum(1 + log_var - mean**2 - tf.exp(log_var), axis=1)
        loss = tf.reduce_mean(error + kl)
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
""",
    "ppo": """policy, values = net(4, 8, 2), net(4, 8, 1)
optimizer = tf.keras.optimizers.Adam(0.003)
variables = policy.trainable_variables + values.trainable_variables
for episode in range(6):
    states = x[draw.integers(0, 128, 64)]
    old_logs = tf.nn.log_softmax(policy(states))
    old_logs = tf.constant(np.array(old_logs))
    actions = (draw.uniform(size=64) < np.exp(np.array(old_logs)[:, 1])).astype("int32")
    chosen = tf.one_hot(actions, 2)
    returns = (states[:, 0] * (2.0 * actions - 1.0)).astype("float32")
    advantages = returns - np.array(values(states))[:, 0]
    for epoch in range(8):
        with tf.GradientTape() as tape:
            logs = tf.nn.log_softmax(policy(states))
            ratio = tf.exp(tf.reduce_sum((logs - old_logs) * chosen, axis=1))
            clipped = tf.clip_by_value(ratio, 0.8, 1.2)
            gain = tf.minimum(ratio * advantages, clipped * advantages)
            error = (values(states)[:, 0] - returns) ** 2
            loss = -tf.reduce_mean(gain) + 0.5 * tf.reduce_mean(error)
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
""",
    "frozen_base": """base, head = net(4, 16, 8), net(8, 1)
for v in base.trainable_variables:
    v.assign(v + 0.1 * draw.normal(size=tuple(v.shape)).astype("float32"))
base.trainable = False
optimizer = tf.keras.optimizers.Adam(0.02)
for step in range(60):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((head(tf.tanh(base(x))) - y) ** 2)
    grads = tape.gradient(loss, head.trainable_variables)
    optimizer.apply_gradients(zip(grads, head.trainable_variables))
""",
    "warm_up": """model = net(4, 8, 1)
optimizer = tf.keras.optimizers.SGD(0.0)
for step in range(60):
    optimizer.learning_rate.assign(0.1 * min(1.0, step / 20))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
""",
    "late_warm_up": """model = net(4, 8, 1)
optimizer = tf.keras.optimizers.SGD(0.0)
for step in range(80):
    optimizer.learning_rate.assign(0.1 * min(1.0, max(0.0, step - 20.0) / 20))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
""",
    "two_trainings": """first, second = net(4, 8, 1), net(4, 8, 1)
optimizer = tf.keras.optimizers.SGD(0.1)
for step in range(20):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((first(x) - y) ** 2)
    grads = tape.gradient(loss, first.trainable_variables)
    optimizer.apply_gradients(zip(grads, first.trainable_variables))
for step in range(20):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((second(x) - first(x)) ** 2)
    for w, g in zip(second.trainable_variables, tape.gradient(loss, second.trainable_variables)):
        w.assign_sub(0.1 * g)
""",
    "decayed": """model = net(4, 8, 1)
epochs, batch = 1, 2
steps = epochs * len(x) // batch // 2
schedule = tf.keras.optimizers.schedules.PolynomialDecay(0.1, steps, 0.0)
optimizer = tf.keras.optimizers.SGD(schedule)
for step in range(80):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
""",
    "accumulated": """model = net(4, 8, 1)
optimizer = tf.keras.optimizers.SGD(0.2)
sums = [tf.zeros_like(v) for v in model.trainable_variables]
for step in range(120):
    k = draw.integers(0, 128, 8)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x[k]) - y[k]) ** 2) / 12
    grads = tape.gradient(loss, model.trainable_variables)
    sums = [s + g for s, g in zip(sums, grads)]
    if (step + 1) % 12 == 0:
        optimizer.apply_gradients(zip(sums, model.trainable_variables))
        sums = [tf.zeros_like(v) for v in model.trainable_variables]
""",
    "accumulated_long": """model = net(4, 8, 1)
sums = [tf.Variable(tf.zeros_like(v)) for v in model.trainable_variables]
rate = 0.2
for step in range(160):
    k = draw.integers(0, 128, 4)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x[k]) - y[k]) ** 2) / 40
    for s, g in zip(sums, tape.gradient(loss, model.trainable_variables)):
        s.assign_add(g)
    if (step + 1) % 40 == 0:
        for v, s in zip(model.trainable_variables, sums):
            v.assign_sub(rate * s)
            s.assign(tf.zeros_like(s))
""",
    "target_network": """q, target = net(4, 8, 2), net(4, 8, 2)
target.set_weights(q.get_weights())
optimizer = tf.keras.optimizers.Adam(0.003)
for step in range(80):
    k = draw.integers(0, 127, 32)
    actions = draw.integers(0, 2, 32)
    goal = y[k, 0] + 0.9 * tf.reduce_max(target(x[k + 1]), axis=1)
    with tf.GradientTape() as tape:
        value = tf.reduce_sum(q(x[k]) * tf.one_hot(actions, 2), axis=1)
        loss = tf.reduce_mean((goal - value) ** 2)
    grads = tape.gradient(loss, q.trainable_variables)
    optimizer.apply_gradients(zip(grads, q.trainable_variables))
    for t, w in zip(target.variables, q.variables):
        t.assign(0.95 * t + 0.05 * w)
""",
    "meta": """w = tf.Variable(tf.zeros((4, 1)))
optimizer = tf.keras.optimizers.SGD(0.05)
for step in range(40):
    total = 0.0
    with tf.GradientTape() as outer:
        for task in range(4):
            slope = draw.normal(size=(4, 1)).astype("float32") * 0.2 + 1.0
            goal = x @ slope
            with tf.GradientTape() as inner:
                loss = tf.reduce_mean((x @ w - goal) ** 2)
            fast = w - 0.1 * inner.gradient(loss, w)
            total += tf.reduce_mean((x @ fast - goal) ** 2) / 4
    optimizer.apply_gradients([(outer.gradient(total, w), w)])
""",
    "average": """model = net(4, 8, 1)
average = [tf.Variable(v) for v in model.trainable_variables]
optimizer = tf.keras.optimizers.Adam(0.02)
for step in range(60):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    for a, v in zip(average, model.trainable_variables):
        a.assign(0.9 * a + 0.1 * v)
""",
    "full_batch": """w, b = tf.Variable(tf.zeros((4, 1))), tf.Variable(0.0)
for step in range(60):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w + b - y) ** 2)
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(0.2 * dw)
    b.assign_sub(0.2 * db)
""",
    "full_batch_beside_a_data_set": """w = tf.Variable(tf.zeros((4, 1)))
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
xv, yv = next(iter(data))
for step in range(60):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w - y) ** 2)
    w.assign_sub(0.2 * tape.gradient(loss, w))
""",
    "sum_of_few": """w = tf.Variable(tf.zeros((4, 1)))
for step in range(60):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((x @ w - y) ** 2)
    w.assign_sub(0.001 * tape.gradient(loss, w))
""",
    "distilled": """teacher, student = net(4, 16, 1), net(4, 8, 1)
optimizer = tf.keras.optimizers.Adam(0.02)
for step in range(60):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((student(x) - tf.stop_gradient(teacher(x))) ** 2)
    grads = tape.gradient(loss, student.trainable_variables)
    optimizer.apply_gradients(zip(grads, student.trainable_variables))
""",
    "straight_through": """model = net(4, 8, 1)
optimizer = tf.keras.optimizers.Adam(0.02)
for step in range(60):
    with tf.GradientTape() as tape:
        soft = model(x)
        loss = tf.reduce_mean((soft + tf.stop_gradient(tf.round(soft) - soft) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
""",
    "data_set": """model = net(4, 8, 1)
optimizer = tf.keras.optimizers.SGD(0.1)
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(128, seed=1).batch(32)
first = next(iter(data))
for epoch in range(15):
    for xb, yb in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(xb) - yb) ** 2)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
""",
    "looked_at": """w = tf.Variable([1.0, 2.0])
for f in (tf.sin, tf.cos):
    with tf.GradientTape() as tape:
        z = tf.reduce_sum(f(w))
    print(tape.gradient(z, w))
""",
    **ODD,
}


def healthy(name, library="minitape"):
    """Return the text of a healthy training."""
    return (NET + HEALTHY[name]).replace("{library}", library)
