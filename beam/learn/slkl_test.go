package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

func init() {
	register.DoFn2x0[[]byte, func([]byte)](&catchFn{})
	beam.RegisterType(reflect.TypeOf(catchFn{}))
	register.DoFn2x0[int, func(rows.Batch)](&serveFn{})
}

// caught holds the results of catchFn by test name.
var caught sync.Map

// catchFn stores the files at the end of a pipeline in this process.
type catchFn struct{ Name string }

func (f *catchFn) ProcessElement(file []byte, _ func([]byte)) { caught.Store(f.Name, file) }

// served holds the batches for serveFn by test name.
var served sync.Map

// serveFn emits batches of this process by index. A list of batches would be part of the
// pipeline, which Prism copies several times.
type serveFn struct{ Name string }

func (f *serveFn) ProcessElement(i int, emit func(rows.Batch)) {
	list, _ := served.Load(f.Name)
	emit(list.([]rows.Batch)[i])
}

// serve returns a collection of batches.
func serve(t *testing.T, s beam.Scope, batches []rows.Batch) beam.PCollection {
	served.Store(t.Name(), batches)
	t.Cleanup(func() { served.Delete(t.Name()) })
	indices := make([]int, len(batches))
	for i := range indices {
		indices[i] = i
	}
	return beam.ParDo(s, &serveFn{t.Name()}, beam.Reshuffle(s, beam.CreateList(s, indices)))
}

// table returns rows of two columns with a target. Each batch has a given size and its own file.
func table(outputs int, sizes ...int) (batches []rows.Batch) {
	r := rand.New(rand.NewPCG(1, 2))
	for i, n := range sizes {
		b := rows.Batch{Rows: n, Cols: 2, Outputs: outputs, Source: string(rune('a' + i)), First: 1}
		for range n {
			u, v := r.Float64()*4-2, r.Float64()*4-2
			b.Values = append(b.Values, u, v)
			for o := range outputs {
				b.Targets = append(b.Targets, math.Sin(2*u)*v+float64(o)*u+0.1*r.NormFloat64())
			}
		}
		batches = append(batches, b)
	}
	return batches
}

// sampled is the size of the sample.
const sampled = 1500

// learnedBy runs a pipeline that fits a model to batches and returns its file.
func learnedBy(t *testing.T, batches []rows.Batch, m *Method, err error) ([]byte, error) {
	t.Helper()
	if err != nil {
		return nil, err
	}
	p, s := beam.NewPipelineWithRoot()
	col := serve(t, s, batches)
	return caughtFrom(t, p, s, m.Fit(s, col, described(t, s, col)))
}

// plannedBy is learnedBy with two pipelines, as in the command: no rows wait for the plan.
func plannedBy(t *testing.T, batches []rows.Batch, m *Method, err error) ([]byte, error) {
	t.Helper()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(t.TempDir(), "plan")
	p, s := beam.NewPipelineWithRoot()
	Save(s, m.Plan(s, described(t, s, serve(t, s, batches))), path)
	if err := ptest.Run(p); err != nil {
		return nil, err
	}
	p, s = beam.NewPipelineWithRoot()
	return caughtFrom(t, p, s, m.FitPlanned(s, serve(t, s, batches), path))
}

// described calls Describe with the options of the tests.
func described(t *testing.T, s beam.Scope, batches beam.PCollection) beam.PCollection {
	t.Helper()
	statistics, err := Describe(s, batches, StatisticsOptions{Sample: sampled, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	return statistics
}

// caughtFrom runs a pipeline and returns the single element of a collection.
func caughtFrom(t *testing.T, p *beam.Pipeline, s beam.Scope, files beam.PCollection) ([]byte, error) {
	t.Helper()
	beam.ParDo(s, &catchFn{Name: t.Name()}, files)
	if err := ptest.Run(p); err != nil {
		return nil, err
	}
	file, ok := caught.LoadAndDelete(t.Name())
	if !ok {
		t.Fatal("no model")
	}
	return file.([]byte), nil
}

// oneMachine returns the model of a single learner of the batches.
func oneMachine(t *testing.T, batches []rows.Batch, opts *slkl.Options) *slkl.Model {
	t.Helper()
	st := describeAll(t, batches)
	x, y := st.inputs()
	l, err := slkl.LearnerFrom(context.Background(), x, y, opts)
	if err != nil {
		t.Fatal(err)
	}
	var all []uint64
	for i := range batches {
		all = append(all, numbers(&batches[i])...)
	}
	b := join(batches)
	if err := l.UpdateNumbered(all, b.X(), b.Y()); err != nil {
		t.Fatal(err)
	}
	m, err := l.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// describeAll is Describe without Beam.
func describeAll(t *testing.T, batches []rows.Batch) Statistics {
	t.Helper()
	f := &statisticsFn{Size: sampled, Seed: 4}
	a := f.CreateAccumulator()
	for _, b := range batches {
		var err error
		if a, err = f.AddInput(a, b); err != nil {
			t.Fatal(err)
		}
	}
	return f.ExtractOutput(a)
}

func predictions(t *testing.T, m interface {
	Predict(mat.Matrix) (*mat.Dense, error)
}, batches []rows.Batch) *mat.Dense {
	t.Helper()
	b := join(batches)
	f, err := m.Predict(b.Inputs())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// apart returns the largest difference between elements of two matrices.
func apart(a, b *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return max(mat.Max(&d), -mat.Min(&d))
}

// TestSLKLAsOneMachine fits large, tiny and empty shards on Prism, with a penalty selected by
// cross-validation.
func TestSLKLAsOneMachine(t *testing.T) {
	batches := table(2, 700, 1, 0, 300, 2, 900)
	opts := &slkl.Options{MaxPoints: 60, Metric: kernel.NoMetric, Seed: 3, Paper: slkl.Paper{PenaltyGrid: []float64{1e-2, 1e-4}}}
	method, err := SLKL(opts)
	file, err := learnedBy(t, batches, method, err)
	if err != nil {
		t.Fatal(err)
	}
	var m slkl.Model
	if err := m.UnmarshalBinary(file); err != nil {
		t.Fatal(err)
	}
	want := oneMachine(t, batches, opts)
	batches = slices.Delete(batches, 2, 3)
	if d := apart(predictions(t, &m, batches), predictions(t, want, batches)); !(d < 1e-10) {
		t.Errorf("predictions differ by %v", d)
	}
}

// oneClassifier returns the classifier of a single learner of the batches.
func oneClassifier(t *testing.T, batches []rows.Batch, opts *slkl.Options) *slkl.Classifier {
	t.Helper()
	st := describeAll(t, batches)
	x, y := st.inputs()
	l, err := slkl.ClassLearnerFrom(context.Background(), st.Labels, x, y, opts)
	if err != nil {
		t.Fatal(err)
	}
	for i := range batches {
		if b := &batches[i]; b.Rows > 0 {
			if err := l.UpdateNumbered(numbers(b), b.X(), b.Y()); err != nil {
				t.Fatal(err)
			}
		}
	}
	c, err := l.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return c
}
