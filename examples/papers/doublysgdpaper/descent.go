package doublysgdpaper

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// steps are those of Pegasos for a loss l: of the length 1/(nu·t + curvature), followed
// by the projection to ‖w‖² ≤ bound/nu, which holds at the minimum. The source has the
// hinge, whose curvature is 0 and whose bound is 1. For the squared loss steps that begin
// with 1/nu diverge for a small nu; 1 over the curvature is the longest that does not.
type steps struct {
	loss             loss.Scalar
	curvature, bound float64
}

func hingeSteps() steps { return steps{loss.Hinge{}, 0, 1} }

// squaredSteps takes the mean of the squared targets as bound, as f = 0 has that loss,
// and the largest of the squared norms of rows as curvature.
func squaredSteps(z, y *mat.Dense) steps {
	n, _ := z.Dims()
	s := steps{loss: loss.Squared{}}
	for i := range n {
		s.curvature = max(s.curvature, floats.Dot(z.RawRowView(i), z.RawRowView(i)))
		s.bound += floats.Dot(y.RawRowView(i), y.RawRowView(i)) / float64(n)
	}
	return s
}

// pegasos minimises the mean loss plus (nu/2)·‖w‖² for each column of y by passes over
// the rows of z. Source: Shalev-Shwartz, Singer and Srebro, "Pegasos: Primal Estimated
// sub-GrAdient SOlver for SVM", ICML 2007.
func pegasos(z, y *mat.Dense, s steps, nu float64, passes int, seed uint64) *mat.Dense {
	n, d := z.Dims()
	_, q := y.Dims()
	w := mat.NewDense(q, d, nil)
	for pass := range passes {
		for t, i := range rng.New(seed, "pegasos", uint64(pass)).Perm(n) {
			row := z.RawRowView(i)
			eta := 1 / (nu*float64(pass*n+t+1) + s.curvature)
			for o := range q {
				v := w.RawRowView(o)
				slope := s.loss.Derivative(floats.Dot(row, v), y.At(i, o))
				floats.Scale(1-nu*eta, v)
				if slope != 0 {
					floats.AddScaled(v, -eta*slope, row)
				}
				if square := floats.Dot(v, v); square*nu > s.bound {
					floats.Scale(math.Sqrt(s.bound/(nu*square)), v)
				}
			}
		}
	}
	return mat.DenseCopyOf(w.T())
}

// norma learns by stochastic gradients in the space of k, on batches of rows:
//
//	f ← (1 − g·nu)·f − (g/B)·Σ_b l'(f(x_b), y_b)·k(x_b, ·),
//
// once for each batch, with all rows in memory. It returns the weights of k(·, x_i), n×q,
// of the mean of the iterates by their numbers t, as doubly stochastic gradients do: the
// last one swings with the steps of a loss with a kink. Source: Kivinen, Smola and Williamson, "Online learning with kernels", IEEE
// Transactions on Signal Processing 52, 2004, in the batches of the comparison.
func norma(k kernel.Kernel, x, y *mat.Dense, l loss.Scalar, nu float64, batch, passes int, seed uint64) (*mat.Dense, error) {
	n, q := y.Dims()
	w, mean := mat.NewDense(n, q, nil), mat.NewDense(n, q, nil)
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
			for i, v := range w.RawMatrix().Data {
				m := &mean.RawMatrix().Data[i]
				*m += 2 / float64(t+1) * (v - *m)
			}
		}
	}
	return mean, nil
}

// scoresOf returns f at some rows from the weights of the rows seen.
func scoresOf(k kernel.Kernel, x, w *mat.Dense, rows, seen []int, q int) (*mat.Dense, error) {
	f := mat.NewDense(len(rows), q, nil)
	if len(seen) == 0 {
		return f, nil
	}
	return f, kernel.Mul(f, k, pick(x, rows), pick(x, seen), pick(w, seen))
}

// firstStep returns 1/(curvature·(lam1 + R²/B)), the curvature being 1 for a loss with a
// kink, lam1 being the largest eigenvalue of
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
	return 1 / (loss.StepCurvature(l) * (top/float64(m) + mat.Trace(&gram)/float64(m*batch))), nil
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
