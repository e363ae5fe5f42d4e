#!/usr/bin/env bash
# Classifies short texts by hashed words: from the description of an apt package, predict whether
# it is a library. Compares learners with default options to scikit-learn's HashingVectorizer and
# SGDClassifier (words.py) on the same three quarters of the texts, in sequence. Prints errors and
# seconds. The seconds include hashing, but not reading.
#
#   bench/words.sh [ROWS [LEARNER...]]    ROWS is the maximum of training rows; default 0, all
#
# PYTHON is the interpreter.
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
