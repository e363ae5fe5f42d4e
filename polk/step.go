package polk

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// step performs a step on validated rows. A failed step changes no state.
func (d *descent) step(b batch) (Step, error) {
	if err := checkMemory(d.set, b, d.f.order(), d.f.width, d.f.metric.numbers(d.f.order()+b.x.Rows)); err != nil {
		return Step{}, err
	}
	s := Step{Rows: b.x.Rows, Rate: d.rate(b.x.Rows)}
	var sum float64
	sum, s.Mistakes = d.predict(b)
	s.Loss = sum / b.weights.Total(b.x.Rows)
	if err := d.gather(b, s.Rate); err != nil {
		return Step{}, err
	}
	d.keepScores(b)
	for d.f.outputs < b.outputs {
		d.f.widen()
		d.b.widen()
	}
	if !d.set.NoIntercept {
		d.b.step(d.g, b.weights, d.constantRate())
	}
	d.clip.follow(d.g)
	d.update(&s)
	d.totals.add(s, d.zeroLoss(b, s))
	g := 4 / float64(d.totals.Steps+3)
	d.f.average(g)
	d.b.average(g)
	if d.f.metric != nil {
		d.f.metric.measure(d.f.dictionary)
	}
	return s, nil
}

// predict computes the scores of a batch, their gradients, and the loss and mistakes of the
// model. New classes score zero.
func (d *descent) predict(b batch) (loss float64, mistakes int) {
	d.f.cross(compute.Reshape(&d.k, b.x.Rows, d.f.order()), b.x)
	compute.Reshape(&d.g, b.x.Rows, b.outputs)
	if d.set.averaged() {
		d.score(&d.served, b, d.f.outputs, d.b.averaged)
		loss, mistakes = gradients(d.set.Loss, d.g, d.served, b)
	}
	d.score(&d.scores, b, 0, d.b.own)
	own, wrong := gradients(d.set.Loss, d.g, d.scores, b)
	if !d.set.averaged() {
		loss, mistakes = own, wrong
	}
	return loss, mistakes
}

// score sets dst to the scores of a batch by the weights from a column on.
func (d *descent) score(dst *compute.Matrix, b batch, column int, constant []float64) {
	compute.Reshape(dst, b.x.Rows, b.outputs)
	clear(dst.Data)
	known := *dst
	known.Cols = d.f.outputs
	d.f.scores(known, d.k, column)
	compute.AddRow(known, constant)
}

// zeroLoss returns the mean loss of the constant without f, for a stalled step.
func (d *descent) zeroLoss(b batch, s Step) float64 {
	if !s.Stalled {
		return 0
	}
	clear(d.scores.Data)
	known := d.scores
	known.Cols = len(d.b.own)
	compute.AddRow(known, d.b.served())
	sum, _ := gradients(d.set.Loss, d.g, d.scores, b)
	return sum / b.weights.Total(b.x.Rows)
}

// gather collects the rows with a gradient, their kernel values, and their weights in a step of
// size eta.
func (d *descent) gather(b batch, eta float64) error {
	if exceeds(d.scores.Data) || d.set.averaged() && exceeds(d.served.Data) {
		return fmt.Errorf("polk: a score is out of range; Rate is too large: %w", rkhs.ErrDiverged)
	}
	d.clip.apply(d.g)
	d.active = d.active[:0]
	for i := range b.x.Rows {
		if squaredNorm(compute.Row(d.g, i)) > 0 {
			d.active = append(d.active, i)
		}
	}
	q := len(d.active)
	b.x.PickTo(&d.x, d.active)
	compute.PickTo(compute.Reshape(&d.kActive, q, d.f.order()), d.k, d.active)
	d.f.eval.GramOf(compute.Reshape(&d.f.kk, q, q), d.x)
	d.f.prepare(d.kActive)
	compute.Reshape(&d.w, q, b.outputs*(d.f.width/d.f.outputs))
	clear(d.w.Data)
	rows := d.rows(b, eta)
	for n, i := range d.active {
		size := b.weights.At(i) * eta / rows
		if m := d.f.metric; m != nil { // an isolated row would move its own score past the target
			size = min(size, d.gain()/m.own[n])
		}
		floats.AddScaled(compute.Row(d.w, n)[:b.outputs], -size, compute.Row(d.g, i))
	}
	if exceeds(d.w.Data) || exceeds(d.f.kk.Data) {
		return fmt.Errorf("polk: a weight or a kernel value is out of range: %w", rkhs.ErrDiverged)
	}
	return nil
}

// update applies the step to the gathered rows.
func (d *descent) update(s *Step) {
	s.Active = len(d.active)
	if m := d.f.metric; m != nil && d.f.order() > 0 {
		m.correct(d.f.dictionary, d.w, d.f.t, s.Rate*d.ridge())
	} else {
		d.f.shrink(1 - s.Rate*d.ridge())
	}
	if s.Active > 0 {
		orthogonal := d.orthogonalNorm()
		budget := d.budget(s.Rate, orthogonal)
		done := d.f.extend(d.x, d.w, budget, d.set.MaxPoints)
		s.Added, s.Folded, s.Pruned, s.Forced = done.added, done.folded, done.pruned, done.forced
		s.Norm, s.Budget, s.Error = done.norm, math.Sqrt(budget), math.Sqrt(done.spent)
		s.Stalled = budget >= max(orthogonal, done.norm*done.norm)
	}
	s.ModelOrder = d.f.order()
}

// orthogonalNorm returns Σ_i ‖w_i‖²·k(x_i, x_i) over the active rows, the squared norm of the
// step if their kernel functions were orthogonal.
func (d *descent) orthogonalNorm() (sum float64) {
	for i := range d.w.Rows {
		sum += squaredNorm(compute.Row(d.w, i)) * compute.Row(d.f.kk, i)[i]
	}
	return sum
}
