#!/usr/bin/env bash
# Test errors of every learner by default, without being told anything, beside a tuned
# KernelRidge or SVC and tuned HistGradientBoosting of scikit-learn, on the tables of a
# folder and three that bench/defaults makes.
#
#   bench/defaults.sh [FOLDER [SPLITS [LEARNER ...]]]
#
# FOLDER holds the tables, default RKHS_DATA; SPLITS of each table, default 5, and 20 where
# fewer than 300 rows are tested on. PYTHON names the interpreter; PREPARED a folder that
# keeps what the peers reached for the next run.
set -euo pipefail
data=$(realpath "${1:-${RKHS_DATA:?name the folder of the data sets, or set RKHS_DATA}}")
cd "$(dirname "$0")/.."
splits=${2:-5}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- ridge doublysgd slkl polk alignment gp
python=${PYTHON:-/usr/bin/python3}

dir=${PREPARED:-$(mktemp -d)}
[ -n "${PREPARED:-}" ] || trap 'rm -rf "$dir"' EXIT
go build -o "$dir/defaults" ./bench/defaults
mkdir -p "$dir/splits"
"$dir/defaults" -splits "$splits" -dump "$dir/splits" "$data"
"$python" bench/defaults.py "$dir/splits" "$dir/peers.txt"
for learner in "$@"; do
  echo "== $learner"
  "$dir/defaults" -splits "$splits" -learner "$learner" -peers "$dir/peers.txt" "$data"
done
