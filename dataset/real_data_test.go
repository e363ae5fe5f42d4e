package dataset

import (
	"maps"
	"path/filepath"
	"testing"

	"github.com/rkhs-go/rkhs/internal/testutil"
)

// realSets lists the files as in the README of the data folder: rows, columns, and the number of rows
// of each class or the smallest and largest target.
var realSets = []struct {
	name    string
	n, d    int
	classes map[float64]int
	lo, hi  float64
}{
	{name: "abalone.csv.gz", n: 4177, d: 10, lo: 1, hi: 29},
	{name: "boston.csv.gz", n: 506, d: 13, lo: 5, hi: 50},
	{name: "qm7.csv.gz", n: 7165, d: 276, lo: -2192, hi: -404.88},
	{name: "usps.train.csv.gz", n: 7291, d: 256, classes: map[float64]int{0: 1194, 1: 1005, 2: 731, 3: 658, 4: 652, 5: 556, 6: 664, 7: 645, 8: 542, 9: 644}},
	{name: "usps.test.csv.gz", n: 2007, d: 256, classes: map[float64]int{0: 359, 1: 264, 2: 198, 3: 166, 4: 200, 5: 160, 6: 170, 7: 147, 8: 166, 9: 177}},
	{name: "train-images-idx3-ubyte.gz", n: 60000, d: 784, classes: map[float64]int{0: 5923, 1: 6742, 2: 5958, 3: 6131, 4: 5842, 5: 5421, 6: 5918, 7: 6265, 8: 5851, 9: 5949}},
	{name: "t10k-images-idx3-ubyte.gz", n: 10000, d: 784, classes: map[float64]int{0: 980, 1: 1135, 2: 1032, 3: 1010, 4: 982, 5: 892, 6: 958, 7: 1028, 8: 974, 9: 1009}},
	{name: "a9a.train.svm.gz", n: 32561, d: 123, classes: map[float64]int{1: 7841, -1: 32561 - 7841}},
	{name: "a9a.test.svm.gz", n: 16281, d: 123, classes: map[float64]int{1: 3846, -1: 16281 - 3846}},
	{name: "banana.csv.gz", n: 5300, d: 2, classes: map[float64]int{-1: 2924, 1: 2376}},
	{name: "breast-cancer.csv.gz", n: 277, d: 9, classes: map[float64]int{-1: 196, 1: 81}},
	{name: "diabetes.csv.gz", n: 768, d: 8, classes: map[float64]int{-1: 500, 1: 268}},
	{name: "german.csv.gz", n: 1000, d: 20, classes: map[float64]int{-1: 700, 1: 300}},
	{name: "heart.csv.gz", n: 270, d: 13, classes: map[float64]int{-1: 150, 1: 120}},
	{name: "image.csv.gz", n: 2310, d: 18, classes: map[float64]int{0: 330, 1: 330, 2: 330, 3: 330, 4: 330, 5: 330, 6: 330}},
	{name: "ringnorm.csv.gz", n: 7400, d: 20, classes: map[float64]int{-1: 3736, 1: 3664}},
	{name: "twonorm.csv.gz", n: 7400, d: 20, classes: map[float64]int{-1: 3697, 1: 3703}},
	{name: "splice.csv.gz", n: 3175, d: 60, classes: map[float64]int{1: 1527, -1: 1648}},
	{name: "splice-unique.csv.gz", n: 2991, d: 60, classes: map[float64]int{1: 1344, -1: 1647}},
	{name: "thyroid.csv.gz", n: 215, d: 5, classes: map[float64]int{-1: 150, 1: 65}},
	{name: "titanic.csv.gz", n: 2201, d: 3, classes: map[float64]int{1: 711, -1: 1490}},
	{name: "waveform.csv.gz", n: 5000, d: 21, classes: map[float64]int{1: 1647, -1: 3353}},
	{name: "waveform3.csv.gz", n: 5000, d: 21, classes: map[float64]int{0: 1657, 1: 1647, 2: 1696}},
	{name: "sonar.csv.gz", n: 208, d: 60, classes: map[float64]int{-1: 97, 1: 111}},
	{name: "letter.csv.gz", n: 20000, d: 16, lo: 0, hi: 25},
	{name: "covtype-sample15k.csv.gz", n: 15000, d: 54, lo: 1, hi: 7},
	{name: "covtype-head20k.csv.gz", n: 20000, d: 54, lo: 1, hi: 7},
}

func TestRealSets(t *testing.T) {
	dir, ok := testutil.DataDir()
	if !ok {
		t.Skip("RKHS_DATA is not set: no real data to read")
	}
	for _, c := range realSets {
		t.Run(c.name, func(t *testing.T) {
			s, err := Load(filepath.Join(dir, c.name), Options{Cols: 123})
			checkWellFormed(t, s, err)
			if n, d := s.X.Dims(); n != c.n || d != c.d {
				t.Errorf("features are %d×%d, want %d×%d", n, d, c.n, c.d)
			}
			counts, lo, hi := map[float64]int{}, s.Y[0], s.Y[0]
			for _, y := range s.Y {
				counts[y]++
				lo, hi = min(lo, y), max(hi, y)
			}
			if c.classes != nil && !maps.Equal(counts, c.classes) {
				t.Errorf("rows of each class %v, want %v", counts, c.classes)
			}
			if c.classes == nil && (lo != c.lo || hi != c.hi) {
				t.Errorf("targets lie in %v … %v, want %v … %v", lo, hi, c.lo, c.hi)
			}
		})
	}
}

// Single values of the real files, copied by hand.
func TestRealValues(t *testing.T) {
	dir, ok := testutil.DataDir()
	if !ok {
		t.Skip("RKHS_DATA is not set: no real data to read")
	}
	load := func(name string, opts Options) *Set {
		s, err := Load(filepath.Join(dir, name), opts)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	checkSet(t, load("abalone.csv.gz", Options{}).Select([]int{0}),
		[][]float64{{1, 0, 0, .455, .365, .095, .514, .2245, .101, .15}}, []float64{15})
	checkSet(t, load("boston.csv.gz", Options{}).Select([]int{0}),
		[][]float64{{.00632, 18, 2.31, 0, .538, 6.575, 65.2, 4.09, 1, 296, 15.3, 396.9, 4.98}}, []float64{24})
	if digits := load("t10k-images-idx3-ubyte.gz", Options{}).Y[:5]; !sameBits(digits, []float64{7, 2, 1, 0, 4}) {
		t.Errorf("the first test digits are %v", digits)
	}
	folds := load("qm7.folds.csv.gz", Options{Target: NoTarget})
	counts := map[float64]int{}
	for _, f := range values(folds) {
		counts[f]++
	}
	if want := map[float64]int{0: 1433, 1: 1433, 2: 1433, 3: 1433, 4: 1433}; !maps.Equal(counts, want) {
		t.Errorf("rows of each fold %v, want %v", counts, want)
	}
}

// rawKinds are the kinds of the columns of tables as published: number, category or blank.
var rawKinds = map[string]string{
	"autohorse":   "nncccncccnnnnncnncnnnnnnnn",
	"colic":       "ccnnncccccccccnccnncncc",
	"credit-a":    "cnnccccnccnccnnc",
	"mushroom":    "ccccccccccccccccccccccc",
	"nursery":     "ccccccccc",
	"page-blocks": "nnnnnnnnnnn",
	"segment":     "nnnnnnnnnnnnnnnnnnnc",
	"sick":        "nccccccccccccccccncncncncncbcc",
	"soybean":     "cccccccccccccccccccccccccccccccccccc",
}

// TestRawTables: tables as published are read without options.
func TestRawTables(t *testing.T) {
	dir, ok := testutil.DataDir()
	if !ok {
		t.Skip("RKHS_DATA is not set")
	}
	for name, want := range rawKinds {
		table, err := LoadTable(filepath.Join(dir, "raw", name+".csv.gz"), TableOptions{})
		if err != nil {
			t.Fatal(err)
		}
		kinds := ""
		for _, c := range table.Columns() {
			kinds += c.Kind().String()[:1]
			if n := c.note(); len(c.faults) > 0 {
				t.Errorf("%s: %v", name, n)
			}
		}
		if kinds != want {
			t.Errorf("%s: kinds %s, want %s", name, kinds, want)
		}
	}
}
