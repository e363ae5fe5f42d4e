package features

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// NystroemOptions configures Nystroem. The zero value of each field means its default.
type NystroemOptions struct {
	// MaxPoints bounds the number of landmarks, which are rows drawn without replacement.
	// Default: 1000.
	MaxPoints int
	// Seed selects the random stream.
	Seed uint64
	// Workers bounds the goroutines. The result does not depend on it. Default: GOMAXPROCS.
	Workers int
}

const defaultPoints = 1000

// Nystroem returns the features of the Nyström approximation of k on landmarks
// drawn from the rows of x, n×d:
//
//	<φ(x), φ(z)> = k(x, Z)·K_ZZ⁺·k(Z, z),  Z the landmarks.
//
// They are exact on the landmarks, and few suffice if the spectrum of the kernel decays fast on the data.
// All blocks are equal. A landmark with a residual of at most 1e-12 of the largest k(z, z) given the
// other landmarks adds no column. O(m²·(d + m)) to fit and O(m·(d + r)) per row for m landmarks and r
// columns. Errors are the errors of kernel.Check, or wrap rkhs.ErrEmpty, rkhs.ErrNotFinite and
// rkhs.ErrOption. Source: Williams and Seeger, "Using the Nyström method to speed up kernel machines",
// NIPS 2000.
func Nystroem(k kernel.Kernel, x mat.Matrix, opts NystroemOptions) (Map, error) {
	if opts.MaxPoints < 0 || opts.Workers < 0 {
		return nil, fmt.Errorf("features: MaxPoints = %d, Workers = %d, want numbers ≥ 0: %w", opts.MaxPoints, opts.Workers, rkhs.ErrOption)
	}
	rows, err := input.Points("features", "x", x)
	if err != nil {
		return nil, err
	}
	if err := gram.Check(k, rows); err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	k = kernel.Clone(k)
	m := opts.MaxPoints
	if m == 0 {
		m = defaultPoints
	}
	m = min(m, rows.Rows)
	z := rows.Pick(rng.New(opts.Seed, "landmarks", 0).Sample(rows.Rows, m))
	b, err := newNystroem(k, z, opts.Workers)
	if err != nil {
		return nil, err
	}
	return &sequence{kernel: k, dim: z.Cols, workers: opts.Workers, of: fixedBasis(b, b.inverse.Cols)}, nil
}

// nystroemBlock maps x to k(x, Z)·U⁻¹ with UᵀU = K_ZZ.
type nystroemBlock struct {
	of        gram.Evaluator
	landmarks compute.Points
	inverse   compute.Matrix // U⁻¹
}

func newNystroem(k kernel.Kernel, z compute.Points, workers int) (*nystroemBlock, error) {
	e := gram.Evaluator{Kernel: k, Workers: workers}
	gram := compute.NewMatrix(z.Rows, z.Rows)
	e.GramOf(gram, z)
	if err := input.Finite("features", "the Gram matrix of the landmarks", gram); err != nil {
		return nil, err
	}
	pivots, u, ok := plainCholesky(gram, workers)
	if !ok {
		pivots, u = pivotedCholesky(gram, workers)
	}
	if len(pivots) == 0 {
		return nil, fmt.Errorf("features: %v is zero on all landmarks: %w", k, rkhs.ErrEmpty)
	}
	inverse := compute.NewMatrix(u.Rows, u.Rows)
	for i := range u.Rows {
		inverse.Data[i*inverse.Stride+i] = 1
	}
	compute.SolveUpper(u, inverse, false, workers)
	return &nystroemBlock{e, z.Pick(pivots), inverse}, nil
}

// plainCholesky factorises A without pivoting, which is faster. It returns false if a residual is below
// 1e-10 of the largest diagonal element.
func plainCholesky(a blas64.General, workers int) (pivots []int, u blas64.General, ok bool) {
	u = compute.NewMatrix(a.Rows, a.Rows)
	largest := 0.0
	for i := range a.Rows {
		copy(compute.Row(u, i)[i:], compute.Row(a, i)[i:])
		largest = max(largest, compute.Row(a, i)[i])
		pivots = append(pivots, i)
	}
	if !compute.Cholesky(u, workers) {
		return nil, u, false
	}
	for i := range u.Rows {
		if v := compute.Row(u, i)[i]; v*v < 1e-10*largest {
			return nil, u, false
		}
	}
	return pivots, u, true
}

// pivotedCholesky selects rows of the positive semidefinite matrix A by complete pivoting, until all
// residuals are at most 1e-12 of the largest diagonal element. It returns the r pivots and the upper
// triangle U with UᵀU = A on them. O(n·r²).
func pivotedCholesky(a blas64.General, workers int) (pivots []int, u blas64.General) {
	n := a.Rows
	residual := make([]float64, n)
	for i := range residual {
		residual[i] = a.Data[i*a.Stride+i]
	}
	limit := 1e-12 * floats.Max(residual)
	l := compute.NewMatrix(n, n) // A = L·Lᵀ, column by column
	column := compute.NewMatrix(n, 1)
	for k := range n {
		p := floats.MaxIdx(residual)
		if !(residual[p] > limit) {
			break
		}
		clear(column.Data)
		if k > 0 {
			done := compute.Columns(l, 0, k)
			compute.MulNT(column, done, compute.Rows(done, p, p+1), workers)
		}
		root := math.Sqrt(residual[p])
		for i := range residual {
			v := (a.Data[i*a.Stride+p] - column.Data[i]) / root
			l.Data[i*l.Stride+k] = v
			residual[i] -= float64(v * v)
		}
		residual[p] = math.Inf(-1)
		pivots = append(pivots, p)
	}
	u = compute.NewMatrix(len(pivots), len(pivots))
	for j, p := range pivots {
		for i := range j + 1 {
			u.Data[i*u.Stride+j] = l.Data[p*l.Stride+i]
		}
	}
	return pivots, u
}

func (b *nystroemBlock) TransformTo(dst, x blas64.General) {
	b.transformPoints(dst, compute.DensePoints(x))
}

func (b *nystroemBlock) transformPoints(dst compute.Matrix, x compute.Points) {
	checkSizes(dst, x.Matrix, b.landmarks.Cols, b.inverse.Cols)
	eachPart(dst, x, productRows, b.transform)
}

func (b *nystroemBlock) transform(dst compute.Matrix, x compute.Points) {
	y, memory := allocateMatrix(x.Rows, b.landmarks.Rows)
	defer release(memory)
	b.of.CrossOf(y, x, b.landmarks)
	for i := range dst.Rows {
		clear(compute.Row(dst, i))
	}
	compute.MulNN(dst, y, b.inverse, b.of.Workers)
}

func (b *nystroemBlock) Bytes() int { return b.landmarks.Bytes() + 8*len(b.inverse.Data) }
