"""Two models against each other on two tapes, after "Deep convolutional generative adversarial network"."""
import tensorflow as tf

tf.random.set_seed(0)
layers = tf.keras.layers
generator = tf.keras.Sequential([layers.Dense(18, use_bias=False), layers.LeakyReLU(), layers.Reshape((3, 3, 2)),
                                 layers.Conv2DTranspose(1, 3, strides=2, padding="same", activation="tanh")], name="generator")
discriminator = tf.keras.Sequential([layers.Conv2D(4, 3, strides=2, padding="same"), layers.LeakyReLU(), layers.Flatten(),
                                     layers.Dense(1)], name="discriminator")
cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)
generator_optimizer = tf.keras.optimizers.Adam(1e-4)
discriminator_optimizer = tf.keras.optimizers.Adam(1e-4)


def discriminator_loss(real_output, fake_output):
    real_loss = cross_entropy(tf.ones_like(real_output), real_output)
    fake_loss = cross_entropy(tf.zeros_like(fake_output), fake_output)
    return real_loss + fake_loss


def generator_loss(fake_output):
    return cross_entropy(tf.ones_like(fake_output), fake_output)


def train_step(images):
    noise = tf.random.normal([4, 5])
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        generated_images = generator(noise, training=True)
        real_output = discriminator(images, training=True)
        fake_output = discriminator(generated_images, training=True)
        gen_loss = generator_loss(fake_output)
        disc_loss = discriminator_loss(real_output, fake_output)
    gen_grads = gen_tape.gradient(gen_loss, generator.trainable_variables)
    disc_grads = disc_tape.gradient(disc_loss, discriminator.trainable_variables)
    generator_optimizer.apply_gradients(zip(gen_grads, generator.trainable_variables))
    discriminator_optimizer.apply_gradients(zip(disc_grads, discriminator.trainable_variables))


train_step(tf.random.uniform([4, 6, 6, 1]))
