#!/usr/bin/env bash
# Probabilities and prediction intervals of every learner by default, beside
# CalibratedClassifierCV around a tuned SVC and the quantiles of HistGradientBoosting of
# scikit-learn, on the tables of a folder.
#
#   bench/calibration.sh [FOLDER [SPLITS [ROWS [LEARNER ...]]]]
#
# FOLDER holds the tables, default RKHS_DATA; SPLITS of each table, default 3; ROWS to train on
# at most, default 3000. PYTHON names the interpreter.
set -euo pipefail
data=$(realpath "${1:-${RKHS_DATA:?name the folder of the data sets, or set RKHS_DATA}}")
cd "$(dirname "$0")/.."
splits=${2:-3} rows=${3:-3000}
shift $(($# < 3 ? $# : 3))
learners=$(IFS=,; echo "${*:-ridge,doublysgd,slkl,polk,alignment,svm,gp}")

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/defaults" ./bench/defaults
go build -o "$dir/calibration" ./bench/calibration
mkdir "$dir/splits"
"$dir/defaults" -splits "$splits" -few -rows "$rows" -dump "$dir/splits" "$data" >/dev/null
(cd bench && "${PYTHON:-/usr/bin/python3}" calibration.py "$dir/splits" "$splits") >"$dir/peers.txt"
"$dir/calibration" -splits "$splits" -learners "$learners" -peers "$dir/peers.txt" "$dir/splits"
