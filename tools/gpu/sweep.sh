#!/bin/bash
# Runs the whole op sweep on a machine of many cores, in parts side by side: what `make test` does a twelfth of at a time.
#   sweep.sh SITE RESULTS PLATFORM=PARTS ...        e.g. sweep.sh /tmp/site /tmp/results 'NVIDIA CUDA=8' 'Portable=12'
# SITE is where train.sh unpacked TensorFlow and the wheel. RESULTS receives a log for each part; the summary is printed.
set -uo pipefail
site=$1 results=$2
shift 2
cd "$(dirname "$0")/../.."
mkdir -p "$results"
export PYTHONPATH=$site TF_PLUGGABLE_DEVICE_LIBRARY_PATH=$site/tensorflow-plugins/libtensorflow_ocldnn.so
export TF_CPP_MIN_LOG_LEVEL=1 OCLDNN_TEST_FULL=1 OCLDNN_DRIVER_FOLDERS=${OCLDNN_DRIVER_FOLDERS:-$site/lib}

run() {  # the tests on $platform, with their log in $log: cores, arguments of pytest
  OCLDNN_DEVICES=$platform OCLDNN_TEST_PLATFORM=$platform taskset -c "$1" \
    python3 -m pytest -p no:cacheprovider -q --tb=short --junit-xml="$log.xml" tests/tensorflow "${@:2}" > "$log" 2>&1
}

# A CPU driver takes every core that it sees: two for each part. Neighbours share one, so that compiling keeps all busy.
core=0 cores=$(nproc)
for entry in "$@"; do
  platform=${entry%=*} parts=${entry##*=}
  for ((part = 0; part < parts; part++)); do
    log=$results/${platform%% *}.$part.log
    OCLDNN_TEST_SHARD=$part/$parts run "$((core % cores)),$(((core + 1) % cores))" -m "not alone" &
    core=$((core + 1))
  done
done
wait
for entry in "$@"; do  # what fills the device's memory
  platform=${entry%=*} log=$results/${platform%% *}.alone.log
  run "0-$((cores - 1))" -m alone
done
for log in "$results"/*.log; do echo "$(basename "$log"): $(tail -1 "$log")"; done
grep -h "^E  " "$results"/*.log | cut -c1-300 | sort | uniq -c | sort -rn | head -60
grep -h "^FAILED\|^ERROR" "$results"/*.log | sort | uniq -c
