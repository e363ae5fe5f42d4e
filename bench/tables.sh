#!/usr/bin/env bash
# Everything of this module by default, beside a tuned KernelRidge or SVC and tuned
# HistGradientBoosting of scikit-learn, on the tables of a folder and three that
# bench/defaults makes: test errors, seconds, wins and losses, in one table.
#
#   bench/tables.sh [FOLDER [SPLITS]]
#
# FOLDER, SPLITS, PYTHON and PREPARED are as in bench/defaults.sh, which tells more of one
# learner at a time.
set -euo pipefail
exec "$(dirname "$0")/defaults.sh" "${1:-${RKHS_DATA:?name the folder of the data sets, or set RKHS_DATA}}" "${2:-5}" \
  ridge,doublysgd,slkl,polk,alignment,gp
