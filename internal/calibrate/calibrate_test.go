package calibrate_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// Sets are disjoint, balanced across classes, of the declared size, and never contain all rows of a
// class.
func TestSets(t *testing.T) {
	for _, plan := range []calibrate.Plan{calibrate.Apart, calibrate.Cheap, calibrate.Refits(5), calibrate.Refits(2)} {
		checkSets(t, plan)
	}
	if calibrate.Sets(9, 9, nil, calibrate.Cheap, 0, nil) != nil {
		t.Error("rows of nine are held out")
	}
	if s := calibrate.Sets(2000, 1000000, nil, calibrate.Cheap, 0, nil); len(s) != 1 || len(s[0]) != 2000 {
		t.Errorf("a sample of 2000 makes %d sets", len(s))
	}
	for _, c := range []struct {
		plan      calibrate.Plan
		n         int
		sets, all int
	}{
		{calibrate.Apart, 40000, 1, 2000},     // the remaining rows are for training
		{calibrate.Refits(2), 40000, 1, 8000}, // one fit, with many rows
		{calibrate.Refits(2), 3000, 2, 1200},  // no further fits
		{calibrate.Refits(5), 3000, 4, 2400},  // sufficient
		{calibrate.Cheap, 3000, 5, 3000},      // all rows
		{calibrate.Cheap, 11000, 4, 4 * 2200}, // four fifths
		{calibrate.Cheap, 1000000, 1, 8000},
	} {
		sets := calibrate.Sets(c.n, c.n, nil, c.plan, 1, nil)
		if all := slices.Concat(sets...); len(sets) != c.sets || len(all) != c.all {
			t.Errorf("%+v of %d rows: %d in %d sets, want %d in %d", c.plan, c.n, len(all), len(sets), c.all, c.sets)
		}
	}
}

func checkSets(t *testing.T, plan calibrate.Plan) {
	for _, n := range []int{10, 11, 47, 300, 1000, 2500, 5000, 12000, 40000} {
		class := make([]int, n)
		for i := range class {
			class[i] = i % 7 / 3 // three classes, the last of every seventh row
		}
		class[n-1] = 9 // the only row of its class
		sets := calibrate.Sets(n, n, class, plan, 3, nil)
		seen := map[int]bool{}
		for _, set := range sets {
			count := map[int]int{}
			for _, i := range set {
				if seen[i] {
					t.Fatalf("n = %d: row %d is twice held out", n, i)
				}
				seen[i] = true
				count[class[i]]++
			}
			for k, c := range count {
				if want := float64(c) / float64(len(set)); math.Abs(want-[]float64{3. / 7, 3. / 7, 1. / 7}[k]) > 2/float64(len(set)) {
					t.Errorf("n = %d: class %d has %d of %d rows", n, k, c, len(set))
				}
			}
			if others := calibrate.Others(n, set); len(others)+len(set) != n || slices.ContainsFunc(others, func(i int) bool { _, in := slices.BinarySearch(set, i); return in }) {
				t.Errorf("n = %d: %d rows and %d others", n, len(set), len(others))
			}
		}
		if seen[n-1] {
			t.Errorf("n = %d: the only row of a class is held out", n)
		}
		if len(sets) == 0 || len(sets) > plan.Sets {
			t.Errorf("n = %d: %d sets, want %d at most", n, len(sets), plan.Sets)
		}
	}
}

// sampled returns scores for a number of classes, and labels drawn by the probabilities that of returns.
func sampled(n, classes, columns int, of func(p, scores []float64)) calibrate.Sample {
	r := rand.New(rand.NewPCG(7, uint64(classes*columns)))
	s := calibrate.Sample{Scores: compute.NewMatrix(n, columns), Class: make([]int, n)}
	p := make([]float64, classes)
	for i := range n {
		row := compute.Row(s.Scores, i)
		for j := range row {
			row[j] = 2 * r.NormFloat64()
		}
		of(p, row)
		u := r.Float64()
		for s.Class[i] = 0; s.Class[i] < classes-1 && u > p[s.Class[i]]; s.Class[i]++ {
			u -= p[s.Class[i]]
		}
	}
	return s
}

func sigmoid(a, b float64) func(p, scores []float64) {
	return func(p, scores []float64) {
		p[1] = 1 / (1 + math.Exp(-a*scores[0]-b))
		p[0] = 1 - p[1]
	}
}

func softmax(slope float64, shift ...float64) func(p, scores []float64) {
	return func(p, scores []float64) {
		for k := range p {
			p[k] = math.Exp(slope*scores[k] + shift[k])
		}
		floats.Scale(1/floats.Sum(p), p)
	}
}

// Probabilities match the sampling probabilities up to sampling error, and the method is the correct
// one.
func TestClassesFindTheTruth(t *testing.T) {
	steps := func(p, scores []float64) {
		p[1] = .05
		if scores[0] > 1 {
			p[1] = .6
		}
		if scores[0] > 2 {
			p[1] = .65
		}
		p[0] = 1 - p[1]
	}
	pairs := func(p, scores []float64) { // consistent pairs: p_j/p_i = exp(s) for the pairs of class 0
		e1, e2 := math.Exp(.7*scores[0]), math.Exp(.7*scores[1])
		scores[2] = scores[1] - scores[0]
		p[0], p[1], p[2] = 1/(1+e1+e2), e1/(1+e1+e2), e2/(1+e1+e2)
	}
	for _, c := range []struct {
		name           string
		classes, width int
		truth          func(p, scores []float64)
		layout         calibrate.Layout
		method         string
		off            float64 // in mean; between the pools on both sides of a step it is linear
	}{
		{"two", 2, 1, sigmoid(.8, -1), calibrate.OfClasses, "sigmoid", .02},
		{"steps", 2, 1, steps, calibrate.OfClasses, "isotonic", .03},
		{"softmax", 4, 4, softmax(.6, .5, -1, 0, .2), calibrate.OfClasses, "softmax", .02},
		{"useless", 2, 1, sigmoid(0, 1), calibrate.OfClasses, "frequencies", .02},
		{"pairs", 3, 3, pairs, calibrate.OfPairs, "sigmoid", .02},
	} {
		s := sampled(4000, c.classes, c.width, c.truth)
		f := calibrate.FitClasses(s, c.classes, c.layout, nil)
		r := f.Report()
		if r.Method == "spline" && c.method == "sigmoid" {
			r.Method = c.method // includes the true map, up to the curvature in a sample
		}
		if r.Method != c.method || r.Rows != 4000 {
			t.Errorf("%s: %+v, want %s", c.name, r, c.method)
		}
		want, got := make([]float64, c.classes), make([]float64, c.classes)
		sum := 0.0
		for i := range s.Rows() {
			row := slices.Clone(compute.Row(s.Scores, i))
			f.To(got, row)
			c.truth(want, row)
			for k := range got {
				sum += math.Abs(got[k] - want[k])
			}
			if math.Abs(floats.Sum(got)-1) > 1e-12 || floats.Min(got) <= 0 {
				t.Fatalf("%s: probabilities %v", c.name, got)
			}
		}
		if off := sum / float64(s.Rows()*c.classes); off > c.off {
			t.Errorf("%s: probabilities are %.3f from the truth in mean", c.name, off)
		}
	}
}

// With many classes of few rows, all pairs share a sigmoid. Separate sigmoids would shrink towards
// even odds, and their combination would have a large error.
func TestPairsOfFewRows(t *testing.T) {
	const classes = 20
	truth := func(p, scores []float64) { // scores of pairs are differences of class scores
		v := slices.Concat([]float64{0}, slices.Clone(scores[:classes-1]))
		at := 0
		for i, a := range v {
			for _, b := range v[i+1:] {
				scores[at] = b - a
				at++
			}
			p[i] = math.Exp(2 * a)
		}
		floats.Scale(1/floats.Sum(p), p)
	}
	s := sampled(400, classes, classes*(classes-1)/2, truth)
	f := calibrate.FitClasses(s, classes, calibrate.OfPairs, nil)
	want, got := make([]float64, classes), make([]float64, classes)
	loss, least := 0.0, 0.0
	for i := range s.Rows() {
		row := compute.Row(s.Scores, i)
		f.To(got, row)
		truth(want, slices.Clone(row)) // the first scores are the pairs of class 0
		loss -= math.Log(got[s.Class[i]]) / 400
		least -= math.Log(want[s.Class[i]]) / 400
	}
	if loss > least+.02 {
		t.Errorf("log loss %.3f, that of the truth %.3f", loss, least)
	}
}

// The softmax reaches the minimum of a general optimiser for smoothed targets.
func TestMaximumOfTheLikelihood(t *testing.T) {
	s := sampled(300, 3, 3, softmax(.6, .5, -1, 0))
	f := calibrate.FitClasses(s, 3, calibrate.OfClasses, nil)
	scaled := optimize.Problem{Func: func(v []float64) (sum float64) {
		p := make([]float64, 3)
		for i, k := range s.Class {
			softmax(v[0], v[1:]...)(p, compute.Row(s.Scores, i))
			for c := range p {
				target := 1. / (302 * 2)
				if c == k {
					target = 301. / 302
				}
				sum -= target * math.Log(p[c])
			}
		}
		return sum + floats.Dot(v[1:], v[1:])/2
	}}
	sameAt(t, scaled, []float64{1, 0, 0, 0}, func(v []float64) func(p, scores []float64) { return softmax(v[0], v[1:]...) }, &f, 3, 3)
}

// With n separable rows the certainty of the next row follows the rule of succession, (n + 1)/(n + 2), for
// classes and for sums of pairs. Otherwise the slope would be unbounded, and one wrong row would cost
// hundreds.
func TestNeverCertain(t *testing.T) {
	const n = 30
	s := calibrate.Sample{Scores: compute.NewMatrix(n, 3), Class: make([]int, n)}
	pairs := calibrate.Sample{Scores: compute.NewMatrix(n, 3), Class: s.Class}
	for i := range n {
		k := i % 3
		s.Class[i] = k
		compute.Row(s.Scores, i)[k] = 1
		copy(compute.Row(pairs.Scores, i), [][]float64{{-1, -1, 0}, {1, 0, -1}, {0, 1, 1}}[k])
	}
	for _, c := range []struct {
		sample calibrate.Sample
		layout calibrate.Layout
		method string
	}{{s, calibrate.OfClasses, "softmax"}, {pairs, calibrate.OfPairs, "softmax of sums"}} {
		f := calibrate.FitClasses(c.sample, 3, c.layout, nil)
		p := make([]float64, 3)
		for i := range 3 {
			f.To(p, compute.Row(c.sample.Scores, i))
			if r := f.Report(); r.Method != c.method || math.Abs(p[i]-(n+1.)/(n+2)) > 1e-6 {
				t.Errorf("%s: probabilities %v of class %d, want %v of its own", r.Method, p, i, (n+1.)/(n+2))
			}
		}
	}
}

// sameAt compares probabilities with the probabilities at the minimum of a problem.
func sameAt(t *testing.T, of optimize.Problem, start []float64, at func(v []float64) func(p, scores []float64), f *calibrate.Classes, classes, columns int) {
	t.Helper()
	r, err := optimize.Minimize(of, start, &optimize.Settings{FuncEvaluations: 20000, Converger: &optimize.FunctionConverge{Absolute: 1e-13, Iterations: 200}}, &optimize.NelderMead{})
	if err != nil {
		t.Fatal(err)
	}
	got, want := make([]float64, classes), make([]float64, classes)
	for _, v := range []float64{-3, -1, 0, .5, 2} {
		scores := make([]float64, columns)
		scores[0] = v
		f.To(got, scores)
		at(r.X)(want, scores)
		if !floats.EqualApprox(got, want, 1e-5) {
			t.Errorf("at %v: %v, want %v", v, got, want)
		}
	}
}

// A row of weight two equals two rows.
func TestWeightsAreRows(t *testing.T) {
	s := sampled(400, 3, 3, softmax(.6, .5, -1, 0))
	s.Weights = make([]float64, 400)
	twice := s
	twice.Weights = nil
	twice.Scores = compute.Stack(s.Scores, compute.Rows(s.Scores, 0, 100))
	twice.Class = slices.Concat(s.Class, s.Class[:100])
	for i := range s.Weights {
		s.Weights[i] = 1
		if i < 100 {
			s.Weights[i] = 2
		}
	}
	a, b := calibrate.FitClasses(s, 3, calibrate.OfClasses, nil), calibrate.FitClasses(twice, 3, calibrate.OfClasses, nil)
	p, q := make([]float64, 3), make([]float64, 3)
	for i := range 20 {
		a.To(p, compute.Row(s.Scores, i))
		b.To(q, compute.Row(s.Scores, i))
		if !floats.EqualApprox(p, q, 1e-8) {
			t.Fatalf("%v, want %v", p, q)
		}
	}
}

// A loss with probabilities keeps them unless calibration improves them.
func TestProbabilitiesOfTheLoss(t *testing.T) {
	s := sampled(1000, 2, 1, sigmoid(1, 0))
	f := calibrate.FitClasses(s, 2, calibrate.OfClasses, sigmoid(1, 0))
	if f.Fitted() || f.Report().Method != "loss" {
		t.Errorf("%+v in place of probabilities that are right", f.Report())
	}
	f = calibrate.FitClasses(s, 2, calibrate.OfClasses, sigmoid(3, 1))
	if !f.Fitted() {
		t.Error("probabilities that are wrong are kept")
	}
}

// regression returns predictions with errors of a given spread.
func regression(n int, spread func(f float64) float64, seed uint64) calibrate.Sample {
	r := rand.New(rand.NewPCG(seed, 5))
	s := calibrate.Sample{Scores: compute.NewMatrix(n, 1), Targets: compute.NewMatrix(n, 1)}
	for i := range n {
		f := 10 * r.Float64()
		s.Scores.Data[i], s.Targets.Data[i] = f, f+spread(f)*r.NormFloat64()
	}
	return s
}

// Intervals have the declared coverage and follow the spread if it varies.
func TestIntervalsCover(t *testing.T) {
	for _, c := range []struct {
		method string
		spread func(f float64) float64
	}{
		{"constant width", func(float64) float64 { return 2 }},
		{"spread by prediction", func(f float64) float64 { return .1 + f }},
	} {
		v := calibrate.FitIntervals(regression(2000, c.spread, 1))
		if v.Report().Method != c.method || math.Abs(v.Report().Coverage[0]-.9) > .02 {
			t.Errorf("%s: %+v", c.method, v.Report())
		}
		test := regression(20000, c.spread, 2)
		for _, coverage := range []float64{.1, .5, .8, .9, .95, .99} {
			low, high := compute.NewMatrix(20000, 1), compute.NewMatrix(20000, 1)
			if err := v.To(low, high, test.Scores, compute.Points{}, coverage); err != nil {
				t.Fatal(err)
			}
			covered, narrow := 0.0, 0.0
			for i, y := range test.Targets.Data {
				if low.Data[i] <= y && y <= high.Data[i] {
					covered += 1. / 20000
				}
				if test.Scores.Data[i] < 1 {
					narrow = max(narrow, high.Data[i]-low.Data[i])
				}
			}
			// Allow three standard deviations of a quantile of 2000 rows and the gaps of the stored table.
			if off := covered - coverage; math.Abs(off-.002) > 3*math.Sqrt(coverage*(1-coverage)/2000)+.004 {
				t.Errorf("%s: coverage %v covers %.4f", c.method, coverage, covered)
			}
			if c.method != "constant width" && coverage == .9 && narrow > 12 {
				t.Errorf("intervals are %.1f wide where errors are small", narrow)
			}
		}
		if err := v.To(test.Scores, test.Targets, test.Scores, compute.Points{}, .9999); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("too high a coverage for the sample: error %v", err)
		}
	}
	if few := calibrate.FitIntervals(regression(9, func(float64) float64 { return 1 }, 1)); few.Fitted() {
		t.Error("intervals of nine rows")
	}
}

// With weights the quantile is weighted.
func TestWeightedIntervals(t *testing.T) {
	s := calibrate.Sample{Scores: compute.NewMatrix(100, 1), Targets: compute.NewMatrix(100, 1), Weights: make([]float64, 100)}
	for i := range 100 {
		s.Targets.Data[i], s.Weights[i] = float64(i+1), 1
		if i < 10 {
			s.Weights[i] = 91 // the first ten weigh ten times as much as all remaining rows
		}
	}
	v := calibrate.FitIntervals(s)
	low, high := compute.NewMatrix(1, 1), compute.NewMatrix(1, 1)
	if err := v.To(low, high, compute.NewMatrix(1, 1), compute.Points{}, .9); err != nil || high.Data[0] != 10 || low.Data[0] != -10 {
		t.Errorf("%v to %v, error %v", low.Data, high.Data, err)
	}
}

// Files restore probabilities and intervals, and damaged files return an error.
func TestFiles(t *testing.T) {
	of := []calibrate.Classes{{}}
	for _, c := range []struct {
		s       calibrate.Sample
		classes int
		layout  calibrate.Layout
	}{
		{sampled(500, 2, 1, sigmoid(1, 0)), 2, calibrate.OfClasses},
		{sampled(500, 3, 3, softmax(1, 0, 0, 0)), 3, calibrate.OfClasses},
		{sampled(500, 3, 3, softmax(1, 0, 0, 0)), 3, calibrate.OfPairs},
	} {
		of = append(of, calibrate.FitClasses(c.s, c.classes, c.layout, nil))
	}
	for i, f := range of {
		var e, again codec.Encoder
		f.Encode(&e)
		d := codec.NewDecoder(e.Payload())
		got := calibrate.DecodeClasses(d)
		classes := []int{2, 2, 3, 3}[i]
		got.Check(d, classes, []int{1, 1, 3, 3}[i])
		got.Encode(&again)
		if err := d.Close(); err != nil || !bytes.Equal(e.Payload(), again.Payload()) {
			t.Errorf("%d: error %v", i, err)
		}
		d = codec.NewDecoder(e.Payload())
		other := calibrate.DecodeClasses(d)
		if other.Check(d, classes+1, 7); i > 0 && !errors.Is(d.Close(), rkhs.ErrFormat) {
			t.Errorf("%d: probabilities of another model are taken", i)
		}
	}
	v := calibrate.FitIntervals(regression(3000, func(f float64) float64 { return f }, 3))
	var e, again codec.Encoder
	v.Encode(&e)
	d := codec.NewDecoder(e.Payload())
	got := calibrate.DecodeIntervals(d)
	got.Check(d, 1, 1)
	got.Encode(&again)
	if err := d.Close(); err != nil || !bytes.Equal(e.Payload(), again.Payload()) {
		t.Errorf("intervals: error %v", err)
	}
	if n := len(e.Payload()); n > 6000 {
		t.Errorf("intervals take %d bytes", n)
	}
}

// A ring supplies the newer half of a stream for calibration, with weights scaled to mean one.
func TestRingOfYoungerRows(t *testing.T) {
	for _, c := range []struct{ rows, want int }{{100, 50}, {1001, 501}, {3000, 1500}, {4100, calibrate.Enough}} {
		s := sampled(c.rows, 2, 1, sigmoid(1, 0))
		var plain, scaled calibrate.Ring
		s.Weights = make([]float64, c.rows)
		for i := range s.Weights {
			s.Weights[i] = float64(1 + i%3)
		}
		plain.Add(s)
		for i := range s.Weights {
			s.Weights[i] *= 0x1p-60
		}
		scaled.Add(s)
		a, b := plain.Sample(c.rows), scaled.Sample(c.rows)
		if a.Rows() != c.want || math.Abs(a.Weights.Total(a.Rows())/float64(c.want)-1) > 1e-12 || !slices.Equal(a.Weights, b.Weights) {
			t.Errorf("%d rows of %d, want %d, of weight %v", a.Rows(), c.rows, c.want, a.Weights.Total(a.Rows()))
		}
		young := make(map[float64]bool)
		for i := c.rows - c.want; i < c.rows; i++ {
			young[s.Scores.Data[i]] = true
		}
		for _, v := range a.Scores.Data {
			if !young[v] {
				t.Fatalf("an old row of %d", c.rows)
			}
		}
	}
}

// A ring keeps the last rows for any batches, and continues from a file.
func TestRing(t *testing.T) {
	s := sampled(calibrate.Enough+700, 3, 3, softmax(1, 0, 0, 0))
	var whole, parts calibrate.Ring
	whole.Add(s)
	for from, to := range compute.Chunks(s.Rows(), 17) {
		parts.Add(calibrate.Sample{Scores: compute.Rows(s.Scores, from, to), Class: s.Class[from:to]})
		if from == 1700 {
			var e codec.Encoder
			parts.Encode(&e)
			d := codec.NewDecoder(e.Payload())
			parts = calibrate.DecodeRing(d, 3, 3)
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	a, b := whole.Sample(1<<20), parts.Sample(1<<20)
	if !slices.Equal(a.Scores.Data, b.Scores.Data) || !slices.Equal(a.Class, b.Class) || a.Rows() != calibrate.Enough {
		t.Error("batches change the ring")
	}
	if last := compute.Row(s.Scores, s.Rows()-1); !slices.Equal(compute.Row(a.Scores, 699), last) {
		t.Errorf("the last row is not kept in the place of the oldest")
	}
	wide := sampled(1, 4, 4, softmax(1, 0, 0, 0, 0))
	if whole.Add(wide); whole.Sample(1<<20).Scores.Cols != 4 {
		t.Error("a class more is not taken")
	}
	if n := testing.AllocsPerRun(10, func() { whole.Add(wide) }); n != 0 {
		t.Errorf("a full ring allocates %v times", n)
	}
}

// TestSpreadByInputs finds the column along which errors grow, if there is one.
func TestSpreadByInputs(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	draw := func(n int, spread func(row []float64) float64) calibrate.Sample {
		s := calibrate.Sample{X: compute.DensePoints(compute.NewMatrix(n, 5)), Scores: compute.NewMatrix(n, 1), Targets: compute.NewMatrix(n, 1)}
		for i := range n {
			row := compute.Row(s.X.Matrix, i)
			for j := range row {
				row[j] = 2*r.Float64() - 1
			}
			s.Scores.Data[i] = row[0]
			s.Targets.Data[i] = row[0] + spread(row)*r.NormFloat64()
		}
		return s
	}
	uneven := func(row []float64) float64 { return .02 + math.Abs(row[3]) }
	for _, n := range []int{250, 1000} {
		v := calibrate.FitIntervals(draw(n, uneven))
		if v.Report().Method != "spread by inputs" {
			t.Fatalf("%d rows: %+v", n, v.Report())
		}
		test := draw(20000, uneven)
		low, high := compute.NewMatrix(20000, 1), compute.NewMatrix(20000, 1)
		if err := v.To(low, high, test.Scores, test.X, .9); err != nil {
			t.Fatal(err)
		}
		covered, width := 0.0, 0.0
		for i, y := range test.Targets.Data {
			if low.Data[i] <= y && y <= high.Data[i] {
				covered += 1. / 20000
			}
			width += (high.Data[i] - low.Data[i]) / 20000
		}
		// With known deviations the 0.9 interval is ±1.645 deviations, 1.71 wide on average; a constant one is 2.1 wide.
		if covered < .86 || covered > .94 || width > 1.95 {
			t.Errorf("%d rows: 90 %% intervals cover %.3f, %.3f wide", n, covered, width)
		}
	}
	taken := 0
	for range 50 {
		v := calibrate.FitIntervals(draw(300, func([]float64) float64 { return 1 }))
		if v.Report().Method == "spread by inputs" {
			taken++
		}
	}
	if taken > 3 {
		t.Errorf("%d of 50 samples selected a column, though none is related to the errors", taken)
	}
}
