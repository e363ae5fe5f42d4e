package slkl

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
)

const (
	keptShare       = 3  // one landmark in three is not redrawn
	testShare       = 3  // the preliminary fit holds out one row in three
	preliminaryRows = 10 // rows for each landmark, at most
	preliminarySize = 512
)

// preliminary redraws landmarks by the residuals of ridge regression on a few uniform landmarks. Residuals
// are large where the function varies or classes meet, but also where targets are noisy.
type preliminary struct {
	all    task
	rows   []int // of the preliminary fit, in random order
	kernel kernel.Kernel
	set    *settings
	noise  float64
	buffer compute.Points
}

// redrawn returns landmarks for the selected kernel: a third of the drawn landmarks, and rows drawn in
// proportion to the squared residuals of a fit on this third. It returns the drawn landmarks unless new
// landmarks predict held-out rows significantly better. It does not apply to given landmarks, to most
// of the rows, or without an intercept, where columns are nearly dependent. O(n·M²) for n ≤ 10·M rows.
func (s *settings) redrawn(k task, drawn landmarks, c kernel.SearchResult, r *progress.Monitor) landmarks {
	n := k.x.Rows
	if c.Kernel == nil || s.Points != nil || s.PointRows != nil || s.NoIntercept ||
		n <= s.MaxPoints || 2*n < 3*s.MaxPoints || s.MaxPoints < keptShare {
		return drawn
	}
	rows := search.SampleOrder(n, preliminaryRows*s.MaxPoints, nil, s.Seed)
	p := &preliminary{all: k, rows: rows, kernel: c.Kernel, set: s, noise: c.Noise}
	uniform := s.drawnRows(n)
	if r.Stopped() || !p.better(uniform, r) || r.Stopped() {
		return drawn
	}
	kept := uniform[:len(uniform)/keptShare]
	scores := p.residuals(kept, len(rows), 0, len(rows))
	if scores == nil {
		return drawn
	}
	l := distinctRows(k.x, p.draw(kept, scores, s.MaxPoints-len(kept)))
	n = min(drawn.points.Rows, len(l.rows))
	return landmarks{l.points.Between(0, n), l.rows[:n]}
}

// better reports whether redrawn landmarks predict the held-out rows significantly better than the
// same number of uniform landmarks.
func (p *preliminary) better(uniform []int, r *progress.Monitor) bool {
	n, share := len(p.rows), len(uniform)/keptShare
	train := n - n/testShare
	scores := p.residuals(uniform[:share], train, 0, train)
	if scores == nil || r.Stopped() {
		return false
	}
	before := p.residuals(uniform[:2*share], train, train, n)
	if before == nil || r.Stopped() {
		return false
	}
	after := p.residuals(p.draw(uniform[:share], scores, share), train, train, n)
	if after == nil {
		return false
	}
	floats.Sub(before, after)
	gain, deviation := stat.MeanStdDev(before, nil)
	return gain > deviation/math.Sqrt(float64(len(before)))
}

// preliminaryFit is ridge regression on some landmarks.
type preliminaryFit struct {
	columns  *columns
	w        compute.Matrix
	constant []float64 // of each output
	units    []float64 // of the squared residuals of each output
}

// fit fits the first train rows on the landmarks. It returns nil if that fails.
func (p *preliminary) fit(landmarks []int, train int) *preliminaryFit {
	c, err := newColumns(p.set, []kernel.Kernel{p.kernel}, distinctRows(p.all.x, landmarks).points)
	if err != nil {
		return nil
	}
	c.normalise()
	q := p.all.y.Cols
	m := newMoments(c.count(), q)
	p.inBlocks(c, 0, train, func(_ int, c compute.Matrix, k task) { m.add(c, k.y, k.weights, p.set.Workers) })
	f := &preliminaryFit{columns: c, constant: m.meanY, units: slices.Repeat([]float64{1}, q)}
	for o, yy := range m.yy { // outputs of a regression count alike
		if p.all.classes == nil && yy > 0 {
			f.units[o] = yy / m.n
		}
	}
	ridge, ok := m.sums(true).Ridge(nil, c.gram(), p.noise, p.set.Workers)
	if !ok {
		return nil
	}
	f.w = ridge.W
	for i, c := range m.meanC {
		floats.AddScaled(f.constant, -c, compute.Row(f.w, i))
	}
	return f
}

// inBlocks calls visit with the columns of rows [from, to) of the preliminary fit, block by block.
func (p *preliminary) inBlocks(columns *columns, from, to int, visit func(at int, c compute.Matrix, k task)) {
	list := columns.all()
	buffer := compute.NewMatrix(min(to-from, preliminarySize), len(list))
	for at, end := range compute.Chunks(to-from, preliminarySize) {
		k := p.all.pick(&p.buffer, p.rows[from+at:from+end])
		c := compute.Rows(buffer, 0, end-at)
		columns.fill(c, k.x, list)
		visit(at, c, k)
	}
}

// residuals fits the first train rows on the landmarks and returns the squared residuals of rows
// [from, to), times their weights. It returns nil if that fails.
func (p *preliminary) residuals(landmarks []int, train, from, to int) []float64 {
	f := p.fit(landmarks, train)
	if f == nil {
		return nil
	}
	var predicted compute.Matrix
	squares := make([]float64, to-from)
	p.inBlocks(f.columns, from, to, func(at int, c compute.Matrix, k task) {
		compute.ReshapeZero(&predicted, k.y.Rows, k.y.Cols)
		compute.AddRow(predicted, f.constant)
		compute.MulNN(predicted, c, f.w, p.set.Workers)
		for i := range k.y.Rows {
			sum := 0.0
			for o, y := range compute.Row(k.y, i) {
				v := compute.Row(predicted, i)[o]
				sum += float64((v-y)*(v-y)) / f.units[o]
			}
			squares[at+i] = k.weights.At(i) * sum
		}
	})
	if !compute.AllFinite(compute.ColumnOf(squares)) {
		return nil
	}
	return squares
}

// draw returns the landmarks and more rows of the preliminary fit, drawn without replacement in proportion to
// their scores (Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006).
func (p *preliminary) draw(landmarks []int, scores []float64, more int) []int {
	random, waits := rng.New(p.set.Seed, "slkl landmarks by residuals", 0), make([]float64, len(scores))
	for i := range waits {
		waits[i] = random.Float64()
	}
	compute.Log(waits, waits)
	drawn := map[int]bool{}
	for _, i := range landmarks {
		drawn[i] = true
	}
	var order []int
	for i, v := range scores {
		if waits[i] /= -v; !drawn[p.rows[i]] && !math.IsNaN(waits[i]) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(waits[i], waits[j]), cmp.Compare(i, j)) })
	return append(slices.Clone(landmarks), compute.PickOf(p.rows, order[:min(len(order), more)])...)
}
