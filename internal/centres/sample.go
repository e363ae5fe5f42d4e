package centres

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// Sample holds centres that were drawn among all rows of x, and what is known of these.
type Sample struct {
	*Centres
	At   []int          // the rows that the centres are
	E    compute.Matrix // e at the rows, n×q
	Rest float64        // mean over the rows of what the centres leave of k(x, x)
}

// mostProposals is the number of centres that are proposed at a time.
const mostProposals = 128

// Draw draws at most q centres from the rows of x as New does, but several at a time, of
// which those stay that their predecessors would have let be drawn, so that nearly all
// of the work is products of matrices. O(n·q·(d + q)). Source: Epperly, Tropp and Webber, "Embrace rejection: kernel
// matrix approximation by accelerated randomly pivoted Cholesky", 2024, algorithm 2.1.
// Before each proposal more gets the number of centres and the most that there may be, and
// tells whether to go on.
func Draw(of gram.Evaluator, x compute.Points, q int, enough float64, seed uint64, more func(done, most int) bool) (*Sample, error) {
	p := &proposals{of: of, x: x, rest: make([]float64, x.Rows), stream: rng.New(seed, "centres proposed", 0),
		l: compute.NewMatrix(x.Rows, min(q, x.Rows))}
	of.DiagOf(p.rest, x)
	if i := slices.IndexFunc(p.rest, func(v float64) bool { return !compute.Finite(v) }); i >= 0 {
		return nil, fmt.Errorf("k(x, x) = %v: %w", p.rest[i], rkhs.ErrNotFinite)
	}
	p.run(enough, more)
	if len(p.rows) == 0 { // k is zero: one centre, of which nothing is asked
		return &Sample{Centres: &Centres{of, x.Pick([]int{0}), compute.NewMatrix(1, 1)}, At: []int{0}, E: compute.NewMatrix(x.Rows, 1)}, nil
	}
	p.l.Cols = len(p.rows)
	u := compute.Transpose(compute.Pick(p.l, p.rows))
	return &Sample{Centres: &Centres{of, x.Pick(p.rows), inverseOf(u, of.Workers)}, At: p.rows, E: p.l,
		Rest: floats.Sum(p.rest) / float64(x.Rows)}, nil
}

// inverseOf returns that of an upper triangle.
func inverseOf(u compute.Matrix, workers int) compute.Matrix {
	inverse := compute.NewMatrix(u.Rows, u.Rows)
	for i := range u.Rows {
		inverse.Data[i*inverse.Stride+i] = 1
	}
	compute.SolveUpper(u, inverse, false, workers)
	return inverse
}

// proposals is a Cholesky factorisation K = L·Lᵀ under way, several columns at a time.
type proposals struct {
	of     gram.Evaluator
	x      compute.Points
	l      compute.Matrix
	rest   []float64 // the diagonal of K − L·Lᵀ
	rows   []int     // that the columns are
	stream *rng.Stream
}

func (p *proposals) run(enough float64, more func(done, most int) bool) {
	all, least := floats.Sum(p.rest), smallestRest*floats.Max(p.rest)
	for len(p.rows) < p.l.Cols {
		for i, v := range p.rest {
			if v <= least {
				p.rest[i] = 0
			}
		}
		left := floats.Sum(p.rest)
		if left <= enough*all || left == 0 || !more(len(p.rows), p.l.Cols) {
			return
		}
		p.take(p.propose(left))
	}
}

// propose draws rows by what is left of k(x, x), and returns those that are kept.
func (p *proposals) propose(left float64) []int {
	count := min(mostProposals, max(1, p.l.Cols/8))
	at := make([]float64, count)
	for i := range at {
		at[i] = left * p.stream.Float64()
	}
	slices.Sort(at)
	var drawn []int
	sum, next := 0.0, 0
	for i, v := range p.rest {
		for sum += v; next < count && at[next] < sum; next++ {
			drawn = append(drawn, i)
		}
	}
	p.stream.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	return p.keep(drawn)
}

// keep returns the rows that are drawn again when those before them have been taken.
func (p *proposals) keep(drawn []int) (kept []int) {
	h := p.residual(p.x.Pick(drawn), drawn)
	for i, row := range drawn { // less the rounding of all columns
		p.rest[row] = max(0, h.Data[i*h.Stride+i])
	}
	for i, row := range drawn {
		v := compute.Row(h, i)
		if !(p.stream.Float64()*p.rest[row] < v[i]) || v[i] <= smallestRest*p.rest[row] || len(p.rows)+len(kept) == p.l.Cols {
			continue
		}
		kept = append(kept, row)
		pivot := v[i]
		for j := i + 1; j < len(drawn); j++ {
			floats.AddScaled(compute.Row(h, j)[i+1:], -v[j]/pivot, v[i+1:])
		}
	}
	return kept
}

// residual returns K − L·Lᵀ among rows, z being these.
func (p *proposals) residual(z compute.Points, rows []int) compute.Matrix {
	h := compute.NewMatrix(len(rows), len(rows))
	p.of.GramOf(h, z)
	p.less(h, compute.Pick(p.l, rows), compute.Pick(p.l, rows))
	return h
}

// less subtracts from h the products of rows of L.
func (p *proposals) less(h, a, b compute.Matrix) {
	k := len(p.rows)
	if k == 0 {
		return
	}
	b = compute.Clone(compute.Columns(b, 0, k))
	floats.Scale(-1, b.Data)
	compute.MulNT(h, compute.Columns(a, 0, k), b, p.of.Workers)
}

// take adds the columns of the rows that are kept, as far as they are independent.
func (p *proposals) take(kept []int) {
	z := p.x.Pick(kept)
	corner := p.residual(z, kept)
	if len(kept) == 0 || !compute.Cholesky(corner, p.of.Workers) {
		for _, row := range kept {
			p.rest[row] = 0
		}
		return
	}
	k, inverse := len(p.rows), inverseOf(corner, p.of.Workers)
	for from, to := range compute.Chunks(p.x.Rows, chunkRows) {
		part := compute.NewMatrix(to-from, len(kept))
		p.of.CrossOf(part, p.x.Between(from, to), z)
		p.less(part, compute.Rows(p.l, from, to), compute.Pick(p.l, kept))
		columns := compute.Columns(compute.Rows(p.l, from, to), k, k+len(kept))
		compute.MulNN(columns, part, inverse, p.of.Workers)
		for i := range columns.Rows {
			for _, v := range compute.Row(columns, i) {
				p.rest[from+i] -= float64(v * v)
			}
		}
	}
	p.rows = append(p.rows, kept...)
	for i, v := range p.rest {
		p.rest[i] = max(0, v)
	}
	for _, row := range kept {
		p.rest[row] = 0
	}
}
