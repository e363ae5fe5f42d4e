package baseline

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// IVMOptions configures FitIVM.
type IVMOptions struct {
	Lambda   float64
	MaxOrder int
	// Tolerance stops the fit when an import decreases the objective by no more than this
	// fraction. The source uses 0.001.
	Tolerance float64
	Seed      uint64
}

// ivmCandidates is the number of rows examined for each import. The best of 59 random rows is in
// the top 5 % with probability 0.95.
const ivmCandidates = 59

// FitIVM fits the import vector machine, kernel logistic regression
//
//	min 1/n·Σ_i −log p_{y_i}(x_i) + Lambda/2·‖f‖²
//
// on a subset of the rows. Each iteration draws random candidates, imports the one with the
// largest decrease of the objective in one Newton step, and refits all weights. It costs
// O(n·M²·C²) for M points. Source: Zhu and Hastie, "Kernel Logistic Regression and the Import
// Vector Machine", 2005.
func FitIVM(k kernel.Kernel, x *mat.Dense, class []int, classes int, o IVMOptions) (*Expansion, error) {
	m := newIVM(k, x, class, classes, o)
	before := m.objective(m.f.weights)
	for m.f.Order() < o.MaxOrder {
		row, err := m.best()
		if err != nil {
			return nil, err
		}
		m.add(row)
		after, err := m.refit()
		if err != nil {
			return nil, err
		}
		if before-after <= o.Tolerance*math.Abs(after) {
			break
		}
		before = after
	}
	return m.f, nil
}

type ivm struct {
	x       *mat.Dense
	class   []int
	o       IVMOptions
	random  *rng.Stream
	f       *Expansion
	columns [][]float64 // k(x_i, d_j) for the imported d_j
	p       *mat.Dense  // probabilities for the current weights, n×C
	factor  mat.Cholesky
}

func newIVM(k kernel.Kernel, x *mat.Dense, class []int, classes int, o IVMOptions) *ivm {
	n, d := x.Dims()
	m := &ivm{x: x, class: class, o: o, random: rng.New(o.Seed, "import vectors", 0), f: newExpansion(k, d, classes)}
	m.p = mat.NewDense(n, classes, nil)
	return m
}

// column returns k(x_i, x_row) for all rows.
func (m *ivm) column(row int) []float64 {
	n, d := m.x.Dims()
	c := make([]float64, n)
	m.f.kernel.Cross(matrix(n, 1, c), m.x.RawMatrix(), matrix(1, d, m.x.RawRowView(row)))
	return c
}

func (m *ivm) add(row int) {
	m.columns = append(m.columns, m.column(row))
	m.f.append(m.x.RawRowView(row), make([]float64, m.f.outputs))
}

// objective returns the objective for the weights w and sets the probabilities.
func (m *ivm) objective(w []float64) (value float64) {
	n, classes := m.p.Dims()
	m.p.Zero()
	for j, c := range m.columns {
		for i, v := range c {
			floats.AddScaled(m.p.RawRowView(i), v, w[j*classes:(j+1)*classes])
		}
	}
	var l loss.Softmax
	for i, y := range m.class {
		p := m.p.RawRowView(i)
		value += l.Value(p, y) / float64(n)
		l.Probabilities(p, p)
	}
	g := m.penalty(w)
	return value + floats.Dot(g, w)/2
}

// penalty returns the gradient of Lambda/2·‖f‖² at w, Lambda·K·w.
func (m *ivm) penalty(w []float64) []float64 {
	classes, g := m.f.outputs, make([]float64, len(w))
	for i := range m.columns {
		for j, v := range m.f.row(m.f.point(i)) {
			floats.AddScaled(g[i*classes:(i+1)*classes], m.o.Lambda*v, w[j*classes:(j+1)*classes])
		}
	}
	return g
}

// slope adds to dst the gradient of the mean loss in the weights of a column.
func (m *ivm) slope(dst, column []float64) {
	n := float64(len(m.class))
	for i, v := range column {
		floats.AddScaled(dst, v/n, m.p.RawRowView(i))
		dst[m.class[i]] -= v / n
	}
}

// curvature returns 1/n·Σ_i a_i·b_i·(diag p_i − p_i·p_iᵀ), C×C.
func (m *ivm) curvature(a, b []float64) *mat.Dense {
	n, classes := m.p.Dims()
	out := mat.NewDense(classes, classes, nil)
	for i := range n {
		p, v := m.p.RawRowView(i), a[i]*b[i]/float64(n)
		for c, q := range p {
			floats.AddScaled(out.RawRowView(c), -v*q, p)
			out.RawRowView(c)[c] += v * q
		}
	}
	return out
}

// newton factors the Hessian and returns the gradient, both at the probabilities set by objective.
func (m *ivm) newton() (gradient []float64, err error) {
	classes, w := m.f.outputs, m.f.weights
	gradient = m.penalty(w)
	if len(w) == 0 {
		return nil, nil
	}
	h := mat.NewSymDense(len(w), nil)
	for i, a := range m.columns {
		m.slope(gradient[i*classes:(i+1)*classes], a)
		values := append([]float64(nil), m.f.row(m.f.point(i))...)
		for j := i; j < len(m.columns); j++ {
			block := m.curvature(a, m.columns[j])
			for c := range classes {
				for e := range classes {
					h.SetSym(i*classes+c, j*classes+e, block.At(c, e)+m.ridge(c, e, values[j]))
				}
			}
		}
	}
	if !m.factor.Factorize(h) {
		return nil, errors.New("baseline: the Hessian is singular: an imported row lies on another")
	}
	return gradient, nil
}

func (m *ivm) ridge(c, e int, value float64) float64 {
	if c != e {
		return 0
	}
	return m.o.Lambda * value
}
