package score

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"
	"weak"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	_ "github.com/rkhs-go/rkhs/alignment" // these packages register the kinds of their files
	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/dataset"
	_ "github.com/rkhs-go/rkhs/doublysgd"
	_ "github.com/rkhs-go/rkhs/doublysgd/gp"
	_ "github.com/rkhs-go/rkhs/doublysgd/novelty"
	_ "github.com/rkhs-go/rkhs/doublysgd/ratio"
	_ "github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/recipe"
	_ "github.com/rkhs-go/rkhs/ridge"
	_ "github.com/rkhs-go/rkhs/slkl"
	_ "github.com/rkhs-go/rkhs/svm"
)

// model is the contents of a file.
type model struct {
	recipe *recipe.Model // nil for rows of numbers
	of     rkhs.Model
}

// read reads a model.
func read(ctx context.Context, r io.Reader) (*model, error) {
	v, err := rkhs.Read[any](r)
	if err != nil {
		return nil, err
	}
	if l, ok := v.(*recipe.Learner); ok {
		if v, err = l.Model(ctx); err != nil {
			return nil, err
		}
	}
	switch m := v.(type) {
	case *recipe.Model:
		return &model{m, m.Model()}, nil
	case rkhs.Model:
		return &model{of: m}, nil
	}
	return nil, fmt.Errorf("the file holds a %T, which does not predict: %w", v, rkhs.ErrFormat)
}

// models holds the models that this process uses, by a key of their files.
var models = struct {
	sync.Mutex
	of map[any]weak.Pointer[model]
}{of: map[any]weak.Pointer[model]{}}

// shared returns the model of a key. It calls load unless the process has the model. Concurrent calls
// wait for a single load.
func shared(key any, load func() (*model, error)) (*model, error) {
	models.Lock()
	defer models.Unlock()
	if m := models.of[key].Value(); m != nil {
		return m, nil
	}
	m, err := load()
	if err == nil {
		models.of[key] = weak.Make(m)
	}
	return m, err
}

// version identifies the contents of a path.
type version struct {
	path     string
	size     int64
	modified time.Time
}

// open returns the model of a file of any of Beam's file systems.
func open(ctx context.Context, path string) (*model, error) {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	key := version{path: path}
	if key.size, err = fs.Size(ctx, path); err != nil {
		return nil, err
	}
	if by, ok := fs.(filesystem.LastModifiedGetter); ok {
		if key.modified, err = by.LastModified(ctx, path); err != nil {
			return nil, err
		}
	}
	return shared(key, func() (*model, error) {
		r, err := fs.OpenRead(ctx, path)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return read(ctx, r)
	})
}

// decode returns the model of the bytes of a file.
func decode(ctx context.Context, file []byte) (*model, error) {
	return shared(sha256.Sum256(file), func() (*model, error) { return read(ctx, bytes.NewReader(file)) })
}

// predict returns the predictions of a batch.
func (m *model) predict(b rows.Batch, coverage float64) (Predictions, error) {
	p := Predictions{Rows: b}
	if m.recipe == nil {
		x := b.Inputs()
		if x == nil {
			return p, fmt.Errorf("the model takes rows of numbers, not cells: %w", rkhs.ErrShape)
		}
		return p, p.predictNumbers(m.of, x, coverage)
	}
	if b.Names == nil {
		return p, fmt.Errorf("the model takes cells of a table (rows.Options.Table), not numbers: %w", rkhs.ErrShape)
	}
	t, err := b.Table(m.recipe.Recipe().Reading())
	if err != nil {
		return p, err
	}
	return p, p.predictCells(m.recipe, t, coverage)
}

// predictNumbers predicts rows of numbers. A model without calibration has neither intervals nor
// probabilities.
func (p *Predictions) predictNumbers(m rkhs.Model, x mat.Matrix, coverage float64) error {
	y, err := m.Predict(x)
	if err != nil {
		return err
	}
	_, q := y.Dims()
	p.add(numbered("prediction", q), y)
	if by, ok := m.(rkhs.Intervaled); ok && coverage != 0 {
		lower, upper, err := by.Interval(x, coverage)
		if err != nil {
			return unlessNoCalibration(err)
		}
		p.add(numbered("lower", q), lower)
		p.add(numbered("upper", q), upper)
	}
	if by, ok := m.(rkhs.Probabilistic); ok {
		proba, err := by.Proba(x)
		if err != nil {
			return unlessNoCalibration(err)
		}
		var names []string
		for _, label := range by.Labels() {
			names = append(names, "p("+strconv.Itoa(label)+")")
		}
		p.add(names, proba)
	}
	return nil
}

func unlessNoCalibration(err error) error {
	if errors.Is(err, rkhs.ErrNoCalibration) {
		return nil
	}
	return err
}

// predictCells predicts the rows of a table.
func (p *Predictions) predictCells(m *recipe.Model, t *dataset.Table, coverage float64) error {
	of, err := m.PredictIntervals(t, coverage)
	if err != nil {
		return err
	}
	n := p.Rows.Rows
	p.Classes = of.Classes
	p.add([]string{"prediction"}, mat.NewDense(n, 1, of.Values))
	if of.Lower != nil {
		p.add([]string{"lower"}, mat.NewDense(n, 1, of.Lower))
		p.add([]string{"upper"}, mat.NewDense(n, 1, of.Upper))
	}
	if of.Proba != nil {
		var names []string
		for _, name := range of.Names {
			names = append(names, "p("+name+")")
		}
		p.add(names, of.Proba)
	}
	return nil
}

// numbered returns the names of n columns: name, or name 1, name 2 and so on.
func numbered(name string, n int) []string {
	if n == 1 {
		return []string{name}
	}
	names := make([]string, n)
	for j := range names {
		names[j] = fmt.Sprintf("%s %d", name, j+1)
	}
	return names
}

// add adds columns.
func (p *Predictions) add(names []string, values *mat.Dense) {
	n, before, width := p.Rows.Rows, len(p.Columns), len(names)
	all := make([]float64, 0, n*(before+width))
	for i := range n {
		all = append(all, p.Values[i*before:(i+1)*before]...)
		all = append(all, values.RawRowView(i)...)
	}
	p.Columns, p.Values = append(p.Columns, names...), all
}
