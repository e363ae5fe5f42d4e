package nystrom

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// Normal is the matrix
//
//	A = EᵀCE + s²I,   E = e(x),   C = I − 1·1ᵀ/n, or I without Centred,
//
// or, with weights W = diag(w) of the rows, C = W − w·wᵀ/(1ᵀw) or W. It solves kernel ridge regression
// on centres at n rows: f = b + e·a, A·a = EᵀC·y. The preconditioner is A estimated from the centres and
// some other rows. Source: Rudi, Carratino and Rosasco, "FALKON: an optimal large scale kernel method",
// NIPS 2017. FALKON estimates the preconditioner from the centres only, which are too few rows for a
// small ridge.
type Normal struct {
	X       compute.Points  // n×d
	Weights compute.Weights // of mean one, or nil
	Centred bool
	Stopped func() bool // is called within products

	kept         compute.Matrix // n×q for kernel values that Keep stores, or no rows
	filled       bool           // whether kept has all values
	centres      *Centres
	of           gram.Evaluator // of mapped rows and points
	rows, points compute.Points
	noise        float64        // s²
	factor       compute.Matrix // Cholesky factor of the preconditioner
	ones         compute.Matrix // k(C, X)·1, or k(C, X)·w
}

// NewNormal returns a matrix without a preconditioner. Call Right and then See before Precondition.
func NewNormal(c *Centres, x compute.Points, weights compute.Weights, noise float64, centred bool, stopped func() bool) *Normal {
	s := &Normal{X: x, Weights: weights, Centred: centred, Stopped: stopped, centres: c, noise: noise}
	s.of, s.rows = c.Of.MappedPoints(x)
	_, s.points = c.Of.MappedPoints(c.Points)
	return s
}

// Keep stores the kernel values of the rows and the centres, n×q, at the first product. Later products reuse
// them.
func (s *Normal) Keep() { s.kept = compute.NewMatrix(s.X.Rows, s.points.Rows) }

// See computes the preconditioner from the rows that are centres and from a sample of others other
// rows. It calls more with the number of finished other rows, and returns false if more does. Cost:
// O((m + q)·q·(d + q) + n·c·(d + c)) for m other rows and c ≤ 512 centres.
func (s *Normal) See(centres []int, others int, seed uint64, more func(done int) bool) bool {
	rows, times, ok := s.drawOthers(centres, others, rng.New(seed, "centres rows for the preconditioner", 0))
	if !ok {
		return false
	}
	gram, ok := s.gram(centres, rows, times, more)
	if !ok {
		return false
	}
	s.factorise(gram)
	return true
}

// firstCentres is the largest number of centres for the sampling probabilities of rows.
const firstCentres = 512

// drawOthers samples rows other than the centres and returns their importance weights. The probability of
// a row is the mean of two terms: one is proportional to its weight, the other to its weight times the
// residual k(x, x) given the first centres. The second term samples regions with few rows. ok is false if
// it was stopped.
func (s *Normal) drawOthers(centres []int, count int, stream *rng.Stream) (rows []int, times []float64, ok bool) {
	rest := make([]float64, s.X.Rows)
	everyOne := count >= len(rest)-len(centres)
	if !everyOne && !s.residual(rest) {
		return nil, nil, false
	}
	for i := range rest {
		rest[i] *= s.Weights.At(i)
	}
	for _, i := range centres {
		rest[i] = math.Inf(-1)
	}
	total, all := 0.0, 0.0
	for i, v := range rest {
		total += max(0, v)
		if v >= 0 {
			all += s.Weights.At(i)
		}
	}
	for i, v := range rest {
		if v < 0 {
			continue
		}
		chance := float64(count) * s.Weights.At(i) / all
		if total > 0 {
			chance = (chance + float64(count)*v/total) / 2
		}
		if everyOne {
			chance = 1
		}
		if chance >= 1 || stream.Float64() < chance {
			rows, times = append(rows, i), append(times, s.Weights.At(i)/min(1, chance))
		}
	}
	return rows, times, true
}

// residual sets dst to the residual k(x, x) given the first centres at all rows.
func (s *Normal) residual(dst []float64) bool {
	q := min(firstCentres, s.points.Rows)
	s.of.DiagOf(dst, s.rows)
	first := s.points.Between(0, q)
	inverse := compute.Columns(compute.Rows(s.centres.Inverse, 0, q), 0, q)
	k, e := compute.NewMatrix(chunkRows, q), compute.NewMatrix(chunkRows, q)
	for from, to := range compute.Chunks(s.X.Rows, chunkRows) {
		if s.Stopped() {
			return false
		}
		k, e := compute.Rows(k, 0, to-from), compute.Rows(e, 0, to-from)
		s.of.CrossOf(k, s.rows.Between(from, to), first)
		compute.Zero(e)
		compute.MulNN(e, k, inverse, s.of.Workers)
		for i := range e.Rows {
			for _, v := range compute.Row(e, i) {
				dst[from+i] -= float64(v * v)
			}
			dst[from+i] = max(0, dst[from+i])
		}
	}
	return true
}

// gram returns the upper triangle of EᵀCE at the centres and at other rows with weights times.
func (s *Normal) gram(centres, rows []int, times []float64, more func(done int) bool) (gram compute.Matrix, ok bool) {
	q := s.centres.Count()
	gram, means := compute.NewMatrix(q, q), make([]float64, q)
	if s.Centred {
		means = s.centres.Coordinates(s.ones).Data
		floats.Scale(1/float64(s.X.Rows), means)
	}
	for from, to := range compute.Chunks(q, chunkRows) {
		if !more(0) {
			return gram, false
		}
		s.addRows(gram, means, s.points.Between(from, to), s.Weights.Pick(centres[from:to]))
	}
	for from, to := range compute.Chunks(len(rows), chunkRows) {
		if !more(from) {
			return gram, false
		}
		s.addRows(gram, means, s.rows.Pick(rows[from:to]), times[from:to])
	}
	return gram, true
}

// addRows subtracts means from E at rows x and adds EᵀE with weights times, or 1 if nil.
func (s *Normal) addRows(gram compute.Matrix, means []float64, x compute.Points, times []float64) {
	k, e := compute.NewMatrix(x.Rows, gram.Rows), compute.NewMatrix(x.Rows, gram.Rows)
	s.of.CrossOf(k, x, s.points)
	compute.MulNN(e, k, s.centres.Inverse, s.of.Workers)
	for i := range e.Rows {
		row := compute.Row(e, i)
		floats.Sub(row, means)
		if times != nil {
			floats.Scale(math.Sqrt(times[i]), row)
		}
	}
	compute.AddGram(gram, e, s.of.Workers)
}

// factorise factorises the preconditioner. It increases the noise until that succeeds.
func (s *Normal) factorise(gram compute.Matrix) {
	for noise := s.noise; compute.Finite(noise); noise *= 10 {
		s.factor = compute.Clone(gram)
		for i := range s.factor.Rows {
			s.factor.Data[i*s.factor.Stride+i] += noise
		}
		if compute.Cholesky(s.factor, s.of.Workers) {
			return
		}
	}
}

// Right returns EᵀC·y, or false if it was stopped. O(n·q·(d + k)).
func (s *Normal) Right(y compute.Matrix) (right compute.Matrix, ok bool) {
	withOnes, means := compute.NewMatrix(y.Rows, y.Cols+1), make([]float64, y.Cols)
	if s.Centred {
		weighed := compute.Clone(y)
		s.Weights.Scale(weighed)
		means = columnSums(weighed)
		floats.Scale(1/float64(y.Rows), means)
	}
	for i := range y.Rows {
		row := compute.Row(withOnes, i)
		floats.SubTo(row[:y.Cols], compute.Row(y, i), means)
		row[y.Cols] = 1
	}
	s.Weights.Scale(withOnes)
	all, ok := s.sums(y.Cols+1, func(_ compute.Matrix, from, to int) compute.Matrix { return compute.Rows(withOnes, from, to) })
	s.ones = compute.Clone(compute.Columns(all, y.Cols, y.Cols+1))
	return s.centres.Coordinates(compute.Columns(all, 0, y.Cols)), ok
}

const (
	// cachedRows is the number of rows with kernel values in the cache of a worker.
	cachedRows = 64
	// groupRows is the number of rows in the unit of work, and groups the number of these units
	// between two calls of Stopped.
	groupRows, groups = 1024, 16
)

// sums returns k(C, X)·V, q×k. v returns rows of V, given their kernel values with the centres.
func (s *Normal) sums(k int, v func(values compute.Matrix, from, to int) compute.Matrix) (all compute.Matrix, ok bool) {
	n := s.X.Rows
	all = compute.NewMatrix(s.points.Rows, k)
	for first := 0; first < n; first += groupRows * groups {
		if s.Stopped() {
			return all, false
		}
		parts := make([]compute.Matrix, (min(n-first, groupRows*groups)+groupRows-1)/groupRows)
		compute.Parallel(len(parts), s.of.Workers, func(g int) {
			parts[g] = compute.NewMatrix(all.Rows, k)
			scratch, begin := compute.Matrix{}, first+g*groupRows
			if s.kept.Rows == 0 {
				scratch = compute.NewMatrix(cachedRows, all.Rows)
			}
			for from, to := range compute.Chunks(min(groupRows, n-begin), cachedRows) {
				values := s.values(scratch, begin+from, begin+to)
				compute.MulTN(parts[g], values, v(values, begin+from, begin+to), 1)
			}
		})
		for _, part := range parts {
			floats.Add(all.Data, part.Data)
		}
	}
	s.filled = s.kept.Rows > 0
	return all, true
}

// values returns the kernel values of some rows with the centres. It uses scratch memory unless Keep was
// called.
func (s *Normal) values(scratch compute.Matrix, from, to int) compute.Matrix {
	var dst compute.Matrix
	if s.kept.Rows > 0 {
		dst = compute.Rows(s.kept, from, to)
	} else {
		dst = compute.Rows(scratch, 0, to-from)
	}
	if !s.filled {
		of := s.of
		of.Workers = 1
		of.CrossOf(dst, s.rows.Between(from, to), s.points)
	}
	return dst
}

// Apply sets dst to A·v. It subtracts the mean of a function from its values before it sums them, because
// the values may be nearly constant. O(n·q·(d + k) + q²·k).
func (s *Normal) Apply(dst, v compute.Matrix) bool {
	w := s.centres.Weights(v)
	means := make([]float64, v.Cols)
	if s.Centred {
		means = s.Means(w)
	}
	all, ok := s.sums(v.Cols, func(values compute.Matrix, from, to int) compute.Matrix {
		f := compute.NewMatrix(to-from, v.Cols)
		compute.MulNN(f, values, w, 1)
		for i := range f.Rows {
			floats.Sub(compute.Row(f, i), means)
		}
		s.Weights.Between(from, to).Scale(f)
		return f
	})
	if !ok {
		return false
	}
	compute.CopyTo(dst, s.centres.Coordinates(all))
	for i, u := range v.Data {
		dst.Data[i] += float64(s.noise * u)
	}
	return true
}

// Means returns the means over the rows of the functions k(x, C)·weights.
func (s *Normal) Means(weights compute.Matrix) []float64 {
	m := make([]float64, weights.Cols)
	for i, all := range s.ones.Data {
		floats.AddScaled(m, all/float64(s.X.Rows), compute.Row(weights, i))
	}
	return m
}

// Precondition sets dst to P⁻¹r. O(q²·k).
func (s *Normal) Precondition(dst, r compute.Matrix) {
	compute.CopyTo(dst, r)
	solveFactor(s.factor, dst, s.of.Workers)
}

// Size returns the largest diagonal element of P times the number of centres.
func (s *Normal) Size() float64 {
	most := 0.0
	for j := range s.factor.Cols {
		column := compute.Columns(compute.Rows(s.factor, 0, j+1), j, j+1)
		most = math.Max(most, compute.ColumnDots(column, column)[0])
	}
	return most
}
