#!/usr/bin/env python3
"""The competitor of package slkl as a solver: scikit-learn's LassoLars.

SLKL is the Lasso  min_w |y - C w|^2 + 2 tau |w|_1,  tau = sqrt(lam nu),  on the
columns c_m = k(., x_m). This program times LassoLars on the columns of abalone, with
C in memory and including C'C. It prints the objective and the duality gap to show that
both solve the same problem. LassoLars divides the square by 2n, so its alpha is tau/n.

    lasso.py FOLDER [COLUMNS ...]     FOLDER has abalone.csv.gz

Prints a line "columns seconds F gap m0" for each number of columns. Set the number of
threads by OPENBLAS_NUM_THREADS.
"""

import os
import sys
import time
import warnings

import numpy as np
from sklearn.linear_model import LassoLars

LAM, NU, SIGMA2, ROWS, REPEATS = 1.0, 0.01, 2.5, 3000, 7


def columns(folder, m):
    """Returns C and y for the first 3000 of the standardised rows. Landmark i is
    row floor(i n / m)."""
    table = np.loadtxt(os.path.join(folder, "abalone.csv.gz"), delimiter=",")
    x, y = table[:, :-1], table[:ROWS, -1]
    x = ((x - x.mean(0)) / x.std(0))[:ROWS]
    z = x[np.arange(m) * ROWS // m]
    d2 = (x * x).sum(1)[:, None] + (z * z).sum(1)[None, :] - 2 * x @ z.T
    return np.exp(-np.maximum(d2, 0) / (2 * SIGMA2)), y


def certify(c, y, w, tau):
    """Returns the objective and the duality gap at w."""
    r = y - c @ w
    primal = r @ r + 2 * tau * np.abs(w).sum()
    s = min(1.0, tau / np.abs(c.T @ r).max(), (y @ r) / (r @ r))
    return primal, primal - (2 * s * (y @ r) - s * s * (r @ r))


def solve(c, y, alpha, gram):
    start = time.perf_counter()
    model = LassoLars(alpha=alpha, fit_intercept=False, precompute=gram, max_iter=10000)
    model.fit(c, y)
    return time.perf_counter() - start, model.coef_


def main():
    warnings.simplefilter("ignore")  # LARS drops columns that are nearly parallel
    folder = sys.argv[1]
    tau = np.sqrt(LAM * NU)
    for m in [int(v) for v in sys.argv[2:]] or [512, 1024]:
        c, y = columns(folder, m)
        runs = [solve(c, y, tau / ROWS, gram) for gram in (True, False) for _ in range(REPEATS)]
        seconds = min(min(t for t, _ in runs[i : i + REPEATS]) for i in (0, REPEATS))
        w = runs[0][1]
        f, gap = certify(c, y, w, tau)
        print(f"{m} {seconds:.4f} {f:.6f} {gap:.3e} {np.count_nonzero(w)}", flush=True)


if __name__ == "__main__":
    main()
