package kernel

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// Expansion is a function of the space of a kernel, with q outputs,
//
//	f_o(x) = Σ_j k(x, p_j)·w_jo
//
// with p_j the rows of Points, m×d, and w_j those of Weights, m×q. Points and
// Weights are both nil for the zero function, which adds to one of any number of
// outputs and counts as one of one output by itself. An Expansion is a value
// whose matrices are never written; it is safe for concurrent use.
type Expansion struct {
	Kernel Kernel
	// Points is a *mat.Dense or, of a function of sparse rows, an *rkhs.Sparse.
	Points  mat.Matrix
	Weights *mat.Dense
}

// Clone returns a copy that shares no memory with f, of its kernel as far as Clone
// of a kernel copies it.
func (f Expansion) Clone() Expansion {
	f.Kernel = Clone(f.Kernel)
	if !door.IsNil(f.Points) {
		f.Points = door.Matrix(f.rows().Clone())
	}
	if f.Weights != nil {
		f.Weights = mat.DenseCopyOf(f.Weights)
	}
	return f
}

// ModelOrder returns the number m of points.
func (f Expansion) ModelOrder() int {
	if f.zero() {
		return 0
	}
	return f.rows().Rows
}

// Dims returns the length d of a point and the number q of outputs; 0 and 1 for the
// zero function.
func (f Expansion) Dims() (inputs, outputs int) {
	if f.zero() {
		return 0, 1
	}
	return f.rows().Cols, f.weights().Cols
}

func (f Expansion) zero() bool              { return door.IsNil(f.Points) && f.Weights == nil }
func (f Expansion) weights() blas64.General { return rawOf(f.Weights) }

func (f Expansion) rows() compute.Points { return door.RawOrNone(f.Points) }

// rawOf returns a matrix without rows for nil.
func rawOf(m *mat.Dense) blas64.General {
	if m == nil {
		return blas64.General{Stride: 1}
	}
	return m.RawMatrix()
}

// Check returns an error that wraps rkhs.ErrDiverged if a weight or a coordinate
// of a point is not finite, rkhs.ErrShape if Points and Weights do not fit
// together, and what Check of the kernel says of the points. O(m·(d + q)).
func (f Expansion) Check() error {
	if err := f.checkSizes(); err != nil {
		return err
	}
	if p, ok := f.Points.(*rkhs.Sparse); ok && p != nil {
		if err := p.Check(); err != nil {
			return fmt.Errorf("kernel: Expansion.Points: %w", err)
		}
	}
	err := errors.Join(door.FinitePoints("kernel", "Expansion.Points", f.rows()), door.Finite("kernel", "Expansion.Weights", f.weights()))
	if err != nil {
		return fmt.Errorf("%w: %w", err, rkhs.ErrDiverged)
	}
	if f.zero() {
		return nil
	}
	return check(f.Kernel, "Expansion.Points", f.rows())
}

// checkSizes checks all but what costs more than O(1) for each point.
func (f Expansion) checkSizes() error {
	p, w := f.rows(), f.weights()
	if !f.zero() && (p.Rows < 1 || p.Cols < 1 || w.Rows != p.Rows || w.Cols < 1) {
		return fmt.Errorf("kernel: Expansion has %d×%d points and %d×%d weights: %w", p.Rows, p.Cols, w.Rows, w.Cols, rkhs.ErrShape)
	}
	if p.Sparse != nil && len(p.Sparse.Offsets) != p.Rows+1 {
		return fmt.Errorf("kernel: Expansion.Points has %d rows and %d Offsets: %w", p.Rows, len(p.Sparse.Offsets), rkhs.ErrShape)
	}
	return validate(f.Kernel, p.Cols)
}

// addTo adds f(x) to dst: x is n×d, dst is n×q. O(n·m·(d + q)).
func (f Expansion) addTo(dst compute.Matrix, x compute.Points) {
	if !f.zero() {
		gram.Evaluator{Kernel: f.Kernel}.AddMul(dst, x, f.rows(), f.weights())
	}
}

// Predict returns f(x), n×q for n rows; a column of zeros for the zero function.
// Errors wrap those of Check of a kernel, rkhs.ErrEmpty, rkhs.ErrNotFinite, and
// rkhs.ErrShape. It does not look whether points and weights are finite.
// O(n·m·(d + q)).
func (f Expansion) Predict(x mat.Matrix) (*mat.Dense, error) {
	if err := f.checkSizes(); err != nil {
		return nil, err
	}
	rows, err := door.Points("kernel", "x", x)
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

// Add returns f + alpha·g for functions of the same kernel, as Equal has it. Of
// points that are equal the first is kept and the weights add up; the others
// follow those of f in their order. Functions of different kernels are an error
// that wraps rkhs.ErrOption, and of different sizes one that wraps rkhs.ErrShape.
// O((m + m')·(d + q)).
func (f Expansion) Add(alpha float64, g Expansion) (Expansion, error) {
	if err := f.checkPair(g); err != nil {
		return Expansion{}, err
	}
	var sum stack
	sum.add(1, f)
	sum.add(alpha, g)
	return sum.expansion(f.Kernel), nil
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

// stack collects points with their weights, equal points once.
type stack struct {
	from    []compute.Points // one row each
	weights blas64.General
	at      map[string]int
	key     []byte
}

func (s *stack) add(alpha float64, f Expansion) {
	if f.zero() {
		return
	}
	p, w := f.rows(), f.weights()
	if s.at == nil {
		s.at = map[string]int{}
		s.weights = blas64.General{Cols: w.Cols, Stride: w.Cols}
	}
	for j := range p.Rows {
		floats.AddScaled(compute.Row(s.weights, s.place(p, j)), alpha, compute.Row(w, j))
	}
}

// place returns where row j of p stands, with weight zero if it is new.
func (s *stack) place(p compute.Points, j int) int {
	s.key = p.AppendKey(s.key[:0], j)
	at, ok := s.at[string(s.key)]
	if !ok {
		at = len(s.from)
		s.at[string(s.key)] = at
		s.from = append(s.from, p.Between(j, j+1))
		s.weights.Rows++
		s.weights.Data = append(s.weights.Data, make([]float64, s.weights.Cols)...)
	}
	return at
}

func (s *stack) expansion(k Kernel) Expansion {
	if len(s.from) == 0 {
		return Expansion{Kernel: k}
	}
	f := Expansion{Kernel: k, Points: door.Matrix(compute.StackPoints(s.from)), Weights: new(mat.Dense)}
	f.Weights.SetRawMatrix(s.weights)
	return f
}

// InnerProduct returns <f_o, g_o> = Σ_ij w_io·k(p_i, p'_j)·w'_jo for each output.
// Errors are those of Add. O(m·m'·(d + q)).
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
	if f.zero() || g.zero() {
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

// Norm returns the norm ‖f_o‖ = √<f_o, f_o> of each output in the space of the
// kernel. A square that rounding has made negative is taken for zero. Errors are
// those of Predict about f. O(m²·(d + q)).
func (f Expansion) Norm() ([]float64, error) {
	s, err := f.InnerProduct(f)
	for o, v := range s {
		s[o] = math.Sqrt(max(v, 0))
	}
	return s, err
}

// Distance returns ‖f_o − g_o‖ for each output: exactly zero where all points and
// weights agree. Errors are those of Add. O((m + m')²·(d + q)).
func (f Expansion) Distance(g Expansion) ([]float64, error) {
	difference, err := f.Add(-1, g)
	if err != nil {
		return nil, err
	}
	return difference.Norm()
}
