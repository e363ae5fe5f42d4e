#!/usr/bin/env bash
# Labels short texts by hashed words: which packages of the lists of apt are libraries, told by
# the line that describes them. Prints errors and seconds of learners by default beside
# scikit-learn's HashingVectorizer and SGDClassifier on the same three quarters of the texts,
# one after the other. Hashing counts, reading does not. The peer is words.py.
#
#   bench/words.sh [ROWS [LEARNER...]]    ROWS to learn from at most; default 0, all
#
# PYTHON names the interpreter.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go build -o "$dir/words" ./bench/words
learners=("${@:2}")
[ ${#learners[@]} -gt 0 ] || learners=(slkl polk doublysgd)

apt-cache dumpavail >"$dir/packages"
"${PYTHON:-/usr/bin/python3}" bench/words.py "$dir" "${1:-0}"
for learner in "${learners[@]}"; do
  "$dir/words" "$dir" "$learner"
done
