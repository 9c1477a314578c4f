"""Nets for the layers that the six of nets.py leave out: convolutions and pooling of every kind, normalisations, embeddings
with sparse updates, control flow inside a layer."""

import itertools

import keras
import numpy as np
import tensorflow as tf

from nets import Net, adam, clothes, days, letters, sgd, weather

layers = keras.layers
IMAGE = (28, 28, 1)


def images(*stack):
    return keras.Sequential([keras.Input(IMAGE), *stack, layers.Dense(10)])


def separable():
    """MobileNet's block, with a depth multiplier, and Xception's separable convolution."""
    return images(
        layers.Conv2D(12, 3, strides=2, padding="same", use_bias=False), layers.BatchNormalization(),
        layers.Activation("relu6"), layers.DepthwiseConv2D(3, depth_multiplier=2, padding="same", use_bias=False),
        layers.BatchNormalization(), layers.Activation("relu6"), layers.Conv2D(16, 1), layers.Activation("hard_swish"),
        layers.SeparableConv2D(24, 3, strides=2, padding="same", activation="swish"), layers.GlobalAveragePooling2D())


def grouped_and_dilated():
    return images(
        layers.Conv2D(16, 3, activation="elu"), layers.Conv2D(32, 3, groups=4, padding="same", activation="elu"),
        layers.AveragePooling2D(2), layers.Conv2D(24, 3, dilation_rate=2, padding="same", activation="selu"),
        layers.Conv2D(24, (1, 5), groups=24, activation="softplus"), layers.GlobalMaxPooling2D())


def group_normalized():
    return images(
        layers.Conv2D(16, 3, strides=2), layers.GroupNormalization(4), layers.Activation("gelu"),
        layers.Conv2D(24, 3, strides=2), layers.GroupNormalization(-1), layers.Activation("mish"),
        layers.UnitNormalization(), layers.SpectralNormalization(layers.Conv2D(16, 1)), layers.Flatten(),
        layers.LayerNormalization(), layers.PReLU(), layers.RMSNormalization())


def autoencoder():
    """The picture from 4 x 4 x 12 numbers; transposed convolutions, and upsampling both ways."""
    return keras.Sequential([
        keras.Input(IMAGE), layers.ZeroPadding2D(2), layers.Conv2D(16, 3, strides=2, padding="same", activation="relu"),
        layers.Conv2D(16, 3, strides=2, padding="same", activation="tanh"), layers.AveragePooling2D(2),
        layers.Conv2D(12, 1), layers.Conv2DTranspose(16, 3, strides=2, padding="same", activation="tanh"),
        layers.UpSampling2D(interpolation="bilinear"), layers.Conv2DTranspose(12, 4, strides=1, padding="same", activation="relu"),
        layers.UpSampling2D(interpolation="nearest"), layers.Conv2D(1, 3, padding="same"), layers.Cropping2D(2)])


def pictures(count):
    x, _ = clothes(count)
    return x, x


def conv1d():
    return keras.Sequential([
        keras.Input((weather.DAYS, 4)), layers.Conv1D(16, 3, padding="causal", activation="relu"),
        layers.Conv1D(16, 3, dilation_rate=2, padding="same", activation="tanh"), layers.MaxPooling1D(),
        layers.SeparableConv1D(16, 3, padding="same"), layers.Conv1DTranspose(12, 3, strides=2), layers.AveragePooling1D(2),
        layers.Flatten(), layers.Dense(1)])


def series(channels_first):
    """Convolution and pooling in one dimension, in either format."""
    settings = {"data_format": "channels_first" if channels_first else "channels_last"}
    daily = keras.Input((weather.DAYS, 4))
    x = layers.Permute((2, 1))(daily) if channels_first else daily
    x = layers.Conv1D(16, 3, padding="same", activation="tanh", **settings)(x)
    x = layers.BatchNormalization(axis=1 if channels_first else -1)(x)
    x = layers.Conv1D(15, 3, dilation_rate=2, activation="gelu", **settings)(x)
    x = layers.MaxPooling1D(2, strides=1, **settings)(x)
    x = layers.SeparableConv1D(14, 3, depth_multiplier=2, padding="same", **settings)(x)
    x = layers.DepthwiseConv1D(3, padding="same", **settings)(x)
    x = layers.Conv1DTranspose(10, 3, strides=2, activation="gelu", **settings)(x)
    x = layers.AveragePooling1D(2, **settings)(x)
    both = [pool(**settings)(x) for pool in (layers.GlobalAveragePooling1D, layers.GlobalMaxPooling1D)]
    return keras.Model(daily, layers.Dense(1)(layers.Concatenate()(both)))


def blocks(pool, reduce):
    """Pooling of volumes by two in each dimension; TensorFlow's CPU has none in float64, so there it is written out."""
    def written_out(x):
        d, h, w = (n // 2 * 2 for n in x.shape[1:4])
        corners = itertools.product(range(2), repeat=3)
        return reduce(keras.ops.stack([x[:, i:d:2, j:h:2, k:w:2] for i, j, k in corners]), axis=0)

    return lambda exact: layers.Lambda(written_out) if exact else pool(2)


maxima, means = blocks(layers.MaxPooling3D, keras.ops.max), blocks(layers.AveragePooling3D, keras.ops.mean)


def pooled_volumes(exact):
    volume = keras.Input((8, 14, 14, 1))
    x = layers.Conv3D(8, 3, activation="tanh")(layers.ZeroPadding3D(1)(volume))
    x = layers.Conv3D(12, 2, activation="gelu")(maxima(exact)(x))
    x = layers.UpSampling3D(2)(means(exact)(x))
    x = layers.Cropping3D(((1, 0), (2, 1), (0, 1)))(x)
    return keras.Model(volume, layers.Dense(10)(layers.Flatten()(layers.SpatialDropout3D(0.0)(x))))


def volumes(channels_first):
    """Eight pictures behind each other. TensorFlow's CPU has convolutions with channels last only, so the reference is the
    net with channels last; and no pooling in float64. No filters as many as the last dimension: Keras 3.15 then adds
    the bias along that one."""
    axis = 1 if channels_first else -1
    settings = {"data_format": "channels_first" if channels_first else "channels_last", "padding": "same"}
    volume = keras.Input((8, 14, 14, 1))
    x = layers.Permute((4, 1, 2, 3))(volume) if channels_first else volume
    x = layers.Conv3D(8, 3, activation="tanh", **settings)(x)
    x = layers.BatchNormalization(axis=axis)(x)
    x = layers.Conv3D(12, (2, 3, 3), strides=2, activation="gelu", **settings)(x)
    x = layers.Conv3D(12, 3, dilation_rate=2, activation="gelu", **settings)(x)
    x = layers.Conv3DTranspose(10, 2, strides=(2, 1, 1), **settings)(x)
    return keras.Model(volume, layers.Dense(10)(layers.GlobalAveragePooling3D(data_format=settings["data_format"])(x)))


def planes(channels_first):
    """The same in two dimensions."""
    axis = 1 if channels_first else -1
    settings = {"data_format": "channels_first" if channels_first else "channels_last", "padding": "same"}
    picture = keras.Input(IMAGE)
    x = layers.Permute((3, 1, 2))(picture) if channels_first else picture
    x = layers.Conv2D(12, 5, strides=2, use_bias=False, **settings)(x)
    x = layers.Activation("tanh")(layers.BatchNormalization(axis=axis)(x))
    x = layers.AveragePooling2D(2, **settings)(x)
    x = layers.DepthwiseConv2D(3, activation="tanh", **settings)(x)
    x = layers.Conv2DTranspose(8, 3, strides=2, activation="gelu", **settings)(x)
    x = layers.MaxPooling2D(3, strides=2, **settings)(x)
    return keras.Model(picture, layers.Dense(10)(layers.GlobalAveragePooling2D(data_format=settings["data_format"])(x)))


def stacked_pictures(count):
    x, y = clothes(count * 8)
    return np.ascontiguousarray(x[:, ::2, ::2].reshape(count, 8, 14, 14, 1)), y[::8]


def embedding():
    """Updates of an embedding are sparse: letters that occur, those twice in a batch among them."""
    return keras.Sequential([keras.Input((24,), dtype="int32"), layers.Embedding(80, 16), layers.SpatialDropout1D(0.0),
                             layers.GlobalAveragePooling1D(), layers.Dense(80)])


def next_letter(count):
    x, y = letters(count)
    return x, y[:, -1]


class Refined(layers.Layer):
    """tf.while_loop, tf.cond, tf.map_fn and a TensorArray, with their gradients, in a layer."""

    def build(self, shape):
        self.w = self.add_weight(shape=(shape[-1], shape[-1]), name="w")

    def call(self, x):
        x, _ = tf.while_loop(lambda _, i: i < 3, lambda x, i: (tf.tanh(x + tf.matmul(x, self.w)), i + 1), (x, 0))
        x = tf.cond(tf.reduce_mean(x) > 0, lambda: x * 1.5, lambda: tf.sin(x))
        rows = tf.map_fn(lambda row: row / (1 + tf.reduce_sum(tf.square(row))), x)
        kept = tf.TensorArray(x.dtype, size=0, dynamic_size=True, clear_after_read=False)
        _, kept = tf.while_loop(lambda i, _: i < 3, lambda i, kept: (i + 1, kept.write(i, rows * tf.cast(i + 1, x.dtype))),
                                (0, kept))
        return tf.reduce_mean(kept.stack(), axis=0)


def control_flow():
    return images(layers.Flatten(), layers.Dense(24), Refined())


def softly(rate):
    return lambda: keras.optimizers.SGD(rate, momentum=0.9)


mse = keras.losses.MeanSquaredError
NETS = {
    "separable": Net(separable, clothes, 32, lambda: keras.optimizers.Adam(0.01)),
    "grouped and dilated": Net(grouped_and_dilated, clothes, 32),
    "group normalized": Net(group_normalized, clothes, 16),
    "autoencoder": Net(autoencoder, pictures, 16, adam, mse),
    "conv1d": Net(conv1d, days, 16, adam, mse),
    "conv1d, channels last": Net(lambda: series(False), days, 16, adam, mse),
    "conv1d, channels first": Net(lambda: series(True), days, 16, adam, mse, reference=lambda: series(False)),
    "pooling3d": Net(lambda: pooled_volumes(False), stacked_pictures, 8, softly(0.01), reference=lambda: pooled_volumes(True)),
    "conv3d": Net(lambda: volumes(False), stacked_pictures, 8, softly(0.05)),
    "conv3d, channels first": Net(lambda: volumes(True), stacked_pictures, 8, softly(0.05), reference=lambda: volumes(False)),
    "conv2d, channels first": Net(lambda: planes(True), clothes, 16, softly(0.05), reference=lambda: planes(False)),
    "embedding": Net(embedding, next_letter, 16, lambda: keras.optimizers.SGD(1.0)),
    "control flow": Net(control_flow, clothes, 16, sgd),
}
