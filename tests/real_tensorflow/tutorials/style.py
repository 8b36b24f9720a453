"""An image is changed until its features are alike, after "Neural style transfer"."""
import tensorflow as tf

tf.random.set_seed(0)
features = tf.keras.Sequential([tf.keras.layers.Conv2D(3, 3, activation="relu", name="conv1"),
                                tf.keras.layers.Conv2D(4, 3, activation="relu", name="conv2")])
content, style = tf.random.uniform((1, 10, 10, 3)), tf.random.uniform((1, 10, 10, 3))


def gram_matrix(input_tensor):
    result = tf.linalg.einsum("bijc,bijd->bcd", input_tensor, input_tensor)
    input_shape = tf.shape(input_tensor)
    return result / tf.cast(input_shape[1] * input_shape[2], tf.float32)


def style_content_loss(outputs):
    style_loss = tf.reduce_mean((gram_matrix(outputs) - style_target) ** 2)
    content_loss = tf.reduce_mean((outputs - content_target) ** 2)
    return 1e-2 * style_loss + 1e4 * content_loss


def clip_0_1(image):
    return tf.clip_by_value(image, clip_value_min=0.0, clip_value_max=1.0)


style_target, content_target = gram_matrix(features(style)), features(content)
image = tf.Variable(content)
opt = tf.keras.optimizers.Adam(learning_rate=0.02, beta_1=0.99, epsilon=1e-1)

for _ in range(3):
    with tf.GradientTape() as tape:
        outputs = features(image)
        loss = style_content_loss(outputs)
        loss += 30 * tf.image.total_variation(image)
    grad = tape.gradient(loss, image)
    opt.apply_gradients([(grad, image)])
    image.assign(clip_0_1(image))
