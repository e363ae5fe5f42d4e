package dataset

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/rng"
)

func TestRandomSplit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		fraction := rapid.Float64Range(0, math.Nextafter(1, 0)).Draw(t, "fraction")
		seed := rapid.Uint64().Draw(t, "seed")
		train, test, err := Random(n, seed).Split(fraction)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := float64(len(test)), fraction*float64(n); math.Abs(got-want) > 0.5 && len(train) > 1 {
			t.Errorf("%v rows to test on, want %v", got, want)
		}
		if len(train) == 0 {
			t.Error("no rows to train on")
		}
		checkParts(t, n, train, test)
		again, _, _ := Random(n, seed).Split(fraction)
		if !slices.Equal(train, again) {
			t.Error("one seed, two splits")
		}
	})
}

// The split of a seed never changes.
func TestRandomSplitIsFrozen(t *testing.T) {
	train, test, _ := Random(10, 1).Split(0.3)
	if order := rng.New(1, "dataset split", 0).Perm(10); !slices.Equal(test, order[:3]) || !slices.Equal(train, order[3:]) {
		t.Errorf("train on %v, test on %v, want the order %v", train, test, order)
	}
}

// fatal is implemented by *testing.T and *rapid.T.
type fatal interface{ Fatalf(string, ...any) }

// checkParts fails unless the parts are all rows, each once.
func checkParts(t fatal, n int, parts ...[]int) {
	all := slices.Concat(parts...)
	slices.Sort(all)
	if !slices.Equal(all, sequenceFrom(0, n)) {
		t.Fatalf("the parts together are %v", all)
	}
}

// checkFolds fails unless each row is a test row of one fold and a training row of all other folds.
func checkFolds(t fatal, n, k int, folds []Fold) {
	var tests [][]int
	for _, f := range folds {
		checkParts(t, n, f.Train, f.Test)
		tests = append(tests, f.Test)
	}
	checkParts(t, n, tests...)
	if len(folds) != k {
		t.Fatalf("%d folds, want %d", len(folds), k)
	}
}

// spread returns the least and the largest of some counts.
func spread(counts []int) int { return slices.Max(counts) - slices.Min(counts) }

func sizes(folds []Fold) (n []int) {
	for _, f := range folds {
		n = append(n, len(f.Test))
	}
	return n
}

// count returns how many of the rows have a value.
func count[T comparable](rows []int, values []T, v T) (n int) {
	for _, r := range rows {
		if values[r] == v {
			n++
		}
	}
	return n
}

func TestRandomFolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 100).Draw(t, "n")
		k := rapid.IntRange(2, n).Draw(t, "k")
		folds, err := Random(n, 1).Folds(k)
		if err != nil {
			t.Fatal(err)
		}
		checkFolds(t, n, k, folds)
		if spread(sizes(folds)) > 1 {
			t.Errorf("folds of %v rows", sizes(folds))
		}
	})
}

func TestSeedsDiffer(t *testing.T) {
	labels := make([]int, 40)
	for i := range labels {
		labels[i] = i % 8
	}
	for name, of := range map[string]func(seed uint64) Splitter{
		"random":     func(seed uint64) Splitter { return Random(40, seed) },
		"stratified": func(seed uint64) Splitter { return Stratified(labels, seed) },
		"grouped":    func(seed uint64) Splitter { return Grouped(labels, seed) },
	} {
		parts := func(seed uint64) (out []int) {
			_, test, err := of(seed).Split(0.3)
			folds, err2 := of(seed).Folds(3)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			return append(test, folds[0].Test...)
		}
		if !slices.Equal(parts(1), parts(1)) || slices.Equal(parts(1), parts(2)) {
			t.Errorf("%s: the rows are not those of the seed", name)
		}
	}
}

func TestStratified(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var labels []float64
		counts := rapid.SliceOfN(rapid.IntRange(2, 30), 2, 6).Draw(t, "counts")
		for c, n := range counts {
			for range n {
				labels = append(labels, float64(c)-1)
			}
		}
		fraction := rapid.Float64Range(0.001, 0.999).Draw(t, "fraction")
		s := Stratified(labels, 3)
		train, test, err := s.Split(fraction)
		if err != nil {
			t.Fatal(err)
		}
		checkParts(t, len(labels), train, test)
		for c, n := range counts {
			want := min(max(int(math.Round(fraction*float64(n))), 1), n-1)
			if got := count(test, labels, float64(c)-1); got != want {
				t.Errorf("%d of %d rows of label %d, want %d", got, n, c-1, want)
			}
		}
		k := rapid.IntRange(2, slices.Min(counts)).Draw(t, "k")
		folds, err := s.Folds(k)
		if err != nil {
			t.Fatal(err)
		}
		checkFolds(t, len(labels), k, folds)
		if spread(sizes(folds)) > 1 {
			t.Errorf("folds of %v rows", sizes(folds))
		}
		for c := range counts {
			var of []int
			for _, f := range folds {
				of = append(of, count(f.Test, labels, float64(c)-1))
			}
			if spread(of) > 1 {
				t.Errorf("label %d has %v rows in the folds", c-1, of)
			}
		}
	})
}

func TestGrouped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var groups []string
		counts := rapid.SliceOfN(rapid.IntRange(1, 20), 2, 12).Draw(t, "counts")
		for g, n := range counts {
			for range n {
				groups = append(groups, "patient "+strconv.Itoa(g))
			}
		}
		s := Grouped(groups, 3)
		fraction := rapid.Float64Range(0.001, 0.999).Draw(t, "fraction")
		train, test, err := s.Split(fraction)
		if err != nil {
			t.Fatal(err)
		}
		checkParts(t, len(groups), train, test)
		if len(train) == 0 || len(test) == 0 {
			t.Fatalf("train on %v, test on %v", train, test)
		}
		// The number of test rows differs from the requested number by at most the largest group.
		if got, want := float64(len(test)), fraction*float64(len(groups)); math.Abs(got-want) > float64(slices.Max(counts)) {
			t.Errorf("%v rows to test on, want about %v", got, want)
		}
		k := rapid.IntRange(2, len(counts)).Draw(t, "k")
		folds, err := s.Folds(k)
		if err != nil {
			t.Fatal(err)
		}
		checkFolds(t, len(groups), k, folds)
		if spread(sizes(folds)) > slices.Max(counts) {
			t.Errorf("folds of %v rows in groups of %v", sizes(folds), counts)
		}
		for _, f := range append(folds, Fold{train, test}) {
			for _, r := range f.Test {
				if count(f.Train, groups, groups[r]) > 0 {
					t.Fatalf("%s is on both sides", groups[r])
				}
			}
		}
	})
}

func TestOrdered(t *testing.T) {
	train, test, err := Ordered(10).Split(0.25)
	if err != nil || !slices.Equal(train, sequenceFrom(0, 7)) || !slices.Equal(test, []int{7, 8, 9}) {
		t.Errorf("train on %v, test on %v, error %v", train, test, err)
	}
	folds, err := Ordered(7).Folds(2)
	if err != nil || len(folds) != 2 || !slices.Equal(folds[0].Train, []int{0, 1}) || !slices.Equal(folds[0].Test, []int{2, 3}) ||
		!slices.Equal(folds[1].Train, []int{0, 1, 2, 3}) || !slices.Equal(folds[1].Test, []int{4, 5, 6}) {
		t.Errorf("folds %v, error %v", folds, err)
	}
	if train, test, err = Ordered(3).Split(0); err != nil || len(train) != 3 || len(test) != 0 {
		t.Errorf("train on %v, test on %v, error %v", train, test, err)
	}
}

func TestByTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(-5, 5).Draw(t, "time")) }), 2, 40).Draw(t, "times")
		distinct := len(slices.Compact(slices.Sorted(slices.Values(times))))
		s := ByTime(times)
		k := rapid.IntRange(2, 6).Draw(t, "k")
		folds, err := s.Folds(k)
		if k >= distinct {
			if err == nil {
				t.Fatalf("%d folds of %d times", k, distinct)
			}
		} else if err != nil {
			t.Fatal(err)
		}
		train, test, err := s.Split(0.5)
		if (err != nil) != (distinct < 2) {
			t.Fatalf("split of %d times: error %v", distinct, err)
		}
		if err == nil {
			checkParts(t, len(times), train, test)
			folds = append(folds, Fold{train, test})
		}
		for _, f := range folds {
			if len(f.Train) == 0 || len(f.Test) == 0 {
				t.Fatalf("fold %v", f)
			}
			if last := times[f.Train[len(f.Train)-1]]; last >= times[f.Test[0]] {
				t.Errorf("trains on time %v, tests on %v", last, times[f.Test[0]])
			}
			for _, part := range [][]int{f.Train, f.Test} {
				if !slices.IsSortedFunc(part, func(a, b int) int { return int(times[a] - times[b]) }) {
					t.Errorf("rows %v are not in order", part)
				}
			}
		}
	})
}

// A cut moves to the nearest change of time, and to the earlier of two equally near changes.
func TestByTimeMovesCuts(t *testing.T) {
	for _, c := range []struct {
		times    []float64
		fraction float64
		tests    int
	}{
		{[]float64{3, 1, 2, 3, 3, 3}, 0.5, 4},
		{[]float64{1, 1, 1, 1, 1, 2}, 0.5, 1},
		{[]float64{1, 1, 1, 2, 2, 2}, 0.2, 3},
		{[]float64{1, 2, 2, 3}, 0.5, 3},
	} {
		_, test, err := ByTime(c.times).Split(c.fraction)
		if err != nil || len(test) != c.tests {
			t.Errorf("times %v: test on %v, want %d rows; error %v", c.times, test, c.tests, err)
		}
	}
}

func TestSplitErrors(t *testing.T) {
	nan := math.NaN()
	for _, f := range []float64{-.1, 1, 1.5, nan, math.Inf(1)} {
		for _, s := range []Splitter{Random(10, 0), Stratified([]int{1, 1, 2, 2}, 0), Grouped([]int{1, 2}, 0), Ordered(4), ByTime([]float64{1, 2})} {
			_, _, err := s.Split(f)
			checkError(t, err, rkhs.ErrOption, "fraction")
		}
	}
	for name, c := range map[string]struct {
		s            Splitter
		k            int
		split, folds error // nil for no error
		part         string
	}{
		"zero value":          {Splitter{}, 2, rkhs.ErrEmpty, rkhs.ErrEmpty, "no rows"},
		"no rows":             {Random(0, 0), 2, rkhs.ErrEmpty, rkhs.ErrEmpty, "no rows"},
		"negative":            {Random(-1, 0), 2, rkhs.ErrEmpty, rkhs.ErrEmpty, "no rows"},
		"no labels":           {Stratified[float64](nil, 0), 2, rkhs.ErrEmpty, rkhs.ErrEmpty, "no rows"},
		"no groups":           {Grouped[string](nil, 0), 2, rkhs.ErrEmpty, rkhs.ErrEmpty, "no rows"},
		"negative order":      {Ordered(-1), 2, rkhs.ErrEmpty, rkhs.ErrEmpty, "no rows"},
		"no times":            {ByTime(nil), 2, rkhs.ErrEmpty, rkhs.ErrEmpty, "no rows"},
		"one fold":            {Random(5, 0), 1, nil, rkhs.ErrOption, "1 folds"},
		"more folds":          {Random(5, 0), 6, nil, rkhs.ErrOption, "6 folds of 5 rows"},
		"single label":        {Stratified([]float64{7, 7, 7}, 0), 2, rkhs.ErrLabels, rkhs.ErrLabels, "7"},
		"label of a row":      {Stratified([]float64{7, 7, 8}, 0), 2, rkhs.ErrLabels, rkhs.ErrLabels, "label 8 has 1 rows"},
		"label of few":        {Stratified([]float64{7, 7, 7, 8, 8}, 0), 3, nil, rkhs.ErrLabels, "label 8 has 2 rows"},
		"label that is none":  {Stratified([]float64{7, nan, 7}, 0), 2, rkhs.ErrNotFinite, rkhs.ErrNotFinite, "label of row 1"},
		"single group":        {Grouped([]string{"a", "a"}, 0), 2, rkhs.ErrOption, rkhs.ErrOption, "group"},
		"few groups":          {Grouped([]string{"a", "a", "b"}, 0), 3, nil, rkhs.ErrOption, "3 folds of 2 groups"},
		"group that is none":  {Grouped([]float64{nan, 1}, 0), 2, rkhs.ErrNotFinite, rkhs.ErrNotFinite, "group of row 0"},
		"rows for order":      {Ordered(2), 2, nil, rkhs.ErrOption, "3 parts of 2"},
		"single time":         {ByTime([]float64{4, 4, 4}), 2, rkhs.ErrOption, rkhs.ErrOption, "of 1 different times"},
		"few times":           {ByTime([]float64{4, 5, 4}), 2, nil, rkhs.ErrOption, "3 parts of 2"},
		"time that is none":   {ByTime([]float64{4, nan}), 2, rkhs.ErrNotFinite, rkhs.ErrNotFinite, "time of row 1"},
		"time without bounds": {ByTime([]float64{math.Inf(-1), 0}), 2, rkhs.ErrNotFinite, rkhs.ErrNotFinite, "time of row 0"},
	} {
		_, _, splitErr := c.s.Split(0.5)
		_, foldsErr := c.s.Folds(c.k)
		for want, err := range map[*error]error{&c.split: splitErr, &c.folds: foldsErr} {
			switch {
			case *want == nil && err != nil:
				t.Errorf("%s: error %v", name, err)
			case *want != nil:
				checkError(t, err, *want, c.part)
			}
		}
	}
}

// A fraction of 0 gives no test rows.
func TestSplitOfNothing(t *testing.T) {
	for _, s := range []Splitter{Random(4, 0), Stratified([]int{1, 1, 2, 2}, 0), Grouped([]int{1, 2, 3, 3}, 0), Ordered(4), ByTime([]float64{1, 2, 2, 0})} {
		if train, test, err := s.Split(0); err != nil || len(test) != 0 || len(train) != 4 {
			t.Errorf("train on %v, test on %v, error %v", train, test, err)
		}
	}
}
