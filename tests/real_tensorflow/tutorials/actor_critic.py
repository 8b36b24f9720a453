"""An episode is played, and both heads of a model learn from it, after "Playing CartPole with the Actor-Critic method"."""
import numpy as np
import tensorflow as tf

tf.random.set_seed(0)


class ActorCritic(tf.keras.Model):
    def __init__(self, num_actions, num_hidden_units):
        super().__init__()
        self.common = tf.keras.layers.Dense(num_hidden_units, activation="relu")
        self.actor = tf.keras.layers.Dense(num_actions)
        self.critic = tf.keras.layers.Dense(1)

    def call(self, inputs):
        x = self.common(inputs)
        return self.actor(x), self.critic(x)


model = ActorCritic(2, 8)
optimizer = tf.keras.optimizers.Adam(learning_rate=0.01)
huber_loss = tf.keras.losses.Huber(reduction="sum")


def env_step(state, action):
    return (0.9 * state + (0.1 if action else -0.1)).astype("float32"), 1.0


def run_episode(state, max_steps):
    action_probs, values, rewards = [], [], []
    for _ in range(max_steps):
        action_logits, value = model(tf.expand_dims(tf.constant(state), 0))
        action = int(tf.random.categorical(action_logits, 1)[0, 0])
        action_probs_t = tf.nn.softmax(action_logits)
        values.append(tf.squeeze(value))
        action_probs.append(action_probs_t[0, action])
        state, reward = env_step(state, action)
        rewards.append(reward)
    return tf.stack(action_probs), tf.stack(values), rewards


def get_expected_return(rewards, gamma=0.99):
    returns = np.array([sum(gamma ** k * r for k, r in enumerate(rewards[t:])) for t in range(len(rewards))], "float32")
    return (returns - returns.mean()) / (returns.std() + 1e-6)


def compute_loss(action_probs, values, returns):
    advantage = returns - values
    action_log_probs = tf.math.log(action_probs)
    actor_loss = -tf.math.reduce_sum(action_log_probs * tf.stop_gradient(advantage))
    critic_loss = huber_loss(values, returns)
    return actor_loss + critic_loss


with tf.GradientTape() as tape:
    action_probs, values, rewards = run_episode(np.zeros(4, "float32"), 5)
    returns = get_expected_return(rewards)
    loss = compute_loss(action_probs, values, returns)
grads = tape.gradient(loss, model.trainable_variables)
optimizer.apply_gradients(zip(grads, model.trainable_variables))
