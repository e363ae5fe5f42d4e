package search

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestSpreadScaleMultiplies compares the scale with deviations of dense columns, including a
// constant column, an unlisted column and a column with overflowing squares.
func TestSpreadScaleMultiplies(t *testing.T) {
	x := normals(40, 6, "rows")
	for i := range x.Rows {
		row := compute.Row(x, i)
		row[1], row[2], row[3] = 5, 0, row[3]*1e170
		if i%10 != 3 {
			row[4] = 0
		}
	}
	s := (&Options{Spread: true}).spreadScale(compute.DensePoints(x).Thin())
	most := deviation(sortedColumn(x, 3))
	for j, v := range s {
		want := most / max(deviation(sortedColumn(x, j)), leastSpread*most)
		if math.Abs(v-want) > 1e-12*want {
			t.Errorf("column %d is divided by %v, want %v", j, v, want)
		}
	}
	one := compute.Clone(compute.Columns(x, 4, 6))
	two := (&Options{Spread: true}).spreadScale(compute.DensePoints(one).Thin())
	if want := deviation(sortedColumn(one, 1)) / deviation(sortedColumn(one, 0)); math.Abs(two[0]-want) > 1e-12*want || two[1] != 1 {
		t.Errorf("scales are %v, want %v and 1", two, want)
	}
}

// TestSpreadScaleIsNone covers a disabled option, similar columns, and empty rows.
func TestSpreadScaleIsNone(t *testing.T) {
	x := compute.DensePoints(normals(400, 3, "rows")).Thin()
	none := compute.NewSparse(3, 1, 0)
	none.EndRow()
	for _, s := range []columnScale{(&Options{}).spreadScale(x), (&Options{Spread: true}).spreadScale(x), (&Options{Spread: true}).spreadScale(none)} {
		if s != nil {
			t.Errorf("a scale %v", s)
		}
	}
}

// documents returns rows of binary columns, where column j is listed with a probability
// proportional to 1/j, and labels that are a linear function of the first columns or random.
func documents(n, d, ruling int, seed uint64) (x compute.Points, labels []int) {
	weights := rng.New(seed, "weights", 0)
	w := make([]float64, ruling)
	for j := range w {
		w[j] = weights.NormFloat64()
	}
	r, s := rng.New(seed, "documents", 0), compute.NewSparse(d, n, 0)
	for range n {
		score := 0.0
		for j := range d {
			if r.Float64() < min(0.5, 10/float64(j+1)) {
				s.Append(int32(j), 1)
				if j < ruling {
					score += w[j]
				}
			}
		}
		s.EndRow()
		if ruling == 0 {
			score = r.NormFloat64()
		}
		label := 0
		if score > 0 {
			label = 1
		}
		labels = append(labels, label)
	}
	return compute.SparsePoints(s), labels
}

// carriesAll is an exact basis.
func carriesAll(dst compute.Matrix, k kernel.Kernel, _ float64, x compute.Points) bool {
	gram.Evaluator{Kernel: k}.GramOf(dst, x)
	return true
}

// TestSpreadLearnsFrequent expects columns multiplied by their deviations, with lower error,
// if frequent columns determine the labels, with and without a basis.
func TestSpreadLearnsFrequent(t *testing.T) {
	x, labels := documents(350, 1000, 60, 1)
	for _, basis := range []Basis{nil, carriesAll} {
		o := Options{Rows: 350, Seed: 1, Basis: basis}
		given := Tune(x, compute.Matrix{}, labels, o)
		o.Spread = true
		spread := Tune(x, compute.Matrix{}, labels, o)
		k, scaled := spread.Kernel.(kernel.ARD)
		if !scaled || k.Scales[0] >= k.Scales[900] || spread.Wrong >= given.Wrong {
			t.Errorf("%v wrong by a %T, %v as they are", spread.Wrong, spread.Kernel, given.Wrong)
		}
	}
}

// TestSpreadOfManyColumns expects no scale if there are too many columns to store one.
func TestSpreadOfManyColumns(t *testing.T) {
	s := compute.NewSparse(math.MaxInt32, 40, 80)
	labels := make([]int, 40)
	for i := range labels {
		s.Append(int32(i%5), 1)
		s.Append(math.MaxInt32-1-int32(i%3), 2)
		s.EndRow()
		labels[i] = i / 7 % 2
	}
	if _, scaled := Tune(compute.SparsePoints(s), compute.Matrix{}, labels, Options{Spread: true}).Kernel.(kernel.ARD); scaled {
		t.Error("2³¹−1 columns have scales")
	}
}

// TestSpreadIsNotTakenForNoise expects unscaled columns for random labels, up to chance, with
// and without a basis. The result must then equal the search without spread scales.
func TestSpreadIsNotTakenForNoise(t *testing.T) {
	for _, basis := range []Basis{nil, carriesAll} {
		taken := 0
		for seed := range uint64(4) {
			x, labels := documents(200, 400, 0, seed)
			o := Options{Seed: seed, Basis: basis}
			given := Tune(x, compute.Matrix{}, labels, o)
			o.Spread = true
			spread := Tune(x, compute.Matrix{}, labels, o)
			if _, scaled := spread.Kernel.(kernel.ARD); scaled {
				taken++
			} else if spread.Kernel != given.Kernel || spread.Noise != given.Noise || spread.Error != given.Error {
				t.Errorf("seed %d: %v of noise %v, and without the scale %v of noise %v", seed, spread.Kernel, spread.Noise, given.Kernel, given.Noise)
			}
		}
		if taken > 1 {
			t.Errorf("of 4 tasks of noise %d have scales", taken)
		}
	}
}

// TestChoiceFileSharesScales expects a file to store shared scales once, and decoding to share
// them again.
func TestChoiceFileSharesScales(t *testing.T) {
	x, labels := documents(100, 5000, 60, 1)
	want := Tune(x, compute.Matrix{}, labels, Options{Seed: 1, Spread: true})
	var e codec.Encoder
	if err := EncodeResult(&e, want); err != nil {
		t.Fatal(err)
	}
	if size, most := len(e.Payload()), 8*5000+400*(len(want.Curve)+2); size > most {
		t.Errorf("%d trials take %d bytes, more than %d", len(want.Curve), size, most)
	}
	d := codec.NewDecoder(e.Payload())
	got := DecodeResult(d)
	if d.Close() != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, or other trials", d.Err())
	}
	var scales []*float64
	for _, trial := range got.Curve {
		if k, ok := trial.Kernel.(kernel.ARD); ok {
			scales = append(scales, &k.Scales[0])
		}
	}
	if len(scales) < 2 || len(slices.Compact(scales)) != 1 {
		t.Errorf("trials have %d scales", len(scales))
	}
}

// TestChoiceFileSharesKnots expects each warping once in the file.
func TestChoiceFileSharesKnots(t *testing.T) {
	x, y := normals(200, 3, "skewed"), compute.NewMatrix(200, 1)
	for i := range x.Rows {
		for j, u := range compute.Row(x, i) {
			compute.Row(x, i)[j] = math.Exp(2 * u)
			y.Data[i] += math.Sin(2 * u)
		}
	}
	want := Tune(compute.DensePoints(x), y, nil, Options{Seed: 1, Metric: kernel.NoMetric})
	if _, ok := want.Kernel.(kernel.Warped); !ok {
		t.Fatalf("%v is selected for columns exp(2u) of a function of u", want.Kernel)
	}
	var e codec.Encoder
	if err := EncodeResult(&e, want); err != nil {
		t.Fatal(err)
	}
	if size, most := len(e.Payload()), 2*2*16*3*knots+600*(len(want.Curve)+2); size > most {
		t.Errorf("%d trials need %d bytes, more than %d", len(want.Curve), size, most)
	}
	d := codec.NewDecoder(e.Payload())
	if got := DecodeResult(d); d.Close() != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, or other trials", d.Err())
	}
}
