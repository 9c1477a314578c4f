#!/bin/bash
# Debian packages for a front-door step: system.sh demo|test|all. Installs what is missing when root, else names it.
set -euo pipefail
list=$(dirname "$0")/debian-packages.txt
case ${1:?demo, test or all} in
  demo) steps=demo ;;
  test) steps='demo|test' ;;
  all) steps='demo|test|all' ;;
  *) echo "$0: no step '$1'" >&2; exit 2 ;;
esac
mapfile -t wanted < <(awk -v steps="^($steps)\$" '!/^#/ && $2 ~ steps { print $1 }' "$list")

if ! command -v dpkg-query > /dev/null; then
  echo "This is not Debian: see that the equivalents of these are installed: ${wanted[*]}" >&2
  exit 0
fi
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2> /dev/null | awk '$1 == "installed" { print $2 }' || true)
mapfile -t missing < <(comm -23 <(printf '%s\n' "${wanted[@]}" | sort) <(sort <<< "$installed"))
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi

if [ "$(id -u)" -ne 0 ]; then
  { echo "These Debian packages are missing; install them as root and run make again:"
    echo "  apt-get install --no-install-recommends ${missing[*]}"; } >&2
  exit 1
fi
echo "Installing ${#missing[@]} Debian packages: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt-get update -q > /dev/null
apt-get install -q -y --no-install-recommends "${missing[@]}" > /dev/null
