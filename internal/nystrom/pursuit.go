package nystrom

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
)

const (
	// pursuitSteps is the smallest number of comparisons of all points.
	pursuitSteps = 64
	// candidatesPerPoint is the number of candidates for each selected point.
	candidatesPerPoint = 4
)

// Pursue selects at most q of the points x of a function with values f(x), n×k, and projects it onto
// their span. It returns the points and the weights of the projection f_q. Each point approximately
// minimises ‖f − f_q‖, which it reduces by
//
//	Σ_o (f_o(x) − f_qo(x))²/(k(x, x) − ‖e(x)‖²),
//
// It stops early if progress, called before each comparison of all points, returns false.
// O(n·q·(d + q)). Source: Vincent and Bengio, "Kernel matching pursuit", Machine Learning 48, 2002,
// section 3, the pre-fitting variant.
func Pursue(of gram.Evaluator, x compute.Points, values compute.Matrix, q int, progress func(done, most int) bool) (rows []int, weights compute.Matrix) {
	p := &pursuit{left: compute.Clone(values), coordinates: compute.NewMatrix(min(q, x.Rows), values.Cols),
		factorisation: factorisation{of: of, x: x, residual: make([]float64, x.Rows), l: compute.NewMatrix(x.Rows, min(q, x.Rows))}}
	of.DiagOf(p.residual, x)
	p.least = smallestResidual * floats.Max(p.residual)
	for len(p.rows) < p.l.Cols && progress(len(p.rows), p.l.Cols) {
		candidates := p.candidates()
		if len(candidates) == 0 {
			break
		}
		p.addPoints(p.best(candidates))
	}
	if len(p.rows) == 0 {
		return nil, compute.Matrix{}
	}
	weights = compute.Clone(compute.Rows(p.coordinates, 0, len(p.rows)))
	compute.SolveUpper(p.triangle(), weights, false, of.Workers)
	return p.rows, weights
}

// pursuit is the state of Pursue.
type pursuit struct {
	factorisation
	left        compute.Matrix // values of f − f_q, n×k
	coordinates compute.Matrix // <f, e>
	least       float64        // smallest k(x, x) − ‖e(x)‖² above rounding
}

// count returns the number of points to select at once.
func (p *pursuit) count() int {
	return min(mostCandidates, 1+p.l.Cols/pursuitSteps, p.l.Cols-len(p.rows))
}

// candidates returns the points that would each reduce the distance most, in descending order.
func (p *pursuit) candidates() []int {
	gain, list := make([]float64, p.x.Rows), make([]int, 0, p.x.Rows)
	for i, residual := range p.residual {
		if residual <= p.least {
			continue
		}
		for _, v := range compute.Row(p.left, i) {
			gain[i] += float64(v * v / residual)
		}
		if gain[i] > 0 {
			list = append(list, i)
		}
	}
	slices.SortFunc(list, func(i, j int) int { return cmp.Or(cmp.Compare(gain[j], gain[i]), cmp.Compare(i, j)) })
	return list[:min(len(list), candidatesPerPoint*p.count())]
}

// best selects from the candidates one after the other.
func (p *pursuit) best(candidates []int) (selected []int) {
	h, left := p.residualGram(p.x.Pick(candidates), candidates), compute.Pick(p.left, candidates)
	for range p.count() {
		best, most := -1, 0.0
		for i := range candidates {
			residual, gain := h.Data[i*h.Stride+i], 0.0
			for _, v := range compute.Row(left, i) {
				gain += float64(v * v / residual)
			}
			if residual > p.least && gain > most {
				best, most = i, gain
			}
		}
		if best < 0 {
			break
		}
		selected = append(selected, candidates[best])
		eliminate(h, left, best)
	}
	return selected
}

// eliminate subtracts the projections onto a point from h and from values.
func eliminate(h, values compute.Matrix, point int) {
	column, at := slices.Clone(compute.Row(h, point)), slices.Clone(compute.Row(values, point))
	pivot := column[point]
	for i, v := range column {
		floats.AddScaled(compute.Row(h, i), -v/pivot, column)
		floats.AddScaled(compute.Row(values, i), -v/pivot, at)
	}
}

// addPoints adds points and updates the residual of the values.
func (p *pursuit) addPoints(selected []int) {
	before := len(p.rows)
	p.add(selected)
	count := len(p.rows) - before
	if count == 0 { // linearly dependent up to rounding
		return
	}
	e := compute.Columns(p.l, before, len(p.rows))
	a := compute.Rows(p.coordinates, before, len(p.rows))
	compute.CopyTo(a, compute.Pick(p.left, selected))
	compute.SolveUpper(compute.Transpose(compute.Pick(e, selected)), a, true, p.of.Workers)
	negative := compute.Clone(a)
	floats.Scale(-1, negative.Data)
	compute.MulNN(p.left, e, negative, p.of.Workers)
}
