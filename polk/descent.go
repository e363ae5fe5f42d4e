package polk

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// descent is projected stochastic gradient descent in the RKHS (Algorithm 2 of the paper).
type descent struct {
	set    *settings
	from   *defaults
	f      *pursuit
	b      constant
	clip   clip
	totals Totals
	recent *calibrate.Ring // of a stream
	z      compute.Matrix  // coordinates of rows in the span of the dictionary, at the end
	solved *normal         // the equations that the weights solve, or nil

	batchScratch
}

// batchScratch is memory that the steps reuse.
type batchScratch struct {
	k, scores, g compute.Matrix // of all rows of a mini-batch
	served       compute.Matrix // scores of the averaged function
	active       []int          // rows with a gradient
	x            compute.Points // of the active rows
	kActive, w   compute.Matrix
}

// newDescent returns a new descent with the defaults of a sample of n rows.
func newDescent(s *settings, sample batch, n int, r *progress.Monitor) (*descent, error) {
	_, cut := cutSample(s, sample)
	from, err := newDefaults(s, cut, n, r)
	if err != nil {
		return nil, err
	}
	return from.descent(s, sample), nil
}

// cutSample removes or clips outlying targets.
func cutSample(s *settings, sample batch) (clip, batch) {
	if sample.class == nil && !loss.Quadratic(s.Loss) {
		if rows := search.InlierRows(sample.y, sample.weights); rows != nil {
			sample = sample.pick(batch{}, rows)
		}
		return clip{}, sample
	}
	columns := sortedColumns(sample.y)
	c := newClip(s, columns)
	return c, c.cut(sample, columns)
}

// descent returns a new descent, from the constant of least loss.
func (from *defaults) descent(s *settings, sample batch) *descent {
	c, sample := cutSample(s, sample)
	columns := sortedColumns(sample.y)
	width := sample.outputs
	if s.averaged() {
		width *= 2
	}
	e := gram.Evaluator{Kernel: from.kernel, Workers: s.Workers}
	empty := points{inputs: sample.x.Cols, sparse: sample.x.Sparse != nil}
	d := &descent{set: s, from: from, clip: c}
	d.f = newPursuit(newDictionary(e, empty, sample.outputs, width, from.kappa))
	d.b = newConstant(interceptOf(s, columns, sample.outputs), s.averaged())
	if s.Rate == 0 && sample.x.Rows >= freshShare {
		d.f.metric = newMetric(sample.x.Between(0, min(sample.x.Rows, sampleRows)), from.kappa, from.ridge*from.unit, s.MaxPoints)
	}
	return d
}

// pass fits rows in an order. It returns early if r is stopped.
func (d *descent) pass(all batch, order []int, r *progress.Monitor) error {
	var b batch
	for len(order) > 0 && !r.Stopped() {
		n := min(d.set.Batch, len(order))
		b = all.pick(b, order[:n])
		if _, err := d.step(b); err != nil {
			return err
		}
		order = order[n:]
		r.Report(d.rowsProgress())
	}
	return nil
}

// forgetSteps releases the memory that only steps need.
func (d *descent) forgetSteps() {
	if m := d.f.metric; m != nil {
		d.f.metric = &metric{top: m.top, kappa: m.kappa}
	}
	d.f = newPursuit(d.f.dictionary)
	d.f.scratch = compute.Matrix{}
	d.batchScratch = batchScratch{}
}

// rowsProgress returns the progress of the steps.
func (d *descent) rowsProgress() rkhs.Progress {
	rows, total := d.totals.Rows, d.set.Horizon
	if rows > total { // a stream
		total = 0
	}
	return d.progress("rows", rows, total)
}

// progress returns the progress of a phase.
func (d *descent) progress(phase string, done, total int) rkhs.Progress {
	return rkhs.Progress{Phase: phase, Done: done, Total: total, Iteration: d.totals.Rows,
		ModelOrder: d.f.order(), Objective: d.totals.Loss, Gap: math.NaN()}
}

// model copies the function.
func (d *descent) model() *Model {
	points, weights := d.f.export()
	terms := []kernel.Expansion{expansion.Of(d.from.kernel, points, weights)}
	f := model.NewSum(d.f.points.inputs, slices.Clone(d.b.served()), terms, d.set.Workers)
	return &Model{f: f, seed: d.set.Seed, report: d.report()}
}

func (d *descent) report() Report {
	r := Report{Kernel: kernel.Clone(d.from.kernel), Loss: d.set.Loss, Ridge: d.ridge(), Search: d.from.found,
		Rate: d.first(d.set.Batch), Totals: d.totals}
	if d.solved != nil {
		r.Loss = loss.Squared{} // also for labels
	}
	if d.totals.stalled() {
		r.Status = rkhs.Stalled
	}
	return r
}

// checkMemory returns an error if a step on a batch could exceed the limit. A learner has points
// with width weights each, and other is the number of other elements in memory.
func checkMemory(s *settings, b batch, points, width int, other float64) error {
	return input.Memory(pkg, "the points and the rows of a step", 8*(other+numbers(s, b, points, width)), s.MemoryLimit)
}

// numbers returns the number of elements that a learner stores in a step on a batch.
func numbers(s *settings, b batch, points, width int) float64 {
	m, q := float64(min(points, s.MaxPoints)), float64(b.x.Rows)
	m += q
	return m*m/2 + m*float64(b.x.PerRow()+2*width+8) + q*(5*m+4*q+float64(b.x.PerRow()+4*b.outputs))
}

func (d *descent) encode(e *codec.Encoder) error {
	d.totals.encode(e)
	if err := d.from.encode(e); err != nil {
		return err
	}
	d.encodeFunction(e)
	return nil
}

// encodeFunction writes the state that steps change, except the totals and recent scores.
func (d *descent) encodeFunction(e *codec.Encoder) {
	e.Float64s(d.b.own)
	e.Float64s(d.b.averaged)
	e.Float64s(d.clip.scale)
	d.f.dictionary.encode(e)
	e.Bool(d.f.metric != nil)
	if d.f.metric != nil {
		d.f.metric.encode(e)
	}
}

func decodeDescent(d *codec.Decoder, s *settings, inputs int) *descent {
	own := &descent{set: s, totals: decodeTotals(d), from: decodeDefaults(d)}
	own.decodeFunction(d, inputs)
	return own
}

// decodeFunction reads the output of encodeFunction.
func (d *descent) decodeFunction(from *codec.Decoder, inputs int) {
	d.b = constant{own: from.Float64s(), averaged: from.Float64s()}
	d.clip.scale = from.Float64s()
	if from.Err() != nil {
		return
	}
	e := decodeDictionary(from, d.from, inputs, d.set.averaged())
	if from.Err() != nil {
		return
	}
	e.eval.Workers = d.set.Workers
	if from.Bool() {
		e.metric = decodeMetric(from, e, d.from)
	}
	d.checkConstant(from, e.outputs)
	d.f = newPursuit(e)
}

// decodeRecent reads the recent scores of a stream.
func (d *descent) decodeRecent(from *codec.Decoder) {
	d.recent = new(calibrate.Ring)
	if from.Err() != nil {
		return
	}
	classes := 0
	if classifies(d.set.Loss) {
		classes = max(2, d.f.outputs)
	}
	*d.recent = calibrate.DecodeRing(from, d.f.outputs, classes)
}

// snapshot returns the state that steps change.
func (d *descent) snapshot() []byte {
	var e codec.Encoder
	d.totals.encode(&e)
	d.encodeFunction(&e)
	d.recent.Encode(&e)
	return e.Payload()
}

// restored returns d in the state of a snapshot.
func (d *descent) restored(state []byte, inputs int) *descent {
	from := codec.NewDecoder(state)
	own := &descent{set: d.set, from: d.from, totals: decodeTotals(from)}
	own.decodeFunction(from, inputs)
	own.decodeRecent(from)
	return own
}

// checkConstant fails unless constants and scales fit the number of outputs.
func (d *descent) checkConstant(from *codec.Decoder, outputs int) {
	if !d.set.averaged() {
		d.b.averaged = nil
	}
	averaged, scales := len(d.b.averaged), len(d.clip.scale)
	if len(d.b.own) != outputs || d.set.averaged() && averaged != outputs || scales != 0 && scales != outputs {
		from.Fail("%d and %d constants and %d scales for %d outputs", len(d.b.own), averaged, scales, outputs)
	}
	if exceeds(d.b.own) || exceeds(d.b.averaged) || exceeds(d.clip.scale) {
		from.Fail("constants %v and %v, scales %v", d.b.own, d.b.averaged, d.clip.scale)
	}
}

func (t *defaults) encode(e *codec.Encoder) error {
	for _, v := range []float64{t.ridge, t.gain, t.top, t.kappa, t.noise, t.constant} {
		e.Float64(v)
	}
	if err := search.EncodeResult(e, t.found); err != nil {
		return err
	}
	return e.Nested(kernel.Marshal(t.kernel))
}

func decodeDefaults(d *codec.Decoder) *defaults {
	t := &defaults{ridge: d.Finite(), gain: d.Finite(), top: d.Finite(), kappa: d.Finite()}
	t.noise, t.constant, t.found = d.Finite(), d.Finite(), search.DecodeResult(d)
	t.kernel = codec.Nested(d, kernel.Unmarshal)
	if !(min(t.kappa, t.ridge) > 0 && max(t.kappa, t.ridge) < outOfRange && min(t.top, t.gain, t.noise, t.constant) >= 0) {
		d.Fail("kappa = %v, lam = %v, lam_1 = %v, a = %v, noise %v, step of the constant %v",
			t.kappa, t.ridge, t.top, t.gain, t.noise, t.constant)
	}
	return t
}
