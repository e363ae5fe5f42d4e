#!/usr/bin/env bash
# Compares the time of package slkl with scikit-learn's LassoLars (lasso.py) on the same Lasso
# problem, the columns of abalone. The matrix C is in memory, and the times include CᵀC. Both run
# on one thread and on two. The two sides alternate. Prints the least time of each and the ratio;
# below 1, slkl is faster.
#
#   bench/lasso.sh [FOLDER [ROUNDS]]    FOLDER has abalone.csv.gz; default RKHS_DATA
set -euo pipefail
cd "$(dirname "$0")/.."
data=${1:-${RKHS_DATA:?name the folder of abalone.csv.gz, or set RKHS_DATA}}
RKHS_DATA=$(cd "$data" && pwd)
export RKHS_DATA
rounds=${2:-3}
python=${PYTHON:-/usr/bin/python3}

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go test -c -o "$dir/slkl.test" ./slkl

for _ in $(seq "$rounds"); do
  for threads in 1 2; do
    (cd slkl && GOMAXPROCS=$threads "$dir/slkl.test" -test.run '^$' -test.bench 'Lasso/(512|1024)') |
      awk -v t="$threads" '/^BenchmarkLasso/ { sub(/.*\//, "", $1); sub(/-.*/, "", $1); print "slkl", t, $1, $3 / 1e9 }'
    OPENBLAS_NUM_THREADS=$threads "$python" bench/lasso.py "$RKHS_DATA" 512 1024 | sed "s/^/LassoLars $threads /"
  done
done >"$dir/times"

awk '
{ key = $2 " " $3; if (!(($1, key) in best) || $4 < best[$1, key]) best[$1, key] = $4 }
$1 == "LassoLars" { f[key] = $5; gap[key] = $6; order[key] = $7 }
END {
  printf "%8s %8s %12s %12s %8s %16s %14s %6s\n", "threads", "columns", "slkl/s", "LassoLars/s", "ratio", "F of LassoLars", "relative gap", "m0"
  for (t = 1; t <= 2; t++) for (m = 512; m <= 1024; m += 512) {
    key = t " " m
    a = best["slkl", key]; b = best["LassoLars", key]
    printf "%8d %8d %12.4f %12.4f %8.3f %16.6f %14.1e %6d\n", t, m, a, b, a / b, f[key], gap[key] / f[key], order[key]
  }
}' "$dir/times"
