package dataset

import (
	"compress/gzip"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// TestReadSparse compares sparse rows with the dense reader, and reads more columns than fit in dense
// rows.
func TestReadSparse(t *testing.T) {
	text := "1 2:0.5 4:-1 # words\n-1 qid:3 1:2\n1\n"
	dense, err := ReadSVM(strings.NewReader(text), Options{Cols: 5})
	if err != nil {
		t.Fatal(err)
	}
	sparse, err := ReadSparse(strings.NewReader(text), Options{Cols: 5})
	if err != nil || sparse.X.Check() != nil || !mat.Equal(sparse.X, dense.X) || !slices.Equal(sparse.Y, dense.Y) {
		t.Errorf("%v, %v", sparse, err)
	}
	wide, err := ReadSparse(strings.NewReader("1 2147483647:3\n"), Options{})
	if err != nil || wide.X.Cols != math.MaxInt32 || wide.X.At(0, math.MaxInt32-1) != 3 {
		t.Errorf("%v, %v", wide, err)
	}
	for _, c := range []struct {
		text string
		opts Options
		want error
	}{
		{"", Options{}, rkhs.ErrEmpty}, {"1\n", Options{}, rkhs.ErrEmpty}, {"1 3:1 3:1\n", Options{}, rkhs.ErrFormat},
		{"1 3:1\n", Options{Cols: 2}, rkhs.ErrShape}, {"1 1:NaN\n", Options{}, rkhs.ErrNotFinite}, {"1 1:1\n", Options{Cols: -1}, rkhs.ErrOption},
	} {
		if s, err := ReadSparse(strings.NewReader(c.text), c.opts); s != nil || !errors.Is(err, c.want) {
			t.Errorf("%q: %v, want %v", c.text, err, c.want)
		}
	}
}

// TestSparseBatches reads a compressed file whole and in batches.
func TestSparseBatches(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.svm.gz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	for i := range 7 {
		fmt.Fprintf(z, "%d %d:1.5\n", i, i+1)
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	all, err := LoadSparse(path, Options{})
	if err != nil || all.X.Rows != 7 || all.X.Cols != 7 {
		t.Fatalf("%v, %v", all, err)
	}
	at := 0
	for s, err := range SparseBatches(path, 3, Options{Cols: 7}) {
		if err != nil {
			t.Fatal(err)
		}
		rows := make([]int, s.X.Rows)
		for i := range rows {
			rows[i] = at + i
		}
		want := all.Select(rows)
		if !mat.Equal(s.X, want.X) || !slices.Equal(s.Y, want.Y) || !mat.Equal(s.Targets(), want.Targets()) {
			t.Errorf("rows from %d: %v, want %v", at, s, want)
		}
		at += s.X.Rows
	}
	if at != 7 {
		t.Errorf("%d rows in batches", at)
	}
	for _, rows := range []int{0, 3} {
		for _, err := range SparseBatches(path, rows, Options{}) {
			if !errors.Is(err, rkhs.ErrOption) {
				t.Errorf("batches of %d rows: %v", rows, err)
			}
		}
	}
	if _, err := LoadSparse(path+".missing", Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// TestHashing: the mean inner product of hashed rows over seeds is the inner product of the counts.
func TestHashing(t *testing.T) {
	rows := [][]string{strings.Fields("a b b c d"), strings.Fields("b d d e f"), {}}
	sum := 0.0
	const seeds = 2000
	for seed := range uint64(seeds) {
		x, err := Hashing{Bits: 3, Seed: seed}.Strings(rows)
		if err != nil || x.Check() != nil || x.Cols != 8 || x.Offsets[3] != x.Offsets[2] {
			t.Fatalf("%+v, %v", x, err)
		}
		for j := range 8 {
			sum += x.At(0, j) * x.At(1, j) / seeds
		}
	}
	// The inner product of the counts is 4. The variance of one hashed product is (‖x‖²·‖z‖² + <x,z>²
	// − 2·Σ x²z²)/8 = (7·7 + 16 − 16)/8, and the variance of the mean .055².
	if math.Abs(sum-4) > 5*.055 {
		t.Errorf("the mean of the inner product is %v, want 4", sum)
	}
	unsigned, err := Hashing{Bits: 2, Unsigned: true}.Strings(rows)
	if err != nil || mat.Sum(unsigned) != 10 {
		t.Errorf("%v, %v", unsigned, err)
	}
	pairs, err := Hashing{}.Features([][]Feature{{{"a", 2}, {"b", -1.5}, {"a", 1}}})
	if err != nil || pairs.Cols != 1<<20 || !slices.Contains([]float64{3, -3}, pairs.Values[0]) && !slices.Contains([]float64{3, -3}, pairs.Values[1]) {
		t.Errorf("%v, %v", pairs, err)
	}
	if _, err := (Hashing{}).Features([][]Feature{{{"a", math.Inf(1)}}}); !errors.Is(err, rkhs.ErrNotFinite) {
		t.Errorf("an infinite value: %v", err)
	}
	for _, bits := range []int{-1, 31} {
		if _, err := (Hashing{Bits: bits}).Strings(rows); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("%d bits: %v", bits, err)
		}
	}
}

// TestHashingSpread: short and regular names fill the columns evenly, by the χ² test at five
// standard deviations.
func TestHashingSpread(t *testing.T) {
	counts := make([]float64, 256)
	negative := 0
	const n = 100000
	for i := range n {
		column, sign := Hashing{Bits: 8}.hash(fmt.Sprintf("f%d", i))
		counts[column]++
		if sign < 0 {
			negative++
		}
	}
	chi := 0.0
	for _, c := range counts {
		chi += (c - n/256.) * (c - n/256.) / (n / 256.)
	}
	if math.Abs(chi-255) > 5*math.Sqrt(2*255) || math.Abs(float64(negative)-n/2) > 5*math.Sqrt(n)/2 {
		t.Errorf("χ² = %v for 255 degrees of freedom, %d of %d signs negative", chi, negative, n)
	}
}

// TestSparseScaling compares scalings that keep zeros with scalings of the same rows in dense form.
func TestSparseScaling(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	dense := mat.NewDense(40, 6, nil)
	dense.Apply(func(i, j int, _ float64) float64 {
		if (i+j)%3 > 0 && j > 0 {
			return 0
		}
		return r.NormFloat64() + 3
	}, dense)
	for _, s := range []Scaling{Uncentred, UnitRows} {
		text := ""
		for i := range 40 {
			text += "1"
			for j, v := range dense.RawRowView(i) {
				if v != 0 {
					text += fmt.Sprintf(" %d:%v", j+1, v)
				}
			}
			text += "\n"
		}
		set, err := ReadSparse(strings.NewReader(text), Options{Cols: 6})
		if err != nil {
			t.Fatal(err)
		}
		want := mat.DenseCopyOf(dense)
		a, errA := s.Fit(dense)
		b, errB := s.Fit(set.X)
		if err := errors.Join(errA, errB, a.Apply(want), b.ApplySparse(set.X)); err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(set.X, want, 1e-13) {
			t.Errorf("%s: sparse rows come to other values", s)
		}
		if data, err := b.MarshalBinary(); err != nil || new(Scaler).UnmarshalBinary(data) != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
	x := &rkhs.Sparse{Rows: 1, Cols: 6, Offsets: []int{0, 1}, Columns: []int32{2}, Values: []float64{1}}
	standard, err := Standard.Fit(dense)
	if err != nil || !errors.Is(standard.ApplySparse(x), rkhs.ErrOption) {
		t.Errorf("Standard applied to sparse rows: %v", standard.ApplySparse(x))
	}
	uncentred, err := Uncentred.Fit(dense)
	if x.Cols = 7; err != nil || !errors.Is(uncentred.ApplySparse(x), rkhs.ErrShape) {
		t.Errorf("another number of columns: %v", uncentred.ApplySparse(x))
	}
}

// TestReadSparseInParts reads rows with more elements than one chunk.
func TestReadSparseInParts(t *testing.T) {
	const rows = chunkSize
	var text []byte
	for i := range rows {
		text = fmt.Appendf(text, "%d 1:%d %d:2.5\n", i%2, i+1, i+2)
	}
	text = append(text, "1\n"...) // a row without features
	s, err := ReadSparse(strings.NewReader(string(text)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := s.X
	if x.Rows != rows+1 || x.Cols != rows+1 || len(x.Values) != 2*rows || cap(x.Values) != 2*rows || x.Offsets[rows+1] != 2*rows {
		t.Fatalf("%d×%d with %d elements in memory for %d", x.Rows, x.Cols, len(x.Values), cap(x.Values))
	}
	for i := range rows {
		at := x.Offsets[i]
		if at != 2*i || x.Columns[at] != 0 || x.Columns[at+1] != int32(i+1) || x.Values[at] != float64(i+1) || x.Values[at+1] != 2.5 {
			t.Fatalf("row %d: from %d on columns %v, values %v", i, at, x.Columns[at:at+2], x.Values[at:at+2])
		}
	}
}
