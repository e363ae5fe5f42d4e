package learn

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
)

// shardLearner configures a learner by shards. Beam sends it to workers as JSON.
type shardLearner struct {
	DoublySGD bool   // polk if false
	Classes   bool   // regression if false
	Options   []byte // JSON, without the shared parameters
	Given     found  // shared parameters given by the user
	Shards    int
	Rounds    int // for doublysgd
}

// learner is a learner with its options.
type learner interface {
	// fit fits rows.
	fit(ctx context.Context, x, y mat.Matrix) (model marshaler, err error)
	// selected returns the kernel and the ridge of a model.
	selected(model marshaler) (k kernel.Kernel, ridge float64)
	// merge merges files of models.
	merge(files [][]byte) (model marshaler, err error)
}

// learner returns the learner with the shared parameters s.
func (o *shardLearner) learner(s start) (learner, error) {
	if o.DoublySGD {
		l := doublySGDShards{classes: o.Classes}
		err := json.Unmarshal(o.Options, &l.Options)
		l.begin(s)
		return l, err
	}
	l := polkShards{classes: o.Classes}
	err := json.Unmarshal(o.Options, &l.PolkOptions)
	l.begin(s)
	return l, err
}

// newByShards returns a method for a learner with valid options. options excludes the given
// shared parameters.
func newByShards(name string, of shardLearner, shards int, seed uint64, given start, options any) (*Method, error) {
	if shards < 0 || shards > mergers*mergers {
		return nil, fmt.Errorf("learn: option Shards = %d, at most %d: %w", shards, mergers*mergers, rkhs.ErrOption)
	}
	of.Shards = cmp.Or(shards, defaultShards)
	var err error
	if of.Given, err = given.keep(); err != nil {
		return nil, err
	}
	if of.Options, err = json.Marshal(options); err != nil {
		return nil, fmt.Errorf("learn: options: %v: %w", err, rkhs.ErrOption)
	}
	return byShards(name, of, seed), nil
}

// optionError returns an error of fit if it wraps rkhs.ErrOption. It passes a cancelled context:
// learners check options first, so no fit runs.
func optionError(fit func(ctx context.Context, x, y mat.Matrix) (marshaler, error)) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	rows := mat.NewDense(2, 1, []float64{0, 1})
	if _, err := fit(ctx, rows, rows); errors.Is(err, rkhs.ErrOption) {
		return fmt.Errorf("learn: %w", err)
	}
	return nil
}

// find fills in missing parameters with the kernel and ridge of a fit to the sample.
func (o *shardLearner) find(ctx context.Context, x, y mat.Matrix, s start, rows int64) (start, error) {
	s.features = min(defaultFeatures, max(2, int(rows)/o.Shards/2))
	if s.kernel != nil && s.ridge > 0 {
		return s, nil
	}
	l, err := o.learner(s)
	if err != nil {
		return s, err
	}
	m, err := l.fit(ctx, x, y)
	if err != nil {
		return s, fmt.Errorf("learn: the sample: %w", err)
	}
	n, _ := x.Dims()
	k, ridge := l.selected(m)
	s.kernel = k
	if s.ridge == 0 {
		s.ridge = ridge * float64(n) / float64(rows)
	}
	return s, nil
}

// open returns the models of files.
func open[M any, P interface {
	*M
	UnmarshalBinary([]byte) error
}](files [][]byte) ([]P, error) {
	list := make([]P, len(files))
	for i, file := range files {
		list[i] = new(M)
		if err := list[i].UnmarshalBinary(file); err != nil {
			return nil, err
		}
	}
	return list, nil
}
