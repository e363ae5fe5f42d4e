package centres

import (
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// Centres span the part of a kernel that needs no random features: with
// UᵀU = K_CC of the centres C, the functions
//
//	e(x) = k(x, C)·U⁻¹
//
// are orthonormal in the space of the kernel, and <h, e> = U⁻ᵀh(C) for any h.
type Centres struct {
	Of      gram.Evaluator
	Points  compute.Points // C, q×d
	Inverse compute.Matrix // U⁻¹
}

const (
	// CandidateRows is the number of rows among which centres are looked for.
	CandidateRows = 4096
	// chunkRows is the number of rows whose kernel values are held at a time.
	chunkRows = 1024
	// askedEvery is the number of centres after which is asked whether to go on.
	askedEvery = 50
	// smallestRest is the fraction of the largest k(x, x) below which what a
	// row adds to the centres is rounding.
	smallestRest = 1e-12
)

// New draws at most q centres from the rows of x, each with a probability
// that goes by what the ones before leave of its k(x, x), until no more than the
// fraction enough of the sum of k(x, x) is left. It returns the centres and the
// rows that they are. O(c·q·(d + q)) for c = 4096 candidates at most. Source: Chen,
// Epperly, Tropp and Webber, "Randomly pivoted Cholesky", Communications on Pure
// and Applied Mathematics 78, 2025, algorithm 1. Unless it is nil, more tells every few
// dozen centres, of which it gets their number and the most that there may be, whether
// to go on.
func New(of gram.Evaluator, x compute.Points, q int, enough float64, seed uint64, more func(done, most int) bool) (*Centres, []int, error) {
	stream := rng.New(seed, "doublysgd centres", 0)
	candidates := stream.Sample(x.Rows, min(x.Rows, CandidateRows))
	z := x.Pick(candidates)
	rest := make([]float64, z.Rows)
	of.DiagOf(rest, z)
	if v := slices.IndexFunc(rest, func(v float64) bool { return !compute.Finite(v) }); v >= 0 {
		return nil, nil, fmt.Errorf("k(x, x) = %v: %w", rest[v], rkhs.ErrNotFinite)
	}
	p := &pivoting{of: of, x: z, rest: rest, l: compute.NewMatrix(z.Rows, min(q, z.Rows))}
	p.run(enough, stream, more)
	if len(p.pivots) == 0 { // k is zero: one centre, of which nothing is asked
		return &Centres{of, z.Pick([]int{0}), compute.NewMatrix(1, 1)}, candidates[:1], nil
	}
	u := compute.NewMatrix(len(p.pivots), len(p.pivots))
	inverse := compute.NewMatrix(u.Rows, u.Rows)
	rows := make([]int, u.Rows)
	for j, pivot := range p.pivots {
		rows[j] = candidates[pivot]
		inverse.Data[j*inverse.Stride+j] = 1
		for i := range j + 1 {
			u.Data[i*u.Stride+j] = p.l.Data[pivot*p.l.Stride+i]
		}
	}
	compute.SolveUpper(u, inverse, false, of.Workers)
	return &Centres{of, x.Pick(rows), inverse}, rows, nil
}

// Watched reports the number of centres to a monitor, in the phase "centres", and goes on
// until it stops.
func Watched(m *monitor.Monitor) func(done, most int) bool {
	return func(done, most int) bool {
		m.Report(rkhs.Progress{Phase: "centres", Done: done, Total: most, Objective: math.NaN(), Gap: math.NaN()})
		return !m.Stopped()
	}
}

// pivoting is a Cholesky factorisation K = L·Lᵀ under way, column by column.
type pivoting struct {
	of     gram.Evaluator
	x      compute.Points
	l      compute.Matrix
	rest   []float64 // the diagonal of K − L·Lᵀ
	pivots []int
}

func (p *pivoting) run(enough float64, stream *rng.Stream, more func(done, most int) bool) {
	largest, all := 0.0, 0.0
	for _, v := range p.rest {
		largest, all = max(largest, v), all+v
	}
	for len(p.pivots) < p.l.Cols {
		left := p.left(smallestRest * largest)
		if left <= enough*all {
			return
		}
		if done := len(p.pivots); done > 0 && done%askedEvery == 0 && more != nil && !more(done, p.l.Cols) {
			return
		}
		p.take(p.draw(left * stream.Float64()))
	}
}

// left sets what is below the limit to zero and returns the sum of what is left.
func (p *pivoting) left(limit float64) float64 {
	sum := 0.0
	for i, v := range p.rest {
		if v <= limit {
			p.rest[i] = 0
		}
		sum += p.rest[i]
	}
	return sum
}

// draw returns the first row at which the running sum of what is left exceeds u.
func (p *pivoting) draw(u float64) int {
	last := 0
	for i, v := range p.rest {
		if v == 0 {
			continue
		}
		last = i
		if u -= v; u < 0 {
			break
		}
	}
	return last
}

// take adds the column of a pivot.
func (p *pivoting) take(pivot int) {
	k, one := len(p.pivots), compute.NewMatrix(p.x.Rows, 1)
	p.of.CrossOf(one, p.x, p.x.Between(pivot, pivot+1))
	if k > 0 {
		done := p.l
		done.Cols = k
		part := compute.NewMatrix(p.x.Rows, 1)
		compute.MulNT(part, done, compute.Rows(done, pivot, pivot+1), p.of.Workers)
		for i, v := range part.Data {
			one.Data[i] -= v
		}
	}
	root := math.Sqrt(p.rest[pivot])
	for i := range p.rest {
		v := one.Data[i] / root
		p.l.Data[i*p.l.Stride+k] = v
		p.rest[i] = max(0, p.rest[i]-float64(v*v))
	}
	p.l.Data[pivot*p.l.Stride+k] = root
	p.rest[pivot] = 0
	p.pivots = append(p.pivots, pivot)
}

// Count returns q.
func (c *Centres) Count() int { return c.Points.Rows }

// At returns e at the rows of x, n×q. O(n·q·(d + q)).
func (c *Centres) At(x compute.Points) compute.Matrix {
	e := compute.NewMatrix(x.Rows, c.Count())
	k := compute.NewMatrix(min(x.Rows, chunkRows), c.Count())
	for from, to := range compute.Chunks(x.Rows, chunkRows) {
		part := compute.Rows(k, 0, to-from)
		c.Of.CrossOf(part, x.Between(from, to), c.Points)
		compute.MulNN(compute.Rows(e, from, to), part, c.Inverse, c.Of.Workers)
	}
	return e
}

// Rest returns the mean over the rows of x, at which e is given, of what the centres
// leave of k(x, x).
func (c *Centres) Rest(x compute.Points, e compute.Matrix) float64 {
	if c.Count() == x.Rows {
		return 0 // but for rounding
	}
	diag := make([]float64, x.Rows)
	c.Of.DiagOf(diag, x)
	sum := 0.0
	for i, v := range diag {
		for _, e := range compute.Row(e, i) {
			v -= float64(e * e)
		}
		sum += max(0, v) / float64(x.Rows)
	}
	return sum
}

// Coordinates returns <h, e> for functions h by their values at the centres, q×k.
func (c *Centres) Coordinates(h compute.Matrix) compute.Matrix {
	a := compute.NewMatrix(c.Count(), h.Cols)
	compute.MulTN(a, c.Inverse, h, c.Of.Workers)
	return a
}

// Weights returns the weights of k(x, C) that make e(x)·a.
func (c *Centres) Weights(a compute.Matrix) compute.Matrix {
	w := compute.NewMatrix(c.Count(), a.Cols)
	compute.MulNN(w, c.Inverse, a, c.Of.Workers)
	return w
}
