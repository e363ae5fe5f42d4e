package nystrom

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// Sample holds centres drawn from all rows of x, with their functions at the rows.
type Sample struct {
	*Centres
	At       []int          // the row numbers of the centres
	E        compute.Matrix // e at the rows, n×q
	Residual float64        // mean of k(x, x) − ‖e(x)‖² over the rows
}

// mostCandidates is the largest number of candidates drawn at a time.
const mostCandidates = 128

// Draw draws at most q centres from all rows of x, like New, but draws several candidates at a time and accepts
// them by rejection sampling, so that nearly all work is in matrix products. It stops early if progress,
// called before each draw, returns false. O(n·q·(d + q)). Source: Epperly, Tropp and Webber, "Embrace
// rejection: kernel matrix approximation by accelerated randomly pivoted Cholesky", 2024, algorithm 2.1.
func Draw(of gram.Evaluator, x compute.Points, q int, tolerance float64, seed uint64, progress func(done, most int) bool) (*Sample, error) {
	f, err := newFactorisation(of, x, q)
	if err != nil {
		return nil, err
	}
	p := &rejectionSampling{f, rng.New(seed, "centres proposed", 0)}
	p.run(tolerance, progress)
	s := &Sample{Centres: p.centres(), At: p.landmarks(), E: compute.NewMatrix(x.Rows, 1)}
	if k := len(p.rows); k > 0 {
		s.E, s.Residual = compute.Columns(p.l, 0, k), floats.Sum(p.residual)/float64(x.Rows)
	}
	return s, nil
}

// rejectionSampling adds several columns at a time.
type rejectionSampling struct {
	factorisation
	stream *rng.Stream
}

func (p *rejectionSampling) run(tolerance float64, progress func(done, most int) bool) {
	all, least := floats.Sum(p.residual), smallestResidual*floats.Max(p.residual)
	for len(p.rows) < p.l.Cols {
		for i, v := range p.residual {
			if v <= least {
				p.residual[i] = 0
			}
		}
		left := floats.Sum(p.residual)
		if left <= tolerance*all || left == 0 || !progress(len(p.rows), p.l.Cols) {
			return
		}
		p.add(p.draw(left))
	}
}

// draw draws rows in proportion to their residuals, and returns the accepted rows.
func (p *rejectionSampling) draw(left float64) []int {
	count := min(mostCandidates, max(1, p.l.Cols/8))
	at := make([]float64, count)
	for i := range at {
		at[i] = left * p.stream.Float64()
	}
	slices.Sort(at)
	var drawn []int
	sum, next := 0.0, 0
	for i, v := range p.residual {
		for sum += v; next < count && at[next] < sum; next++ {
			drawn = append(drawn, i)
		}
	}
	p.stream.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	return p.accept(drawn)
}

// accept returns the rows that sequential sampling would also have drawn.
func (p *rejectionSampling) accept(drawn []int) (kept []int) {
	h := p.residualGram(p.x.Pick(drawn), drawn)
	for i, row := range drawn { // without the rounding of all columns
		p.residual[row] = max(0, h.Data[i*h.Stride+i])
	}
	for i, row := range drawn {
		v := compute.Row(h, i)
		if !(p.stream.Float64()*p.residual[row] < v[i]) || v[i] <= smallestResidual*p.residual[row] || len(p.rows)+len(kept) == p.l.Cols {
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

// residualGram returns K − L·Lᵀ of the rows in z.
func (p *factorisation) residualGram(z compute.Points, rows []int) compute.Matrix {
	h := compute.NewMatrix(len(rows), len(rows))
	p.of.GramOf(h, z)
	p.subtract(h, compute.Pick(p.l, rows), compute.Pick(p.l, rows))
	return h
}

// subtract subtracts the products of rows of L from h.
func (p *factorisation) subtract(h, a, b compute.Matrix) {
	k := len(p.rows)
	if k == 0 {
		return
	}
	b = compute.Clone(compute.Columns(b, 0, k))
	floats.Scale(-1, b.Data)
	compute.MulNT(h, compute.Columns(a, 0, k), b, p.of.Workers)
}

// add adds the columns of rows unless they are linearly dependent.
func (p *factorisation) add(kept []int) {
	z := p.x.Pick(kept)
	corner := p.residualGram(z, kept)
	if len(kept) == 0 || !compute.Cholesky(corner, p.of.Workers) {
		for _, row := range kept {
			p.residual[row] = 0
		}
		return
	}
	k, inverse := len(p.rows), inverseOf(corner, p.of.Workers)
	for from, to := range compute.Chunks(p.x.Rows, chunkRows) {
		part := compute.NewMatrix(to-from, len(kept))
		p.of.CrossOf(part, p.x.Between(from, to), z)
		p.subtract(part, compute.Rows(p.l, from, to), compute.Pick(p.l, kept))
		columns := compute.Columns(compute.Rows(p.l, from, to), k, k+len(kept))
		compute.MulNN(columns, part, inverse, p.of.Workers)
		for i := range columns.Rows {
			for _, v := range compute.Row(columns, i) {
				p.residual[from+i] -= float64(v * v)
			}
		}
	}
	p.rows = append(p.rows, kept...)
	for i, v := range p.residual {
		p.residual[i] = max(0, v)
	}
	for _, row := range kept {
		p.residual[row] = 0
	}
}
