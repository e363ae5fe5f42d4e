#!/usr/bin/env bash
# Compares all learners with default options to peers from scikit-learn in one table: test errors,
# seconds, wins and losses. The peers are a tuned KernelRidge or SVC and a tuned
# HistGradientBoosting. The data are the tables of a folder and three synthetic tables from
# bench/defaults.
#
#   bench/tables.sh [FOLDER [SPLITS]]
#
# FOLDER, SPLITS, PYTHON and PREPARED are as in bench/defaults.sh, which prints more details per
# learner.
set -euo pipefail
exec "$(dirname "$0")/defaults.sh" "${1:-${RKHS_DATA:?name the folder of the data sets, or set RKHS_DATA}}" "${2:-5}" \
  ridge,doublysgd,slkl,polk,alignment,gp
