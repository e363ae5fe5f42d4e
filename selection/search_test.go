package selection_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/selection"
)

// TestGridEqualsByHand: a search of 60 candidates has the scores, the selected candidate and the
// model of plain loops.
func TestGridEqualsByHand(t *testing.T) {
	// The whole table with few points, or few rows exactly: exact fits to all rows need minutes.
	rows, points := 4177, 50
	if !testutil.LongTests() {
		rows, points = 200, 0
	}
	set := table(t, "abalone", rows)
	got := search(t, set.X, set.Targets(), sixty(t, points), selection.Options{Seed: 7})

	folds, err := dataset.Random(rows, 7).Folds(5)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	best, number := math.Inf(1), 0
	var selected ridge.Options
	scores := map[int][]float64{}
	for _, sigma := range sigmas {
		for _, lam := range lams {
			o := ridge.Options{Kernel: kernel.Gaussian{Sigma: sigma}, Ridge: lam, MaxPoints: points}
			sum := 0.0
			for _, f := range folds {
				train, test := set.Select(f.Train), set.Select(f.Test)
				m, err := ridge.Fit(ctx, train.X, train.Targets(), &o)
				if err != nil {
					t.Fatal(err)
				}
				p, err := m.Predict(test.X)
				if err != nil {
					t.Fatal(err)
				}
				score, err := dataset.RMSE(p, test.Targets())
				if err != nil {
					t.Fatal(err)
				}
				scores[number] = append(scores[number], score)
				sum += score
			}
			if sum/5 < best {
				best, selected = sum/5, o
			}
			number++
		}
	}
	if len(got.Trials) != 60 {
		t.Fatalf("%d trials", len(got.Trials))
	}
	for _, trial := range got.Trials {
		if !sameBits(trial.Scores, scores[trial.Number]) {
			t.Errorf("%v: %v, by hand %v", trial.Candidate, trial.Scores, scores[trial.Number])
		}
	}
	if got.Best.Mean != best {
		t.Errorf("best mean %v, by hand %v", got.Best.Mean, best)
	}
	want, err := ridge.Fit(ctx, set.X, set.Targets(), &selected)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(predict(t, got.Model, set.X), predict(t, want, set.X)) {
		t.Errorf("the model is not that of %+v", selected)
	}
}

func predict(t *testing.T, m rkhs.Model, x mat.Matrix) *mat.Dense {
	t.Helper()
	p, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// failing is a candidate that fails at the split without the given training row.
func failing(err error, row float64) selection.Candidate {
	return stub("failing", func(_ context.Context, x, y mat.Matrix) (rkhs.Model, error) {
		n, _ := x.Dims()
		for i := range n {
			if x.At(i, 0) == row {
				return level(0), nil
			}
		}
		return nil, err
	})
}

// TestWorkers: any number of workers gives the same table, selected candidate and model, with
// repeated folds, failing candidates, and rungs or no rungs.
func TestWorkers(t *testing.T) {
	x, y, _ := waves(240)
	list := append(grid(t, []float64{.3, 1, 3}, []float64{1e-2, 1e-4, 1e-6}),
		failing(rkhs.ErrDiverged, x.At(17, 0)), failing(rkhs.ErrDiverged, -7))
	for _, eta := range []int{0, 3} {
		o := selection.Options{Folds: 3, Repeats: 2, Eta: eta, Seed: 5, Workers: 1}
		if eta > 0 {
			o.FirstRows = 50
		}
		want := search(t, x, y, list, o)
		for _, o.Workers = range []int{2, 8} {
			got := search(t, x, y, list, o)
			if !equalTrials(got.Trials, want.Trials) || got.String() != want.String() {
				t.Errorf("%d workers:\n%v\none:\n%v", o.Workers, got, want)
			}
			if got.Best.Number != want.Best.Number || !mat.Equal(predict(t, got.Model, x), predict(t, want.Model, x)) {
				t.Errorf("%d workers choose %v, one %v", o.Workers, got.Best.Candidate, want.Best.Candidate)
			}
		}
	}
}

// TestLearnersSideBySide compares learners of several packages. Each model has the type of its
// package.
func TestLearnersSideBySide(t *testing.T) {
	x, _, labels := waves(150)
	k := kernel.Gaussian{Sigma: 0.7}
	exact, err := selection.Grid("ridge", ridge.FitClassifier, ridge.Options{Kernel: k, Ridge: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	stream, err := selection.Grid("polk", polk.FitClassifier, polk.Options{Kernel: k},
		selection.Values("Ridge", func(o *polk.Options, v float64) { o.Ridge = v }, 1, 1e-3))
	if err != nil {
		t.Fatal(err)
	}
	r := search(t, x, labels, append(exact, stream...), selection.Options{})
	if r.Score.Name != "accuracy" || r.Trials[0].Mean < r.Trials[2].Mean || r.Best.Mean < 0.85 {
		t.Errorf("of labels:\n%v", r)
	}
	switch r.Model.(type) {
	case *ridge.Classifier, *polk.Classifier:
	default:
		t.Errorf("the model is a %T", r.Model)
	}
	// The strongest ridge predicts one label.
	if r.Trials[2].Number != 1 {
		t.Errorf("last is number %d:\n%v", r.Trials[2].Number, r)
	}
}

// TestScores compares each with the function of package dataset.
func TestScores(t *testing.T) {
	x, y, labels := waves(200)
	ctx := context.Background()
	m, err := ridge.Fit(ctx, x, y, &ridge.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-2})
	if err != nil {
		t.Fatal(err)
	}
	c, err := polk.FitClassifier(ctx, x, labels, &polk.Options{Loss: loss.Logistic{}})
	if err != nil {
		t.Fatal(err)
	}
	p, f := predict(t, m, x), predict(t, c, x)
	raw, err := c.Scores(x)
	if err != nil {
		t.Fatal(err)
	}
	probabilities, err := c.Proba(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct {
		score selection.Score
		model rkhs.Model
		y     mat.Matrix
		want  func() (float64, error)
	}{
		{selection.RMSE(), m, y, func() (float64, error) { return dataset.RMSE(p, y) }},
		{selection.MAE(), m, y, func() (float64, error) { return dataset.MAE(p, y) }},
		{selection.R2(), m, y, func() (float64, error) { return dataset.R2(p, y) }},
		{selection.Pinball(0.9), m, y, func() (float64, error) { return dataset.Pinball(p, y, 0.9) }},
		{selection.Accuracy(), c, labels, func() (float64, error) { return dataset.Accuracy(f, labels) }},
		{selection.LogLoss(), c, labels, func() (float64, error) { return dataset.LogLoss(probabilities, labels, c.Labels()) }},
		{selection.AUC(), c, labels, func() (float64, error) { return dataset.AUC(raw, labels) }},
	} {
		got, err := s.score.Of(s.model, x, s.y)
		if err != nil {
			t.Fatal(err)
		}
		if want, err := s.want(); err != nil || got != want {
			t.Errorf("%s: %v, want %v, %v", s.score.Name, got, want, err)
		}
		better := want(s.score)
		if s.score.Larger != better {
			t.Errorf("%s: larger is better: %v", s.score.Name, s.score.Larger)
		}
	}
	for _, s := range []selection.Score{selection.LogLoss(), selection.AUC()} {
		if _, err := s.Of(m, x, y); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("%s of a regression: %v", s.Name, err)
		}
	}
}

// want reports whether larger values of a score are better.
func want(s selection.Score) bool { return slices.Contains([]string{"R2", "accuracy", "AUC"}, s.Name) }

// prepared is a score that reads candidate and split from the model and returns
// values[candidate][split].
func prepared(larger bool, values ...[]float64) ([]selection.Candidate, selection.Score) {
	var mu sync.Mutex
	next := make([]int, len(values))
	var list []selection.Candidate
	for i := range values {
		list = append(list, levels(float64(i))...)
	}
	return list, selection.Score{Name: "prepared", Larger: larger, Of: func(m rkhs.Model, _, _ mat.Matrix) (float64, error) {
		mu.Lock()
		defer mu.Unlock()
		i := int(m.(level))
		v := values[i][next[i]]
		next[i]++
		return v, nil
	}}
}

// TestRules: means, standard errors and selected candidates for given scores.
func TestRules(t *testing.T) {
	scores := [][]float64{{4, 4, 4}, {2, 3, 4}, {1, 2.25, 3.25}, {1, 2, 3.5}, {1, 2, 3}}
	// The last candidate has mean 2 and standard error 1/√3 = .577: 2.17 is within one standard
	// error, 3 is not.
	for _, c := range []struct {
		rule   selection.Rule
		larger bool
		want   int
	}{{selection.BestMean, false, 4}, {selection.OneStandardError, false, 2}, {selection.BestMean, true, 0}, {selection.OneStandardError, true, 0}} {
		list, score := prepared(c.larger, scores...)
		r := search(t, column(9), column(9), list, selection.Options{Folds: 3, Score: score, Rule: c.rule, Workers: 1, NoRefit: true})
		if r.Best.Number != c.want || r.Model != nil {
			t.Errorf("%v, larger %v: chose %d, want %d; model %v", c.rule, c.larger, r.Best.Number, c.want, r.Model)
		}
		for _, trial := range r.Trials {
			if s := scores[trial.Number]; math.Abs(trial.Mean-(s[0]+s[1]+s[2])/3) > 1e-15 {
				t.Errorf("mean of %v is %v", s, trial.Mean)
			}
			if trial.Number == 1 && math.Abs(trial.StandardError-1/math.Sqrt(3)) > 1e-15 {
				t.Errorf("standard error of 2, 3, 4 is %v", trial.StandardError)
			}
		}
	}
	// The same rule prefers larger scores for negated values.
	for _, s := range scores {
		for i := range s {
			s[i] = -s[i]
		}
	}
	list, score := prepared(true, scores...)
	o := selection.Options{Folds: 3, Score: score, Rule: selection.OneStandardError, Workers: 1, NoRefit: true}
	if r := search(t, column(9), column(9), list, o); r.Best.Number != 2 {
		t.Errorf("of larger scores chose %d, want 2", r.Best.Number)
	}
}

// TestTiesGoToTheFirst: the first candidate should be the simplest.
func TestTiesGoToTheFirst(t *testing.T) {
	r := search(t, column(10), column(10), levels(1, 4, 4, 2), selection.Options{Workers: 3})
	if r.Best.Number != 1 {
		t.Errorf("chose %d:\n%v", r.Best.Number, r)
	}
}

// TestFailures: a failed candidate is in the table with the error of its first failed split,
// and the search continues.
func TestFailures(t *testing.T) {
	x := column(20)
	folds, err := dataset.Random(20, 3).Folds(4)
	if err != nil {
		t.Fatal(err)
	}
	broken := failing(rkhs.ErrDiverged, float64(folds[1].Test[0])) // outside the training rows of split 1
	nothing := stub("nothing", func(context.Context, mat.Matrix, mat.Matrix) (rkhs.Model, error) { return (*ridge.Model)(nil), nil })
	nan := stub("nan", func(context.Context, mat.Matrix, mat.Matrix) (rkhs.Model, error) { return level(math.NaN()), nil })
	with := stub("with", func(context.Context, mat.Matrix, mat.Matrix) (rkhs.Model, error) { return level(9), rkhs.ErrMemory })
	o := selection.Options{Folds: 4, Seed: 3, Score: selection.Score{Name: "value", Of: func(m rkhs.Model, x, y mat.Matrix) (float64, error) {
		return float64(m.(level)), nil
	}}}
	r := search(t, x, x, append(levels(7), broken, nothing, nan, with), o)
	if r.Best.Number != 0 || len(r.Trials) != 5 || r.Trials[0].Err != nil {
		t.Fatalf("%v", r)
	}
	for i, want := range []error{rkhs.ErrDiverged, rkhs.ErrUnfitted, rkhs.ErrNotFinite, rkhs.ErrMemory} {
		trial := r.Trials[i+1]
		if trial.Number != i+1 || !errors.Is(trial.Err, want) || !math.IsNaN(trial.Mean) {
			t.Errorf("trial %d: %+v", i+1, trial)
		}
	}
	failed := r.Trials[1]
	if failed.Scores[0] != 0 || !math.IsNaN(failed.Scores[1]) || !math.IsNaN(failed.Scores[3]) || !strings.Contains(failed.Err.Error(), "split 1") {
		t.Errorf("%+v", failed)
	}

	r, err = selection.Search(context.Background(), x, x, []selection.Candidate{broken, nothing}, &o)
	if !errors.Is(err, rkhs.ErrDiverged) || !errors.Is(err, rkhs.ErrUnfitted) || r == nil || len(r.Trials) != 2 || r.Best != nil {
		t.Errorf("all failed: %v, %v", r, err)
	}
}

// TestNotConverged: the score of a model with this error counts, and the trial records the error.
func TestNotConverged(t *testing.T) {
	early := stub("early", func(context.Context, mat.Matrix, mat.Matrix) (rkhs.Model, error) {
		return level(4), fmt.Errorf("early: %w", rkhs.ErrNotConverged)
	})
	x := column(9) // of mean 4
	r := search(t, x, x, append(levels(3), early), selection.Options{Folds: 3, NoRefit: true})
	if best := r.Best; best.Number != 1 || best.NotConverged != 3 || best.Err != nil || r.Trials[1].NotConverged != 0 {
		t.Errorf("%+v", r.Trials)
	}
	if !strings.Contains(r.String(), "early (3 of 3 fits not converged)") {
		t.Errorf("%v", r)
	}
	r, err := selection.Search(context.Background(), x, x, []selection.Candidate{early}, nil)
	if !errors.Is(err, rkhs.ErrNotConverged) || r == nil || r.Model != level(4) {
		t.Errorf("refit: %v, %v", r, err)
	}
	none := stub("none", func(context.Context, mat.Matrix, mat.Matrix) (rkhs.Model, error) { return nil, rkhs.ErrNotConverged })
	if _, err = selection.Search(context.Background(), x, x, []selection.Candidate{none}, nil); !errors.Is(err, rkhs.ErrNotConverged) {
		t.Errorf("without a model: %v", err)
	}
}

// TestRefitFails: the search returns the table.
func TestRefitFails(t *testing.T) {
	all := stub("not all", func(_ context.Context, x, _ mat.Matrix) (rkhs.Model, error) {
		if n, _ := x.Dims(); n == 10 {
			return (*ridge.Model)(nil), rkhs.ErrMemory
		}
		return level(1), nil
	})
	r, err := selection.Search(context.Background(), column(10), column(10), []selection.Candidate{all}, nil)
	if !errors.Is(err, rkhs.ErrMemory) || r == nil || r.Best == nil || r.Model != nil {
		t.Errorf("%v, %v", r, err)
	}
}
