package learn

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/rkhs-go/rkhs"
)

func init() { register.DoFn3x1[context.Context, []byte, func([]byte), error](&loadFn{}) }

// Method is a learner with its options. It fits in two steps. The first derives a plan
// (kernel, landmarks, ridge) from the statistics of a first pass. The second fits the model
// from the plan and the rows. SLKL, Ridge, Polk, DoublySGD and their classifiers return
// methods.
type Method struct {
	name  string
	begin any // DoFn of an impulse and a side input of statistics that emits the plan
	learn func(s beam.Scope, batches beam.PCollection, p planned) (model beam.PCollection)
}

// planned locates the plan.
type planned struct {
	file beam.PCollection // one element
	path string           // of the saved plan, or empty
}

// Fit returns a collection of one element, the file of the model of rows.Batch elements.
// rkhs.Load opens it and package score predicts with it. statistics is the result of
// Describe. Runners store the batches until the plan is ready.
func (m *Method) Fit(s beam.Scope, batches, statistics beam.PCollection) (model beam.PCollection) {
	s = s.Scope(m.name)
	return m.learn(s, batches, planned{file: m.plan(s, statistics)})
}

// Plan returns a collection of one element, the plan. Save it for FitPlanned.
func (m *Method) Plan(s beam.Scope, statistics beam.PCollection) (plan beam.PCollection) {
	return m.plan(s.Scope(m.name), statistics)
}

func (m *Method) plan(s beam.Scope, statistics beam.PCollection) beam.PCollection {
	return beam.ParDo(s, m.begin, beam.Impulse(s), beam.SideInput{Input: statistics})
}

// FitPlanned is Fit with a plan that another pipeline saved to path, with the same options.
// Workers must be able to read path. Steps process batches immediately, because each step
// reads the plan from path. A side input would wait, and Prism requests it repeatedly.
func (m *Method) FitPlanned(s beam.Scope, batches beam.PCollection, path string) (model beam.PCollection) {
	s = s.Scope(m.name)
	return m.learn(s, batches, planned{beam.ParDo(s, &loadFn{path}, beam.Impulse(s)), path})
}

// loadFn emits a file.
type loadFn struct{ Path string }

// ProcessElement implements the DoFn.
func (f *loadFn) ProcessElement(ctx context.Context, _ []byte, emit func([]byte)) error {
	file, err := load(ctx, f.Path)
	if err == nil {
		emit(file)
	}
	return err
}

// load reads a file from a registered Beam file system.
func load(ctx context.Context, path string) (file []byte, err error) {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("learn: %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, fs.Close()) }()
	if file, err = filesystem.Read(ctx, fs, path); err != nil {
		return nil, fmt.Errorf("learn: %s: %w", path, err)
	}
	return file, nil
}

// one returns the statistics, or rkhs.ErrEmpty if there are no rows.
func one(statistics func(*Statistics) bool) (*Statistics, error) {
	var st Statistics
	if !statistics(&st) || st.Rows == 0 {
		return nil, fmt.Errorf("learn: there are no training rows: %w", rkhs.ErrEmpty)
	}
	return &st, nil
}

// only returns the single element of a collection, or rkhs.ErrEmpty if it is empty.
func only(files func(*[]byte) bool) (file []byte, err error) {
	if !files(&file) {
		return nil, fmt.Errorf("learn: there are no training rows: %w", rkhs.ErrEmpty)
	}
	return file, nil
}
