"""Runs the benchmarks of internal/compute in numpy and scikit-learn.

Prints the name and the least seconds of each benchmark over several runs. Set the
number of threads by the environment variable OPENBLAS_NUM_THREADS.
"""

import os
import time

import numpy as np
import scipy.linalg
from sklearn.kernel_approximation import RBFSampler
from sklearn.metrics.pairwise import rbf_kernel

THREADS = os.environ["OPENBLAS_NUM_THREADS"]
REPEATS = int(os.environ.get("REPEATS", "7"))
CLOCK = time.process_time if os.environ.get("BENCH_CLOCK") == "cpu" else time.perf_counter
rng = np.random.default_rng(1)


def report(name, work, threaded=True):
    """Prints the least time of REPEATS runs, after one warm-up run."""
    if not threaded and THREADS != "1":
        return
    work()
    best = np.inf
    for _ in range(REPEATS):
        start = CLOCK()
        work()
        best = min(best, CLOCK() - start)
    print(f"{name}/threads={THREADS}" if threaded else name, best, flush=True)


SIZES = [200, 400, 800, 1600, 3000]

for n, k in [*zip(SIZES, SIZES), (4096, 10), (4096, 50), (4096, 256), (4096, 784)]:
    x, y, c = rng.standard_normal((n, k)), rng.standard_normal((n, k)), np.empty((n, n))
    report(f"GEMM/n={n}/k={k}", lambda: np.dot(x, y.T, out=c))

for d in [10, 50, 784]:
    x, z = rng.standard_normal((4000, d)), rng.standard_normal((4000, d))
    w = rng.standard_normal((4000, 1))
    report(f"Gaussian/d={d}", lambda: rbf_kernel(x, z, gamma=0.01))
    report(f"GaussianSym/d={d}", lambda: rbf_kernel(x, gamma=0.01))
    report(f"GaussianMul/d={d}", lambda: rbf_kernel(x, z, gamma=0.01) @ w)

for d in [54, 784]:
    x = rng.standard_normal((4000, d))
    sampler = RBFSampler(n_components=4096, gamma=0.01, random_state=1).fit(x)
    report(f"Fourier/d={d}", lambda: sampler.transform(x))

x = rng.standard_normal(1 << 16)
y = np.empty_like(x)
report("Exp", lambda: np.exp(x, out=y), threaded=False)
report("Cos", lambda: np.cos(x, out=y), threaded=False)
report("Normals", lambda: rng.standard_normal(out=y), threaded=False)

for n in SIZES:
    g = rng.standard_normal((n + 10, n))
    a, b = g.T @ g, np.zeros((n, n), order="F")
    u = np.triu(a) + n * np.eye(n)
    report(f"Cholesky/n={n}", lambda: scipy.linalg.cholesky(a, check_finite=False))
    report(f"InvertUpper/n={n}", lambda: scipy.linalg.lapack.dtrtri(u))
    report(f"SolveUpper/n={n}", lambda: scipy.linalg.solve_triangular(u, b, trans=1, check_finite=False))
