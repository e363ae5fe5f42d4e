#!/usr/bin/env python3
"""The competitor of package alignment: a grid search of scikit-learn's SVC.

    alignment.py prepare FILE CSV    writes letters A-M as -1, N-Z as 1, in random order
    alignment.py grid CSV ROWS       fits SVC for 20 bandwidths and 5 values of C

"grid" trains on the first ROWS rows, selects on the next ROWS rows, and tests on the
others. It prints "seconds error-%". The bandwidths are the grid of the paper for
letters, 1 to 200 at equal steps, in exp(-d^2/sigma^2).
"""

import sys
import time

import numpy as np
from sklearn.svm import SVC


def prepare(path, out):
    table = np.loadtxt(path, delimiter=",")
    np.random.RandomState(1).shuffle(table)
    table[:, -1] = np.where(table[:, -1] < 13, -1, 1)
    np.savetxt(out, table, fmt="%d", delimiter=",")


def grid(path, n):
    table = np.loadtxt(path, delimiter=",")
    x, y = table[:, :-1], table[:, -1]
    start = time.perf_counter()
    best, score = None, -1.0
    for sigma in np.linspace(1, 200, 20):
        for c in 10.0 ** np.arange(-1, 4):
            m = SVC(C=c, gamma=1 / sigma**2, cache_size=1000).fit(x[:n], y[:n])
            s = m.score(x[n : 2 * n], y[n : 2 * n])
            if s > score:
                best, score = m, s
    seconds = time.perf_counter() - start
    print(f"{seconds:.4f} {100 * (1 - best.score(x[2 * n :], y[2 * n :])):.3f}", flush=True)


def main():
    if sys.argv[1] == "prepare":
        prepare(sys.argv[2], sys.argv[3])
    else:
        grid(sys.argv[2], int(sys.argv[3]))


if __name__ == "__main__":
    main()
