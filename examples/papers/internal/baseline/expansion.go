package baseline

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// Expansion is the function f(x) = Σ_j k(d_j, x)·w_j with q outputs.
type Expansion struct {
	kernel          gram.Evaluator
	inputs, outputs int
	points, weights []float64 // M×inputs and M×outputs, oldest first
	values          []float64 // scratch
}

func newExpansion(k kernel.Kernel, inputs, outputs int) *Expansion {
	return &Expansion{kernel: gram.Evaluator{Kernel: k}, inputs: inputs, outputs: outputs}
}

// Order returns the number M of points.
func (f *Expansion) Order() int { return len(f.points) / f.inputs }

func (f *Expansion) point(j int) []float64 { return f.points[j*f.inputs : (j+1)*f.inputs] }

func (f *Expansion) weight(j int) []float64 { return f.weights[j*f.outputs : (j+1)*f.outputs] }

func (f *Expansion) append(x, w []float64) {
	f.points = append(f.points, x...)
	f.weights = append(f.weights, w...)
}

func (f *Expansion) remove(j int) {
	f.points = append(f.points[:j*f.inputs], f.points[(j+1)*f.inputs:]...)
	f.weights = append(f.weights[:j*f.outputs], f.weights[(j+1)*f.outputs:]...)
}

// row returns k(d_j, x) for all points. The result is valid until the next call.
func (f *Expansion) row(x []float64) []float64 {
	m := f.Order()
	if cap(f.values) < m {
		f.values = make([]float64, 2*m)
	}
	f.values = f.values[:m]
	if m > 0 {
		f.kernel.Cross(matrix(1, m, f.values), matrix(1, f.inputs, x), matrix(m, f.inputs, f.points))
	}
	return f.values
}

// at sets dst = f(x).
func (f *Expansion) at(dst, x []float64) {
	clear(dst)
	for j, v := range f.row(x) {
		floats.AddScaled(dst, v, f.weight(j))
	}
}

// Scores returns f(x_i) for each row of x, n×q.
func (f *Expansion) Scores(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	out := mat.NewDense(n, f.outputs, nil)
	if m := f.Order(); m > 0 {
		f.kernel.Mul(out.RawMatrix(), x.RawMatrix(), matrix(m, f.inputs, f.points), matrix(m, f.outputs, f.weights))
	}
	return out
}

// Classes returns the class with the highest score for each row of x. Ties go to the first.
func (f *Expansion) Classes(x *mat.Dense) []float64 {
	scores := f.Scores(x)
	n, _ := x.Dims()
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(floats.MaxIdx(scores.RawRowView(i)))
	}
	return out
}

// SquaredNorm returns ‖f‖² in the RKHS of k, in O(M²).
func (f *Expansion) SquaredNorm() float64 {
	total, g := 0.0, make([]float64, f.outputs)
	for j := range f.Order() {
		f.at(g, f.point(j))
		total += floats.Dot(g, f.weight(j))
	}
	return total
}

func matrix(rows, cols int, data []float64) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: max(1, cols), Data: data}
}
