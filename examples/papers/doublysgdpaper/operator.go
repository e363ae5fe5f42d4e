package doublysgdpaper

import (
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// operator estimates the posterior variance of a Gaussian process at points unknown during
// training, as in section 4 of the paper,
//
//	variance(x*) = k(x*, x*) − <k(x*, ·), A k(x*, ·)>.
//
// Doubly stochastic gradients estimate A = C·(C + s²/n·I)⁻¹ for C = 1/n·Σ_i k(x_i, ·)⊗k(x_i, ·).
// With independent blocks of features φ_t and φ'_t, and a batch X_t of B rows,
//
//	A = Σ_{i≤j} φ_i·Θ_ij·φ'_jᵀ,   Θ_it = −g/B·[Σ_{j<t} Θ_ij·φ'_j(X_t)ᵀ]·φ'_t(X_t),  i < t,
//	Θ_tt = g/B·φ_t(X_t)ᵀ·φ'_t(X_t),   Θ_ij *= 1 − g·s²/n,  i, j < t.
//
// The paper uses one set of features in place of two; this has a bias. The estimate has a large
// variance. It is useful only at high noise, with s²/n not far below the largest eigenvalue of C.
type operator struct {
	kernel      kernel.Kernel
	left, right *features.Map
	theta       compute.Matrix // Θ, block upper triangular
}

// operatorOptions are the noise variance s², the number of steps, the features of the block of a
// step, and the rows of a batch.
type operatorOptions struct {
	noise                 float64
	steps, columns, batch int
	seed                  uint64
}

// fitOperator uses steps of length g_0/(1 + g_0·nu·t/1.5). The choice of g_0 ensures that no step
// increases the expected distance between two operators.
func fitOperator(k kernel.Kernel, x *mat.Dense, o operatorOptions) (*operator, error) {
	n, d := x.Dims()
	left, err := features.New(k, d, features.Options{Seed: o.seed, Columns: o.columns})
	if err != nil {
		return nil, err
	}
	right, err := features.New(k, d, features.Options{Seed: rng.Hash(o.seed, "doublysgd variance", 1), Columns: o.columns})
	if err != nil {
		return nil, err
	}
	v := &operator{k, left, right, compute.NewMatrix(o.steps*o.columns, o.steps*o.columns)}
	var gram mat.SymDense
	if err := kernel.Gram(&gram, k, firstRows(x)); err != nil {
		return nil, err
	}
	rows, nu := float64(gram.SymmetricDim()), o.noise/float64(n)
	diagonal := mat.Trace(&gram) / rows
	first := 1 / (largestEigenvalue(&gram)/rows + nu + diagonal/float64(o.batch) + 2*diagonal/float64(o.columns))
	draw := rng.New(o.seed, "doublysgd variance rows", 0)
	for t := range o.steps {
		v.step(t, pick(x, draw.Sample(n, o.batch)).RawMatrix(), first/(1+first*nu*float64(t)/1.5), nu)
	}
	return v, nil
}

func firstRows(x *mat.Dense) mat.Matrix {
	n, d := x.Dims()
	return x.Slice(0, min(n, 1000), 0, d)
}

// step performs step t with length g.
func (v *operator) step(t int, x compute.Matrix, g, nu float64) {
	m := v.left.Columns()
	from, to := t*m, (t+1)*m
	known, z := at(v.right, x, t+1), compute.NewMatrix(x.Rows, m)
	latest, scale := compute.Columns(known, from, to), g/float64(x.Rows)
	if from > 0 {
		above := compute.Rows(v.theta, 0, from)
		explained := compute.NewMatrix(from, x.Rows)
		compute.MulNT(explained, compute.Columns(above, 0, from), compute.Columns(known, 0, from), 0)
		multiply(explained, -scale)
		compute.MulNN(compute.Columns(above, from, to), explained, latest, 0)
		multiply(compute.Columns(above, 0, from), 1-g*nu)
	}
	blockTo(z, v.left, t, x)
	multiply(z, scale)
	compute.MulTN(compute.Columns(compute.Rows(v.theta, from, to), from, to), z, latest, 0)
}

func multiply(m compute.Matrix, by float64) {
	for i := range m.Rows {
		row := compute.Row(m, i)
		for j := range row {
			row[j] *= by
		}
	}
}

// at returns the first blocks of features at the rows of x.
func at(of *features.Map, x compute.Matrix, blocks int) compute.Matrix {
	m := of.Columns()
	z := compute.NewMatrix(x.Rows, blocks*m)
	for b := range blocks {
		blockTo(compute.Columns(z, b*m, (b+1)*m), of, b, x)
	}
	return z
}

// blockTo sets dst to block b of the features at the rows of x.
func blockTo(dst compute.Matrix, of *features.Map, b int, x compute.Matrix) {
	var z mat.Dense
	if err := of.Block(uint64(b)).TransformTo(&z, mat.NewDense(x.Rows, x.Cols, x.Data)); err != nil {
		panic(err) // rows of a Gaussian kernel are finite
	}
	compute.CopyTo(dst, z.RawMatrix())
}

// variance returns the estimates at the rows of x. They may be negative.
func (v *operator) variance(x *mat.Dense) []float64 {
	rows, blocks := x.RawMatrix(), v.theta.Rows/v.left.Columns()
	weighted := compute.NewMatrix(rows.Rows, v.theta.Rows)
	compute.MulNN(weighted, at(v.left, rows, blocks), v.theta, 0)
	right := compute.NewMatrix(rows.Rows, rows.Rows)
	compute.MulNT(right, weighted, at(v.right, rows, blocks), 0)
	variance := make([]float64, rows.Rows)
	for i := range variance {
		row := x.RawRowView(i)
		variance[i] = v.kernel.Eval(row, row) - right.Data[i*right.Stride+i]
	}
	return variance
}
