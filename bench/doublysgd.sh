#!/usr/bin/env bash
# Compares error and time of package doublysgd with scikit-learn's RBFSampler + SGDClassifier,
# RBFSampler + Ridge and SVC (doublysgd.py). The data are Adult (a9a) and MNIST (rows of length 1,
# PCA to 100 columns). Each fit has its own process, and the fits run in sequence. All methods use
# the same given bandwidth and ridge, except with default options; there the seconds include the
# search. SGDClassifier and SVC minimise the hinge. Seconds and errors are means over the seeds of
# the features, and sd is the standard deviation of the error. SVC runs once.
#
#   bench/doublysgd.sh [FOLDER [ROWS [FEATURES ...]]]
#
# FOLDER has the data sets, by default RKHS_DATA. ROWS is the number of training rows, by default
# 10000. FEATURES is 1024 and 4096 by default. Environment variables:
#
#   ADULT_SEEDS, MNIST_SEEDS  number of seeds, by default 1
#   OURS                      more numbers of features, for doublysgd only
#   NOSVC                     if set, skip SVC
#   PYTHON                    the interpreter
#   PREPARED                  a folder to keep the prepared files for the next run
set -euo pipefail
cd "$(dirname "$0")/.."
data=${1:-${RKHS_DATA:?name the folder of the data sets, or set RKHS_DATA}}
rows=${2:-10000}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- 1024 4096
python=${PYTHON:-/usr/bin/python3}

dir=${PREPARED:-$(mktemp -d)}
[ -n "${PREPARED:-}" ] || trap 'rm -rf "$dir"' EXIT
go build -o "$dir/ours" ./bench/doublysgd
[ -f "$dir/mnist-test-labels.idx" ] || "$python" bench/doublysgd.py prepare "$data" "$dir" "$rows"

line() { printf '%-6s %-30s %9s %10s %10s %9s %6s\n' "$@"; }

mean() { # reads lines "fit predict error features", prints the means and the sd of the error
  awk '{ f += $1; p += $2; e += $3; q += $3 * $3; d = $4 }
    END { v = q / NR - (e / NR) ^ 2; printf "%.2f %.2f %.2f %.2f %d\n", f / NR, p / NR, e / NR, sqrt(v > 0 ? v : 0), d }'
}

ours() { # SET FEATURES MULTIPLE RIDGE LOSS NAME
  local fit predict error deviation features
  read -r fit predict error deviation features < <(for seed in $seeds; do
    "$dir/ours" "$dir/$1-train-images.idx" "$dir/$1-test-images.idx" "$2" "$3" "$4" "$5" "$seed"
  done | mean)
  line "$1" "$6" "$features" "$fit" "$predict" "$error" "$deviation"
}

peer() { # SET METHOD FEATURES NAME
  local fit predict error deviation
  read -r fit predict error deviation _ < <(for seed in $([ "$2" = SVC ] && echo 1 || echo $seeds); do
    "$python" bench/doublysgd.py run "$dir" "$1" "$2" "$3" "$seed"
  done | mean)
  line "$1" "$4" "$3" "$fit" "$predict" "$error" "$deviation"
}

line set method features fit/s predict/s error/% sd
for set in adult mnist; do
  multiple=1 ridge=3e-5 seeds=$(seq 1 "${ADULT_SEEDS:-1}")
  [ $set = adult ] || multiple=.8 ridge=1e-6 seeds=$(seq 1 "${MNIST_SEEDS:-1}")
  for d in "$@"; do
    ours $set "$d" $multiple $ridge squared "doublysgd"
    ours $set "$d" $multiple $ridge hinge "doublysgd, squared hinge"
    peer $set SGDClassifier "$d" "RBFSampler + SGDClassifier"
    peer $set Ridge "$d" "RBFSampler + Ridge"
  done
  for d in ${OURS:-}; do
    ours $set "$d" $multiple $ridge squared "doublysgd"
    ours $set "$d" $multiple $ridge hinge "doublysgd, squared hinge"
  done
  ours $set 0 0 0 squared "doublysgd, default options"
  [ -n "${NOSVC:-}" ] || peer $set SVC 0 "SVC"
done
