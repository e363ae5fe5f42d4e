package ratio

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/nystrom"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
)

const (
	searchRows    = 1000 // of each density
	searchCentres = 100
	largestRidge  = 10.0
	smallestRidge = 1e-6
	patience      = 2 // consecutive ridges without improvement
)

// bandwidths are the candidate multiples of the median distance.
var bandwidths = []float64{1, 1. / 4, 1. / 2, 2}

// hyperparameters are selected from the data.
type hyperparameters struct {
	kernel kernel.Kernel
	ridge  float64
}

// find selects the bandwidth and the ridge, if they are not given, by leave-one-out loss on
// up to 1000 rows of each density. It prefers the largest ridge within one standard error of
// the best: if few rows of q are near rows of p, the loss rewards large ratios without
// enough evidence.
func find(o *Options, all samples, m *progress.Monitor) (hyperparameters, error) {
	rows := all.rows
	bandwidth, err := search.Default(pkg, o.Kernel, rows, 1, o.Seed)
	if err != nil {
		return hyperparameters{}, err
	}
	k := bandwidth.Kernel()
	if _, err := search.MeanDiagonal(pkg, gram.Evaluator{Kernel: k, Workers: o.Workers}, rows); err != nil {
		return hyperparameters{}, err
	}
	if o.Kernel != nil && o.Ridge > 0 {
		return hyperparameters{k, o.Ridge}, nil
	}
	factors := bandwidths
	if o.Kernel != nil {
		factors = factors[:1]
	}
	some := all.sampled(o)
	var list []candidate
	for i, factor := range factors {
		m.Report(rkhs.Progress{Phase: "search", Done: i, Total: len(factors), Objective: math.NaN(), Gap: math.NaN()})
		more, err := candidates(o, bandwidth.Times(factor), some, m.Stopped)
		if err != nil {
			return hyperparameters{}, err
		}
		list = append(list, more...)
	}
	if t := simplest(list, some.above); t.losses != nil {
		return t.hyperparameters, nil
	}
	return hyperparameters{k, cmp.Or(o.Ridge, 0.1)}, nil
}

// candidate has the leave-one-out loss of each row and the sum.
type candidate struct {
	hyperparameters
	losses []float64
	loss   float64
}

// simplest returns the candidate with the largest ridge within one standard error of the
// best. The first above rows are from p. It returns a candidate without losses if no loss
// is finite.
func simplest(candidates []candidate, above int) candidate {
	best := candidate{loss: math.Inf(1)}
	for _, t := range candidates {
		if t.loss < best.loss {
			best = t
		}
	}
	if best.losses == nil {
		return best
	}
	selected := best
	for _, t := range candidates {
		simpler := t.ridge > selected.ridge || t.ridge == selected.ridge && t.loss < selected.loss
		if simpler && t.loss-best.loss <= standardError(t.losses, best.losses, above) {
			selected = t
		}
	}
	return selected
}

// standardError returns the standard error of the difference of two sums of losses over
// independent rows.
func standardError(losses, others []float64, above int) float64 {
	differences := make([]float64, len(losses))
	for i, v := range losses {
		differences[i] = v - others[i]
	}
	n, m := float64(above), float64(len(differences)-above)
	_, p := stat.PopMeanVariance(differences[:above], nil)
	_, q := stat.PopMeanVariance(differences[above:], nil)
	return math.Sqrt(n*p + m*q)
}

// sampled draws the rows of each density for the search.
func (s samples) sampled(o *Options) samples {
	draw := func(n int, kind uint64) []int {
		return rng.New(o.Seed, "doublysgd ratio", kind).Sample(n, min(n, searchRows))
	}
	rows := draw(s.above, 0)
	some := samples{above: len(rows)}
	for _, i := range draw(s.rows.Rows-s.above, 1) {
		rows = append(rows, s.above+i)
	}
	some.rows, some.weights = s.rows.Pick(rows), s.weights.Pick(rows)
	return some
}

// candidates scores ridges, from the largest down until patience runs out, or the given
// ridge. It uses a few landmarks and ignores the residual of the kernel.
func candidates(o *Options, k kernel.Kernel, s samples, stopped func() bool) ([]candidate, error) {
	x := s.rows
	c, _, err := nystrom.New(gram.Evaluator{Kernel: k, Workers: o.Workers}, x, searchCentres, descent.Negligible, o.Seed, func(int, int) bool { return !stopped() })
	if err != nil {
		return nil, fmt.Errorf("ratio: %w", err)
	}
	first, last := largestRidge, smallestRidge
	if o.Ridge > 0 {
		first, last = o.Ridge, o.Ridge
	}
	p := &problem{form: o.Form, e: c.At(x), above: s.above, weights: s.weights, random: make([]float64, x.Rows), workers: o.Workers, stopped: stopped}
	phi := compute.NewMatrix(c.Count(), 1)
	var all []candidate
	for least, idle := math.Inf(1), 0; first > 0.99*last && idle < patience && !stopped(); first /= 10 {
		p.nu = first
		losses := p.leaveOneOut(p.solve(phi))
		t := candidate{hyperparameters{k, p.nu}, losses, floats.Sum(losses)}
		all = append(all, t)
		if idle++; t.loss < least {
			least, idle = t.loss, 0
		}
	}
	return all, nil
}

// leaveOneOut returns the approximate leave-one-out loss of each row. Without row i, the
// value at row i is, to first order in its gradient,
//
//	f_i + h_i·l'_i/(1 − h_i·l''_i),   h_i = e(x_i)ᵀH⁻¹e(x_i),
//
// for values f at the minimum and the Hessian H. Source: Rad and Maleki, "A scalable
// estimate of the out-of-sample prediction error via approximate leave-one-out
// cross-validation", Journal of the Royal Statistical Society B 82, 2020.
func (p *problem) leaveOneOut(f compute.Matrix) []float64 {
	losses := make([]float64, f.Rows)
	hessian := p.hessian(f)
	if !compute.Cholesky(hessian, p.workers) {
		losses[0] = math.Inf(1)
		return losses
	}
	spread := compute.Transpose(p.e)
	compute.SolveUpper(hessian, spread, true, p.workers)
	share := make([]float64, f.Rows)
	for i := range spread.Rows {
		for j, v := range compute.Row(spread, i) {
			share[j] += v * v
		}
	}
	for i, v := range f.Data {
		_, first, second := p.at(i, v)
		losses[i], _, _ = p.at(i, p.credible(i, v+share[i]*first/(1-share[i]*second)))
	}
	return losses
}

// credible clips the value f of row i. The loss would otherwise reward negative ratios where
// rows of p are rare, and large ratios where rows of q are rare. The mean of w over q is 1,
// so m rows of q cannot support a ratio above m.
func (p *problem) credible(i int, f float64) float64 {
	most := float64(p.e.Rows - p.above)
	switch {
	case i < p.above && p.form == Log:
		return min(f, math.Log(most))
	case p.form == Log:
		return f
	case i < p.above:
		f = min(f, most)
	}
	return max(0, f)
}
