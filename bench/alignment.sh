#!/usr/bin/env bash
# Compares the time of package alignment (kernel search, selection of C and training) with a grid
# of 20 bandwidths and 5 values of C for scikit-learn's SVC (alignment.py). Both use the same
# data: letters A–M against N–Z, n training rows and n validation rows. The two sides alternate.
# Prints the least time of each, the ratio, and the errors on the other rows.
#
#   bench/alignment.sh [FOLDER [ROUNDS [ROWS ...]]]
#
# FOLDER has letter.csv.gz. Defaults: FOLDER is RKHS_DATA, ROUNDS is 1, ROWS is 500 and 5000.
set -euo pipefail
cd "$(dirname "$0")/.."
data=${1:-${RKHS_DATA:?name the folder of letter.csv.gz, or set RKHS_DATA}}
rounds=${2:-1}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- 500 5000
python=${PYTHON:-/usr/bin/python3}

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go test -c -o "$dir/alignment.test" ./alignment
"$python" bench/alignment.py prepare "$data/letter.csv.gz" "$dir/letters.csv"

for _ in $(seq "$rounds"); do
  for rows in "$@"; do
    (cd alignment && RKHS_BENCH_ALIGNMENT="$dir/letters.csv" RKHS_BENCH_ROWS=$rows "$dir/alignment.test" -test.run '^$' -test.bench 'Fit$') |
      awk -v n="$rows" '/^BenchmarkFit/ { print "alignment", n, $3 / 1e9, $5 }'
    "$python" bench/alignment.py grid "$dir/letters.csv" "$rows" | sed "s/^/grid $rows /"
  done
done >"$dir/times"

awk '
{ key = $1 " " $2; if (!(key in best) || $3 < best[key]) best[key] = $3; error[key] = $4; rows[$2] }
END {
  printf "%8s %14s %14s %10s %16s %14s\n", "rows", "alignment/s", "SVC grid/s", "ratio", "error/% of ours", "of the grid"
  for (n in rows) {
    a = best["alignment " n]; g = best["grid " n]
    printf "%8d %14.3f %14.3f %10.1f %16.2f %14.2f\n", n, a, g, g / a, error["alignment " n], error["grid " n]
  }
}' "$dir/times"
