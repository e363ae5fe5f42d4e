"""Probabilities and intervals of peers on the splits written by bench/defaults.

    calibration.py FOLDER [splits [table ...]]

Prints a line of means over the splits for each table, in the format of bench/calibration.
For a classification these are the error rate, log loss and expected calibration error of
CalibratedClassifierCV (sigmoid, five folds) with a tuned SVC. For a regression these are
the coverage and width of the interval between the .05 and .95 quantiles of
HistGradientBoosting.
"""

import os
import sys

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from defaults import gammas, read, tuned


def calibration_error(p, classes, y):
    most, hit = p.max(axis=1), classes[p.argmax(axis=1)] == y
    order = np.argsort(most, kind="stable")
    return sum(abs((most - hit)[part].sum()) for part in np.array_split(order, 15)) / len(y)


def classified(x, y, xt, yt, classes):
    grid = {"svc__gamma": gammas(x), "svc__C": [0.1, 1, 10, 100, 1000, 10000]}
    machine = tuned(make_pipeline(StandardScaler(), SVC(cache_size=1000)), grid, x, y, classes)
    model = CalibratedClassifierCV(machine, method="sigmoid", cv=5, n_jobs=1).fit(x, y)
    p = model.predict_proba(xt)
    return np.mean(model.predict(xt) != yt), log_loss(yt, p, labels=model.classes_), calibration_error(p, model.classes_, yt)


def quantiles(x, y, xt, yt):
    early = len(y) >= 500

    def at(q):
        model = HistGradientBoostingRegressor(loss="quantile", quantile=q, max_iter=500 if early else 100, early_stopping=early, random_state=0)
        return model.fit(x, y).predict(xt)

    low, high = at(0.05), at(0.95)
    return np.nan, np.mean((low <= yt) & (yt <= high)), np.mean(high - low)


def main(folder, splits, tables):
    files = {}
    for name in sorted(os.listdir(folder), key=lambda s: (s.split()[0], int(s.split()[1]))):
        files.setdefault(name.split()[0], []).append(name)
    for table, names in files.items():
        if tables and table not in tables:
            continue
        rows = []
        for name in names[:splits]:
            (x, y, xt, yt), classes = read(os.path.join(folder, name))
            rows.append(classified(x, y, xt, yt, classes) if classes else quantiles(x, y, xt, yt))
        a, b, c = np.mean(rows, axis=0)
        print(f"{table} {'SVC' if classes else 'quantile trees':16s} {a:6.4g}   {b:7.4g} {c:7.4g}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10, sys.argv[3:])
