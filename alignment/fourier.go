package alignment

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// fourier is a family with one frequency sigma. It is a space for one column, and a
// maximiser for several. A kernel of one column has the features √A·cos(sigma·x) and
// √A·sin(sigma·x) for the amplitude A, and a constant. All inner products follow from them.
type fourier struct {
	*data
	of        gram.Description // of any member of the family
	low, high float64
	members   []compute.Matrix // 2×n, centred
}

// features returns the centred features of all rows, 2×n.
func (f *fourier) features(sigma float64) compute.Matrix {
	phi := compute.NewMatrix(2, f.x.Rows)
	cos, sin := compute.Row(phi, 0), compute.Row(phi, 1)
	floats.AddScaled(cos, sigma, f.x.Data)
	compute.Sin(sin, cos)
	compute.Cos(cos, cos)
	for _, v := range [][]float64{cos, sin} {
		floats.AddConst(-floats.Sum(v)/float64(len(v)), v)
		floats.Scale(math.Sqrt(f.of.Amplitude), v)
	}
	return phi
}

func (f *fourier) steepest(p direction) candidate {
	return f.maximum(func(sigma float64) float64 { return f.value(p, sigma) })
}

// maximum tries frequencies at steps of at most π/range, one on the slope of each peak,
// and then the neighbourhood of the best.
func (f *fourier) maximum(value func(sigma float64) float64) candidate {
	const most = 100000
	steps := int(min(most, math.Ceil((f.high-f.low)*f.largestRange()/math.Pi)))
	m := maximise(value, f.low, f.high, 1+steps, 1e-4*f.low)
	return candidate{f.at(m.at), m.value, m.evaluations}
}

// value returns <P, K> for the frequency sigma of one column.
func (f *fourier) value(p direction, sigma float64) float64 {
	phi := f.features(sigma)
	v := f.target(phi)/f.norm - p.identity*floats.Dot(phi.Data, phi.Data)
	for t, c := range p.weights {
		v -= c * squares(phi, f.members[t])
	}
	return v
}

func (f *fourier) admit(k kernel.Kernel) products {
	phi := f.features(gram.Describe(k).Parameters[0])
	f.members = append(f.members, phi)
	p := products{target: f.target(phi), trace: floats.Dot(phi.Data, phi.Data)}
	for _, o := range f.members {
		p.members = append(p.members, squares(phi, o))
	}
	return p
}

func (f *fourier) fallback() kernel.Kernel { return f.at(f.low) }

func (f *fourier) at(sigma float64) kernel.Kernel { return f.of.WithParameters([]float64{sigma}) }

// best is for several columns.
func (f *fourier) best(p compute.Matrix) candidate {
	k := compute.NewMatrix(p.Rows, p.Cols)
	return f.maximum(func(sigma float64) float64 {
		f.gram(k, f.at(sigma))
		return f.dot(p, k)
	})
}

// target returns <K, T> = ‖phi·Y‖².
func (f *fourier) target(phi compute.Matrix) float64 {
	s := 0.0
	for i := range phi.Rows {
		for j := range f.y.Cols {
			v := blas64.Dot(compute.RowVector(phi, i), compute.Column(f.y, j))
			s += v * v
		}
	}
	return s
}

// squares returns ‖A·Bᵀ‖².
func squares(a, b compute.Matrix) float64 {
	s := 0.0
	for i := range a.Rows {
		for j := range b.Rows {
			v := floats.Dot(compute.Row(a, i), compute.Row(b, j))
			s += v * v
		}
	}
	return s
}

// frequencyRange returns the default bounds: the least frequency that varies over the rows,
// and the largest that n rows in d columns resolve.
func (d *data) frequencyRange() (low, high float64) {
	r := d.largestRange()
	if r == 0 {
		return 1, 1
	}
	return math.Pi / (4 * r), math.Pi / r * math.Pow(float64(d.x.Rows), 1/float64(d.x.Cols))
}

// largestRange returns the largest difference between two values of a column.
func (d *data) largestRange() float64 {
	r := 0.0
	for j := range d.x.Cols {
		column := compute.Clone(compute.Columns(d.x, j, j+1)).Data
		r = max(r, floats.Max(column)-floats.Min(column))
	}
	return r
}
