package doublysgdpaper

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// dual returns the change of the dual variable alpha that maximises the dual objective, for a row
// with score u, target y and h = ‖φ(x)‖²/(nu·n).
type dual func(alpha, u, y, h float64) float64

// hingeDual is the dual step of the hinge max(0, 1 − y·u).
func hingeDual(alpha, u, y, h float64) float64 {
	return y*min(1, max(0, (1-y*u)/h+alpha*y)) - alpha
}

// squaredDual is the dual step of the squared loss (u − y)²/2.
func squaredDual(alpha, u, y, h float64) float64 { return (y - u - alpha) / (1 + h) }

// sdca minimises (1/n)·Σ_i l(w·z_i, y_i) + (nu/2)·‖w‖² for each column of y by stochastic dual
// coordinate ascent over the rows of z (n×D). It returns w (D×q). Source: Shalev-Shwartz and
// Zhang, "Stochastic dual coordinate ascent methods for regularized loss minimization", JMLR 14,
// 2013.
func sdca(z, y *mat.Dense, change dual, nu float64, passes int, seed uint64) *mat.Dense {
	n, d := z.Dims()
	_, q := y.Dims()
	w, alpha := mat.NewDense(q, d, nil), mat.NewDense(n, q, nil)
	scale := 1 / (nu * float64(n))
	for pass := range passes {
		for _, i := range rng.New(seed, "sdca", uint64(pass)).Perm(n) {
			row := z.RawRowView(i)
			h := scale * floats.Dot(row, row)
			for o := range q {
				step := change(alpha.At(i, o), floats.Dot(row, w.RawRowView(o)), y.At(i, o), h)
				alpha.Set(i, o, alpha.At(i, o)+step)
				floats.AddScaled(w.RawRowView(o), scale*step, row)
			}
		}
	}
	return mat.DenseCopyOf(w.T())
}

// blockRows is the number of rows of the Gram matrix in memory.
const blockRows = 256

// kernelSDCA is sdca in the RKHS of k. It returns the weights (n×q) of k(·, x_i). It keeps the
// scores of all rows current, so each step costs one row of the Gram matrix.
func kernelSDCA(k kernel.Kernel, x, y *mat.Dense, change dual, nu float64, passes int, seed uint64) (*mat.Dense, error) {
	n, q := y.Dims()
	scores, alpha := mat.NewDense(q, n, nil), mat.NewDense(n, q, nil)
	scale := 1 / (nu * float64(n))
	for pass := range passes {
		order := rng.New(seed, "sdca", uint64(pass)).Perm(n)
		for from := 0; from < n; from += blockRows {
			rows := order[from:min(from+blockRows, n)]
			var gram mat.Dense
			if err := kernel.Cross(&gram, k, pick(x, rows), x); err != nil {
				return nil, err
			}
			for r, i := range rows {
				h := scale * gram.At(r, i)
				for o := range q {
					step := change(alpha.At(i, o), scores.At(o, i), y.At(i, o), h)
					alpha.Set(i, o, alpha.At(i, o)+step)
					floats.AddScaled(scores.RawRowView(o), scale*step, gram.RawRowView(r))
				}
			}
		}
	}
	alpha.Scale(scale, alpha)
	return alpha, nil
}

// pick returns a copy of the given rows.
func pick(x *mat.Dense, rows []int) *mat.Dense {
	_, d := x.Dims()
	out := mat.NewDense(len(rows), d, nil)
	for i, r := range rows {
		out.SetRow(i, x.RawRowView(r))
	}
	return out
}
