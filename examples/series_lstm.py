"""An LSTM reads three weeks of Seattle's weather (package vega-datasets, 2012 to 2015) and tells tomorrow's temperature.

Plain Keras: where the plug-in is installed it trains on the OpenCL device, elsewhere on the CPU.

  python examples/series_lstm.py [--epochs 30] [--seed 1]
"""

import argparse
import csv
import importlib.util
import os
import pathlib

import keras
import numpy as np

DAYS = 21


def series():
    """A row a day: precipitation, highest and lowest temperature, wind."""
    folder = importlib.util.find_spec("vega_datasets").submodule_search_locations[0]
    with open(pathlib.Path(folder) / "_data" / "seattle-weather.csv", newline="") as table:
        rows = [[float(row[c]) for c in ("precipitation", "temp_max", "temp_min", "wind")] for row in csv.DictReader(table)]
    return np.array(rows, "float32")


def main():
    short = bool(os.environ.get("EXAMPLES_SHORT"))  # the tests' form: seconds, not minutes
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--epochs", type=int, default=2 if short else 30)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    keras.utils.set_random_seed(options.seed)

    weather = series()
    last_year = len(weather) - 365
    mean, spread = weather[:last_year].mean(axis=0), weather[:last_year].std(axis=0)
    x = np.stack([(weather - mean)[i:i + DAYS] / spread for i in range(len(weather) - DAYS)])
    # What is learnt is tomorrow's change: "as today" is then the guess to beat.
    today, tomorrow = weather[DAYS - 1:-1, 1], weather[DAYS:, 1]
    y = (tomorrow - today) / spread[1]
    train, test = slice(0, last_year - DAYS), slice(last_year - DAYS, None)

    model = keras.Sequential([keras.Input(x.shape[1:]), keras.layers.LSTM(48), keras.layers.Dropout(0.2),
                              keras.layers.Dense(1)])
    model.compile(optimizer=keras.optimizers.Adam(2e-3), loss="mse")
    model.fit(x[train], y[train], batch_size=32, epochs=options.epochs)
    told = today[test] + spread[1] * model.predict(x[test], verbose=0)[:, 0]
    error = np.abs(told - tomorrow[test]).mean()
    print(f"last year's highest temperatures, told a day before: {error:.2f} degrees off on average "
          f"(tomorrow as today: {np.abs(today[test] - tomorrow[test]).mean():.2f})")


if __name__ == "__main__":
    main()
