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

// Method is a learner with its options. It learns in two steps: from the statistics of a first
// pass it makes a plan, which is what workers begin with (kernel, landmarks, ridge), and from the
// rows and the plan a model. SLKL, Ridge, Polk, DoublySGD and their classifiers make one.
type Method struct {
	name  string
	begin any // a DoFn of an impulse, with statistics beside it, that emits the plan
	learn func(s beam.Scope, batches beam.PCollection, p planned) (model beam.PCollection)
}

// planned is where the plan is.
type planned struct {
	file beam.PCollection // of one element
	path string           // of the same, where it was saved
}

// Fit returns a collection of one element, the file of the model of rows.Batch elements, which
// rkhs.Load opens and package score predicts by. Batches wait until the plan is made from the
// statistics, which are those of Describe: runners store them.
func (m *Method) Fit(s beam.Scope, batches, statistics beam.PCollection) (model beam.PCollection) {
	s = s.Scope(m.name)
	return m.learn(s, batches, planned{file: m.plan(s, statistics)})
}

// Plan returns a collection of one element, the plan by statistics, to Save for FitPlanned.
func (m *Method) Plan(s beam.Scope, statistics beam.PCollection) (plan beam.PCollection) {
	return m.plan(s.Scope(m.name), statistics)
}

func (m *Method) plan(s beam.Scope, statistics beam.PCollection) beam.PCollection {
	return beam.ParDo(s, m.begin, beam.Impulse(s), beam.SideInput{Input: statistics})
}

// FitPlanned is Fit by a plan that another pipeline has saved to a path that workers reach, with
// the same options. Nothing waits, and steps that take in rows read the plan from there: Prism asks
// again and again for what other steps give them while they run.
func (m *Method) FitPlanned(s beam.Scope, batches beam.PCollection, path string) (model beam.PCollection) {
	s = s.Scope(m.name)
	return m.learn(s, batches, planned{beam.ParDo(s, &loadFn{path}, beam.Impulse(s)), path})
}

// loadFn emits a file.
type loadFn struct{ Path string }

// ProcessElement is the method that Beam calls.
func (f *loadFn) ProcessElement(ctx context.Context, _ []byte, emit func([]byte)) error {
	file, err := load(ctx, f.Path)
	if err == nil {
		emit(file)
	}
	return err
}

// load reads a file of any of Beam's file systems that are registered.
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

// one returns the statistics of rows, of which there must be some.
func one(statistics func(*Statistics) bool) (*Statistics, error) {
	var st Statistics
	if !statistics(&st) || st.Rows == 0 {
		return nil, fmt.Errorf("learn: there are no rows to learn from: %w", rkhs.ErrEmpty)
	}
	return &st, nil
}

// only returns what the step before made, unless that saw no rows.
func only(files func(*[]byte) bool) (file []byte, err error) {
	if !files(&file) {
		return nil, fmt.Errorf("learn: there are no rows to learn from: %w", rkhs.ErrEmpty)
	}
	return file, nil
}
