package selection_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/selection"
)

// pick returns rows of a matrix.
func pick(m mat.Matrix, list []int) *mat.Dense {
	_, d := m.Dims()
	p := mat.NewDense(len(list), d, nil)
	for i, row := range list {
		p.SetRow(i, mat.Row(nil, row, m))
	}
	return p
}

func pickWeights(w []float64, list []int) []float64 {
	p := make([]float64, len(list))
	for i, row := range list {
		p[i] = w[row]
	}
	return p
}

// TestWeights: fits and scores receive the weights of their rows, including zeros.
func TestWeights(t *testing.T) {
	x, y, _ := waves(90)
	w := make([]float64, 90)
	for i := range w {
		w[i] = float64(i % 4)
	}
	o := ridge.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-3}
	list, err := selection.Grid("ridge", ridge.Fit, o)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	r := search(t, rkhs.Weighted{Matrix: x, Weights: w}, y, list, selection.Options{Folds: 3, Seed: 2})
	folds, err := dataset.Random(90, 2).Folds(3)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range folds {
		m, err := ridge.Fit(ctx, rkhs.Weighted{Matrix: pick(x, f.Train), Weights: pickWeights(w, f.Train)}, pick(y, f.Train), &o)
		if err != nil {
			t.Fatal(err)
		}
		want, err := dataset.RMSE(predict(t, m, pick(x, f.Test)), rkhs.Weighted{Matrix: pick(y, f.Test), Weights: pickWeights(w, f.Test)})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Trials[0].Scores[i]; got != want {
			t.Errorf("split %d: %v, want %v", i, got, want)
		}
	}
	m, err := ridge.Fit(ctx, rkhs.Weighted{Matrix: x, Weights: w}, y, &o)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(predict(t, r.Model, x), predict(t, m, x)) {
		t.Error("the model is not that of the weighted rows")
	}
}

// TestSparse: sparse rows stay sparse in fits, rungs and scores, and give the results of dense
// rows.
func TestSparse(t *testing.T) {
	const n, d = 60, 1 << 20
	x := &rkhs.Sparse{Rows: n, Cols: d, Offsets: []int{0}}
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		x.Columns = append(x.Columns, int32(i%7), int32(1000+i), d-1)
		x.Values = append(x.Values, 1, 0.1, float64(i%3))
		x.Offsets = append(x.Offsets, len(x.Values))
		y.Set(i, 0, float64(i%7+i%3))
	}
	isSparse := func(m mat.Matrix) bool { _, ok := m.(*rkhs.Sparse); return ok }
	list, err := selection.Grid("ridge", func(ctx context.Context, x, y mat.Matrix, o *ridge.Options) (*ridge.Model, error) {
		if !isSparse(x) {
			t.Errorf("a fit to %T", x)
		}
		return ridge.Fit(ctx, x, y, o)
	}, ridge.Options{Kernel: kernel.Gaussian{Sigma: 2}}, selection.Values("Ridge", setRidge, 1, 1e-1, 1e-2, 1e-3))
	if err != nil {
		t.Fatal(err)
	}
	rmse := selection.RMSE()
	score := selection.Score{Name: "RMSE", Of: func(m rkhs.Model, x, y mat.Matrix) (float64, error) {
		if !isSparse(x) {
			t.Errorf("a score by %T", x)
		}
		return rmse.Of(m, x, y)
	}}
	r := search(t, x, y, list, selection.Options{Score: score, Folds: 3, Eta: 2, FirstRows: 10})
	folds, err := dataset.Random(n, 0).Folds(3)
	if err != nil {
		t.Fatal(err)
	}
	// The nonzero columns in dense form.
	dense := mat.NewDense(n, 8+n, nil)
	for i := range n {
		dense.Set(i, i%7, 1)
		dense.Set(i, 7, float64(i%3))
		dense.Set(i, 8+i, 0.1)
	}
	for i, f := range folds {
		m, err := ridge.Fit(context.Background(), pick(dense, f.Train), pick(y, f.Train),
			&ridge.Options{Kernel: kernel.Gaussian{Sigma: 2}, Ridge: r.Best.Candidate.Values[0].Value.(float64)})
		if err != nil {
			t.Fatal(err)
		}
		want, err := dataset.RMSE(predict(t, m, pick(dense, f.Test)), pick(y, f.Test))
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Best.Scores[i]; math.Abs(got-want) > 1e-9*want {
			t.Errorf("split %d: %v, dense %v", i, got, want)
		}
	}
}

// TestLabelsAreStratified compares with dataset.Stratified. Errors name the label.
func TestLabelsAreStratified(t *testing.T) {
	const n = 30
	labels := mat.NewDense(n, 1, nil)
	for i := range n {
		labels.Set(i, 0, float64(7+i*i%3))
	}
	var seen recorder
	list := []selection.Candidate{seen.candidate(level(7), true)}
	search(t, column(n), labels, list, selection.Options{Folds: 4, Seed: 6, Workers: 1, NoRefit: true})
	folds, err := dataset.Stratified(mat.Col(nil, 0, labels), 6).Folds(4)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range folds {
		if !slices.EqualFunc(f.Train, seen.fits[i], func(a int, b float64) bool { return float64(a) == b }) {
			t.Errorf("fold %d: %v, by hand %v", i, seen.fits[i], f.Train)
		}
	}
	labels.Set(4, 0, -12)
	_, err = selection.Search(context.Background(), column(n), labels, list, nil)
	if !errors.Is(err, rkhs.ErrLabels) || !strings.Contains(err.Error(), "label -12") {
		t.Error(err)
	}
}

// TestSplitters: groups are not divided, fits do not use later rows, and each repeat holds out
// the requested number of different rows.
func TestSplitters(t *testing.T) {
	const n = 40
	groups := make([]int, n)
	for i := range groups {
		groups[i] = i / 4
	}
	fits := func(o selection.Options) [][]float64 {
		var seen recorder
		o.Workers, o.NoRefit = 1, true
		search(t, column(n), column(n), []selection.Candidate{seen.candidate(level(1), false)}, o)
		return seen.fits
	}
	for _, rows := range fits(selection.Options{Splitter: func(seed uint64) dataset.Splitter { return dataset.Grouped(groups, seed) }}) {
		count := map[int]int{}
		for _, row := range rows {
			count[groups[int(row)]]++
		}
		for g, k := range count {
			if k != 4 {
				t.Errorf("%d rows of group %d", k, g)
			}
		}
	}
	for i, rows := range fits(selection.Options{Folds: 4, Splitter: func(uint64) dataset.Splitter { return dataset.Ordered(n) }}) {
		if slices.Max(rows) != float64(len(rows)-1) || len(rows) != 8*(i+1) {
			t.Errorf("fold %d in time learns from %v", i, rows)
		}
	}
	held := fits(selection.Options{HeldOut: 0.25, Repeats: 3, Seed: 9})
	if len(held) != 3 || slices.Equal(held[0], held[1]) || slices.Equal(held[1], held[2]) {
		t.Errorf("held out: %v", held)
	}
	for i, rows := range held {
		train, _, err := dataset.Random(n, 9+uint64(i)).Split(0.25)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != 30 || rows[0] != float64(train[0]) || rows[29] != float64(train[29]) {
			t.Errorf("repeat %d learns from %v, want %v", i, rows, train)
		}
	}
}
