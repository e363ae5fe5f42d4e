package descent

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// Stepper performs Newton or stochastic gradient steps on batches.
type Stepper struct {
	Function *blocks.Function
	Constant Constant
	Steps    int     // t
	Ridge    float64 // nu, of stochastic gradients
	First    float64 // g_0, of stochastic gradients

	workers int
	newton  bool
	limit   int  // number of blocks, after which steps visit old blocks again
	decayed bool // whether the ridge is large enough for steps of order 1/t

	drawn  int // the block that was used last
	latest features.Block
}

// Sample is a batch of rows with their scores.
type Sample struct {
	X      compute.Points
	Risk   *Risk
	Scores compute.Matrix
}

// Update is the effect of a step. It replaces f by Decay·f + φ_b(x)·Step + Shift for b = Block. A
// Update without coefficients has no effect.
type Update struct {
	Block int
	Decay float64
	Step  compute.Matrix
	Shift []float64
}

// Start returns a stepper at f = 0. Measure must set the length of gradient steps. The default ridge
// depends on the number of rows, 0 if unknown.
func (c *Config) Start(f *blocks.Function, columns, rows int) *Stepper {
	p := &Stepper{Function: f, Constant: newConstant(f.Outputs), workers: c.Workers, newton: c.Newton, limit: c.Blocks(columns)}
	if c.averages() {
		f.Average = new(blocks.Average)
	}
	if c.Newton {
		return p
	}
	p.Ridge, p.decayed = c.Ridge, c.Ridge > 0
	if c.Ridge == 0 {
		p.Ridge = 1e-6
		if rows > 0 {
			p.Ridge = 1 / float64(rows)
		}
	}
	return p
}

// Limit returns the largest number of blocks.
func (s *Stepper) Limit() int { return s.limit }

// Measure sets the length of gradient steps for the curvature of a loss and a sample of the rows.
func (s *Stepper) Measure(x compute.Points, curvature float64, columns, batch int) {
	if s.newton {
		return
	}
	top, diagonal := LargestEigenvalue(s.Function.Map.Kernel(), x, s.workers)
	s.First = FirstRate(curvature*top, curvature*diagonal, columns, batch)
}

// FirstRate returns g_0 from the largest eigenvalue of a Hessian and its mean diagonal, which bounds
// the increase of the eigenvalue by sampling rows and features.
func FirstRate(top, diagonal float64, columns, batch int) float64 {
	if diagonal == 0 {
		return 0
	}
	return 1 / (top + diagonal/float64(batch) + 2*diagonal/float64(columns))
}

// Block returns the block of the next step.
func (s *Stepper) Block() int {
	if s.Function.Count() < s.limit {
		return s.Function.Count()
	}
	return s.Steps % s.limit
}

// Rate returns the length g_t of the next step, g_0/(1 + g_0·nu·t/1.5). It tends to 1.5/(nu·t); the
// theory requires a factor between 1 and 2. With a nominal ridge the steps also shrink with √t.
func (s *Stepper) Rate() float64 {
	return s.decay(s.First)
}

// decay returns the length of the next step for a first step of the given length.
func (s *Stepper) decay(first float64) float64 {
	t := float64(s.Steps)
	g := first / (1 + s.First*s.Ridge*t/1.5)
	if !s.decayed {
		g /= math.Sqrt(1 + t/10)
	}
	return g
}

// Plain returns the step of Algorithm 1 on a batch, −g_t·Zᵀl'(f)/B, and the step −h_t·mean l'(f) of
// the unpenalised constant. h_t falls like g_t from B/(B + 16)/(2c), with the bound c of the
// curvature. This is half a Newton step, because the features also change the mean, and less for
// small batches. Weights multiply the terms; see Shortening.
func (s *Stepper) Plain(sample Sample) Update {
	n := float64(sample.X.Rows)
	k := n * s.Shortening(sample.Risk.Weights)
	r := compute.NewMatrix(sample.Scores.Rows, sample.Scores.Cols)
	sample.Risk.Descent(r, sample.Scores, s.Rate()/k)
	sample.Risk.Weights.Scale(r)
	m := s.Along(sample.X, r)
	sample.Risk.Descent(r, sample.Scores, s.decay(n/(n+16)/(2*loss.StepCurvature(sample.Risk.Loss()))))
	m.Shift = make([]float64, r.Cols)
	sample.Risk.addColumns(m.Shift, r)
	floats.Scale(1/k, m.Shift)
	for o, b := range s.Constant.Now {
		m.Shift[o] += float64((1 - m.Decay) * b)
	}
	return m
}

// Shortening returns the divisor of a gradient step on weighted rows, 1 without weights. Uneven
// weights multiply the largest eigenvalue by up to Σw²/Σw, so early steps must be shorter. Later
// steps are short enough.
func (s *Stepper) Shortening(weights compute.Weights) float64 {
	if weights == nil || s.First == 0 {
		return 1
	}
	uneven := floats.Dot(weights, weights) / floats.Sum(weights)
	return max(1, uneven*s.Rate()/s.First)
}

// Along returns the step that decays by the ridge and adds ZᵀR.
func (s *Stepper) Along(x compute.Points, r compute.Matrix) Update {
	b := s.Block()
	step := compute.NewMatrix(s.Function.Map.Columns(), r.Cols)
	compute.MulTN(step, s.Features(b, x), r, s.workers)
	return Update{Block: b, Decay: max(0, 1-s.Rate()*s.Ridge), Step: step}
}

// Features returns φ_b at rows x.
func (s *Stepper) Features(b int, x compute.Points) compute.Matrix {
	z := compute.NewMatrix(x.Rows, s.Function.Map.Columns())
	features.TransformPoints(s.block(b), z, x)
	return z
}

func (s *Stepper) block(b int) features.Block {
	if s.latest == nil || s.drawn != b {
		s.drawn, s.latest = b, s.Function.Block(b)
	}
	return s.latest
}

// Apply performs an update. It returns an error if a coefficient is not finite.
func (s *Stepper) Apply(m Update) error {
	s.Steps++
	if m.Step.Data != nil {
		s.Function.Decay(m.Decay)
		s.Function.Add(m.Block, m.Step)
		s.Constant.apply(m)
		if err := blocks.CheckCoefficients(m.Block, s.Function.Blocks[m.Block].Data); err != nil {
			return err
		}
	}
	if s.Function.Average == nil {
		return nil
	}
	s.Function.Average.Tick(s.Function)
	s.Constant.tick(s.Function.Average)
	if m.Step.Data == nil {
		return nil
	}
	return blocks.CheckCoefficients(m.Block, s.Function.Average.Blocks[m.Block].Data)
}

// Follow adds an update to scores.
func (s *Stepper) Follow(m Update, f compute.Matrix, x compute.Points) {
	if m.Step.Data == nil || x.Rows == 0 {
		return
	}
	if m.Decay != 1 {
		blas64.Scal(m.Decay, compute.Vector(f.Data[:f.Rows*f.Cols]))
	}
	z := compute.NewMatrix(min(x.Rows, blocks.ChunkRows), s.Function.Map.Columns())
	for from, to := range compute.Chunks(x.Rows, blocks.ChunkRows) {
		part := compute.Rows(z, 0, to-from)
		features.TransformPoints(s.block(m.Block), part, x.Between(from, to))
		compute.MulNN(compute.Rows(f, from, to), part, m.Step, s.workers)
	}
	if m.Shift != nil {
		compute.AddRow(f, m.Shift)
	}
}

// Result returns the fitted function without its constant.
func (s *Stepper) Result() *blocks.Function {
	switch {
	case s.Function.Average == nil:
		return s.Function
	case s.Function.Average.Steps == 0:
		return s.Function.Cleared()
	}
	return s.Function.Averaged()
}

// Learned returns the constant of the fitted function.
func (s *Stepper) Learned() []float64 { return s.Constant.of(s.Function) }

// Fitted returns the constant with the lowest loss for the function f of Result, on the rows with
// finite scores.
func (s *Stepper) Fitted(f *blocks.Function, x compute.Points, risk *Risk) []float64 {
	b := s.Learned()
	scores := compute.NewMatrix(x.Rows, f.Outputs)
	compute.AddRow(scores, b)
	f.AddTo(scores, x)
	var rows []int
	for i := range scores.Rows {
		if compute.AllFinite(compute.Rows(scores, i, i+1)) {
			rows = append(rows, i)
		}
	}
	if rows == nil {
		return b
	}
	return floats.AddTo(b, b, risk.Ordered(rows).Shift(compute.Pick(scores, rows)))
}

// LargestEigenvalue returns the largest eigenvalue of the Gram matrix of up to 1000 rows divided by
// their number, by power iteration, and its mean diagonal.
func LargestEigenvalue(k kernel.Kernel, x compute.Points, workers int) (top, diagonal float64) {
	n := min(x.Rows, 1000)
	values := compute.NewMatrix(n, n)
	gram.Evaluator{Kernel: k, Workers: workers}.GramOf(values, x.Between(0, n))
	v, w := compute.NewMatrix(n, 1), compute.NewMatrix(n, 1)
	for i := range v.Data {
		v.Data[i] = 1
		diagonal += values.Data[i*values.Stride+i] / float64(n)
	}
	for range 30 {
		blas64.Scal(1/blas64.Nrm2(compute.Vector(v.Data)), compute.Vector(v.Data))
		clear(w.Data)
		compute.MulNN(w, values, v, workers)
		top = blas64.Nrm2(compute.Vector(w.Data)) / float64(n)
		if top == 0 {
			break
		}
		v, w = w, v
	}
	return top, diagonal
}

// Clone returns an independent copy.
func (s *Stepper) Clone() *Stepper {
	if s == nil {
		return nil
	}
	c := *s
	c.Function, c.Constant = s.Function.Clone(), s.Constant.clone()
	return &c
}

func (s *Stepper) encode(e *codec.Encoder) error {
	e.Int(s.Steps)
	e.Float64(s.Ridge)
	e.Float64(s.First)
	return s.Function.Encode(e)
}

// decodeStepper returns nil if the contents are invalid.
func decodeStepper(d *codec.Decoder, s *Stream) *Stepper {
	c := &s.Config
	p := &Stepper{workers: c.Workers, newton: c.Newton, decayed: c.Ridge > 0, limit: c.Blocks(s.Columns)}
	p.Steps, p.Ridge, p.First = d.Int(), d.Finite(), d.Finite()
	p.Function = blocks.Decode(d, c.CacheSize)
	if d.Err() != nil {
		return nil
	}
	p.Constant = newConstant(p.Function.Outputs)
	if p.Steps < 0 || p.Ridge < 0 || p.Ridge > largestRidge || p.First < 0 {
		d.Fail("%d steps, ridge %v, rate %v", p.Steps, p.Ridge, p.First)
	}
	f := p.Function
	if f.Map.Dim() != s.Inputs || f.Options.Columns != s.Columns || f.Outputs != s.Outputs {
		d.Fail("steps for %d inputs, %d columns and %d outputs", f.Map.Dim(), f.Options.Columns, f.Outputs)
	}
	if (f.Average != nil) != c.averages() || f.Count() > p.limit {
		d.Fail("%d blocks of at most %d, or an average that is not asked for", f.Count(), p.limit)
	}
	return p
}

// Constant is the unpenalised constant of a function. Tasks without one leave it zero.
type Constant struct {
	Now  []float64 // of each output
	mean []float64 // of the iterates, iterate t with weight t
}

func newConstant(outputs int) Constant {
	return Constant{make([]float64, outputs), make([]float64, outputs)}
}

// apply adds an update.
func (c *Constant) apply(m Update) {
	for o, by := range m.Shift {
		c.Now[o] = float64(m.Decay*c.Now[o]) + by
	}
}

// tick updates the mean after the average of the function.
func (c *Constant) tick(a *blocks.Average) {
	share := float64(a.Steps) / a.Weight
	for o, b := range c.Now {
		c.mean[o] += float64(share * (b - c.mean[o]))
	}
}

// of returns a copy of the constant that belongs to Result.
func (c *Constant) of(f *blocks.Function) []float64 {
	if f.Average == nil {
		return slices.Clone(c.Now)
	}
	return slices.Clone(c.mean)
}

func (c Constant) clone() Constant { return Constant{slices.Clone(c.Now), slices.Clone(c.mean)} }

// Encode writes c.
func (c *Constant) Encode(e *codec.Encoder) {
	e.Float64s(c.Now)
	e.Float64s(c.mean)
}

// DecodeConstant reads the constant of the given number of outputs.
func DecodeConstant(d *codec.Decoder, outputs int) Constant {
	c := Constant{d.Float64s(), d.Float64s()}
	if d.Err() == nil && (len(c.Now) != outputs || len(c.mean) != outputs) {
		d.Fail("constants of %d and %d outputs, want %d", len(c.Now), len(c.mean), outputs)
	}
	for _, v := range slices.Concat(c.Now, c.mean) {
		if !compute.Finite(v) {
			d.Fail("a constant of %v", v)
		}
	}
	return c
}
