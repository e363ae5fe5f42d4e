package learn

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/slkl"
)

// digits returns MNIST images with values in [0, 1] and their labels.
func digits(t *testing.T, part string) (x, labels *mat.Dense) {
	t.Helper()
	dir, ok := testutil.DataDir()
	if !ok {
		t.Skip("RKHS_DATA names no folder of data sets")
	}
	set, err := dataset.LoadIDXPair(filepath.Join(dir, part+"-images-idx3-ubyte.gz"), filepath.Join(dir, part+"-labels-idx1-ubyte.gz"))
	if err != nil {
		t.Fatal(err)
	}
	set.X.Scale(1./255, set.X)
	return set.X, mat.NewDense(len(set.Y), 1, set.Y)
}

// shards splits rows into files of sparse batches: four in five pixels are zero.
func shards(x, labels *mat.Dense, count, size int) (batches []rows.Batch) {
	n, d := x.Dims()
	for k := range count {
		first, end := k*n/count, (k+1)*n/count
		for from := first; from < end; from += size {
			to := min(from+size, end)
			b := rows.Batch{Rows: to - from, Cols: d, Outputs: 1, Source: string(rune('A' + k)), First: int64(from - first + 1),
				Offsets: []int{0}, Targets: slices.Clone(labels.RawMatrix().Data[from:to])}
			for i := from; i < to; i++ {
				for j, v := range x.RawRowView(i) {
					if v != 0 {
						b.Columns, b.Values = append(b.Columns, int32(j)), append(b.Values, v)
					}
				}
				b.Offsets = append(b.Offsets, len(b.Values))
			}
			batches = append(batches, b)
		}
	}
	return batches
}

// full reports whether to compute the figures of the documentation.
func full() bool { return os.Getenv("RKHS_PAPERS") != "" }

// TestMNISTInShards fits MNIST in 60 shards with 1000 landmarks (with RKHS_PAPERS; otherwise 6000
// rows and 100 landmarks). All scores must agree with one machine to 1e-10.
func TestMNISTInShards(t *testing.T) {
	x, labels := digits(t, "train")
	test, truth := digits(t, "t10k")
	points := 1000
	if !full() {
		points, x, labels, test, truth = 100, slice(x, 6000), slice(labels, 6000), slice(test, 1000), slice(truth, 1000)
	}
	batches := shards(x, labels, 60, 250)
	opts := &slkl.Options{MaxPoints: points, Penalty: 0.01, NoCalibration: true}
	method, err := SLKLClassifier(opts)
	file, err := plannedBy(t, batches, method, err)
	if err != nil {
		t.Fatal(err)
	}
	var c slkl.Classifier
	if err := c.UnmarshalBinary(file); err != nil {
		t.Fatal(err)
	}
	one := oneClassifier(t, batches, opts)
	got, err := c.Scores(test)
	if err != nil {
		t.Fatal(err)
	}
	want, err := one.Scores(test)
	if err != nil {
		t.Fatal(err)
	}
	d := apart(got, want)
	wrong := wrongOf(t, &c, test, truth)
	t.Logf("%d rows in 60 shards, %d landmarks: scores differ by %.2g at most from those of one machine; %.2f %% wrong", len(labels.RawMatrix().Data), points, d, wrong)
	if !(d <= 1e-10) || wrong > 15 {
		t.Errorf("scores differ by %v, %v %% are wrong", d, wrong)
	}
}

func slice(m *mat.Dense, rows int) *mat.Dense {
	_, c := m.Dims()
	return mat.DenseCopyOf(m.Slice(0, rows, 0, c))
}

// wrongOf returns the percentage of wrong predictions.
func wrongOf(t *testing.T, c interface {
	Predict(mat.Matrix) (*mat.Dense, error)
}, x, labels *mat.Dense) float64 {
	t.Helper()
	p, err := c.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	n, wrong := len(labels.RawMatrix().Data), 0
	for i := range n {
		if p.At(i, 0) != labels.At(i, 0) {
			wrong++
		}
	}
	return 100 * float64(wrong) / float64(n)
}
