package slkl_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// TestFolds checks that folds are even and depend only on the seed and the row number, not on
// batches.
func TestFolds(t *testing.T) {
	o := slkl.Options{Points: base().Points, Seed: 3, Paper: slkl.Paper{Folds: 4}}
	x, y := sample(rows, 3, 1, 1)
	want := slkl.FoldsOf(learner(t, o), rows)
	count := make([]int, 4)
	for i, f := range want {
		count[f]++
		if i%4 == 3 {
			for _, c := range count {
				if c != i/4+1 {
					t.Fatalf("after %d rows the folds have %v", i+1, count)
				}
			}
		}
	}
	a := learner(t, o)
	for from, size := 0, 1; from < rows; from, size = from+size, size%7+1 {
		to := min(from+size, rows)
		for i, f := range slkl.FoldsOf(a, to-from) {
			if f != want[from+i] {
				t.Fatalf("row %d is in fold %d, and among all in %d", from+i, f, want[from+i])
			}
		}
		add(t, a, rowsOf(x, span(from, to)), rowsOf(y, span(from, to)))
	}
	periodic := 0
	for i, f := range want {
		if f == want[i%4] {
			periodic++
		}
	}
	if periodic > rows/2 {
		t.Errorf("%d of %d rows are in the fold of the row four before", periodic, rows)
	}
	o.Seed = 4
	same := 0
	for i, f := range slkl.FoldsOf(learner(t, o), rows) {
		if f == want[i] {
			same++
		}
	}
	if same > rows/2 {
		t.Errorf("with another seed %d of %d rows are in the same fold", same, rows)
	}
}

// refit returns the squared error of each fold and output by fitting to the rows
// of the other folds and predicting the rows of the fold.
func refit(t *testing.T, x, y *mat.Dense, fold []int, folds int, nu []float64, o slkl.Options) [][]float64 {
	t.Helper()
	n, q := y.Dims()
	errors := make([][]float64, folds)
	o.Folds, o.PenaltyGrid = 0, nil // the penalty is given
	for f := range folds {
		var in, out []int
		for i, g := range fold {
			if g == f {
				out = append(out, i)
			} else {
				in = append(in, i)
			}
		}
		errors[f] = make([]float64, q)
		ratio := float64(len(in)) / float64(n)
		for k := range q {
			o.Penalty = nu[k] * ratio * ratio
			target := y.ColView(k).(*mat.VecDense)
			targets := mat.NewDense(n, 1, mat.Col(nil, 0, target))
			m := fit(t, rowsOf(x, in), rowsOf(targets, in), o)
			var e mat.Dense
			e.Sub(predict(t, m, rowsOf(x, out)), rowsOf(targets, out))
			errors[f][k] = math.Pow(mat.Norm(&e, 2), 2)
		}
	}
	return errors
}

// TestFoldErrors compares the errors by the moments with the errors of refits
// on the rows, for solutions of the same tolerance.
func TestFoldErrors(t *testing.T) {
	x, y := sample(200, 3, 2, 1)
	y.Apply(func(_, _ int, v float64) float64 { return v + 30 }, y)
	for _, noIntercept := range []bool{false, true} {
		o := slkl.Options{Points: base().Points, Seed: 3, Tolerance: 1e-12, Kernels: mixture()[:2], Paper: slkl.Paper{Folds: 4, NoIntercept: noIntercept}}
		a := learner(t, o)
		fold := slkl.FoldsOf(a, 200)
		for _, part := range [][]int{span(0, 3), span(3, 90), span(90, 200)} {
			add(t, a, rowsOf(x, part), rowsOf(y, part))
		}
		for _, nu := range []float64{20, 1, 0.05} {
			got := slkl.FoldErrors(a, nu, 1e-12)
			want := refit(t, x, y, fold, 4, []float64{nu, nu}, o)
			for f := range want {
				for k := range want[f] {
					if !near(got[f][k], want[f][k], 1e-6) {
						t.Errorf("no intercept %v, nu %g, fold %d, output %d: error %.12g, refits give %.12g", noIntercept, nu, f, k, got[f][k], want[f][k])
					}
				}
			}
		}
	}
}

// TestSelectedPenalty compares the nu of Fit with the nu of lowest error over refits, for each output.
func TestSelectedPenalty(t *testing.T) {
	x, y := sample(200, 3, 2, 1)
	noise := rand.New(rand.NewPCG(8, 8))
	y.Apply(func(_, _ int, v float64) float64 { return v + 0.5*noise.NormFloat64() }, y)
	o := slkl.Options{Points: base().Points, Kernels: base().Kernels, Seed: 3, Paper: slkl.Paper{Folds: 4, PenaltyGrid: []float64{0.3, 0.03, 3e-3, 3e-4, 3e-5, 3e-6, 3e-7, 3e-8}}}
	reports := fit(t, x, y, o).Report().Outputs
	fold := slkl.FoldsOf(learner(t, o), 200)
	best, selected := []float64{math.Inf(1), math.Inf(1)}, make([]float64, 2)
	for _, fraction := range o.PenaltyGrid {
		nu := []float64{fraction * reports[0].PenaltyMax, fraction * reports[1].PenaltyMax}
		sum := make([]float64, 2)
		for _, e := range refit(t, x, y, fold, 4, nu, o) {
			for k, v := range e {
				sum[k] += v
			}
		}
		for k, v := range sum {
			if v < best[k] {
				best[k], selected[k] = v, nu[k]
			}
		}
	}
	for k, r := range reports {
		if !near(r.Penalty, selected[k], 1e-12) {
			t.Errorf("output %d: nu = %g of nuMax, refits choose %g of nuMax", k, r.Penalty/r.PenaltyMax, selected[k]/r.PenaltyMax)
		}
		if r.Penalty == o.PenaltyGrid[0]*r.PenaltyMax || r.Penalty == o.PenaltyGrid[len(o.PenaltyGrid)-1]*r.PenaltyMax {
			t.Errorf("output %d: the choice is at the end of the grid and shows nothing", k)
		}
	}
}

// TestSelectedPenaltyEqualsGivenPenalty fits again with the selected nu. The noise is large enough that rounding of
// the sums over rows is smaller than the gap.
func TestSelectedPenaltyEqualsGivenPenalty(t *testing.T) {
	x, y := sample(200, 3, 1, 1)
	o := slkl.Options{Points: base().Points, Noise: 1e-3}
	selected := fit(t, x, y, o)
	o.Kernels, o.Penalty, o.Noise = selected.Report().Kernels, selected.Report().Outputs[0].Penalty, selected.Report().Noise
	given := fit(t, x, y, o)
	a, b := selected.Report().Outputs[0], given.Report().Outputs[0]
	if d := far(predict(t, selected, x), predict(t, given, x)); !(d <= 1e-6) || !(math.Abs(a.Objective-b.Objective) <= a.Gap+b.Gap+1e-12*a.Objective) {
		t.Errorf("predictions differ by %.1e", d)
	}
}

// TestFoldsThatShare compares a fit, which knows the number of scored folds and separates them, with
// a learner, which does not.
func TestFoldsThatShare(t *testing.T) {
	x, y := sample(6000, 2, 1, 3)
	points, _ := sample(30, 2, 1, 4)
	o := slkl.Options{Points: points, Kernels: []kernel.Kernel{kernel.Gaussian{Sigma: 1}}, Paper: slkl.Paper{PenaltyGrid: []float64{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}}}
	all := learner(t, o)
	if err := all.Update(x, y); err != nil {
		t.Fatal(err)
	}
	want, err := all.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	got := fit(t, x, y, o)
	if a, b := got.Report().Outputs[0].Penalty, want.Report().Outputs[0].Penalty; !near(a, b, 1e-9) {
		t.Errorf("the fit chooses nu = %g, the learner %g", a, b)
	}
	if d := far(predict(t, got, x), predict(t, want, x)); !(d <= 1e-7) {
		t.Errorf("predictions differ by %.1e", d)
	}
}

// TestFewRowsForFolds has fewer rows than folds, down to one.
func TestFewRowsForFolds(t *testing.T) {
	x, y := sample(7, 3, 1, 1)
	for n := 1; n <= 7; n++ {
		m, err := slkl.Fit(context.Background(), rowsOf(x, span(0, n)), rowsOf(y, span(0, n)), nil)
		if err != nil {
			t.Fatalf("%d rows: %v", n, err)
		}
		r := m.Report().Outputs[0]
		if !finite(predict(t, m, x)) || r.Status != rkhs.Converged {
			t.Errorf("%d rows: %+v", n, r)
		}
	}
}
