#!/usr/bin/env bash
# Measures the probabilities and prediction intervals of each learner with default options on the
# tables of a folder. The peers are scikit-learn's CalibratedClassifierCV with a tuned SVC and
# quantiles of HistGradientBoosting.
#
#   bench/calibration.sh [FOLDER [SPLITS [ROWS [LEARNER ...]]]]
#
# FOLDER has the tables, by default RKHS_DATA. SPLITS is the number of splits per table, by
# default 3. ROWS is the maximum number of training rows, by default 3000. PYTHON is the
# interpreter.
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
