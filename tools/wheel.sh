#!/bin/bash
# Builds the wheel: wheel.sh PYTHON OUTPUT [TENSORFLOW_VERSION...]
# Headers of TensorFlow come from PYTHON's environment. Each version named gets its bridge, from the headers in that
# version's wheel, fetched once and kept under build/headers; none named: the environment's own version, if it needs one.
set -euo pipefail
python=$1 output=$2
shift 2
site=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
headers() {  # of version $1: a folder
  local folder=$PWD/build/headers/$1
  if [ ! -e "$folder/done" ]; then
    local wheels
    wheels=$(mktemp -d)
    "$python" -m pip download --quiet --no-deps --only-binary=:all: --python-version 3.11 --implementation cp --abi cp311 \
      --platform manylinux_2_27_x86_64 --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64 \
      -d "$wheels" "tensorflow-cpu==$1" >&2
    mkdir -p "$folder"
    "$python" - "$wheels" "$folder" << 'EOF'
import pathlib, sys, zipfile
wheel = zipfile.ZipFile(next(pathlib.Path(sys.argv[1]).glob("*.whl")))
wheel.extractall(sys.argv[2], [n for n in wheel.namelist() if n.startswith("tensorflow/include/")])
EOF
    rm -r "$wheels"
    touch "$folder/done"
  fi
  echo "$folder/tensorflow/include"
}

bridges=""
for version in "$@"; do bridges+="${bridges:+;}${version%.*}=$(headers "$version")"; done

# The compiler by the name that plain CMake gives it, and ccache: objects are then shared with every other build.
export CC=${CC:-cc} CXX=${CXX:-c++}
if command -v ccache > /dev/null; then export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi

mkdir -p build "$output"
rm -f "$output"/tensorflow_ocldnn-*.whl
if ! "$python" -m pip wheel . --no-build-isolation --no-deps -w "$output" \
    --config-settings cmake.define.OCLDNN_TENSORFLOW_INCLUDE="$site/tensorflow/include" \
    --config-settings cmake.define.OCLDNN_BRIDGE_INCLUDES="$bridges" > build/wheel.log 2>&1; then
  grep -E 'error|Error|FAILED' -A 8 build/wheel.log | head -60 >&2 || true
  echo "The wheel did not build; the whole log is build/wheel.log" >&2
  exit 1
fi
ls "$output"/tensorflow_ocldnn-*.whl
