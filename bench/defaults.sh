#!/usr/bin/env bash
# Compares the test error of each learner with default options to peers from scikit-learn: a tuned
# KernelRidge or SVC and a tuned HistGradientBoosting. The data are the tables of a folder and
# three synthetic tables from bench/defaults.
#
#   bench/defaults.sh [FOLDER [SPLITS [LEARNER ...]]]
#
# FOLDER has the tables, by default RKHS_DATA; bench/rtables.R writes a folder of tables not used
# in the development of this project. SPLITS is the number of splits per table, by default 5.
# Tables with fewer than 300 test rows use 20 unless FEW is set. Environment variables:
#
#   TABLES    names of tables, separated by commas
#   REST      if set, test on all rows not used for training, not on at most a quarter
#   ROWS      maximum number of training rows, by default 20000
#   METHODS   peers, by default kernel and trees
#   PYTHON    the interpreter
#   PREPARED  a folder to keep the results of the peers for the next run
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
