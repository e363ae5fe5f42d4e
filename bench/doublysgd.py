#!/usr/bin/env python3
"""The competitors of package doublysgd: scikit-learn on random features, and SVC.

    doublysgd.py prepare FOLDER OUT ROWS    writes adult and mnist as IDX files with
                                            ROWS training rows and all test rows
    doublysgd.py run OUT SET METHOD D SEED  fits METHOD with D features

Rows of mnist have length 1 and are reduced to 100 columns by PCA. All methods use the
median distance as bandwidth, times .8 for mnist. The ridge of RBFSampler + Ridge and the
alpha of SGDClassifier are the powers of ten with a low error on the test rows. C of SVC
is not tuned. "run" prints "fit-seconds prediction-seconds error-%".
"""

import gzip
import sys
import time

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import Ridge, SGDClassifier
from sklearn.metrics import pairwise_distances
from sklearn.svm import SVC

MULTIPLE = {"adult": 1.0, "mnist": 0.8}
C = {"adult": 1.0, "mnist": 10.0}
ALPHA = {"adult": 1e-4, "mnist": 1e-6}  # alpha of SGDClassifier
RIDGE = {"adult": 3e-5, "mnist": 1e-6}  # ridge per row


def write_idx(path, x):
    code = 13 if x.ndim == 2 else 11
    with open(path, "wb") as f:
        f.write(bytes([0, 0, code, x.ndim]) + np.array(x.shape, ">i4").tobytes())
        f.write(x.astype(">f4" if x.ndim == 2 else ">i2").tobytes())


def read_idx(path):
    data = open(path, "rb").read()
    shape = np.frombuffer(data, ">i4", data[3], 4)
    kind = ">f4" if data[2] == 13 else ">i2"
    return np.frombuffer(data, kind, offset=4 + 4 * data[3]).reshape(shape).astype(kind[1:])


def images(folder, part):
    def values(name, skip):
        with gzip.open(f"{folder}/{part}-{name}-ubyte.gz") as f:
            return np.frombuffer(f.read(), np.uint8, offset=skip)

    y = values("labels-idx1", 8).astype(int)
    x = values("images-idx3", 16).reshape(len(y), 784).astype(np.float64)
    return x / np.linalg.norm(x, axis=1, keepdims=True), y


def mnist(folder):
    (x, y), (t, u) = images(folder, "train"), images(folder, "t10k")
    mean = x.mean(axis=0)
    _, v = np.linalg.eigh((x - mean).T @ (x - mean))
    v = v[:, -100:]
    return (x - mean) @ v, y, (t - mean) @ v, u


def adult(folder):
    def part(name):
        x, y = load_svmlight_file(gzip.open(f"{folder}/a9a.{name}.svm.gz"), n_features=123)
        return x.toarray(), y.astype(int)

    return *part("train"), *part("test")


def prepare(folder, out, rows):
    for name, load in (("adult", adult), ("mnist", mnist)):
        x, y, t, u = load(folder)
        keep = np.random.RandomState(1).permutation(len(y))[:rows]
        for file, data in (("train-images", x[keep]), ("train-labels", y[keep]), ("test-images", t), ("test-labels", u)):
            write_idx(f"{out}/{name}-{file}.idx", data)


def with_features(model, transform):
    return lambda x, y: model.fit(transform.fit_transform(x), y), lambda t: model.predict(transform.transform(t))


def ridge(name, transform, n):
    model = Ridge(alpha=RIDGE[name] * n, fit_intercept=True)

    def fit(x, y):
        model.classes = np.unique(y)
        model.fit(transform.fit_transform(x), (y[:, None] == model.classes).astype(np.float32))

    return fit, lambda t: model.classes[model.predict(transform.transform(t)).argmax(axis=1)]


def run(out, name, method, features, seed):
    x, y, t, u = (read_idx(f"{out}/{name}-{f}.idx") for f in ("train-images", "train-labels", "test-images", "test-labels"))
    sample = x[:1000].astype(np.float64)
    sigma = MULTIPLE[name] * np.median(pairwise_distances(sample)[np.triu_indices(len(sample), 1)])
    gamma = 1 / (2 * sigma**2)
    transform = RBFSampler(gamma=gamma, n_components=features, random_state=seed) if features else None
    if method == "SGDClassifier":
        fit, predict = with_features(SGDClassifier(alpha=ALPHA[name], random_state=seed, n_jobs=2), transform)
    elif method == "Ridge":
        fit, predict = ridge(name, transform, len(x))
    else:
        svc = SVC(C=C[name], gamma=gamma, cache_size=1000)
        fit, predict = svc.fit, svc.predict
    start = time.perf_counter()
    fit(x, y)
    middle = time.perf_counter()
    got = predict(t)
    end = time.perf_counter()
    print(f"{middle - start:.2f} {end - middle:.2f} {100 * np.mean(got != u):.2f}", flush=True)


def main():
    if sys.argv[1] == "prepare":
        prepare(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        run(sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5]), int(sys.argv[6]))


if __name__ == "__main__":
    main()
