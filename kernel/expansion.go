package kernel

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
)

// Expansion is a function of the space of a kernel, with q outputs,
//
//	f_o(x) = Σ_j k(x, p_j)·w_jo
//
// with p_j the rows of Points, m×d, and w_j the rows of Weights, m×q. Nil Points and Weights are the zero function. It
// has one output by itself, and any number in a sum. An Expansion is a value. Its methods never write its matrices, and
// it is safe for concurrent use.
type Expansion struct {
	Kernel Kernel
	// Points is a *mat.Dense, or an *rkhs.Sparse for sparse points.
	Points  mat.Matrix
	Weights *mat.Dense
}

// newExpansion returns the function of at least one point. It shares the memory of its arguments.
func newExpansion(k Kernel, points compute.Points, weights compute.Matrix) Expansion {
	f := Expansion{Kernel: k, Points: input.Matrix(points), Weights: new(mat.Dense)}
	f.Weights.SetRawMatrix(weights)
	return f
}

// Clone returns a copy that shares no memory with f, except in a kernel that Clone of a kernel does not copy.
func (f Expansion) Clone() Expansion {
	f.Kernel = Clone(f.Kernel)
	if !input.IsNil(f.Points) {
		f.Points = input.Matrix(f.rows().Clone())
	}
	f.Weights = cloneMatrix(f.Weights)
	return f
}

// ModelOrder returns the number m of points.
func (f Expansion) ModelOrder() int { return f.rows().Rows }

// Dims returns the length d of a point and the number q of outputs, 0 and 1 for the zero function.
func (f Expansion) Dims() (inputs, outputs int) {
	if f.zero() {
		return 0, 1
	}
	return f.rows().Cols, f.weights().Cols
}

func (f Expansion) zero() bool           { return input.IsNil(f.Points) && f.Weights == nil }
func (f Expansion) rows() compute.Points { return input.RawOrNone(f.Points) }

// weights returns a matrix without rows for the zero function.
func (f Expansion) weights() compute.Matrix {
	if f.Weights == nil {
		return compute.Matrix{Stride: 1}
	}
	return f.Weights.RawMatrix()
}

// Check returns an error that wraps rkhs.ErrDiverged if a weight or a coordinate of a point is not finite,
// and rkhs.ErrShape if the sizes of Points and Weights do not match. It also returns the errors of Check
// for the kernel and the points. O(m·(d + q)).
func (f Expansion) Check() error {
	if err := f.checkSizes(); err != nil {
		return err
	}
	if p, ok := f.Points.(*rkhs.Sparse); ok && p != nil {
		if err := p.Check(); err != nil {
			return fmt.Errorf("kernel: Expansion.Points: %w", err)
		}
	}
	err := errors.Join(
		input.FinitePoints("kernel", "Expansion.Points", f.rows()),
		input.Finite("kernel", "Expansion.Weights", f.weights()))
	if err != nil {
		return fmt.Errorf("%w: %w", err, rkhs.ErrDiverged)
	}
	if f.zero() {
		return nil
	}
	return check(f.Kernel, "Expansion.Points", f.rows())
}

// checkSizes runs the checks that cost O(1) per point.
func (f Expansion) checkSizes() error {
	p, w := f.rows(), f.weights()
	if !f.zero() && (p.Rows < 1 || p.Cols < 1 || w.Rows != p.Rows || w.Cols < 1) {
		return fmt.Errorf("kernel: Expansion has %d×%d points and %d×%d weights: %w",
			p.Rows, p.Cols, w.Rows, w.Cols, rkhs.ErrShape)
	}
	if p.Sparse != nil && len(p.Sparse.Offsets) != p.Rows+1 {
		return fmt.Errorf("kernel: Expansion.Points has %d rows and %d Offsets: %w",
			p.Rows, len(p.Sparse.Offsets), rkhs.ErrShape)
	}
	return validate(f.Kernel, p.Cols)
}

// addTo adds f(x) to dst: x is n×d, dst is n×q. O(n·m·(d + q)).
func (f Expansion) addTo(dst compute.Matrix, x compute.Points) {
	if !f.zero() {
		gram.Evaluator{Kernel: f.Kernel}.AddMul(dst, x, f.rows(), f.weights())
	}
}

// Predict returns f(x), n×q for n rows, or a column of zeros for the zero function. Errors wrap the errors of Check of
// a kernel, rkhs.ErrEmpty, rkhs.ErrNotFinite, and rkhs.ErrShape. Predict does not check whether points and weights are
// finite. O(n·m·(d + q)).
func (f Expansion) Predict(x mat.Matrix) (*mat.Dense, error) {
	if err := f.checkSizes(); err != nil {
		return nil, err
	}
	rows, err := input.Points("kernel", "x", x)
	if err != nil {
		return nil, err
	}
	inputs, outputs := f.Dims()
	if !f.zero() && rows.Cols != inputs {
		return nil, fmt.Errorf("kernel: x has %d columns, want %d: %w", rows.Cols, inputs, rkhs.ErrShape)
	}
	if err := check(f.Kernel, "x", rows); err != nil {
		return nil, err
	}
	v := mat.NewDense(rows.Rows, outputs, nil)
	f.addTo(v.RawMatrix(), rows)
	return v, nil
}

// Scale returns alpha·f, which shares its points with f.
func (f Expansion) Scale(alpha float64) Expansion {
	if f.Weights == nil {
		return f
	}
	w := new(mat.Dense)
	w.Scale(alpha, f.Weights)
	f.Weights = w
	return f
}

// Add returns f + alpha·g for functions of kernels that are Equal. It keeps the first of equal points and adds their
// weights. The other points of g follow the points of f in order. The error wraps rkhs.ErrOption for functions of
// different kernels, and rkhs.ErrShape for different sizes. O((m + m')·(d + q)).
func (f Expansion) Add(alpha float64, g Expansion) (Expansion, error) {
	if err := f.checkPair(g); err != nil {
		return Expansion{}, err
	}
	var (
		points  []compute.Points // one row each
		weights compute.Matrix
		index   = map[string]int{}
	)
	add := func(alpha float64, f Expansion) {
		p, w := f.rows(), f.weights()
		for j := range p.Rows {
			key := string(p.AppendKey(nil, j))
			at, known := index[key]
			if !known {
				at = len(points)
				index[key] = at
				points = append(points, p.Between(j, j+1))
				weights = compute.AppendRows(weights, compute.NewMatrix(1, w.Cols))
			}
			floats.AddScaled(compute.Row(weights, at), alpha, compute.Row(w, j))
		}
	}
	add(1, f)
	add(alpha, g)
	if len(points) == 0 {
		return Expansion{Kernel: f.Kernel}, nil
	}
	return newExpansion(f.Kernel, compute.StackPoints(points), weights), nil
}

// checkPair checks that f and g are functions of one space.
func (f Expansion) checkPair(g Expansion) error {
	if err := errors.Join(f.checkSizes(), g.checkSizes()); err != nil {
		return err
	}
	if !Equal(f.Kernel, g.Kernel) {
		return fmt.Errorf("kernel: functions of %v and of %v have no space in common: %w", f.Kernel, g.Kernel, rkhs.ErrOption)
	}
	d, q := f.Dims()
	if e, r := g.Dims(); !f.zero() && !g.zero() && (e != d || r != q) {
		return fmt.Errorf("kernel: functions of %d inputs and %d outputs, and of %d and %d: %w", d, q, e, r, rkhs.ErrShape)
	}
	return nil
}

// InnerProduct returns <f_o, g_o> = Σ_ij w_io·k(p_i, p'_j)·w'_jo for each output. Errors are as for Add.
// O(m·m'·(d + q)).
func (f Expansion) InnerProduct(g Expansion) (s []float64, err error) {
	defer recoverError(f.Kernel, &err)
	if err := f.checkPair(g); err != nil {
		return nil, err
	}
	if f.zero() {
		f, g = g, f
	}
	_, q := f.Dims()
	s = make([]float64, q)
	if g.zero() {
		return s, nil
	}
	values := compute.NewMatrix(f.ModelOrder(), q)
	g.addTo(values, f.rows())
	for i := range values.Rows {
		for o, w := range compute.Row(f.weights(), i) {
			s[o] += w * compute.Row(values, i)[o]
		}
	}
	return s, nil
}

// Norm returns the norm ‖f_o‖ = √<f_o, f_o> of each output in the space of the kernel. It replaces a square that is
// negative by rounding by zero. Errors are as for Predict. O(m²·(d + q)).
func (f Expansion) Norm() ([]float64, error) {
	s, err := f.InnerProduct(f)
	for o, v := range s {
		s[o] = math.Sqrt(max(v, 0))
	}
	return s, err
}

// Distance returns ‖f_o − g_o‖ for each output. It is exactly zero if all points and weights agree. Errors are as for
// Add. O((m + m')²·(d + q)).
func (f Expansion) Distance(g Expansion) ([]float64, error) {
	difference, err := f.Add(-1, g)
	if err != nil {
		return nil, err
	}
	return difference.Norm()
}

var expansionFormat = codec.Register(codec.Format[Expansion]{Kind: "kernel expansion", Decode: decodeExpansion})

// MarshalBinary returns f as a file. Errors are as for Marshal of the kernel.
func (f Expansion) MarshalBinary() ([]byte, error) { return expansionFormat.Marshal(f.encode) }

// UnmarshalBinary replaces f by the function in data. An error wraps rkhs.ErrFormat and leaves f unchanged.
func (f *Expansion) UnmarshalBinary(data []byte) error { return expansionFormat.Unmarshal(f, data) }

func (f Expansion) encode(e *codec.Encoder) error {
	if err := e.Nested(Marshal(f.Kernel)); err != nil {
		return err
	}
	e.Points(f.rows())
	e.Matrix(f.weights())
	return nil
}

// decodeExpansion fails unless the sizes match, all numbers are finite and the kernel accepts the points.
func decodeExpansion(d *codec.Decoder) Expansion {
	k, p, w := codec.Nested(d, Unmarshal), d.Points(), d.Matrix()
	if d.Err() != nil || p.Rows == 0 && p.Cols == 0 && w.Rows == 0 && w.Cols == 0 {
		return Expansion{Kernel: k}
	}
	if p.Rows < 1 || p.Cols < 1 || w.Rows != p.Rows || w.Cols < 1 {
		d.Fail("%d×%d points, %d×%d weights", p.Rows, p.Cols, w.Rows, w.Cols)
		return Expansion{}
	}
	if err := check(k, "x", p); err != nil {
		d.Fail("points: %v", err)
	}
	return newExpansion(k, p, w)
}
