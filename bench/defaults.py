"""Test errors of tuned peers on the splits written by bench/defaults.

    defaults.py FOLDER PEERS [rounds]

Appends two lines to PEERS for each file of FOLDER without them: "kernel" is KernelRidge
for numbers and SVC for labels, on standardised columns, and "trees" is
HistGradientBoosting. METHODS restricts the methods. Three-fold cross-validation on at
most 1500 rows tunes them: 6 bandwidths times 6 ridges (or values of C) for the kernel,
and 3 learning rates times 3 sizes with early stopping for the trees. The final fit uses
all training rows, but at most 12000 for KernelRidge.
"""

import os
import sys
import time
import warnings

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

warnings.filterwarnings("ignore")
TUNED_ROWS, RIDGE_ROWS = 1500, 12000


def read(path):
    v = np.fromfile(path, dtype="<f8")
    n, m, d, classes = (int(t) for t in v[:4])
    parts, at = [], 4
    for rows in (n, m):
        x = v[at : at + rows * d].reshape(rows, d)
        y = v[at + rows * d : at + rows * (d + 1)]
        parts += [x, y]
        at += rows * (d + 1)
    return parts, classes


def gammas(x):
    z = StandardScaler().fit_transform(x[:500])
    d2 = ((z[:, None, :] - z[None]) ** 2).sum(-1)
    median = np.median(d2[d2 > 0])
    return [1 / (2 * median * f * f) for f in (2.0, 1.0, 0.5, 0.35, 0.25, 0.125)]


def tuned(model, grid, x, y, classes):
    folds = StratifiedKFold(3, shuffle=True, random_state=0) if classes else KFold(3, shuffle=True, random_state=0)
    scoring = "accuracy" if classes else "neg_mean_squared_error"
    search = GridSearchCV(model, grid, cv=folds, scoring=scoring, refit=False)
    search.fit(x[:TUNED_ROWS], y[:TUNED_ROWS])
    return model.set_params(**search.best_params_)


def error(predicted, y, classes):
    return float(np.mean(predicted != y)) if classes else float(np.sqrt(np.mean((predicted - y) ** 2)))


def kernel(x, y, xt, classes):
    g = gammas(x)
    if classes:
        model = make_pipeline(StandardScaler(), SVC(cache_size=1000))
        grid = {"svc__gamma": g, "svc__C": [0.1, 1, 10, 100, 1000, 10000]}
        return tuned(model, grid, x, y, classes).fit(x, y).predict(xt)
    mean, unit = y.mean(), y.std()
    z = (y - mean) / unit
    model = make_pipeline(StandardScaler(), KernelRidge(kernel="rbf"))
    grid = {"kernelridge__gamma": g, "kernelridge__alpha": [1, 0.1, 0.01, 1e-3, 1e-4, 1e-5]}
    fitted = tuned(model, grid, x, z, classes).fit(x[:RIDGE_ROWS], z[:RIDGE_ROWS])
    return mean + unit * fitted.predict(xt)


def trees(x, y, xt, classes):
    of = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    early = len(y) >= 500
    model = of(max_iter=500 if early else 100, early_stopping=early, random_state=0)
    grid = {"learning_rate": [0.03, 0.1, 0.2], "max_leaf_nodes": [7, 15, 31]}
    return tuned(model, grid, x, y, classes).fit(x, y).predict(xt)


def main(folder, peers, rounds):
    methods = os.environ.get("METHODS", "kernel trees").split()
    known = set()
    if os.path.exists(peers):
        known = {tuple(line.split()[:4]) for line in open(peers)}
    names = sorted(os.listdir(folder), key=lambda s: (int(s.split()[1]), s))
    for name in names:
        table, split, rows = name.split()
        if int(split) >= rounds:
            continue
        for method, of in (("kernel", kernel), ("trees", trees)):
            if (table, split, rows, method) in known or method not in methods:
                continue
            (x, y, xt, yt), classes = read(os.path.join(folder, name))
            start = time.time()
            e = error(of(x, y, xt, classes), yt, classes)
            with open(peers, "a") as f:
                print(table, split, rows, method, e, round(time.time() - start, 2), file=f)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 100)
