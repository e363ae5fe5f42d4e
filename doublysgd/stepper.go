package doublysgd

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// stepper takes the steps of Newton and Plain mode.
type stepper struct {
	e       *expansion
	workers int
	newton  bool
	limit   int     // number of blocks, from which on old ones are visited again
	steps   int     // t
	ridge   float64 // nu, of Plain mode
	decayed bool    // whether the ridge is large enough for steps of order 1/t
	first   float64 // g_0, of Plain mode

	drawn  int // the block that was used last
	latest features.Block
}

// sample is a batch of rows with their scores.
type sample struct {
	x compute.Matrix
	k *risk
	f compute.Matrix
}

// move is what a step does to f: it is multiplied by decay, and to it is added
// phi_b(x)·a. No coefficients stand for no move.
type stepMove struct {
	b     int
	decay float64
	a     compute.Matrix
}

// newStepper returns a stepper at f = 0; x holds rows like those to come.
func (s *settings) newStepper(e *expansion, x compute.Matrix, columns, batch, rows int) *stepper {
	p := s.begin(e, columns, rows)
	if !p.newton {
		top, diagonal := largestEigenvalue(e.m.Kernel(), x, s.Workers)
		p.first = firstRate(loss.StepCurvature(s.Loss)*top, loss.StepCurvature(s.Loss)*diagonal, columns, batch)
	}
	return p
}

// begin returns a stepper at f = 0, in Plain mode without the length of its steps.
func (s *settings) begin(e *expansion, columns, rows int) *stepper {
	p := &stepper{e: e, workers: s.Workers, newton: s.Mode == Newton}
	p.limit = s.blocks(columns)
	if p.newton {
		return p
	}
	if !s.LastIterate {
		e.mean = new(mean)
	}
	p.ridge, p.decayed = s.Ridge, s.Ridge > 0
	if s.Ridge == 0 {
		p.ridge = 1e-6
		if rows > 0 {
			p.ridge = 1 / float64(rows)
		}
	}
	return p
}

// firstRate returns g_0 by the largest eigenvalue of a Hessian and the mean of what a
// row adds to it, which the sampling of rows and of features, two of them a frequency,
// add to the eigenvalue.
func firstRate(top, diagonal float64, columns, batch int) float64 {
	if diagonal == 0 {
		return 0
	}
	return 1 / (top + diagonal/float64(batch) + 2*diagonal/float64(columns))
}

// blocks returns the largest number of blocks of so many columns.
func (s *settings) blocks(columns int) int {
	return max(1, (cmp.Or(s.Features, defaultFeatures)+columns-1)/columns)
}

// block returns the number of the block of the next step.
func (p *stepper) block() int {
	if p.e.count() < p.limit {
		return p.e.count()
	}
	return p.steps % p.limit
}

// rate returns the length g_t of the next step. With the ridge nu it is
// g_0/(1 + g_0·nu·t/1.5), which tends to 1.5/(nu·t): the theory asks for a factor
// between 1 and 2. A ridge that is there for form's sake leaves the steps too long
// for that, and they shrink with the root of t.
func (p *stepper) rate() float64 {
	t := float64(p.steps)
	g := p.first / (1 + p.first*p.ridge*t/1.5)
	if !p.decayed {
		g /= math.Sqrt(1 + t/10)
	}
	return g
}

// plain returns the step of Algorithm 1 on a batch: −g_t·Z'l'(f)/B.
func (p *stepper) plain(s sample) stepMove {
	r := compute.NewMatrix(s.f.Rows, s.f.Cols)
	s.k.descent(r, s.f, p.rate()/float64(s.x.Rows))
	return p.along(s.x, r)
}

// along returns the step that adds ZᵀR after the decay by the ridge.
func (p *stepper) along(x, r compute.Matrix) stepMove {
	b := p.block()
	return stepMove{b: b, decay: max(0, 1-p.rate()*p.ridge), a: p.transposed(p.features(b, x), r)}
}

// features returns phi_b at rows x.
func (p *stepper) features(b int, x compute.Matrix) compute.Matrix {
	z := compute.NewMatrix(x.Rows, p.e.m.Columns())
	if p.latest == nil || p.drawn != b {
		p.drawn, p.latest = b, p.e.block(b)
	}
	p.latest.TransformTo(z, x)
	return z
}

// transposed returns ZᵀR.
func (p *stepper) transposed(z, r compute.Matrix) compute.Matrix {
	a := compute.NewMatrix(z.Cols, r.Cols)
	compute.MulTN(a, z, r, p.workers)
	return a
}

// take makes a move. On an error it has left the range of numbers.
func (p *stepper) take(m stepMove) error {
	p.steps++
	if m.a.Data != nil {
		p.e.decay(m.decay)
		p.e.add(m.b, m.a)
		if err := checkCoefficients(m.b, p.e.blocks[m.b].Data); err != nil {
			return err
		}
	}
	if p.e.mean == nil {
		return nil
	}
	p.e.mean.tick(p.e)
	if m.a.Data == nil {
		return nil
	}
	return checkCoefficients(m.b, p.e.mean.blocks[m.b].Data)
}

// follow brings scores up to date with a move.
func (p *stepper) follow(m stepMove, f, x compute.Matrix) {
	if m.a.Data == nil || x.Rows == 0 {
		return
	}
	if m.decay != 1 {
		blas64.Scal(m.decay, vector(f.Data[:f.Rows*f.Cols]))
	}
	eachChunk(x.Rows, chunkRows, func(from, to int) {
		compute.MulNN(compute.Rows(f, from, to), p.features(m.b, compute.Rows(x, from, to)), m.a, p.workers)
	})
}

// result returns the function that was learned.
func (p *stepper) result() *expansion {
	switch {
	case p.e.mean == nil:
		return p.e
	case p.e.mean.steps == 0:
		return p.e.zero()
	}
	return p.e.average()
}

// largestEigenvalue returns that of the Gram matrix of up to 1000 rows over their
// number, by power iteration, and the mean of its diagonal.
func largestEigenvalue(k kernel.Kernel, x compute.Matrix, workers int) (top, diagonal float64) {
	n := min(x.Rows, 1000)
	gram := compute.NewMatrix(n, n)
	kernel.Evaluator{Kernel: k, Workers: workers}.Gram(gram, compute.Rows(x, 0, n))
	v, w := compute.NewMatrix(n, 1), compute.NewMatrix(n, 1)
	for i := range v.Data {
		v.Data[i] = 1
		diagonal += gram.Data[i*gram.Stride+i] / float64(n)
	}
	for range 30 {
		blas64.Scal(1/blas64.Nrm2(vector(v.Data)), vector(v.Data))
		clear(w.Data)
		compute.MulNN(w, gram, v, workers)
		top = blas64.Nrm2(vector(w.Data)) / float64(n)
		if top == 0 {
			break
		}
		v, w = w, v
	}
	return top, diagonal
}

// clone returns a stepper that goes on by itself.
func (p *stepper) clone() *stepper {
	if p == nil {
		return nil
	}
	c := *p
	c.e = p.e.clone()
	return &c
}
