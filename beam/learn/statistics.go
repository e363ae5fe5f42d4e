package learn

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/rows"
)

func init() {
	register.Combiner2[Statistics, rows.Batch](&statisticsFn{})
	register.Function1x1(encodeStatistics)
	register.Function1x2(decodeStatistics)
	beam.RegisterCoder(reflect.TypeOf(Statistics{}), encodeStatistics, decodeStatistics)
}

// Statistics describe the rows of a first pass, with weights. They do not depend on batches,
// shards, order or retries, up to rounding of means and spreads.
type Statistics struct {
	// Rows is the number of rows and Weight the sum of their weights.
	Rows   int64
	Weight float64
	// Inputs and Targets describe the columns.
	Inputs, Targets []Column
	// Labels are the distinct values of a single target column in ascending order. It is nil
	// if they are not all integers or there are more than MostLabels.
	Labels []int
	// Sample is a random sample of the rows in random order, or all rows if they are fewer.
	Sample rows.Batch

	of      statisticsFn
	shape   shape
	labels  map[int]bool // nil without targets
	noClass bool
	sample  sample
}

// MostLabels is the maximum number of distinct integers that count as labels.
const MostLabels = 1000

// Column describes the values of a column.
type Column struct {
	Mean, Min, Max float64
	// Square is the sum of squares about the mean.
	Square float64
}

// Spread returns the standard deviation, given the total weight of the rows.
func (c Column) Spread(weight float64) float64 { return math.Sqrt(c.Square / weight) }

// StatisticsOptions configure Describe. The zero value is the default.
type StatisticsOptions struct {
	// Sample is the size of the sample used for landmarks and to select kernel, bandwidth and
	// noise. Default: 8192.
	Sample int
	// Seed selects the sample.
	Seed uint64
}

const defaultSample = 8192

// Describe returns a collection of one element, the Statistics of rows.Batch elements. The
// error wraps rkhs.ErrOption. The pipeline fails if rows differ in their number of columns
// or targets or have no columns or targets. O(n·d) for n rows of d columns. Each worker and
// accumulator holds twice the sample.
func Describe(s beam.Scope, batches beam.PCollection, opts StatisticsOptions) (statistics beam.PCollection, err error) {
	if opts.Sample < 0 {
		return statistics, fmt.Errorf("learn: option Sample = %d: %w", opts.Sample, rkhs.ErrOption)
	}
	if opts.Sample == 0 {
		opts.Sample = defaultSample
	}
	return beam.Combine(s.Scope("learn.Describe"), &statisticsFn{Size: opts.Sample, Seed: opts.Seed}, batches), nil
}

// statisticsFn combines rows to statistics.
type statisticsFn struct {
	Size int
	Seed uint64
}

// CreateAccumulator implements the combiner.
func (f *statisticsFn) CreateAccumulator() Statistics { return Statistics{of: *f} }

// AddInput adds a batch.
func (f *statisticsFn) AddInput(s Statistics, b rows.Batch) (Statistics, error) {
	if b.Rows == 0 {
		return s, nil
	}
	if err := s.shape.check(&b); err != nil {
		return s, err
	}
	weight := float64(b.Rows)
	if b.Weights != nil {
		weight = 0
		for _, w := range b.Weights {
			weight += w
		}
	}
	s.mergeColumns(describe(&b, weight), describeTargets(&b, weight), weight)
	s.Rows += int64(b.Rows)
	s.seen(&b)
	s.sample.add(&b, numbers(&b), f.Size, f.Seed)
	return s, nil
}

// MergeAccumulators merges two parts.
func (f *statisticsFn) MergeAccumulators(s, t Statistics) (Statistics, error) {
	if t.Rows == 0 {
		return s, nil
	}
	if s.Rows == 0 {
		return t, nil
	}
	if s.shape != t.shape {
		return s, fmt.Errorf("learn: rows of %d columns and %d targets, others of %d and %d: %w", s.shape.cols, s.shape.outputs, t.shape.cols, t.shape.outputs, rkhs.ErrShape)
	}
	s.mergeColumns(t.Inputs, t.Targets, t.Weight)
	s.Rows += t.Rows
	s.noClass = s.noClass || t.noClass
	for l := range t.labels {
		s.label(l)
	}
	s.sample.merge(t.sample, f.Size)
	return s, nil
}

// ExtractOutput sets the exported fields.
func (f *statisticsFn) ExtractOutput(s Statistics) Statistics {
	if s.Rows == 0 {
		return s
	}
	s.sample.shrink(f.Size)
	s.Sample = s.sample.rows[0]
	if !s.noClass {
		s.Labels = slices.Sorted(maps.Keys(s.labels))
	}
	return s
}

// seen records the targets as labels if they are valid labels.
func (s *Statistics) seen(b *rows.Batch) {
	if b.Outputs != 1 {
		s.noClass = true
	}
	for _, v := range b.Targets {
		if s.noClass {
			break
		}
		if v != math.Trunc(v) || math.Abs(v) > 1<<53 {
			s.noClass = true
			break
		}
		s.label(int(v))
	}
}

// label records a label, or gives up on labels if there are too many.
func (s *Statistics) label(l int) {
	if s.labels == nil {
		s.labels = map[int]bool{}
	}
	s.labels[l] = true
	s.noClass = s.noClass || len(s.labels) > MostLabels
	if s.noClass {
		s.labels = nil
	}
}

// mergeColumns merges column statistics by the formula of Chan, Golub and LeVeque
// ("Updating formulae and a pairwise algorithm for computing sample variances", 1979).
func (s *Statistics) mergeColumns(inputs, targets []Column, weight float64) {
	if s.Rows == 0 {
		s.Inputs, s.Targets, s.Weight = inputs, targets, weight
		return
	}
	merge(s.Inputs, inputs, s.Weight, weight)
	merge(s.Targets, targets, s.Weight, weight)
	s.Weight += weight
}

func merge(to, from []Column, weight, more float64) {
	if more == 0 {
		return
	}
	share := more / (weight + more)
	for j, c := range from {
		t := &to[j]
		apart := c.Mean - t.Mean
		t.Mean += share * apart
		t.Square += c.Square + weight*share*apart*apart
		t.Min, t.Max = min(t.Min, c.Min), max(t.Max, c.Max)
	}
}

// describe returns the columns of the inputs.
func describe(b *rows.Batch, weight float64) []Column {
	if b.Offsets == nil {
		return describeDense(b.Values, b.Cols, b.Weights, weight)
	}
	return describeSparse(b, weight)
}

// describeSparse uses the listed elements; the remaining elements are zero.
func describeSparse(b *rows.Batch, weight float64) []Column {
	list, listed, count := make([]Column, b.Cols), make([]float64, b.Cols), make([]int, b.Cols)
	each := func(do func(j int32, w, v float64)) {
		for i := range b.Rows {
			for k := b.Offsets[i]; k < b.Offsets[i+1]; k++ {
				do(b.Columns[k], weightOf(b.Weights, i), b.Values[k])
			}
		}
	}
	each(func(j int32, w, v float64) {
		c := &list[j]
		if count[j] == 0 {
			c.Min, c.Max = v, v
		}
		c.Min, c.Max = min(c.Min, v), max(c.Max, v)
		c.Mean += w / max(weight, math.SmallestNonzeroFloat64) * v
		listed[j] += w
		count[j]++
	})
	each(func(j int32, w, v float64) { list[j].Square += w * (v - list[j].Mean) * (v - list[j].Mean) })
	for j := range list {
		if c := &list[j]; count[j] < b.Rows {
			c.Min, c.Max = min(c.Min, 0), max(c.Max, 0)
			c.Square += max(0, weight-listed[j]) * c.Mean * c.Mean
		}
	}
	return list
}

// describeTargets returns the columns of the targets.
func describeTargets(b *rows.Batch, weight float64) []Column {
	return describeDense(b.Targets, b.Outputs, b.Weights, weight)
}

func weightOf(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// describeDense computes columns in two passes over values in cache.
func describeDense(values []float64, cols int, weights []float64, weight float64) []Column {
	list := make([]Column, cols)
	for j := range list {
		list[j] = Column{Min: math.Inf(1), Max: math.Inf(-1)}
	}
	for i, v := range values {
		c := &list[i%cols]
		c.Mean += weightOf(weights, i/cols) / max(weight, math.SmallestNonzeroFloat64) * v
		c.Min, c.Max = min(c.Min, v), max(c.Max, v)
	}
	for i, v := range values {
		c := &list[i%cols]
		c.Square += weightOf(weights, i/cols) * (v - c.Mean) * (v - c.Mean)
	}
	return list
}

// inputs returns the rows of the sample as matrices.
func (s *Statistics) inputs() (x, y mat.Matrix) { return s.Sample.X(), s.Sample.Y() }

// state is the serialised form of Statistics.
type state struct {
	Rows            int64
	Weight          float64
	Inputs, Targets []Column
	Size            int
	Seed            uint64
	Labels          []int
	NoClass         bool
	Hash            []uint64
	Sample          []byte
	Done            bool
	Found           []int
}

func encodeStatistics(s Statistics) []byte {
	st := state{Rows: s.Rows, Weight: s.Weight, Inputs: s.Inputs, Targets: s.Targets, Size: s.of.Size, Seed: s.of.Seed,
		Labels: slices.Sorted(maps.Keys(s.labels)), NoClass: s.noClass, Hash: s.sample.hash, Done: s.Sample.Rows > 0, Found: s.Labels}
	if s.Rows > 0 {
		st.Sample = rows.Encode(join(s.sample.rows))
	}
	data, _ := encodeGob(st) // cannot fail in memory
	return data
}

// decodeStatistics returns an error that wraps rkhs.ErrFormat for invalid data.
func decodeStatistics(data []byte) (Statistics, error) {
	st, err := decodeGob[state](data)
	if err != nil {
		return Statistics{}, err
	}
	s := Statistics{Rows: st.Rows, Weight: st.Weight, Inputs: st.Inputs, Targets: st.Targets, of: statisticsFn{st.Size, st.Seed},
		shape: shape{len(st.Inputs), len(st.Targets)}, noClass: st.NoClass, Labels: st.Found}
	if st.Rows == 0 {
		return s, nil
	}
	if !st.NoClass {
		s.labels = map[int]bool{}
		for _, l := range st.Labels {
			s.labels[l] = true
		}
	}
	b, err := rows.Decode(st.Sample)
	if err == nil && (b.Rows != len(st.Hash) || b.Cols != len(st.Inputs) || b.Outputs != len(st.Targets) || st.Size <= 0) {
		err = fmt.Errorf("a sample of %d rows for %d hashes: %w", b.Rows, len(st.Hash), rkhs.ErrFormat)
	}
	if err != nil {
		return Statistics{}, fmt.Errorf("learn: bytes of statistics: %w", err)
	}
	s.sample = sample{st.Hash, []rows.Batch{b}}
	if st.Done {
		s.Sample = b
	}
	return s, nil
}
