package doublysgd

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// fitOnce fits by steps on batches. The scores of all rows that are still needed
// are kept, so that each block is drawn once a step.
func (j *job) fitOnce() (*Model, error) {
	e, err := j.newMap(j.kernel, j.columns, j.Seed)
	if err != nil {
		return nil, err
	}
	if err := j.checkSteps(e.m.Columns()); err != nil {
		return nil, err
	}
	p := j.newStepper(e, gather(j.x, j.permutation(0)[:min(1000, j.x.Rows)]), j.columns, j.batch, j.x.Rows)
	o := &once{job: j, p: p, f: compute.NewMatrix(j.x.Rows, j.outputs()), heldOut: math.NaN()}
	report := unknown()
	passes := max(j.Passes, 1)
	for pass := range passes {
		if err := o.pass(j.permutation(pass), pass == passes-1); err != nil {
			return nil, err
		}
		if !j.r.Stopped() {
			report.Passes++
		}
	}
	report.Rows, report.HeldOut = j.x.Rows, o.heldOut
	if !p.newton {
		report.Ridge = p.ridge
	}
	return j.model(p.result(), report)
}

// checkSteps returns rkhs.ErrMemory if blocks of so many features take too much.
func (j *job) checkSteps(columns int) error {
	n := j.x.Rows
	steps := float64(max(j.Passes, 1)) * float64((n+j.batch-1)/j.batch)
	return j.checkMemory(stepSizes{columns, j.batch, min(float64(j.blocks(j.columns)), steps), j.outputs(), n})
}

// once is a fit by steps on batches.
type once struct {
	*job
	p       *stepper
	f       compute.Matrix // scores of the rows still needed
	heldOut float64
}

// pass takes all rows in the given order. In the last pass the scores of rows
// that are done with are let go.
func (o *once) pass(order []int, last bool) error {
	for from := 0; from < len(order) && !o.r.Stopped(); from += o.batch {
		to := min(from+o.batch, len(order))
		batch := o.sample(order[from:to])
		o.progress(batch)
		var m stepMove
		if o.p.newton {
			m, o.heldOut = o.p.newtonStep(batch, o.sample(o.next(order, to)), false)
		} else {
			m = o.p.plain(batch)
		}
		if err := o.p.take(m); err != nil {
			return err
		}
		needed := order
		if last { // the first batch serves the last one to choose by
			needed = append(append([]int(nil), o.next(order, len(order))...), order[to:]...)
		}
		o.follow(m, needed)
	}
	return nil
}

// next returns the rows of the batch after position to; the last batch is followed
// by the first.
func (o *once) next(order []int, to int) []int {
	if to == len(order) {
		to = 0
	}
	return order[to:min(to+o.batch, len(order))]
}

func (o *once) sample(rows []int) sample {
	return sample{x: gather(o.x, rows), k: o.risk.ordered(rows), f: gather(o.f, rows)}
}

// follow brings the scores of rows up to date, chunk by chunk.
func (o *once) follow(m stepMove, rows []int) {
	eachChunk(len(rows), chunkRows, func(from, to int) {
		part := gather(o.f, rows[from:to])
		o.p.follow(m, part, gather(o.x, rows[from:to]))
		for i, r := range rows[from:to] {
			copy(row(o.f, r), row(part, i))
		}
	})
}

func (o *once) progress(batch sample) {
	o.visits++
	if !o.r.Silent() {
		o.r.Report(rkhs.Progress{Iteration: o.visits, ModelOrder: o.p.e.count(), Objective: batch.k.value(batch.f) / float64(batch.x.Rows), Gap: math.NaN()})
	}
}

// gather returns the given rows of m.
func gather(m compute.Matrix, rows []int) compute.Matrix {
	g := compute.NewMatrix(len(rows), m.Cols)
	for i, r := range rows {
		copy(row(g, i), row(m, r))
	}
	return g
}
