"""Healthy trainings that put weights back, clip them, draw labels, or make networks on purpose."""

ODD = {
    "wgan_clipped": """generator, critic = net(2, 8, 4), net(4, 8, 1)
g_opt, c_opt = tf.keras.optimizers.RMSprop(0.001), tf.keras.optimizers.RMSprop(0.001)
for step in range(30):
    for k in range(2):
        real = x[draw.integers(0, 128, 32)]
        fake = generator(draw.normal(size=(32, 2)).astype("float32"))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real))
        weights = critic.trainable_variables
        c_opt.apply_gradients(zip(tape.gradient(loss, weights), weights))
        for w in weights:
            w.assign(tf.clip_by_value(w, -0.5, 0.5))
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(critic(generator(draw.normal(size=(32, 2)).astype("float32"))))
    weights = generator.trainable_variables
    g_opt.apply_gradients(zip(tape.gradient(loss, weights), weights))
""",
    "reinforce": """policy, baseline = net(4, 8, 1), net(4, 8, 1)
p_opt, b_opt = tf.keras.optimizers.Adam(0.02), tf.keras.optimizers.Adam(0.02)
for episode in range(25):
    states = x[draw.integers(0, 128, 32)]
    with tf.GradientTape() as p_tape, tf.GradientTape() as b_tape:
        logits = policy(states)
        drawn = draw.random((32, 1)) < np.array(tf.sigmoid(logits))
        actions = drawn.astype("float32")
        rewards = np.where(drawn, states[:, :1], -states[:, :1]).astype("float32")
        worth = baseline(states)
        gain = rewards - np.array(worth)
        bce = tf.nn.sigmoid_cross_entropy_with_logits(labels=actions, logits=logits)
        p_loss, b_loss = tf.reduce_mean(gain * bce), tf.reduce_mean((worth - rewards) ** 2)
    for tape, loss, opt, model in ((p_tape, p_loss, p_opt, policy), (b_tape, b_loss, b_opt, baseline)):
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
""",
    "soft_actor_critic": """actor, critic, target = net(4, 8, 2), net(5, 8, 1), net(5, 8, 1)
target.set_weights(critic.get_weights())
log_alpha = tf.Variable(-1.0)
opts = [tf.keras.optimizers.Adam(0.005) for _ in range(3)]


def act(states):
    mean, log_std = tf.split(actor(states), 2, axis=1)
    noise = draw.normal(size=(len(states), 1)).astype("float32")
    raw = mean + tf.exp(log_std) * noise
    log_p = -0.5 * noise**2 - log_std - tf.math.log(1.0 - tf.tanh(raw) ** 2 + 1e-6)
    return tf.tanh(raw), log_p


for step in range(25):
    s, s2 = x[draw.integers(0, 128, 32)], x[draw.integers(0, 128, 32)]
    a2, log_p2 = act(s2)
    rewards = s[:, :1]
    soft = target(tf.concat([s2, a2], 1)) - tf.exp(log_alpha) * log_p2
    goal = tf.stop_gradient(rewards + 0.9 * soft)
    with tf.GradientTape() as tape:
        played = draw.uniform(-1, 1, (32, 1)).astype("float32")
        loss = tf.reduce_mean((critic(tf.concat([s, played], 1)) - goal) ** 2)
    grads = tape.gradient(loss, critic.trainable_variables)
    opts[0].apply_gradients(zip(grads, critic.trainable_variables))
    with tf.GradientTape() as tape:
        a, log_p = act(s)
        loss = tf.reduce_mean(tf.exp(log_alpha) * log_p - critic(tf.concat([s, a], 1)))
    grads = tape.gradient(loss, actor.trainable_variables)
    opts[1].apply_gradients(zip(grads, actor.trainable_variables))
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(log_alpha * tf.stop_gradient(log_p - 1.0))
    opts[2].apply_gradients([(tape.gradient(loss, log_alpha), log_alpha)])
    for old, new in zip(target.weights, critic.weights):
        old.assign(0.95 * old + 0.05 * new)
""",
    "alignments": """model = net(4, 8, 3)
optimizer = tf.keras.optimizers.Adam(0.02)
frames, label = x[:10], [1, 2]  # 0 is the blank
path = [0, 1, 0, 2, 0]
for step in range(15):
    with tf.GradientTape() as tape:
        logs = tf.nn.log_softmax(model(frames))
        alpha = [logs[0, path[0]], logs[0, path[1]], *[tf.constant(-1e4)] * 3]
        for t in range(1, 10):
            new = []
            for k, symbol in enumerate(path):
                ways = alpha[max(0, k - 1) : k + 1]
                if k > 1 and symbol:
                    ways = [*ways, alpha[k - 2]]
                new.append(tf.reduce_logsumexp(tf.stack(ways)) + logs[t, symbol])
            alpha = new
        loss = -tf.reduce_logsumexp(tf.stack(alpha[-2:]))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
""",
    "curriculum": """model = net(4, 8, 1)
optimizer = tf.keras.optimizers.Adam(0.02)
order = np.argsort(np.abs(y[:, 0]))
for step in range(40):
    known = order[: 16 + 16 * (step // 10)]
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x[known]) - y[known]) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
""",
    "mean_teacher": """student, teacher = net(4, 8, 1), net(4, 8, 1)
teacher.set_weights(student.get_weights())
optimizer = tf.keras.optimizers.Adam(0.02)
for step in range(30):
    noisy = x + 0.1 * draw.normal(size=x.shape).astype("float32")
    with tf.GradientTape() as tape:
        agree = tf.reduce_mean((student(noisy) - tf.stop_gradient(teacher(x))) ** 2)
        loss = tf.reduce_mean((student(x[:32]) - y[:32]) ** 2) + 0.5 * agree
    grads = tape.gradient(loss, student.trainable_variables)
    optimizer.apply_gradients(zip(grads, student.trainable_variables))
    pairs = zip(teacher.get_weights(), student.get_weights())
    teacher.set_weights([0.9 * t + 0.1 * s for t, s in pairs])
""",
    "lookahead": """model = net(4, 8, 1)
optimizer = tf.keras.optimizers.SGD(0.1)
slow = model.get_weights()
for step in range(40):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    if step % 5 == 4:
        slow = [a + 0.5 * (b - a) for a, b in zip(slow, model.get_weights())]
        model.set_weights(slow)
""",
    "line_search": """model = net(4, 8, 1)
rate = 4.0
for step in range(30):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads, before = tape.gradient(loss, model.trainable_variables), model.get_weights()
    for w, g in zip(model.trainable_variables, grads):
        w.assign_sub(rate * g)
    if float(tf.reduce_mean((model(x) - y) ** 2)) > float(loss):
        model.set_weights(before)
        rate *= 0.5
""",
    "annealed_vae": """encoder, decoder = net(4, 8, 4), net(2, 8, 4)
optimizer, beta = tf.keras.optimizers.Adam(0.01), tf.Variable(0.0, trainable=False)
variables = encoder.trainable_variables + decoder.trainable_variables
for step in range(40):
    beta.assign(min(1.0, step / 20))
    with tf.GradientTape() as tape:
        mean, log_var = tf.split(encoder(x), 2, axis=1)
        noise = draw.normal(size=(128, 2)).astype("float32")
        made = decoder(mean + tf.exp(0.5 * log_var) * noise)
        kl = -0.5 * tf.reduce_mean(1.0 + log_var - mean**2 - tf.exp(log_var))
        loss = tf.reduce_mean((made - x) ** 2) + beta * kl
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
""",
    "sharpness_aware": """model = net(4, 8, 1)
optimizer = tf.keras.optimizers.SGD(0.1)
for step in range(30):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads, before = tape.gradient(loss, model.trainable_variables), model.get_weights()
    size = tf.linalg.global_norm(grads) + 1e-9
    for w, g in zip(model.trainable_variables, grads):
        w.assign_add(0.02 * g / size)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    model.set_weights(before)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
""",
    "factors_in_turn": """u = tf.Variable(draw.normal(size=(8, 2)).astype("float32"))
v = tf.Variable(draw.normal(size=(2, 4)).astype("float32"))
table = draw.normal(size=(8, 4)).astype("float32")
for step in range(40):
    part = u if step % 2 else v
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((u @ v - table) ** 2)
    part.assign_sub(0.2 * tape.gradient(loss, part))
""",
    "attacked": """model = net(4, 8, 1)
optimizer = tf.keras.optimizers.Adam(0.02)
for step in range(20):
    near = tf.Variable(x)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(near) - y) ** 2)
    near.assign_add(0.05 * tf.sign(tape.gradient(loss, near)))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(near) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
""",
    "ensemble": """for seed in range(4):
    model, optimizer = net(4, 8, 1), tf.keras.optimizers.Adam(0.02)
    for step in range(12):
        rows = draw.integers(0, 128, 64)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x[rows]) - y[rows]) ** 2)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
""",
}
