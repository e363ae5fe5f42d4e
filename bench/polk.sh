#!/usr/bin/env bash
# Compares one pass of package polk over MNIST, with default options (at most 1000 points), to a
# common alternative: scikit-learn's RBFSampler with 2048 features and SGDClassifier.partial_fit
# (polk.py). Both use batches of 32, on one thread and on two. The two sides alternate. Prints the
# test error and the best samples per second of the rounds.
#
#   bench/polk.sh [FOLDER [ROUNDS]]    FOLDER has the files of MNIST; default RKHS_DATA
set -euo pipefail
cd "$(dirname "$0")/.."
data=${1:-${RKHS_DATA:?name the folder of MNIST, or set RKHS_DATA}}
RKHS_DATA=$(cd "$data" && pwd)
export RKHS_DATA
rounds=${2:-1}
python=${PYTHON:-/usr/bin/python3}

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go test -c -o "$dir/polk.test" ./examples/papers/polkpaper

for _ in $(seq "$rounds"); do
  for threads in 1 2; do
    GOMAXPROCS=$threads "$dir/polk.test" -test.run '^$' -test.bench MNISTPass/hinge -test.benchtime 1x |
      awk -v t="$threads" '
        /^BenchmarkMNISTPass/ {
          for (i = 2; i < NF; i++) v[$(i + 1)] = $i
          print "polk", t, v["error-%"], v["samples/s"], v["points"]
        }'
    OPENBLAS_NUM_THREADS=$threads OMP_NUM_THREADS=$threads "$python" bench/polk.py "$RKHS_DATA" | sed "s/^/RBFSampler+SGDClassifier $threads /; s/\$/ 2048/"
  done
done >"$dir/runs"

awk '
{ key = $1 " " $2; if (!(key in speed)) order[++n] = key; if ($4 > speed[key]) speed[key] = $4; error[key] = $3; size[key] = $5 }
END {
  printf "%-28s %8s %10s %12s %18s\n", "", "threads", "error, %", "samples/s", "points, features"
  for (i = 1; i <= n; i++) {
    split(order[i], part, " ")
    printf "%-28s %8d %10.2f %12.0f %18d\n", part[1], part[2], error[order[i]], speed[order[i]], size[order[i]]
  }
}' "$dir/runs"
