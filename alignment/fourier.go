package alignment

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// fourier is a family of frequencies on one column. Its kernels have two features
// besides the constant, √A·cos(sigma·x) and √A·sin(sigma·x) for the amplitude A, and
// all inner products follow from those.
type fourier struct {
	*data
	of        gram.Description // of any member of the family
	low, high float64
	members   []compute.Matrix // 2×n, centred
}

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

// steepest tries frequencies at steps of π/range, of which one is on the slope of
// every peak, and goes to the top of the best.
func (f *fourier) steepest(p direction) candidate {
	m := maximise(func(sigma float64) float64 { return f.value(p, sigma) }, f.low, f.high, frequencies(f.data, f.low, f.high), 1e-4*f.low)
	return candidate{f.at(m.at), m.value, m.evaluations}
}

func (f *fourier) value(p direction, sigma float64) float64 {
	phi := f.features(sigma)
	v := squares(phi, f.y)/f.norm - p.identity*floats.Dot(phi.Data, phi.Data)
	for t, c := range p.weights {
		v -= c * squaresOfRows(phi, f.members[t])
	}
	return v
}

func (f *fourier) admit(k kernel.Kernel) products {
	phi := f.features(gram.Describe(k).Parameters[0])
	f.members = append(f.members, phi)
	p := products{target: squares(phi, f.y), trace: floats.Dot(phi.Data, phi.Data)}
	for _, o := range f.members {
		p.members = append(p.members, squaresOfRows(phi, o))
	}
	return p
}

func (f *fourier) fallback() kernel.Kernel { return f.at(f.low) }

func (f *fourier) at(sigma float64) kernel.Kernel { return f.of.WithParameters([]float64{sigma}) }

// squares returns ‖A·B‖².
func squares(a, b compute.Matrix) float64 {
	s := 0.0
	for i := range a.Rows {
		for j := range b.Cols {
			v := blas64.Dot(compute.Vector(compute.Row(a, i)), compute.Column(b, j))
			s += v * v
		}
	}
	return s
}

// squaresOfRows returns ‖A·Bᵀ‖².
func squaresOfRows(a, b compute.Matrix) float64 {
	s := 0.0
	for i := range a.Rows {
		for j := range b.Rows {
			v := floats.Dot(compute.Row(a, i), compute.Row(b, j))
			s += v * v
		}
	}
	return s
}

// frequencyRange returns the least frequency that makes a difference on the rows,
// and the largest that so many rows in so many columns resolve.
func (d *data) frequencyRange() (low, high float64) {
	r := d.largestRange()
	if r == 0 {
		return 1, 1
	}
	return math.Pi / (4 * r), math.Pi / r * math.Pow(float64(d.x.Rows), 1/float64(d.x.Cols))
}

func (d *data) largestRange() float64 {
	r := 0.0
	for j := range d.x.Cols {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range d.x.Rows {
			v := compute.Row(d.x, i)[j]
			low, high = min(low, v), max(high, v)
		}
		r = max(r, high-low)
	}
	return r
}

// frequencies is the number of points of a grid with steps of π/range at most.
func frequencies(d *data, low, high float64) int {
	const most = 100000
	return 1 + int(min(most, math.Ceil((high-low)*d.largestRange()/math.Pi)))
}

// frequency searches the frequency of a kernel of several columns.
type frequency struct {
	*data
	of        gram.Description // of any member of the family
	low, high float64
	workers   int
}

func (f frequency) at(sigma float64) kernel.Kernel { return f.of.WithParameters([]float64{sigma}) }

func (f frequency) best(p compute.Matrix) candidate {
	k := compute.NewMatrix(p.Rows, p.Cols)
	m := maximise(func(sigma float64) float64 {
		gram.Evaluator{Kernel: f.at(sigma), Workers: f.workers}.Gram(k, f.x)
		return dot(p, k, f.workers)
	}, f.low, f.high, frequencies(f.data, f.low, f.high), 1e-4*f.low)
	return candidate{f.at(m.at), m.value, m.evaluations}
}

func (f frequency) fallback() kernel.Kernel { return f.at(f.low) }
