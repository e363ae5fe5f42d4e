package learn

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/slkl"
)

// combined combines batches in parts with the given number of batches. Every part and the total
// are encoded and decoded.
func combined(t *testing.T, f *statisticsFn, batches []rows.Batch, each int) Statistics {
	t.Helper()
	through := func(s Statistics) Statistics {
		s, err := decodeStatistics(encodeStatistics(s))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	sum := f.CreateAccumulator()
	for part := range slices.Chunk(batches, each) {
		a := f.CreateAccumulator()
		for _, b := range part {
			var err error
			if a, err = f.AddInput(a, b); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		if sum, err = f.MergeAccumulators(through(sum), through(a)); err != nil {
			t.Fatal(err)
		}
	}
	return through(f.ExtractOutput(through(sum)))
}

// TestStatistics compares with gonum for weighted rows far from zero, in large, one-row and
// empty batches and in two orders.
func TestStatistics(t *testing.T) {
	batches := table(2, 500, 1, 0, 300, 2, 900)
	r := rand.New(rand.NewPCG(3, 4))
	for k := range batches {
		b := &batches[k]
		for i := range b.Rows {
			b.Values[2*i] += 1e8
			b.Weights = append(b.Weights, r.Float64()*3)
		}
	}
	f := &statisticsFn{Size: 100, Seed: 9}
	got := combined(t, f, batches, 2)
	all := join(batches)
	if got.Rows != 1703 || got.Labels != nil || got.Sample.Rows != 100 {
		t.Fatalf("%d rows, labels %v, a sample of %d", got.Rows, got.Labels, got.Sample.Rows)
	}
	for j, c := range slices.Concat(got.Inputs, got.Targets) {
		values, cols, at := all.Values, 2, j
		if j >= 2 {
			values, at = all.Targets, j-2
		}
		var column []float64
		for i := at; i < len(values); i += cols {
			column = append(column, values[i])
		}
		mean, variance := stat.PopMeanVariance(column, all.Weights)
		if math.Abs(c.Mean-mean) > 1e-14*(1+math.Abs(mean)) || math.Abs(c.Spread(got.Weight)/math.Sqrt(variance)-1) > 1e-8 || c.Min != slices.Min(column) || c.Max != slices.Max(column) {
			t.Errorf("column %d: %+v, spread %v; want mean %v and spread %v", j, c, c.Spread(got.Weight), mean, math.Sqrt(variance))
		}
	}
	other := slices.Clone(batches)
	slices.Reverse(other)
	for name, again := range map[string]Statistics{"in the other order": combined(t, f, other, 1), "at once": combined(t, f, batches, 100)} {
		if !reflect.DeepEqual(again.Sample, got.Sample) {
			t.Errorf("another sample %s", name)
		}
	}
}

// TestSampleIsUniform counts how often rows of the first half are in a sample of a hundred.
func TestSampleIsUniform(t *testing.T) {
	batches := table(1, 500, 500)
	for i := range batches[0].Targets {
		batches[0].Targets[i], batches[1].Targets[i] = 0, 1
	}
	ones, samples := 0.0, 200
	for seed := range samples {
		for _, v := range combined(t, &statisticsFn{Size: 100, Seed: uint64(seed)}, batches, 1).Sample.Targets {
			ones += v
		}
	}
	// Hypergeometric: 100 draws from 1000 rows, half of them with target 1.
	mean, spread := 50*float64(samples), math.Sqrt(float64(samples)*25*900/999)
	if math.Abs(ones-mean) > 4*spread {
		t.Errorf("%v of %v, %.1f standard deviations from half", ones, 100*samples, (ones-mean)/spread)
	}
}

// TestStatisticsOfSparseRows compares with the same rows in dense form.
func TestStatisticsOfSparseRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	sparse := rows.Batch{Rows: 300, Cols: 6, Outputs: 1, Offsets: []int{0}, Source: "s", First: 1}
	dense := rows.Batch{Rows: 300, Cols: 6, Outputs: 1, Values: make([]float64, 1800), Source: "s", First: 1}
	for i := range 300 {
		for j := range int32(5) { // the last column is zero
			if v := r.NormFloat64(); j == 0 || r.IntN(3) == 0 {
				sparse.Columns, sparse.Values = append(sparse.Columns, j), append(sparse.Values, v)
				dense.Values[6*i+int(j)] = v
			}
		}
		sparse.Offsets = append(sparse.Offsets, len(sparse.Values))
		sparse.Targets = append(sparse.Targets, float64(i%3-1))
		sparse.Weights = append(sparse.Weights, r.Float64())
	}
	dense.Targets, dense.Weights = sparse.Targets, sparse.Weights
	f := &statisticsFn{Size: 50, Seed: 1}
	a := combined(t, f, []rows.Batch{sparse.Slice(0, 100), sparse.Slice(100, 300)}, 1)
	b := combined(t, f, []rows.Batch{dense}, 1)
	for j, c := range a.Inputs {
		w := b.Inputs[j]
		if math.Abs(c.Mean-w.Mean) > 1e-14 || math.Abs(c.Square-w.Square) > 1e-12*(1+w.Square) || c.Min != w.Min || c.Max != w.Max {
			t.Errorf("column %d: %+v, want %+v", j, c, w)
		}
	}
	if !slices.Equal(a.Labels, []int{-1, 0, 1}) || a.Sample.Offsets == nil {
		t.Errorf("labels %v, sparse %v", a.Labels, a.Sample.Offsets != nil)
	}
	if thin := join([]rows.Batch{a.Sample}); !slices.Equal(join([]rows.Batch{thin, {Cols: 6, Outputs: 1}}).Values, b.Sample.Values) {
		t.Error("another sample than of dense rows")
	}
}

// TestRefuses fails pipelines with invalid input, by kind of error.
func TestRefuses(t *testing.T) {
	good := table(1, 50, 50)
	other := table(2, 50)
	for name, c := range map[string]struct {
		batches []rows.Batch
		opts    *slkl.Options
		want    error
	}{
		"no rows":        {table(1, 0, 0), nil, rkhs.ErrEmpty},
		"other targets":  {append(slices.Clone(good), other...), nil, rkhs.ErrShape},
		"no targets":     {[]rows.Batch{{Rows: 1, Cols: 1, Values: []float64{1}}}, nil, rkhs.ErrShape},
		"option of slkl": {good, &slkl.Options{Paper: slkl.Paper{Folds: 1}}, rkhs.ErrOption},
		"low memory":     {good, &slkl.Options{Penalty: 1, Paper: slkl.Paper{LowMemory: true}}, rkhs.ErrOption},
		"point rows":     {good, &slkl.Options{Paper: slkl.Paper{PointRows: []int{1}}}, rkhs.ErrOption},
		"not finite":     {good, &slkl.Options{Penalty: math.NaN()}, rkhs.ErrOption},
	} {
		method, err := SLKL(c.opts)
		_, err = learnedBy(t, c.batches, method, err)
		if err == nil || !errors.Is(err, c.want) && !strings.Contains(err.Error(), c.want.Error()) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, s := beam.NewPipelineWithRoot()
	if _, err := Describe(s, beam.Create(s, good[0]), StatisticsOptions{Sample: -1}); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("a negative sample: %v", err)
	}
}

// FuzzParts expects no panic for any bytes.
func FuzzParts(f *testing.F) {
	of := &statisticsFn{Size: 10, Seed: 1}
	a, err := of.AddInput(of.CreateAccumulator(), table(1, 20)[0])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(encodeStatistics(a))
	f.Add(encodeStatistics(of.ExtractOutput(a)))
	f.Add(encodeSLKL(slklPart{}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, err := decodeStatistics(data); err == nil {
			_, _ = of.MergeAccumulators(s, a)
		} else if !errors.Is(err, rkhs.ErrFormat) {
			t.Error(err)
		}
		if _, err := decodeSLKL(data); err != nil && !errors.Is(err, rkhs.ErrFormat) {
			t.Error(err)
		}
	})
}
