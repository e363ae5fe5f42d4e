package testutil

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/loss"
)

// Intervals is a model with prediction intervals.
type Intervals interface {
	Interval(x mat.Matrix, coverage float64) (lower, upper *mat.Dense, err error)
}

// probabilities is a model with probabilities of labels.
type probabilities interface {
	Proba(x mat.Matrix) (*mat.Dense, error)
	Labels() []int
}

// calibrated checks probabilities and intervals of a model and of the model from its file. Classes
// overlap in few and in more rows, or one has one or two rows.
func (l Learner[O, M]) calibrated(t testing.TB) {
	k, m := l.fitted(t)
	l.checkCalibrated(t, m, k.testX, false)
	if l.Labels == nil {
		return
	}
	test, _ := overlapping(200, 0, l.Labels)
	for _, c := range []struct{ rows, rare int }{{30, 0}, {120, 0}, {60, 1}, {60, 2}} {
		x, y := overlapping(c.rows, c.rare, l.Labels)
		m, err := l.Fit(context.Background(), x, y, l.options())
		require(t, !l.fails(err), "%+v: %v", c, err)
		l.checkCalibrated(t, m, test, true)
	}
}

func (l Learner[O, M]) checkCalibrated(t testing.TB, m M, x *mat.Dense, few bool) {
	back := l.Empty()
	noError(t, back.UnmarshalBinary(marshal(t, m)))
	same := slices.Equal(checkCalibrated(t, m, x, few), checkCalibrated(t, back, x, few))
	expect(t, same, "the loaded model has other probabilities or intervals")
}

// checkCalibrated checks the probabilities and intervals of m at the rows of x and returns them. A
// model of few rows may report that it has no probabilities, but they must be positive.
func checkCalibrated(t testing.TB, m Model, x *mat.Dense, few bool) (values []float64) {
	predicted, wrong := predict(t, m, x), mat.NewDense(2, Inputs+1, nil)
	if of, ok := m.(probabilities); ok {
		p, err := of.Proba(x)
		if few && errors.Is(err, rkhs.ErrNoCalibration) {
			return nil
		}
		noError(t, err)
		checkProbabilities(t, p, of.Labels(), predicted)
		expect(t, !few || mat.Min(p) > 0, "the smallest probability is %v", mat.Min(p))
		_, err = of.Proba(wrong)
		expect(t, errors.Is(err, rkhs.ErrShape), "Proba of rows with a column more: error %v", err)
		values = p.RawMatrix().Data
	}
	if of, ok := m.(Intervals); ok {
		values = slices.Concat(values, checkIntervals(t, of, x, predicted))
		_, _, err := of.Interval(wrong, 0.5)
		expect(t, errors.Is(err, rkhs.ErrShape), "Interval of rows with a column more: error %v", err)
	}
	return values
}

// checkProbabilities checks that the rows of p sum to one, and that the predicted label is the first
// of the most probable labels.
func checkProbabilities(t testing.TB, p *mat.Dense, labels []int, predicted *mat.Dense) {
	n, _ := predicted.Dims()
	rows, columns := p.Dims()
	require(t, rows == n && columns == len(labels), "probabilities are %d×%d for %d rows and %d labels",
		rows, columns, n, len(labels))
	for i := range n {
		row := p.RawRowView(i)
		require(t, math.Abs(floats.Sum(row)-1) <= 1e-9 && floats.Min(row) >= 0, "row %d has the probabilities %v", i, row)
		label := predicted.At(i, 0)
		expect(t, label == float64(labels[floats.MaxIdx(row)]), "row %d has the label %v and the probabilities %v of %v",
			i, label, row, labels)
	}
}

// checkIntervals checks that intervals contain the predictions f and grow with the coverage. It returns
// the bounds.
func checkIntervals(t testing.TB, of Intervals, x, f *mat.Dense) (bounds []float64) {
	width := 0.0
	for _, coverage := range []float64{0.2, 0.5, 0.9} {
		lower, upper, err := of.Interval(x, coverage)
		require(t, err == nil, "Interval of coverage %v: %v", coverage, err)
		bounds = slices.Concat(bounds, lower.RawMatrix().Data, upper.RawMatrix().Data)
		sum := 0.0
		for i := range testRows {
			for o, v := range f.RawRowView(i) {
				a, b := lower.At(i, o), upper.At(i, o)
				require(t, a <= v && v <= b, "coverage %v: the prediction %v is not between %v and %v", coverage, v, a, b)
				sum += b - a
			}
		}
		expect(t, sum >= width, "intervals of coverage %v are narrower than at a lower coverage", coverage)
		width = sum
	}
	for _, coverage := range []float64{0, 1, -1, 2, math.NaN()} {
		_, _, err := of.Interval(x, coverage)
		expect(t, errors.Is(err, rkhs.ErrOption), "coverage %v: error %v", coverage, err)
	}
	return bounds
}

// overlapping draws rows of overlapping classes. If rare is positive, the last class has rare rows.
func overlapping(n, rare int, labels []int) (x, y *mat.Dense) {
	return overlappingBy(1.5, n, rare, labels, 0)
}

// overlappingBy draws rows of classes with centres at a distance from the origin.
func overlappingBy(distance float64, n, rare int, labels []int, seed uint64) (x, y *mat.Dense) {
	r := rng.New(uint64(n+rare), "rows of overlapping classes", seed)
	return rows(n, Inputs, func(i int, x []float64) float64 {
		k, last := i%len(labels), len(labels)-1
		if i < rare {
			k = last
		} else if rare > 0 && k == last {
			k = i % last
		}
		for j := range x {
			x[j] = r.NormFloat64()
		}
		x[k%Inputs] += distance
		return float64(labels[k])
	})
}

// copies checks that a second copy of every row changes neither the test error nor the coverage of
// intervals much. With options, a coverage above .9 may fall to .9, because few landmarks are chosen by
// chance. Held-out rows must not be predicted from their copies.
func (l Learner[O, M]) copies(t testing.TB) {
	x, y := noisy(150, 1, l.Labels)
	once, covered := l.testScore(t, x, y)
	twice, coveredTwice := l.testScore(t, stacked(x, x), stacked(y, y))
	expect(t, twice <= 1.15*once+0.02, "the error is %.4g, with a copy of every row %.4g", once, twice)
	if l.Options != nil {
		covered = min(covered, 0.9)
	}
	expect(t, coveredTwice >= covered-0.05, "intervals cover %.3f, with a copy of every row %.3f", covered, coveredTwice)
}

// testScore returns the test error of a fit, and the coverage of its 90 % intervals. The
// error is the root mean square, or the log loss if there are probabilities.
func (l Learner[O, M]) testScore(t testing.TB, x, y *mat.Dense) (loss, covered float64) {
	const n = 1000
	test, want := noisy(n, 2, l.Labels)
	m, err := l.Fit(context.Background(), x, y, l.options())
	require(t, !l.fails(err), "%v", err)
	if _, ok := any(m).(probabilities); ok {
		return logLoss(t, m, test, want), 0
	}
	if of, ok := any(m).(Intervals); ok {
		covered = coverage(t, of, test, want, 0.9)
	}
	return rootMeanSquare(predict(t, m, test), want), covered
}

func rootMeanSquare(a, b *mat.Dense) float64 {
	n, q := a.Dims()
	var d mat.Dense
	d.Sub(a, b)
	return mat.Norm(&d, 2) / math.Sqrt(float64(n*q))
}

// noisy draws rows of a function of three columns with noise. Labels are ranges of the function.
func noisy(n int, seed uint64, labels []int) (x, y *mat.Dense) {
	r := rng.New(seed, "rows with noise", 0)
	return rows(n, Inputs, func(_ int, x []float64) float64 {
		for j := range x {
			x[j] = r.NormFloat64()
		}
		v := math.Sin(2*x[0]) + x[1]*x[2] + 0.3*r.NormFloat64()
		if labels == nil {
			return v
		}
		last := len(labels) - 1
		return float64(labels[min(max(int(math.Floor(v+float64(last+1)/2)), 0), last)])
	})
}

// outlier checks that one outlier has a small effect on a fit with a robust loss. The test error may
// exceed the error without this row by at most a tenth plus a fifth of the noise. Without RKHS_LONG it
// checks one loss in three.
func (l Learner[O, M]) outlier(t testing.TB) {
	if l.Labels != nil {
		return
	}
	robust := map[string]func(*O){}
	if l.Robust {
		robust["default"] = func(*O) {}
	}
	for i, v := range l.Losses {
		if s, ok := v.(loss.Scalar); ok && !loss.Quadratic(s) && (LongTests() || i%3 == 0) {
			robust[fmt.Sprint(s)] = func(o *O) { l.Loss(o, s) }
		}
	}
	const n = 200
	x, y := sine(n, 1)
	test, want := sine(500, 2)
	for name, set := range robust {
		testError := func(x, y mat.Matrix) float64 {
			opts := l.options()
			set(opts)
			m, err := l.Fit(context.Background(), x, y, opts)
			require(t, !l.fails(err), "%s: %v", name, err)
			return rootMeanSquare(predict(t, m, test), want)
		}
		clean := testError(between(x, 1, n), between(y, 1, n))
		for _, v := range []float64{1e6, -1e12} {
			e := testError(x, with(y, 0, 0, v))
			expect(t, e < 1.1*clean+0.02, "%s: with a target of %g the error is %.4g, without it %.4g", name, v, e, clean)
		}
	}
}

// sine draws rows on a line through the origin and a sine with noise of deviation .1. All columns
// are proportional, so a search cannot drop one by chance.
func sine(n int, seed uint64) (x, y *mat.Dense) {
	r := rng.New(seed, "rows of a sine", 0)
	return rows(n, Inputs, func(_ int, x []float64) float64 {
		v := 2*r.Float64() - 1
		for j := range x {
			x[j] = v / float64(1+j)
		}
		return math.Sin(2*x[0]) + 0.1*r.NormFloat64()
	})
}

// IntervalsOfFewLevels checks the coverage of intervals at unseen rows if the input has one, two or
// three distinct values. The leave-one-out prediction of a row then falls as its own target rises,
// and this correlation must not distort the intervals.
func IntervalsOfFewLevels(t *testing.T, fit func(x, y *mat.Dense) (Intervals, error)) {
	t.Helper()
	const n = 2000
	for _, levels := range []int{1, 2, 3} {
		r := rand.New(rand.NewPCG(uint64(levels), 0))
		draw := func(_ int, x []float64) float64 {
			x[0] = float64(r.IntN(levels))
			return x[0]/2 + r.NormFloat64()
		}
		m := must(fit(rows(400, 1, draw)))(t)
		x, y := rows(n, 1, draw)
		share := coverage(t, m, x, y, 0.9)
		expect(t, share >= 0.86 && share <= 0.94, "%d levels: intervals of level 0.9 cover %.3f", levels, share)
	}
}

// coverage returns the share of targets inside their intervals.
func coverage(t testing.TB, m Intervals, x, y *mat.Dense, want float64) float64 {
	lower, upper, err := m.Interval(x, want)
	noError(t, err)
	n, _ := y.Dims()
	covered := 0
	for i := range n {
		if v := y.At(i, 0); lower.At(i, 0) <= v && v <= upper.At(i, 0) {
			covered++
		}
	}
	return float64(covered) / float64(n)
}
