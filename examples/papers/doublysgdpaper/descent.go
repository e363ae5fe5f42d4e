package doublysgdpaper

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// pegasos minimises the mean hinge plus (nu/2)·‖w‖² for each column of y by one pass
// over the rows of z, with steps 1/(nu·t), each followed by the projection to
// ‖w‖ ≤ 1/√nu. Source: Shalev-Shwartz, Singer and Srebro, "Pegasos: Primal Estimated
// sub-GrAdient SOlver for SVM", ICML 2007.
func pegasos(z, y *mat.Dense, nu float64, seed uint64) *mat.Dense {
	n, d := z.Dims()
	_, q := y.Dims()
	w := mat.NewDense(q, d, nil)
	for t, i := range rng.New(seed, "pegasos", 0).Perm(n) {
		row := z.RawRowView(i)
		for o := range q {
			v := w.RawRowView(o)
			short := y.At(i, o)*floats.Dot(row, v) < 1
			floats.Scale(1-1/float64(t+1), v)
			if short {
				floats.AddScaled(v, y.At(i, o)/(nu*float64(t+1)), row)
			}
			if norm := floats.Norm(v, 2); norm*norm*nu > 1 {
				floats.Scale(1/(norm*math.Sqrt(nu)), v)
			}
		}
	}
	return mat.DenseCopyOf(w.T())
}

// norma learns by stochastic gradients in the space of k, on batches of rows:
//
//	f ← (1 − g·nu)·f − (g/B)·Σ_b l'(f(x_b), y_b)·k(x_b, ·),
//
// once for each batch, with all rows in memory. It returns the weights of k(·, x_i),
// n×q. Source: Kivinen, Smola and Williamson, "Online learning with kernels", IEEE
// Transactions on Signal Processing 52, 2004, in the batches of the comparison.
func norma(k kernel.Kernel, x, y *mat.Dense, l loss.Scalar, nu float64, batch, passes int, seed uint64) (*mat.Dense, error) {
	n, q := y.Dims()
	w := mat.NewDense(n, q, nil)
	g0, err := firstStep(k, x, l, batch, seed)
	if err != nil {
		return nil, err
	}
	t := 0
	for pass := range passes {
		order := rng.New(seed, "norma", uint64(pass)).Perm(n)
		seen := order // the rows that may have weights
		for from := 0; from < n; from += batch {
			rows := order[from:min(from+batch, n)]
			if pass == 0 {
				seen = order[:from]
			}
			f, err := scoresOf(k, x, w, rows, seen, q)
			if err != nil {
				return nil, err
			}
			g := g0 / (1 + g0*nu*float64(t)/1.5)
			w.Scale(1-g*nu, w)
			for r, i := range rows {
				for o := range q {
					w.Set(i, o, w.At(i, o)-g/float64(len(rows))*l.Derivative(f.At(r, o), y.At(i, o)))
				}
			}
			t++
		}
	}
	return w, nil
}

// scoresOf returns f at some rows from the weights of the rows seen.
func scoresOf(k kernel.Kernel, x, w *mat.Dense, rows, seen []int, q int) (*mat.Dense, error) {
	f := mat.NewDense(len(rows), q, nil)
	if len(seen) == 0 {
		return f, nil
	}
	return f, kernel.Mul(f, k, pick(x, rows), pick(x, seen), pick(w, seen))
}

// firstStep returns 1/(curvature·(lam1 + R²/B)), lam1 being the largest eigenvalue of
// the Gram matrix of up to 1000 rows over their number, and R² the mean of its
// diagonal.
func firstStep(k kernel.Kernel, x *mat.Dense, l loss.Loss, batch int, seed uint64) (float64, error) {
	n, _ := x.Dims()
	m := min(n, 1000)
	var gram mat.SymDense
	if err := kernel.Gram(&gram, k, pick(x, rng.New(seed, "norma steps", 0).Perm(n)[:m])); err != nil {
		return 0, err
	}
	top := largestEigenvalue(&gram)
	return 1 / (l.Curvature() * (top/float64(m) + mat.Trace(&gram)/float64(m*batch))), nil
}

// largestEigenvalue returns that of a Gram matrix of a positive kernel, by 30 steps
// of the power method.
func largestEigenvalue(gram *mat.SymDense) (value float64) {
	m := gram.SymmetricDim()
	v, next := mat.NewVecDense(m, nil), mat.NewVecDense(m, nil)
	for i := range m {
		v.SetVec(i, 1/math.Sqrt(float64(m)))
	}
	for range 30 {
		next.MulVec(gram, v)
		value = mat.Norm(next, 2)
		v.ScaleVec(1/value, next)
	}
	return value
}
