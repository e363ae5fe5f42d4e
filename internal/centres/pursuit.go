package centres

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

const (
	// pursuitSteps is the number of times that all points are compared, at least.
	pursuitSteps = 64
	// contendersPerPoint is the number of points among which, at each time, one is chosen.
	contendersPerPoint = 4
)

// Pursue chooses at most q of the points x of a function, of which the values f(x) are
// given, n×k, and projects it onto theirs: it returns the points and the weights of the
// projection. Each point is nearly the one that lowers the distance ‖f − f_q‖ most, by
//
//	Σ_o (f_o(x) − f_qo(x))²/(k(x, x) − ‖e(x)‖²),
//
// where some are chosen at a time: each of these is the best of the contenders. Before
// each of these times more gets the number of points and the most that there may be, and
// tells whether to go on. O(n·q·(d + q)). Source: Vincent and Bengio, "Kernel matching
// pursuit", Machine Learning 48, 2002, section 3, for the pre-fitting variant.
func Pursue(of gram.Evaluator, x compute.Points, values compute.Matrix, q int, more func(done, most int) bool) (rows []int, weights compute.Matrix) {
	p := &pursuit{left: compute.Clone(values), coordinates: compute.NewMatrix(min(q, x.Rows), values.Cols),
		proposals: proposals{of: of, x: x, rest: make([]float64, x.Rows), l: compute.NewMatrix(x.Rows, min(q, x.Rows))}}
	of.DiagOf(p.rest, x)
	p.least = smallestRest * floats.Max(p.rest)
	for len(p.rows) < p.l.Cols && more(len(p.rows), p.l.Cols) {
		contenders := p.contenders()
		if len(contenders) == 0 {
			break
		}
		p.add(p.best(contenders))
	}
	if len(p.rows) == 0 {
		return nil, compute.Matrix{}
	}
	weights = compute.Clone(compute.Rows(p.coordinates, 0, len(p.rows)))
	u := compute.Transpose(compute.Columns(compute.Pick(p.l, p.rows), 0, len(p.rows)))
	compute.SolveUpper(u, weights, false, of.Workers)
	return p.rows, weights
}

// pursuit is a choice of points under way.
type pursuit struct {
	proposals
	left        compute.Matrix // values of f − f_q, n×k
	coordinates compute.Matrix // <f, e>
	least       float64        // of k(x, x) − ‖e(x)‖² that is not rounding
}

// count is the number of points that are chosen at a time.
func (p *pursuit) count() int {
	return min(mostProposals, 1+p.l.Cols/pursuitSteps, p.l.Cols-len(p.rows))
}

// contenders returns the points that alone would lower the distance most, the best first.
func (p *pursuit) contenders() []int {
	gain, list := make([]float64, p.x.Rows), make([]int, 0, p.x.Rows)
	for i, rest := range p.rest {
		if rest <= p.least {
			continue
		}
		for _, v := range compute.Row(p.left, i) {
			gain[i] += float64(v * v / rest)
		}
		if gain[i] > 0 {
			list = append(list, i)
		}
	}
	slices.SortFunc(list, func(i, j int) int { return cmp.Or(cmp.Compare(gain[j], gain[i]), cmp.Compare(i, j)) })
	return list[:min(len(list), contendersPerPoint*p.count())]
}

// best chooses from contenders one after the other.
func (p *pursuit) best(contenders []int) (chosen []int) {
	h, left := p.residual(p.x.Pick(contenders), contenders), compute.Pick(p.left, contenders)
	for range p.count() {
		best, most := -1, 0.0
		for i := range contenders {
			rest, gain := h.Data[i*h.Stride+i], 0.0
			for _, v := range compute.Row(left, i) {
				gain += float64(v * v / rest)
			}
			if rest > p.least && gain > most {
				best, most = i, gain
			}
		}
		if best < 0 {
			break
		}
		chosen = append(chosen, contenders[best])
		eliminate(h, left, best)
	}
	return chosen
}

// eliminate takes from h, and from values, what a point explains of them.
func eliminate(h, values compute.Matrix, point int) {
	column, at := slices.Clone(compute.Row(h, point)), slices.Clone(compute.Row(values, point))
	pivot := column[point]
	for i, v := range column {
		floats.AddScaled(compute.Row(h, i), -v/pivot, column)
		floats.AddScaled(compute.Row(values, i), -v/pivot, at)
	}
}

// add takes points, and lessens what is left of the values.
func (p *pursuit) add(chosen []int) {
	before := len(p.rows)
	p.take(chosen)
	count := len(p.rows) - before
	if count == 0 { // they depend on others to rounding, and are out
		return
	}
	e := compute.Columns(p.l, before, len(p.rows))
	a := compute.Rows(p.coordinates, before, len(p.rows))
	compute.CopyTo(a, compute.Pick(p.left, chosen))
	compute.SolveUpper(compute.Transpose(compute.Pick(e, chosen)), a, true, p.of.Workers)
	negative := compute.Clone(a)
	floats.Scale(-1, negative.Data)
	compute.MulNN(p.left, e, negative, p.of.Workers)
}
