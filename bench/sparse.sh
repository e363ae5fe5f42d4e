#!/usr/bin/env bash
# Compares learners with default options to svm-train of LIBSVM (Debian's libsvm-tools) on wide
# sparse rows: 6000 × 50000 with 50 elements per row. The fits run in sequence. The time of
# svm-train includes reading the file. It runs with its defaults, C = 1 and gamma = 1/50000, and
# with values that suit the task. The learners search for their own.
#
#   bench/sparse.sh [TASK [LEARNER...]]    TASK is words (learnable) or noise
set -euo pipefail
cd "$(dirname "$0")/.."
task=${1:-words}
learners=("${@:2}")
[ ${#learners[@]} -gt 0 ] || learners=(slkl doublysgd polk svm ridge)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/sparse" ./bench/sparse
"$dir/sparse" write "$dir"

printf "%-6s %-12s %8s %9s %8s %8s %8s %8s %8s %9s\n" task learner fit/s predict/s cpu/s error/% rows/MB peak/MB inuse/MB model/MB
for learner in "${learners[@]}"; do
  "$dir/sparse" fit "$dir" "$task" "$learner"
done
for given in "" "-t 0 -c 0.1" "-t 2 -g 0.02 -c 10"; do
  # shellcheck disable=SC2086
  /usr/bin/time -f "svm-train $given: %e s, %M KB" svm-train $given "$dir/$task.train" "$dir/model" >/dev/null
  svm-predict "$dir/$task.test" "$dir/model" "$dir/labels"
done
