#!/usr/bin/env bash
# Compares the time of internal/svm, with sparse and dense rows, to svm-train of LIBSVM on the
# same problem: a9a, gamma = 1/123 and the same tolerance, on one thread and on two. The sides
# alternate. Prints the least time of each and the ratio to svm-train; below 1, this module is
# faster. The time of svm-train includes 0.1 to 0.2 s to read the file.
#
#   bench/svm.sh [FOLDER [ROUNDS [C...]]]    FOLDER has a9a.train.svm.gz; default RKHS_DATA
set -euo pipefail
cd "$(dirname "$0")/.."
data=${1:-${RKHS_DATA:?name the folder of a9a.train.svm.gz, or set RKHS_DATA}}
RKHS_DATA=$(cd "$data" && pwd)
export RKHS_DATA
rounds=${2:-1}
costs=("${@:3}")
[ ${#costs[@]} -gt 0 ] || costs=(0.1 1 100)

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go test -c -o "$dir/svm.test" ./internal/svm
gzip -dc "$RKHS_DATA/a9a.train.svm.gz" >"$dir/a9a"

for _ in $(seq "$rounds"); do
  for threads in 1 2; do
    for c in "${costs[@]}"; do
      for form in sparse dense; do
        (cd internal/svm && GOMAXPROCS=$threads "$dir/svm.test" -test.run '^$' -test.bench "A9A/^$form\$/^$c\$" -test.benchtime 1x) |
          awk -v f="$form" -v t="$threads" -v c="$c" '/^BenchmarkA9A/ { print f, t, c, $3 / 1e9 }'
      done
      start=$(date +%s.%N)
      OMP_NUM_THREADS=$threads svm-train -c "$c" -g 0.008130081300813009 "$dir/a9a" "$dir/model" >/dev/null
      end=$(date +%s.%N)
      awk -v t="$threads" -v c="$c" -v s="$start" -v e="$end" 'BEGIN { print "svm-train", t, c, e - s }'
    done
  done
done >"$dir/times"

awk '
{ key = $2 " " $3; if (!(key in seen)) { seen[key] = 1; order[++keys] = key }
  if (!(($1, key) in best) || $4 < best[$1, key]) best[$1, key] = $4 }
END {
  printf "%8s %8s %10s %10s %12s %8s %8s\n", "threads", "C", "sparse/s", "dense/s", "svm-train/s", "sparse", "dense"
  for (i = 1; i <= keys; i++) {
    key = order[i]; split(key, part, " ")
    s = best["sparse", key]; d = best["dense", key]; b = best["svm-train", key]
    printf "%8d %8s %10.2f %10.2f %12.2f %8.3f %8.3f\n", part[1], part[2], s, d, b, s / b, d / b
  }
}' "$dir/times"
