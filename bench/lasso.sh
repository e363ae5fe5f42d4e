#!/usr/bin/env bash
# Times package slkl and scikit-learn's LassoLars on the same Lasso: the columns
# of abalone, from C in memory, C'C included, on one thread and on two. Prints
# the best time of each and their ratio. The peer is lasso.py.
#
#   bench/lasso.sh [FOLDER]    FOLDER holds abalone.csv.gz; default RKHS_DATA
set -euo pipefail
cd "$(dirname "$0")/.."
data=${1:-${RKHS_DATA:?name the folder of abalone.csv.gz, or set RKHS_DATA}}
data=$(cd "$data" && pwd)
python=${PYTHON:-/usr/bin/python3}

test_binary=$(mktemp)
trap 'rm -f "$test_binary"' EXIT
go test -c -o "$test_binary" ./slkl

printf '%8s %8s %12s %12s %8s %16s %14s %6s\n' threads columns slkl/s LassoLars/s ratio 'F of LassoLars' 'relative gap' m0
for threads in 1 2; do
  ours=$(cd slkl && RKHS_DATA=$data GOMAXPROCS=$threads "$test_binary" -test.run '^$' -test.bench 'Lasso/(512|1024)' -test.count 5)
  OPENBLAS_NUM_THREADS=$threads "$python" bench/lasso.py "$data" 512 1024 |
    while read -r columns seconds f gap order; do
      best=$(awk -v name="BenchmarkLasso/$columns" '{ sub(/-[0-9]+$/, "", $1) } $1 == name && (!best || $3 < best) { best = $3 } END { print best / 1e9 }' <<<"$ours")
      awk -v t="$threads" -v m="$columns" -v a="$best" -v b="$seconds" -v f="$f" -v g="$gap" -v o="$order" \
        'BEGIN { printf "%8d %8d %12.4f %12.4f %8.3f %16.6f %14.1e %6d\n", t, m, a, b, a / b, f, g / f, o }'
    done
done
