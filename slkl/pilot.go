package slkl

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

const (
	// pilotShare is the divisor that gives the share of the landmarks that are drawn uniformly in any case.
	pilotShare = 3
	// rowsALandmark is the number of rows for each landmark that others are drawn from, at most.
	rowsALandmark = 10
	// judgeShare is the divisor that gives the share of these rows that judge.
	judgeShare = 3
)

// pilot draws landmarks anew. Ridge regression on some that were drawn uniformly leaves much over where more are
// worth something: where a function bends, of labels where classes meet; but also where there is noise.
type pilot struct {
	all     task
	numbers []int // of the rows that landmarks are drawn from, in a random order
	drawn   []int // the landmarks that were drawn uniformly
	kernel  kernel.Kernel
	set     *settings
	noise   float64
	block   compute.Points // memory of some rows
}

// drawnAnew returns landmarks for the kernel that was chosen: a third of those that were drawn uniformly, and
// others in proportion to the squared residuals of a fit on these. It keeps those that were drawn uniformly unless
// as many of the others with the third predict rows better, beyond a standard error, that neither was drawn for
// or fitted to. Landmarks that options ask for, most of all rows, and those of a function without
// a constant, which are nearer to dependent, stay. O(n·M²) for ten rows a landmark at
// most.
func (s *settings) drawnAnew(k task, drawn landmarks, c kernel.Choice, r *monitor.Monitor) landmarks {
	n := k.x.Rows
	if c.Kernel == nil || s.Points != nil || s.PointRows != nil || n <= s.MaxPoints || 2*n < 3*s.MaxPoints || s.MaxPoints < pilotShare || s.NoIntercept || r.Stopped() {
		return drawn
	}
	rows := choose.SampleOrder(n, rowsALandmark*s.MaxPoints, nil, s.Seed)
	p := &pilot{all: k, numbers: rows, drawn: s.drawnRows(n), kernel: c.Kernel, set: s, noise: c.Noise}
	if anew, ok := p.worthwhile(r); !ok || !anew || r.Stopped() {
		return drawn
	}
	third := p.drawn[:len(p.drawn)/pilotShare]
	scores, ok := p.scores(third, len(p.numbers))
	if !ok {
		return drawn
	}
	anew := distinctRows(k.x, p.draw(third, scores, s.MaxPoints-len(third)))
	return anew.first(drawn.points.Rows)
}

// worthwhile reports whether landmarks that are drawn anew are better than others.
func (p *pilot) worthwhile(r *monitor.Monitor) (anew, ok bool) {
	learn, third := len(p.numbers)-len(p.numbers)/judgeShare, len(p.drawn)/pilotShare
	scores, ok := p.scores(p.drawn[:third], learn)
	if !ok || r.Stopped() {
		return false, false
	}
	before, ok := p.losses(p.drawn[:2*third], learn)
	if !ok || r.Stopped() {
		return false, false
	}
	after, ok := p.losses(p.draw(p.drawn[:third], scores, third), learn)
	if !ok {
		return false, false
	}
	floats.Sub(before, after)
	gain, deviation := stat.MeanStdDev(before, nil)
	return gain > deviation/math.Sqrt(float64(len(before))), true
}

// scores returns the squared residuals of the first rows, times their weights, of a fit to them on some landmarks.
func (p *pilot) scores(points []int, learn int) ([]float64, bool) {
	f, ok := p.fit(points, learn)
	if !ok {
		return nil, false
	}
	return p.residuals(f, 0, learn)
}

// losses returns those of the other rows.
func (p *pilot) losses(points []int, learn int) ([]float64, bool) {
	f, ok := p.fit(points, learn)
	if !ok {
		return nil, false
	}
	return p.residuals(f, learn, len(p.numbers))
}

// pilotFit is ridge regression on some landmarks.
type pilotFit struct {
	columns *columns
	w       compute.Matrix
	moments *moments
}

// fit learns from the first rows.
func (p *pilot) fit(points []int, learn int) (f pilotFit, ok bool) {
	var err error
	if f.columns, err = newColumns(p.set, []kernel.Kernel{p.kernel}, distinctRows(p.all.x, points).points); err != nil {
		return f, false
	}
	f.columns.normalise()
	m, q := f.columns.count(), p.all.y.Cols
	f.moments = newMoments(m, q)
	p.inBlocks(f, 0, learn, func(_ int, c, y compute.Matrix, weights compute.Weights) {
		f.moments.add(c, y, weights, p.set.Workers)
	})
	yy := slices.Clone(f.moments.yy)
	ridge, ok := f.moments.intoSums(true).Ridge(nil, f.columns.gram(), p.noise, p.set.Workers)
	f.moments.yy = yy
	if !ok {
		return f, false
	}
	f.w = ridge.W
	return f, true
}

// pilotBlock is the number of rows whose columns are held at once.
const pilotBlock = 512

// inBlocks calls visit with the columns, targets and weights of rows [from, to), block by block.
func (p *pilot) inBlocks(f pilotFit, from, to int, visit func(at int, c, y compute.Matrix, weights compute.Weights)) {
	size, list := min(to-from, pilotBlock), f.columns.all()
	columns, targets := compute.NewMatrix(size, len(list)), compute.NewMatrix(size, p.all.y.Cols)
	for at := from; at < to; at += size {
		rows := p.numbers[at:min(at+size, to)]
		c, y := compute.Rows(columns, 0, len(rows)), compute.Rows(targets, 0, len(rows))
		p.all.x.PickTo(&p.block, rows)
		compute.PickTo(y, p.all.y, rows)
		f.columns.fill(c, p.block, list)
		visit(at, c, y, p.all.weights.Pick(rows))
	}
}

// residuals returns the squared ones of rows [from, to), times their weights, where outputs of a regression count
// alike.
func (p *pilot) residuals(f pilotFit, from, to int) (sums []float64, ok bool) {
	constant := slices.Clone(f.moments.meanY)
	for i, c := range f.moments.meanC {
		floats.AddScaled(constant, -c, compute.Row(f.w, i))
	}
	var predicted compute.Matrix
	sums = make([]float64, to-from)
	p.inBlocks(f, from, to, func(at int, c, y compute.Matrix, weights compute.Weights) {
		compute.ReshapeZero(&predicted, y.Rows, y.Cols)
		compute.AddRow(predicted, constant)
		compute.MulNN(predicted, c, f.w, p.set.Workers)
		for i := range y.Rows {
			sums[at-from+i] = weights.At(i) * p.squared(f, compute.Row(predicted, i), compute.Row(y, i))
		}
	})
	return sums, compute.AllFinite(compute.ColumnOf(sums))
}

// squared returns the squared distance of predictions from targets.
func (p *pilot) squared(f pilotFit, predicted, y []float64) (sum float64) {
	for o, v := range predicted {
		unit := 1.0
		if p.all.classes == nil && f.moments.yy[o] > 0 {
			unit = f.moments.yy[o] / f.moments.n
		}
		sum += float64((v-y[o])*(v-y[o])) / unit
	}
	return sum
}

// draw returns landmarks and, without replacement, so many more of the rows that have scores, each in
// proportion to its score among those that are left (Efraimidis and Spirakis, "Weighted random sampling with a
// reservoir", 2006).
func (p *pilot) draw(points []int, scores []float64, more int) []int {
	taken := map[int]bool{}
	for _, i := range points {
		taken[i] = true
	}
	random, waits := rng.New(p.set.Seed, "slkl landmarks by residuals", 0), make([]float64, len(scores))
	for i := range waits {
		waits[i] = random.Float64()
	}
	compute.Log(waits, waits)
	var order []int
	for i, v := range scores {
		if waits[i] /= -v; !taken[p.numbers[i]] && !math.IsNaN(waits[i]) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(waits[i], waits[j]), cmp.Compare(i, j)) })
	rows := slices.Clone(points)
	for _, i := range order[:min(len(order), more)] {
		rows = append(rows, p.numbers[i])
	}
	return rows
}
