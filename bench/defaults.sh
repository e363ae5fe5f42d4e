#!/usr/bin/env bash
# Test errors of every learner by default, without being told anything, beside a tuned
# KernelRidge or SVC and tuned HistGradientBoosting of scikit-learn, on the tables of a
# folder and three that bench/defaults makes.
#
#   bench/defaults.sh [FOLDER [SPLITS [LEARNER ...]]]
#
# FOLDER holds the tables, default RKHS_DATA; SPLITS of each table, default 5, and 20 where
# fewer than 300 rows are tested on, unless FEW is set. TABLES names some by comma; REST tests on all rows
# that are not trained on, not a quarter at most. ROWS are those to train on at most, default
# 20000; METHODS the peers, kernel and trees by default. PYTHON names the interpreter; PREPARED a
# folder that keeps what the peers reached for the next run. bench/rtables.R makes a folder of tables
# that this project was not made on.
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
take=(-splits "$splits" -rows "${ROWS:-20000}" ${FEW:+-few} ${REST:+-rest} ${TABLES:+-tables "$TABLES"})
"$dir/defaults" "${take[@]}" -dump "$dir/splits" "$data"
"$python" bench/defaults.py "$dir/splits" "$dir/peers.txt"
for learner in "$@"; do
  echo "== $learner"
  "$dir/defaults" "${take[@]}" -learner "$learner" -peers "$dir/peers.txt" "$data"
done
