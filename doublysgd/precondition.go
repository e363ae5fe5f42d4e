package doublysgd

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// preconditioned is the space in which the tasks with a known objective are
// solved on rows at hand. It cuts the kernel in two,
//
//	k(x, z) = <e(x), e(z)> + r(x, z),
//
// what the centres span and the rest. The rest has random features without bias:
// those of k less what the centres know of them,
//
//	ζ_b(x) = Z_b(x) − e(x)·U⁻ᵀZ_b(C),   E<ζ_b(x), ζ_b(z)> = r(x, z).
//
// A function e(x)·φ + Σ_b ζ_b(x)·A_b is solved for by turns: φ exactly, A by
// stochastic gradients, whose noise and whose condition are those of the rest, a
// small fraction of those of k where its spectrum falls. Whatever the centres are,
// the minimum is that of the objective over the whole space of k: they are a
// preconditioner, and no bias.
type preconditioned struct {
	c        *centres
	at       []int // the rows that the centres are
	x        compute.Matrix
	n        int            // rows of x
	e        compute.Matrix // e(x)
	m        features.Map
	options  features.Options
	rest     float64 // mean of r(x, x) over the rows
	top      float64 // the largest eigenvalue of ζᵀζ/n of any block, once it is known
	blocks   int     // features are drawn again after so many blocks
	cache    int64
	workers  int
	design   *design
	features *cache
}

// preconditionOptions is what the tasks have in common.
type preconditionOptions struct {
	kernel            kernel.Kernel
	sampler           features.Sampler
	centres           int
	features, columns int
	cache, memory     int64
	seed              uint64
	workers           int
	recorder          rkhs.Recorder
}

const (
	defaultCentres     = 1000
	defaultRestColumns = 1024
	defaultRest        = 32768
	restSample         = 256
	// restNegligible is the fraction of nu below which what the centres leave of
	// k(x, x) changes no digit that matters.
	restNegligible = 1e-5
)

func (o *preconditionOptions) check() error {
	for _, f := range []struct {
		name  string
		value float64
		ok    bool
	}{
		{"Centres", float64(o.centres), o.centres >= 0},
		{"Features", float64(o.features), o.features >= 0},
		{"Columns", float64(o.columns), o.columns >= 0 && o.columns%2 == 0},
		{"CacheSize", float64(o.cache), o.cache >= 0},
		{"MemoryLimit", float64(o.memory), o.memory >= 0},
		{"Workers", float64(o.workers), o.workers >= 0},
	} {
		if !f.ok {
			return fmt.Errorf("doublysgd: %s = %v is out of range: %w", f.name, f.value, rkhs.ErrOption)
		}
	}
	o.centres = orDefault(o.centres, defaultCentres)
	o.columns = orDefault(o.columns, defaultRestColumns)
	o.features = orDefault(o.features, defaultRest)
	o.cache = orDefault(o.cache, defaultCache)
	o.memory = orDefault(o.memory, defaultMemory)
	return nil
}

// newPreconditioned prepares the space for rows that have passed the door, and
// for a number of outputs. The centres need not know what is below the fraction
// enough of k(x, x).
func (o *preconditionOptions) newPreconditioned(k kernel.Kernel, x compute.Matrix, outputs int, enough float64) (*preconditioned, error) {
	p := &preconditioned{x: x, n: x.Rows, blocks: (o.features + o.columns - 1) / o.columns, cache: o.cache, workers: o.workers}
	p.options = features.Options{Seed: o.seed, Columns: o.columns, Sampler: o.sampler, Workers: o.workers}
	var err error
	if p.m, err = features.New(k, x.Cols, p.options); err != nil {
		return nil, fmt.Errorf("doublysgd: %w", err)
	}
	if err := o.checkMemory(x.Rows, outputs); err != nil {
		return nil, err
	}
	p.c, p.at, err = newCentres(kernel.Evaluator{Kernel: k, Workers: o.workers}, x, o.centres, enough, o.seed)
	if err != nil {
		return nil, err
	}
	p.e = p.c.at(x)
	p.features = newCache(p.m, o.cache)
	p.measure()
	return p, nil
}

// checkMemory returns rkhs.ErrMemory if e, or the scores, at all rows are too
// large.
func (o *preconditionOptions) checkMemory(rows, outputs int) error {
	need := 8 * int64(rows) * int64(min(o.centres, rows, candidateRows)+5*outputs)
	if need > o.memory {
		return fmt.Errorf("doublysgd: %d rows and %d centres take %s, MemoryLimit is %s: %w", rows, o.centres, mebibytes(need), mebibytes(o.memory), rkhs.ErrMemory)
	}
	return nil
}

// measure finds the trace of the rest.
func (p *preconditioned) measure() {
	if p.spanned() {
		return
	}
	diag := make([]float64, p.n)
	p.c.of.Diag(diag, p.x)
	for i, v := range diag {
		for _, e := range row(p.e, i) {
			v -= float64(e * e)
		}
		p.rest += max(0, v) / float64(p.n)
	}
}

// spanned reports whether every row is a centre.
func (p *preconditioned) spanned() bool { return p.c.count() == p.n }

// rate is the length of the steps in A for a loss of so large a curvature: no block,
// however its features are drawn, makes the distance of two functions grow. One rate
// for all blocks keeps the mean of the steps the gradient.
func (p *preconditioned) rate(curvature, nu float64) float64 {
	if p.top == 0 {
		p.top = p.largest()
	}
	return 1 / (curvature*p.top + nu)
}

// largest returns the largest eigenvalue of ζᵀζ/n of all blocks, on a sample of the
// rows, which has a larger one than the whole on average.
func (p *preconditioned) largest() float64 {
	sample := p.sample()
	x := pickRows(p.x, sample)
	known := compute.NewMatrix(len(sample), p.c.count()) // −e·U⁻ᵀ
	compute.MulNT(known, pickRows(p.e, sample), p.c.inverse, p.workers)
	for i := range known.Data {
		known.Data[i] = -known.Data[i]
	}
	top := 0.0
	for b := range p.blocks {
		block := p.features.block(uint64(b))
		at := compute.NewMatrix(p.c.count(), p.m.Columns())
		block.TransformTo(at, p.c.points)
		zeta := compute.NewMatrix(len(sample), p.m.Columns())
		block.TransformTo(zeta, x)
		compute.MulNN(zeta, known, at, p.workers)
		top = max(top, largestSquare(zeta)/float64(len(sample)))
	}
	return top
}

// sample returns a part of the rows, evenly spread.
func (p *preconditioned) sample() []int {
	s := make([]int, min(restSample, p.n))
	for i := range s {
		s[i] = i * p.n / len(s)
	}
	return s
}

// largestSquare returns the largest eigenvalue of M·Mᵀ by the power method, from the
// norms of the rows with signs and sizes in no order.
func largestSquare(m compute.Matrix) float64 {
	g := blas64.General(m)
	v, w := make([]float64, m.Rows), make([]float64, m.Cols)
	for i := range v {
		v[i] = blas64.Nrm2(vector(row(m, i))) * math.Cos(float64(i*i))
	}
	value := 0.0
	for range 30 {
		n := blas64.Nrm2(vector(v))
		if n == 0 {
			return 0
		}
		blas64.Scal(1/n, vector(v))
		blas64.Gemv(blas.Trans, 1, g, vector(v), 0, vector(w))
		value = blas64.Dot(vector(w), vector(w))
		blas64.Gemv(blas.NoTrans, 1, g, vector(w), 0, vector(v))
	}
	return value
}

func stack(a, b compute.Matrix) compute.Matrix {
	s := compute.NewMatrix(a.Rows+b.Rows, a.Cols)
	for i := range a.Rows {
		copy(row(s, i), row(a, i))
	}
	for i := range b.Rows {
		copy(row(s, a.Rows+i), row(b, i))
	}
	return s
}

// load turns to the features of step t.
func (p *preconditioned) load(t int) {
	if p.design == nil {
		order := make([]int, p.x.Rows)
		for i := range order {
			order[i] = i
		}
		p.design = newDoubleDesign(p.x, order, p.n, p.m.Columns(), p.workers, p.cache)
	}
	p.design.use(p.features.block(uint64(t % p.blocks)))
}

// coordinates returns eᵀg, q×k.
func (p *preconditioned) coordinates(g compute.Matrix) compute.Matrix {
	a := compute.NewMatrix(p.c.count(), g.Cols)
	compute.MulTN(a, p.e, g, p.workers)
	return a
}

// addSpanned adds e·φ at all rows to f.
func (p *preconditioned) addSpanned(f, phi compute.Matrix) { compute.MulNN(f, p.e, phi, p.workers) }

// direction returns, for the block in use and g, n×k, of which eᵀg is given, the
// coefficients A = ζᵀg and the function ζ·A: the values of Z·A at all rows, and its part
// in e, −U⁻ᵀZ(C)·A.
func (p *preconditioned) direction(g, inE compute.Matrix) (a, values, known compute.Matrix) {
	// ζᵀg = Zᵀg' where g' takes at the centres what of g they know.
	other := cloneRows(g)
	w := p.c.weights(inE)
	for i, r := range p.at {
		for o, v := range row(w, i) {
			other.Data[r*other.Stride+o] -= v
		}
	}
	t := compute.NewMatrix(g.Cols, p.m.Columns())
	for c := range p.design.ends {
		from, to := p.design.span(c)
		p.design.chunk(c).addTransposed(t, compute.Rows(other, from, to))
	}
	a = transposed(t)
	values = compute.NewMatrix(p.x.Rows, g.Cols)
	p.design.addTo(values, a)
	known = p.c.coordinates(pickRows(values, p.at))
	for i := range known.Data {
		known.Data[i] = -known.Data[i]
	}
	return a, values, known
}

func transposed(m compute.Matrix) compute.Matrix {
	t := compute.NewMatrix(m.Cols, m.Rows)
	for i := range m.Rows {
		for j, v := range row(m, i) {
			t.Data[j*t.Stride+i] = v
		}
	}
	return t
}
