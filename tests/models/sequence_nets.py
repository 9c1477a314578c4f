"""Recurrent and attention nets beyond the three of nets.py: both directions, stacked, masked, encoder and decoder."""

import keras
import numpy as np

from nets import Net, adam, days, letters, weather

layers = keras.layers


def daily(*stack):
    return keras.Sequential([keras.Input((weather.DAYS, 4)), *stack, layers.Dense(1)])


def bidirectional():
    return daily(layers.Bidirectional(layers.LSTM(12, return_sequences=True)),
                 layers.Bidirectional(layers.GRU(8), merge_mode="sum"))


def masked(layer):
    return daily(layers.Masking(0.0), layer(16, return_sequences=True), layer(12))


def short_days(count):
    """Weeks of different lengths, the rest of each filled with zeros."""
    x, y = days(count)
    x = x.copy()
    for i, row in enumerate(x):
        row[1 + i * 7 % weather.DAYS:] = 0
    return x, y


def simple():
    return daily(layers.TimeDistributed(layers.Dense(8, activation="tanh")), layers.SimpleRNN(16, return_sequences=True),
                 layers.RNN([layers.LSTMCell(8), layers.GRUCell(8)]))


def backwards():
    return daily(layers.LSTM(12, go_backwards=True, return_sequences=True, recurrent_activation="hard_sigmoid"),
                 layers.GRU(12, reset_after=False, activation="softsign"))


def encoder():
    """Words of zeros are padding: the mask reaches attention and pooling."""
    tokens = keras.Input((24,), dtype="int32")
    x = layers.Embedding(81, 32, mask_zero=True)(tokens)
    y = layers.MultiHeadAttention(4, 8)(x, x)
    x = layers.LayerNormalization()(layers.Add()([x, y]))
    y = layers.Dense(32)(layers.Dense(64, activation="gelu")(x))
    x = layers.LayerNormalization()(layers.Add()([x, y]))
    return keras.Model(tokens, layers.Dense(80)(layers.GlobalAveragePooling1D()(x)))


def padded_letters(count):
    x, y = letters(count)
    x = x + 1
    for i, row in enumerate(x):
        row[8 + i * 5 % 17:] = 0
    return x, y[:, 7]


def translator():
    """A decoder with a causal mask that also attends to what an encoder made of the sentence."""
    source, target = keras.Input((24,), dtype="int32"), keras.Input((24,), dtype="int32")
    table = layers.Embedding(80, 24)
    x = table(source)
    x = layers.LayerNormalization()(x + layers.MultiHeadAttention(2, 12)(x, x))
    y = table(target)
    y = layers.LayerNormalization()(y + layers.MultiHeadAttention(2, 12)(y, y, use_causal_mask=True))
    y = layers.LayerNormalization()(y + layers.GroupQueryAttention(12, 4, 2)(y, x))
    y = layers.LayerNormalization()(y + layers.AdditiveAttention()([y, x]) + layers.Attention(use_scale=True)([y, x]))
    both = keras.Model([source, target], layers.Dense(80)(y))
    tokens = keras.Input((24,), dtype="int32")
    return keras.Model(tokens, both([keras.ops.flip(tokens, axis=1), tokens]))


def moving_pictures():
    pictures = keras.Input((4, 10, 10, 1))
    x = layers.ConvLSTM2D(6, 3, padding="same", return_sequences=True)(pictures)
    x = layers.Bidirectional(layers.ConvLSTM2D(4, 3))(x)
    return keras.Model(pictures, layers.Dense(1)(layers.Flatten()(x)))


def frames(count):
    x, y = days(count + 100)
    return np.stack([x[i:i + 100, :4, 0].reshape(10, 10, 4).transpose(2, 0, 1)[..., None] for i in range(count)]), y[:count]


mse = keras.losses.MeanSquaredError
NETS = {
    "bidirectional": Net(bidirectional, days, 16, adam, mse),
    "masked lstm": Net(lambda: masked(layers.LSTM), short_days, 16, adam, mse),
    "masked gru": Net(lambda: masked(layers.GRU), short_days, 16, adam, mse),
    "simple rnn and cells": Net(simple, days, 16, adam, mse),
    "backwards": Net(backwards, days, 16, adam, mse),
    "encoder": Net(encoder, padded_letters, 16, adam),
    "translator": Net(translator, letters, 8, adam),
    "convlstm": Net(moving_pictures, frames, 8, adam, mse),
}
