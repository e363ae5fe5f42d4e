package dataset

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/rng"
)

func column(v ...float64) *mat.VecDense { return mat.NewVecDense(len(v), v) }

// checkScore fails unless a score is within tolerance of want.
func checkScore(t *testing.T, name string, want, tolerance float64) func(got float64, err error) {
	return func(got float64, err error) {
		t.Helper()
		if err != nil || !(math.Abs(got-want) <= tolerance) && got != want {
			t.Errorf("%s is %v, want %v; error %v", name, got, want, err)
		}
	}
}

// The small examples of the documentation of scikit-learn, and closed forms.
func TestRegressionScores(t *testing.T) {
	y, p := column(3, -0.5, 2, 7), column(2.5, 0, 2, 8)
	checkScore(t, "RMSE", math.Sqrt(0.375), 1e-16)(RMSE(p, y))
	checkScore(t, "MAE", 0.5, 0)(MAE(p, y))
	checkScore(t, "R2", 1-1.5/29.1875, 1e-15)(R2(p, y))
	yy, pp := mat.NewDense(3, 2, []float64{0.5, 1, -1, 1, 7, -6}), mat.NewDense(3, 2, []float64{0, 2, -1, 2, 8, -5})
	checkScore(t, "RMSE of two columns", math.Sqrt(4.25/6), 1e-15)(RMSE(pp, yy))
	checkScore(t, "MAE of two columns", 0.75, 0)(MAE(pp, yy))
	checkScore(t, "R2 of two columns", 0.936800526662278, 1e-15)(R2(pp, yy))
	y = column(1, 2, 3)
	checkScore(t, "R2 of the mean", 0, 1e-15)(R2(column(2, 2, 2), y))
	checkScore(t, "R2 of the truth", 1, 0)(R2(y, y))
	checkScore(t, "R2 of the reverse", -3, 1e-15)(R2(column(3, 2, 1), y))
	for _, c := range []struct {
		p         *mat.VecDense
		tau, want float64
	}{{column(0, 2, 3), 0.1, 1.0 / 30}, {column(1, 2, 4), 0.1, 0.3}, {column(0, 2, 3), 0.9, 0.3}, {column(1, 2, 4), 0.9, 1.0 / 30}, {y, 0.1, 0}, {column(0, 4, 3), 0.5, 0.5}} {
		checkScore(t, "pinball", c.want, 1e-15)(Pinball(c.p, y, c.tau))
	}
}

// The tau-quantile has the lowest pinball loss of all constants.
func TestPinballQuantile(t *testing.T) {
	y := column(5, 1, 4, 2, 3, 9, 7, 8, 6)
	best, least := 0.0, math.Inf(1)
	for c := 0.5; c < 10; c += 0.25 {
		p := mat.NewVecDense(9, nil)
		for i := range 9 {
			p.SetVec(i, c)
		}
		if l, err := Pinball(p, y, 0.3); err != nil {
			t.Fatal(err)
		} else if l < least {
			best, least = c, l
		}
	}
	if best != 3 {
		t.Errorf("least at %v", best)
	}
}

func TestClassScores(t *testing.T) {
	checkScore(t, "accuracy", 0.5, 0)(Accuracy(column(0, 2, 1, 3), column(0, 1, 2, 3)))
	p := mat.NewDense(4, 2, []float64{0.1, 0.9, 0.9, 0.1, 0.8, 0.2, 0.35, 0.65})
	checkScore(t, "log loss", 0.21616187468057912, 1e-15)(LogLoss(p, column(1, -1, -1, 1), []int{-1, 1}))
	checkScore(t, "log loss of nothing known", math.Log(3), 1e-15)(LogLoss(mat.NewDense(1, 3, []float64{1. / 3, 1. / 3, 1. / 3}), column(5), []int{9, 5, 7}))
	checkScore(t, "log loss of the impossible", math.Inf(1), 0)(LogLoss(mat.NewDense(1, 2, []float64{0, 1}), column(0), []int{0, 1}))
	checkScore(t, "AUC", 0.75, 0)(AUC(column(0.1, 0.4, 0.35, 0.8), column(0, 0, 1, 1)))
	checkScore(t, "AUC of a constant", 0.5, 0)(AUC(column(2, 2, 2), column(-1, 1, 1)))
	checkScore(t, "AUC of 0 and -0", 0.5, 0)(AUC(column(0, math.Copysign(0, -1)), column(0, 1)))
	checkScore(t, "AUC of the reverse", 0, 0)(AUC(column(3, 2, 1), column(0, 1, 1)))
}

// The area is the fraction of ordered pairs, where ties count one half.
func TestAUCAgainstAllPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "n")
		s := rng.New(rapid.Uint64().Draw(t, "seed"), "scores", 0)
		levels := rapid.IntRange(1, 30).Draw(t, "levels")
		scores, labels := make([]float64, n), make([]float64, n)
		for i := range scores {
			scores[i], labels[i] = float64(s.IntN(levels))-3, float64(4*s.IntN(2))
		}
		labels[0], labels[1] = 0, 4
		right, pairs := 0.0, 0.0
		for i, a := range scores {
			for j, b := range scores {
				if labels[i] > labels[j] {
					pairs++
					if a > b {
						right++
					} else if a == b {
						right += 0.5
					}
				}
			}
		}
		if got, err := AUC(column(scores...), column(labels...)); err != nil || got != right/pairs {
			t.Errorf("got %v, want %v; error %v", got, right/pairs, err)
		}
	})
}

func TestConfusion(t *testing.T) {
	c, err := Confusion(column(0, 0, 2, 2, 0, 2), column(2, 0, 2, 2, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	if want := mat.NewDense(3, 3, []float64{2, 0, 0, 0, 0, 1, 1, 0, 2}); !mat.Equal(c.Counts, want) || c.Labels[0] != 0 || c.Labels[2] != 2 {
		t.Errorf("labels %v, counts\n%v", c.Labels, mat.Formatted(c.Counts))
	}
	c, err = Confusion(column(-10, -10), column(-10, 1234567))
	if want := "  true\\predicted  -10  1234567\n             -10    1        0\n         1234567    1        0"; err != nil || c.String() != want {
		t.Errorf("error %v, table\n%v\nwant\n%v", err, c, want)
	}
}

func TestScoreErrors(t *testing.T) {
	nan := column(1, math.NaN(), 0)
	two := mat.NewDense(3, 2, nil)
	type score func(p, y mat.Matrix) (float64, error)
	confusion := func(p, y mat.Matrix) (float64, error) { _, err := Confusion(p, y); return 0, err }
	scores := map[string]score{
		"RMSE": RMSE, "MAE": MAE, "R2": R2, "accuracy": Accuracy, "AUC": AUC, "confusion": confusion,
		"pinball": func(p, y mat.Matrix) (float64, error) { return Pinball(p, y, 0.5) },
	}
	for name, s := range scores {
		for _, c := range []struct {
			p, y     mat.Matrix
			sentinel error
			part     string
		}{
			{nil, column(1), rkhs.ErrEmpty, "predicted is nil"},
			{column(1), (*mat.Dense)(nil), rkhs.ErrEmpty, "y is nil"},
			{column(1), new(mat.Dense), rkhs.ErrEmpty, "y is 0×0"},
			{column(1, 2), column(1, 0, 1), rkhs.ErrShape, "predicted is 2×1, y is 3×1"},
			{two, column(1, 0, 1), rkhs.ErrShape, "predicted is 3×2"},
			{nan, column(1, 0, 1), rkhs.ErrNotFinite, "predicted at row 1, column 0"},
			{column(1, 0, 1), nan, rkhs.ErrNotFinite, "y at row 1, column 0"},
		} {
			_, err := s(c.p, c.y)
			checkError(t, err, c.sentinel, name, c.part)
		}
	}
	for _, name := range []string{"accuracy", "AUC", "confusion"} {
		_, err := scores[name](two, two)
		checkError(t, err, rkhs.ErrShape, name, "2 columns")
		_, err = scores[name](column(1, 0), column(1, 0.5))
		checkError(t, err, rkhs.ErrLabels, name, "0.5 in row 1")
	}
	_, err := Accuracy(column(0.3, 0.7), column(0, 1))
	checkError(t, err, rkhs.ErrLabels, "0.3")
	_, err = AUC(column(1, 2), column(1, 1))
	checkError(t, err, rkhs.ErrLabels, "label 1", "two labels")
	_, err = AUC(column(1, 2, 3), column(1, 2, 3))
	checkError(t, err, rkhs.ErrLabels, "label 2 in row 1")
	_, err = R2(column(1, 2), column(0.1, 0.1))
	checkError(t, err, rkhs.ErrDomain, "column 0", "0.1")
	for _, tau := range []float64{0, 1, -1, math.NaN()} {
		_, err = Pinball(column(1), column(1), tau)
		checkError(t, err, rkhs.ErrOption, "tau")
	}
}

func TestLogLossErrors(t *testing.T) {
	p := mat.NewDense(2, 2, []float64{0.5, 0.5, 0.2, 0.8})
	for _, c := range []struct {
		p, y     mat.Matrix
		labels   []int
		sentinel error
		part     string
	}{
		{nil, column(0, 1), []int{0, 1}, rkhs.ErrEmpty, "probabilities is nil"},
		{p, nil, []int{0, 1}, rkhs.ErrEmpty, "y is nil"},
		{p, column(0, 1, 1), []int{0, 1}, rkhs.ErrShape, "is 2×2, y is 3×1"},
		{p, column(0, 1), []int{0, 1, 2}, rkhs.ErrShape, "3 labels"},
		{p, column(0, 1), []int{1, 1}, rkhs.ErrLabels, "label 1 comes twice"},
		{p, column(0, 2), []int{0, 1}, rkhs.ErrLabels, "label 2 of row 1"},
		{mat.NewDense(1, 2, []float64{-0.5, 1.5}), column(0), []int{0, 1}, rkhs.ErrDomain, "-0.5 in column 0"},
		{mat.NewDense(1, 2, []float64{0.5, 0.6}), column(0), []int{0, 1}, rkhs.ErrDomain, "sum to 1.1"},
		{mat.NewDense(1, 2, []float64{math.NaN(), 1}), column(0), []int{0, 1}, rkhs.ErrNotFinite, "row 0"},
	} {
		_, err := LogLoss(c.p, c.y, c.labels)
		checkError(t, err, c.sentinel, "log loss", c.part)
	}
}
