package descent

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/nystrom"
	"github.com/rkhs-go/rkhs/internal/progress"
)

// Space is the function space of the tasks that minimise an objective in memory. It splits the
// kernel
//
//	k(x, z) = <e(x), e(z)> + r(x, z)
//
// into the span of the centres and a residual. The residual has unbiased random features,
//
//	ζ_b(x) = Z_b(x) − e(x)·U⁻ᵀZ_b(C),   E<ζ_b(x), ζ_b(z)> = r(x, z).
//
// A fit of e(x)·φ + Σ_b ζ_b(x)·A_b alternates between exact solutions φ and stochastic gradient
// steps in A. The noise and the condition of the steps depend only on the residual. The centres are
// a preconditioner; the minimum is over the whole space of k.
type Space struct {
	Centres  *nystrom.Centres
	X        compute.Points
	Weights  compute.Weights // of the rows, with mean one; Ridge and Rate use them
	E        compute.Matrix  // e(x)
	Residual float64         // mean of r(x, x) over the rows
	Blocks   int             // number of blocks before features are drawn again

	at       []int // the indices of the centres among the rows
	features *blocks.Cache
	options  features.Options
	design   *blocks.Design
	budget   int64   // of the design, in bytes
	top      float64 // the largest eigenvalue of ζᵀζ/n of any block, once it is known
	monitor  *progress.Monitor
}

const (
	defaultCentres = 1000
	defaultColumns = 1024
	spaceFeatures  = 32768
	// Negligible is the fraction of nu below which the residual of k(x, x) given the centres has no
	// visible effect.
	Negligible = 1e-5
)

// NewSpace returns the space of validated rows. The mean residual given the centres may be the
// fraction tolerance of k(x, x). A stopped fit uses few centres. It returns rkhs.ErrMemory if the
// space exceeds the limit.
func NewSpace(o Config, x compute.Points, outputs int, tolerance float64, monitor *progress.Monitor) (*Space, error) {
	columns, points := cmp.Or(o.Columns, defaultColumns), cmp.Or(o.MaxPoints, defaultCentres)
	p := &Space{X: x, Blocks: (cmp.Or(o.Features, spaceFeatures) + columns - 1) / columns, monitor: monitor}
	p.options = features.Options{Seed: o.Seed, Columns: columns, Sampler: o.Sampler, Workers: o.Workers}
	m, err := features.New(o.Kernel, x.Cols, p.options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Package, err)
	}
	n := min(points, x.Rows, nystrom.CandidateRows)
	need := 8 * spaceNumbers(x.Rows, n, m.Columns(), outputs)
	if err := input.Memory(o.Package, fmt.Sprintf("%d rows and %d centres", x.Rows, n), need, o.MemoryLimit); err != nil {
		return nil, err
	}
	spare := (o.MemoryLimit - int64(need)) / 2 // for features, and for blocks as drawn
	p.budget = min(o.CacheSize, spare)
	p.Centres, p.at, err = nystrom.New(gram.Evaluator{Kernel: o.Kernel, Workers: o.Workers}, x, points, tolerance, o.Seed, nystrom.Progress(monitor))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Package, err)
	}
	p.E = p.Centres.At(x)
	p.Residual = p.Centres.Residual(x, p.E)
	p.features = blocks.NewCache(m, p.budget)
	return p, nil
}

// spaceNumbers returns the number of float64 values in a space: e and five columns per output at
// all rows, four square matrices of the centres, and the features of one block at a chunk of rows.
func spaceNumbers(rows, centres, columns, outputs int) float64 {
	n, m := float64(rows), float64(centres)
	return n*(m+5*float64(outputs)) + 4*m*m + float64(min(rows, blocks.DesignRows)*columns)
}

// load selects the features of step t.
func (s *Space) load(t int) {
	if s.design == nil {
		s.design = blocks.NewDouble(s.X, compute.Indices(s.X.Rows), s.X.Rows, s.columns(), s.options.Workers, s.budget)
	}
	s.design.Use(t%s.Blocks, s.features.Block(uint64(t%s.Blocks)))
}

// Coordinates returns eᵀg, q×k.
func (s *Space) Coordinates(g compute.Matrix) compute.Matrix {
	a := compute.NewMatrix(s.Centres.Count(), g.Cols)
	compute.MulTN(a, s.E, g, s.options.Workers)
	return a
}

// AddSpanned adds e·φ at all rows to f.
func (s *Space) AddSpanned(f, phi compute.Matrix) { compute.MulNN(f, s.E, phi, s.options.Workers) }

// direction returns, for the current block, g (n×k) and eᵀg, the coefficients A = ζᵀg and the
// function ζ·A: the values Z·A at all rows and the coordinates −U⁻ᵀZ(C)·A in e.
func (s *Space) direction(g, inE compute.Matrix) (a, values, known compute.Matrix) {
	// ζᵀg = Zᵀg', where g' subtracts at the centres the part of g in their span.
	other := compute.Clone(g)
	w := s.Centres.Weights(inE)
	for i, r := range s.at {
		for o, v := range compute.Row(w, i) {
			other.Data[r*other.Stride+o] -= v
		}
	}
	t := compute.NewMatrix(g.Cols, s.columns())
	for c := range s.design.Ends {
		from, to := s.design.Span(c)
		s.design.Chunk(c).AddTransposed(t, compute.Rows(other, from, to))
	}
	a = compute.Transpose(t)
	values = compute.NewMatrix(s.X.Rows, g.Cols)
	s.design.AddTo(values, a)
	known = s.Centres.Coordinates(compute.Pick(values, s.at))
	for i := range known.Data {
		known.Data[i] = -known.Data[i]
	}
	return a, values, known
}

// columns returns the number of features of a block.
func (s *Space) columns() int { return s.features.Map.Columns() }

// residualSample is the number of rows that determine the rate.
const residualSample = 256

// Rate returns the stable step length in A for a loss with the given curvature. All blocks share it,
// so that the mean step is the gradient.
func (s *Space) Rate(curvature, nu float64) float64 {
	if s.top == 0 {
		s.top = s.largest()
	}
	return 1 / (curvature*s.top + nu)
}

// largest returns the largest eigenvalue of ζᵀWζ/n over all blocks on a sample of the rows, which
// overestimates it on average.
func (s *Space) largest() float64 {
	sample := s.Sample()
	x := s.X.Pick(sample)
	known := compute.NewMatrix(len(sample), s.Centres.Count()) // −e·U⁻ᵀ
	compute.MulNT(known, compute.Pick(s.E, sample), s.Centres.Inverse, s.options.Workers)
	for i := range known.Data {
		known.Data[i] = -known.Data[i]
	}
	top := 0.0
	for b := range s.Blocks {
		if s.monitor.Stopped() {
			break // there will be no step
		}
		block := s.features.Block(uint64(b))
		at := compute.NewMatrix(s.Centres.Count(), s.columns())
		features.TransformPoints(block, at, s.Centres.Points)
		zeta := compute.NewMatrix(len(sample), s.columns())
		features.TransformPoints(block, zeta, x)
		compute.MulNN(zeta, known, at, s.options.Workers)
		s.Weights.Pick(sample).ScaleByRoots(zeta)
		top = max(top, largestSquare(zeta)/float64(len(sample)))
	}
	return top
}

// Sample returns evenly spaced rows.
func (s *Space) Sample() []int {
	rows := make([]int, min(residualSample, s.X.Rows))
	for i := range rows {
		rows[i] = i * s.X.Rows / len(rows)
	}
	return rows
}

// largestSquare returns the largest eigenvalue of M·Mᵀ by the power method, started from the row
// norms with irregular signs.
func largestSquare(m compute.Matrix) float64 {
	g := blas64.General(m)
	v, w := make([]float64, m.Rows), make([]float64, m.Cols)
	for i := range v {
		v[i] = blas64.Nrm2(compute.Vector(compute.Row(m, i))) * math.Cos(float64(i*i))
	}
	value := 0.0
	for range 30 {
		n := blas64.Nrm2(compute.Vector(v))
		if n == 0 {
			return 0
		}
		blas64.Scal(1/n, compute.Vector(v))
		blas64.Gemv(blas.Trans, 1, g, compute.Vector(v), 0, compute.Vector(w))
		value = blas64.Dot(compute.Vector(w), compute.Vector(w))
		blas64.Gemv(blas.NoTrans, 1, g, compute.Vector(w), 0, compute.Vector(v))
	}
	return value
}

// Iterates holds the part Σ_b ζ_b(x)·A_b of a function and its average, with weight t for iterate t.
type Iterates struct {
	Steps     int
	Now, Mean Iterate

	space  *Space
	blocks *blocks.Function
}

// Iterate is a function Z·A + e·known, by the values of Z·A at all rows.
type Iterate struct{ values, known compute.Matrix }

// At returns the values of the function at all rows.
func (f Iterate) At(p *Space) compute.Matrix {
	v := compute.Clone(f.values)
	p.AddSpanned(v, f.known)
	return v
}

func newIterate(p *Space, outputs int) Iterate {
	return Iterate{compute.NewMatrix(p.X.Rows, outputs), compute.NewMatrix(p.Centres.Count(), outputs)}
}

// NewIterates returns zero for a number of outputs.
func NewIterates(p *Space, outputs int) *Iterates {
	r := &Iterates{space: p, Now: newIterate(p, outputs), Mean: newIterate(p, outputs)}
	r.blocks = blocks.New(p.features, p.options, outputs)
	r.blocks.Average = new(blocks.Average)
	return r
}

// Step performs a gradient step of the given rate. g holds the derivatives of the loss at the rows
// divided by their number, inE is eᵀg, and nu the weight of the norm. A stopped fit does nothing.
func (r *Iterates) Step(g, inE compute.Matrix, rate, nu float64) {
	if r.space.monitor.Stopped() {
		return
	}
	r.space.load(r.Steps)
	a, values, known := r.space.direction(g, inE)
	decay := max(0, 1-rate*nu)
	r.Now.advance(values, known, decay, rate)
	blas64.Scal(-rate, compute.Vector(a.Data))
	r.blocks.Decay(decay)
	r.blocks.Add(r.Steps%r.space.Blocks, a)
	r.blocks.Average.Tick(r.blocks)
	r.Steps++
	r.Mean.approach(r.Now, 2/float64(r.Steps+1))
}

func (f Iterate) advance(values, known compute.Matrix, decay, rate float64) {
	for i, v := range values.Data {
		f.values.Data[i] = decay*f.values.Data[i] - rate*v
	}
	for i, v := range known.Data {
		f.known.Data[i] = decay*f.known.Data[i] - rate*v
	}
}

func (f Iterate) approach(to Iterate, by float64) {
	for i, v := range to.values.Data {
		f.values.Data[i] += by * (v - f.values.Data[i])
	}
	for i, v := range to.known.Data {
		f.known.Data[i] += by * (v - f.known.Data[i])
	}
}

// Function returns the average of the iterates plus e·φ.
func (r *Iterates) Function(phi compute.Matrix) *SpaceFunction {
	part := compute.Clone(phi)
	blas64.Axpy(1, compute.Vector(r.Mean.known.Data), compute.Vector(part.Data))
	f := blocks.New(r.space.features, r.space.options, phi.Cols)
	if r.Steps > 0 {
		f = r.blocks.Averaged()
	}
	return &SpaceFunction{Features: f, Points: r.space.Centres.Points, Weights: r.space.Centres.Weights(part)}
}
