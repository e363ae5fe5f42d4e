package selection_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/selection"
	"github.com/rkhs-go/rkhs/slkl"
)

// toyOptions are the options of a toy learner.
type toyOptions struct {
	Real  float64
	Whole int
	Word  string
	Fixed int
}

// toyModel holds the options that the fit of a candidate receives.
type toyModel struct {
	level
	toyOptions
}

func fitToy(_ context.Context, _, _ mat.Matrix, o *toyOptions) (toyModel, error) {
	return toyModel{toyOptions: *o}, nil
}

func setReal(o *toyOptions, v float64) { o.Real = v }
func setWhole(o *toyOptions, v int)    { o.Whole = v }
func setWord(o *toyOptions, v string)  { o.Word = v }

// seen returns the options that the fits of candidates receive.
func seen(t *testing.T, list []selection.Candidate) (all []toyOptions) {
	t.Helper()
	for _, c := range list {
		m, err := c.Fit(context.Background(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m.(toyModel).toyOptions)
	}
	return all
}

func TestGrid(t *testing.T) {
	list, err := selection.Grid("toy", fitToy, toyOptions{Fixed: 5}, selection.Values("Word", setWord, "a", "b"), selection.Values("Real", setReal, 1, 2.5, 1./3))
	if err != nil {
		t.Fatal(err)
	}
	want := []toyOptions{{1, 0, "a", 5}, {2.5, 0, "a", 5}, {1. / 3, 0, "a", 5}, {1, 0, "b", 5}, {2.5, 0, "b", 5}, {1. / 3, 0, "b", 5}}
	if got := seen(t, list); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := list[5].String(); got != "toy Word=b Real=0.333333" {
		t.Error(got)
	}
	alone, err := selection.Grid("toy", fitToy, toyOptions{Fixed: 7})
	if err != nil || !slices.Equal(seen(t, alone), []toyOptions{{Fixed: 7}}) {
		t.Errorf("without axes: %v, %v", alone, err)
	}
}

// one returns the candidate with zero options.
func one[O any, M rkhs.Model](t *testing.T, name string, fit func(context.Context, mat.Matrix, mat.Matrix, *O) (M, error)) selection.Candidate {
	t.Helper()
	var zero O
	list, err := selection.Grid(name, fit, zero)
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// TestEveryLearner: every learner is a candidate. The type that its fit returns shows whether it is
// a classifier.
func TestEveryLearner(t *testing.T) {
	x, y, labels := waves(60)
	numbers := []selection.Candidate{one(t, "ridge", ridge.Fit), one(t, "slkl", slkl.Fit), one(t, "doublysgd", doublysgd.Fit),
		one(t, "gp", gp.Fit), one(t, "polk", polk.Fit), one(t, "alignment", alignment.Fit)}
	classes := []selection.Candidate{one(t, "ridge", ridge.FitClassifier), one(t, "slkl", slkl.FitClassifier),
		one(t, "doublysgd", doublysgd.FitClassifier), one(t, "polk", polk.FitClassifier), one(t, "alignment", alignment.FitClassifier)}
	for i, list := range [][]selection.Candidate{numbers, classes} {
		for _, c := range list {
			if c.Classifier != (i == 1) {
				t.Errorf("%v is a classifier: %v", c, c.Classifier)
			}
		}
		r := search(t, x, []mat.Matrix{y, labels}[i], list, selection.Options{HeldOut: 0.3})
		for _, trial := range r.Trials {
			if trial.Err != nil {
				t.Error(trial.Err)
			}
		}
	}
}

// TestRandom: the seed determines the candidates, a smaller search is the start of a larger one,
// numbers reach their bounds, and the distributions are as documented.
func TestRandom(t *testing.T) {
	draw := func(n int, seed uint64) []toyOptions {
		list, err := selection.Random("toy", fitToy, toyOptions{}, n, seed, selection.LogUniform("Real", setReal, 1e-4, 1e2),
			selection.Uniform("Whole", setWhole, -1, 3), selection.Values("Word", setWord, "a", "b", "c"))
		if err != nil {
			t.Fatal(err)
		}
		return seen(t, list)
	}
	const n = 6000
	all := draw(n, 1)
	if !slices.Equal(draw(100, 1), all[:100]) || slices.Equal(draw(100, 2), all[:100]) {
		t.Error("not by the seed alone")
	}
	words, whole, decades := map[string]int{}, map[int]int{}, map[int]int{}
	for _, k := range all {
		words[k.Word]++
		whole[k.Whole]++
		decades[int(math.Floor(math.Log10(k.Real)))]++
	}
	even(t, "words", words, 3, n)
	even(t, "whole numbers", whole, 5, n)
	even(t, "decades", decades, 6, n)
}

// even fails if the frequencies of equally likely values differ by more than five standard
// deviations.
func even[K comparable](t *testing.T, name string, count map[K]int, values, n int) {
	t.Helper()
	p := 1 / float64(values)
	for v, k := range count {
		if math.Abs(float64(k)-p*float64(n)) > 5*math.Sqrt(p*(1-p)*float64(n)) {
			t.Errorf("%s: %v comes %d times of %d", name, v, k, n)
		}
	}
	if len(count) != values {
		t.Errorf("%s: %v, want %d of them", name, count, values)
	}
}

// TestLogUniformWholeNumbers: the probability of k is proportional to log(1 + 1/k).
func TestLogUniformWholeNumbers(t *testing.T) {
	const n = 6000
	list, err := selection.Random("toy", fitToy, toyOptions{}, n, 1, selection.LogUniform("Whole", setWhole, 1, 4))
	if err != nil {
		t.Fatal(err)
	}
	count := map[int]int{}
	for _, k := range seen(t, list) {
		count[k.Whole]++
	}
	for k := 1; k <= 4; k++ {
		p := math.Log1p(1/float64(k)) / math.Log(5)
		if math.Abs(float64(count[k])-p*n) > 5*math.Sqrt(p*(1-p)*n) {
			t.Errorf("%d comes %d times of %d, want about %.0f", k, count[k], n, p*n)
		}
	}
	if len(count) != 4 {
		t.Errorf("%v", count)
	}
}

// TestRandomOfLists: candidates are distinct, and complete if the request is large enough.
func TestRandomOfLists(t *testing.T) {
	draw := func(n int) []toyOptions {
		list, err := selection.Random("toy", fitToy, toyOptions{}, n, 3, selection.Values("Whole", setWhole, 1, 2, 3), selection.Values("Word", setWord, "a", "b"))
		if err != nil {
			t.Fatal(err)
		}
		return seen(t, list)
	}
	all := draw(100)
	distinct := map[toyOptions]bool{}
	for _, k := range all {
		distinct[k] = true
	}
	if len(all) != 6 || len(distinct) != 6 || !slices.Equal(draw(4), all[:4]) {
		t.Errorf("%v of %v", draw(4), all)
	}
	// Random samples from a grid that exceeds the memory.
	numbers := make([]int, 1000)
	for i := range numbers {
		numbers[i] = i
	}
	var axes []selection.Axis[toyOptions]
	for _, name := range []string{"A", "B", "C", "D", "E", "F", "G"} {
		axes = append(axes, selection.Values(name, setWhole, numbers...))
	}
	list, err := selection.Random("toy", fitToy, toyOptions{}, 5, 3, axes...)
	if err != nil || len(list) != 5 {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := selection.Grid("toy", fitToy, toyOptions{}, axes...); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("a grid of 10²¹: %v", err)
	}
}

func TestBadSpaces(t *testing.T) {
	var none func(context.Context, mat.Matrix, mat.Matrix, *toyOptions) (toyModel, error)
	word := selection.Values("Word", setWord, "a")
	for name, f := range map[string]func() ([]selection.Candidate, error){
		"nil fit": func() ([]selection.Candidate, error) { return selection.Grid("toy", none, toyOptions{}) },
		"no values": func() ([]selection.Candidate, error) {
			return selection.Grid("toy", fitToy, toyOptions{}, selection.Values("Word", setWord))
		},
		"no name": func() ([]selection.Candidate, error) {
			return selection.Grid("toy", fitToy, toyOptions{}, selection.Values("", setWord, "a"))
		},
		"nil set": func() ([]selection.Candidate, error) {
			return selection.Grid("toy", fitToy, toyOptions{}, selection.Values[toyOptions]("Word", nil, "a"))
		},
		"nil set drawn": func() ([]selection.Candidate, error) {
			return selection.Random("toy", fitToy, toyOptions{}, 1, 0, selection.Uniform[toyOptions]("Word", nil, 0., 1.))
		},
		"zero axis": func() ([]selection.Candidate, error) {
			return selection.Grid("toy", fitToy, toyOptions{}, selection.Axis[toyOptions]{})
		},
		"axis twice": func() ([]selection.Candidate, error) {
			return selection.Random("toy", fitToy, toyOptions{}, 1, 0, word, word)
		},
		"an interval": func() ([]selection.Candidate, error) {
			return selection.Grid("toy", fitToy, toyOptions{}, selection.Uniform("Real", setReal, 0, 1))
		},
		"none": func() ([]selection.Candidate, error) {
			return selection.Random("toy", fitToy, toyOptions{}, 0, 0, word)
		},
		"low = high": func() ([]selection.Candidate, error) {
			return selection.Random("toy", fitToy, toyOptions{}, 1, 0, selection.Uniform("Real", setReal, 1, 1))
		},
		"NaN": func() ([]selection.Candidate, error) {
			return selection.Random("toy", fitToy, toyOptions{}, 1, 0, selection.Uniform("Real", setReal, 1, math.NaN()))
		},
		"infinite": func() ([]selection.Candidate, error) {
			return selection.Random("toy", fitToy, toyOptions{}, 1, 0, selection.LogUniform("Real", setReal, 1, math.Inf(1)))
		},
		"too wide": func() ([]selection.Candidate, error) {
			return selection.Random("toy", fitToy, toyOptions{}, 1, 0, selection.Uniform("Real", setReal, -1e308, 1e308))
		},
		"log of zero": func() ([]selection.Candidate, error) {
			return selection.Random("toy", fitToy, toyOptions{}, 1, 0, selection.LogUniform("Real", setReal, 0, 1))
		},
	} {
		if list, err := f(); !errors.Is(err, rkhs.ErrOption) || list != nil {
			t.Errorf("%s: %v, %v", name, list, err)
		}
	}
}

// TestBadSearches: invalid data and options are errors before the first fit.
func TestBadSearches(t *testing.T) {
	x, y, labels := waves(30)
	good := stub("good", func(context.Context, mat.Matrix, mat.Matrix) (rkhs.Model, error) {
		t.Error("a fit was made")
		return level(0), nil
	})
	classifier := good
	classifier.Classifier = true
	one, ctx := []selection.Candidate{good}, context.Background()
	infinite := mat.DenseCopyOf(x)
	infinite.Set(3, 1, math.Inf(1))
	half := mat.DenseCopyOf(labels)
	half.Set(2, 0, 0.5)
	splitter := func(n int) func(uint64) dataset.Splitter {
		return func(seed uint64) dataset.Splitter { return dataset.Random(n, seed) }
	}
	for name, c := range map[string]struct {
		ctx  context.Context
		x, y mat.Matrix
		list []selection.Candidate
		opts *selection.Options
		want error
	}{
		"nil context":      {nil, x, y, one, nil, rkhs.ErrOption},
		"no candidates":    {ctx, x, y, nil, nil, rkhs.ErrOption},
		"no fit":           {ctx, x, y, []selection.Candidate{good, {}}, nil, rkhs.ErrOption},
		"mixed":            {ctx, x, labels, []selection.Candidate{good, classifier}, nil, rkhs.ErrOption},
		"nil x":            {ctx, nil, y, one, nil, rkhs.ErrEmpty},
		"nil y":            {ctx, x, nil, one, nil, rkhs.ErrEmpty},
		"nil inside":       {ctx, (*mat.Dense)(nil), y, one, nil, rkhs.ErrEmpty},
		"empty":            {ctx, new(mat.Dense), y, one, nil, rkhs.ErrEmpty},
		"rows":             {ctx, x, y.Slice(0, 29, 0, 1), one, nil, rkhs.ErrShape},
		"infinite":         {ctx, infinite, y, one, nil, rkhs.ErrNotFinite},
		"weights short":    {ctx, rkhs.Weighted{Matrix: x, Weights: []float64{1}}, y, one, nil, rkhs.ErrShape},
		"weights of y":     {ctx, x, rkhs.Weighted{Matrix: y, Weights: make([]float64, 30)}, one, nil, rkhs.ErrOption},
		"no label":         {ctx, x, half, []selection.Candidate{classifier}, nil, rkhs.ErrLabels},
		"one label":        {ctx, x, mat.NewDense(30, 1, nil), []selection.Candidate{classifier}, nil, rkhs.ErrLabels},
		"rule":             {ctx, x, y, one, &selection.Options{Rule: 9}, rkhs.ErrOption},
		"folds":            {ctx, x, y, one, &selection.Options{Folds: 1}, rkhs.ErrOption},
		"many folds":       {ctx, x, y, one, &selection.Options{Folds: 31}, rkhs.ErrOption},
		"held out":         {ctx, x, y, one, &selection.Options{HeldOut: 1}, rkhs.ErrOption},
		"held out NaN":     {ctx, x, y, one, &selection.Options{HeldOut: math.NaN()}, rkhs.ErrOption},
		"held out of few":  {ctx, x, y, one, &selection.Options{HeldOut: 0.01}, rkhs.ErrOption},
		"both":             {ctx, x, y, one, &selection.Options{HeldOut: 0.2, Folds: 3}, rkhs.ErrOption},
		"one split's s.e.": {ctx, x, y, one, &selection.Options{HeldOut: 0.2, Rule: selection.OneStandardError}, rkhs.ErrOption},
		"repeats":          {ctx, x, y, one, &selection.Options{Repeats: -1}, rkhs.ErrOption},
		"eta":              {ctx, x, y, one, &selection.Options{Eta: 1}, rkhs.ErrOption},
		"first rows":       {ctx, x, y, one, &selection.Options{FirstRows: 5}, rkhs.ErrOption},
		"workers":          {ctx, x, y, one, &selection.Options{Workers: -1}, rkhs.ErrOption},
		"score":            {ctx, x, y, one, &selection.Options{Score: selection.Score{Name: "mine"}}, rkhs.ErrOption},
		"another table":    {ctx, x, y, one, &selection.Options{Splitter: splitter(31)}, rkhs.ErrShape},
		"no rows to split": {ctx, x, y, one, &selection.Options{Splitter: splitter(0)}, rkhs.ErrEmpty},
	} {
		r, err := selection.Search(c.ctx, c.x, c.y, c.list, c.opts)
		if !errors.Is(err, c.want) || r != nil {
			t.Errorf("%s: %v, %v; want %v", name, r, err, c.want)
		}
	}
}

// TestKernelsAreListed lists kernels as values of an interface.
func TestKernelsAreListed(t *testing.T) {
	list, err := selection.Grid("ridge", ridge.Fit, ridge.Options{},
		selection.Values("Kernel", func(o *ridge.Options, k kernel.Kernel) { o.Kernel = k }, []kernel.Kernel{kernel.Gaussian{Sigma: 1}, kernel.Laplacian{Sigma: 2}}...))
	if err != nil || list[1].String() != "ridge Kernel=kernel.Laplacian{Sigma: 2}" {
		t.Errorf("%v, %v", list, err)
	}
}
