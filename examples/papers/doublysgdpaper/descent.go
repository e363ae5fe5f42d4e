package doublysgdpaper

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// steps are the step lengths of Pegasos for a loss, 1/(nu·t + curvature). Each step is followed by
// the projection to ‖w‖² ≤ bound/nu, a set that contains the minimiser. The source covers the
// hinge: curvature 0, bound 1. With the squared loss and a small nu, steps that start at 1/nu
// diverge. The inverse of the curvature is the longest step that does not.
type steps struct {
	loss             loss.Scalar
	curvature, bound float64
}

func hingeSteps() steps { return steps{loss.Hinge{}, 0, 1} }

// squaredSteps uses the largest squared norm of a row as curvature. The bound is the mean squared
// target, the loss of f = 0.
func squaredSteps(z, y *mat.Dense) steps {
	n, _ := z.Dims()
	s := steps{loss: loss.Squared{}}
	for i := range n {
		s.curvature = max(s.curvature, floats.Dot(z.RawRowView(i), z.RawRowView(i)))
		s.bound += floats.Dot(y.RawRowView(i), y.RawRowView(i)) / float64(n)
	}
	return s
}

// pegasos minimises the mean loss plus (nu/2)·‖w‖² for each column of y by stochastic subgradient
// steps over the rows of z (n×D). It returns w (D×q). Source: Shalev-Shwartz, Singer and Srebro,
// "Pegasos: Primal Estimated sub-GrAdient SOlver for SVM", ICML 2007.
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

// norma runs stochastic gradient descent in the RKHS of k. The step for a batch of B rows is
//
//	f ← (1 − g·nu)·f − (g/B)·Σ_b l'(f(x_b), y_b)·k(x_b, ·).
//
// It returns the weights (n×q) of k(·, x_i) for the mean of the iterates, weighted by t as in
// doubly stochastic gradients: with a nonsmooth loss the last iterate oscillates. Source: Kivinen,
// Smola and Williamson, "Online learning with kernels", IEEE Transactions on Signal Processing 52,
// 2004.
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
		seen := order // rows with possibly nonzero weights
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

// scoresOf returns f at the given rows. Only the rows seen have nonzero weights.
func scoresOf(k kernel.Kernel, x, w *mat.Dense, rows, seen []int, q int) (*mat.Dense, error) {
	f := mat.NewDense(len(rows), q, nil)
	if len(seen) == 0 {
		return f, nil
	}
	return f, kernel.Mul(f, k, pick(x, rows), pick(x, seen), pick(w, seen))
}

// firstStep returns 1/(curvature·(lam1 + R²/B)). It estimates lam1, the largest eigenvalue of the
// Gram matrix over the number of rows, and R², the mean of its diagonal, from up to 1000 rows. A
// nonsmooth loss has curvature 1.
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

// largestEigenvalue returns the largest eigenvalue of a Gram matrix after 30 power iterations. The
// kernel must be positive, so that the start is not orthogonal to the eigenvector.
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
