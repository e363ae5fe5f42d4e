package learn

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/polk"
)

// PolkOptions configure polk by shards. The zero value is the default.
type PolkOptions struct {
	// Options are those of package polk, but for Recorder. Kernel and Ridge are those that a fit
	// to the sample finds, the ridge for all rows. The model has at most MaxPoints points, as
	// those of the shards have.
	polk.Options
	// Shards is the number of shards, at most 1024, each of which one worker holds. Default: 8.
	Shards int
}

const polkPoints = 1000

// Polk is the learner of package polk by shards: rows are dealt out at random, one fit learns from
// each shard, and the model is the mean of theirs on the points that cost most to leave out
// (polk.MergeTo). The result does not depend on batches, files, order and retries. There are no
// intervals.
//
// All rows pass between workers once. A worker holds three times the rows of the shard that it fits,
// and the rows of those that wait for it. Errors wrap rkhs.ErrOption and, of a kernel or a loss that cannot be written, what kernel.Marshal and
// loss.Marshal say.
func Polk(opts PolkOptions) (*Method, error) { return newPolk("learn.Polk", opts, false) }

// PolkClassifier is Polk for labels: the file is a polk.Classifier. A shard of a single label fails
// the pipeline with an error that wraps rkhs.ErrLabels: take fewer.
func PolkClassifier(opts PolkOptions) (*Method, error) {
	return newPolk("learn.PolkClassifier", opts, true)
}

func newPolk(name string, opts PolkOptions, classes bool) (*Method, error) {
	o := opts.Options
	if o.Recorder != nil {
		return nil, fmt.Errorf("learn: polk's option Recorder has no meaning for workers: %w", rkhs.ErrOption)
	}
	if o.Kernel != nil && o.Metric != kernel.AutoMetric {
		return nil, fmt.Errorf("learn: a given Kernel does not use Metric: %w", rkhs.ErrOption)
	}
	k, l := o.Kernel, o.Loss
	o.Kernel, o.Loss, o.MaxPoints = nil, nil, cmp.Or(o.MaxPoints, polkPoints)
	return newByShards(name, shardLearner{Classes: classes, MaxPoints: o.MaxPoints}, opts.Shards, o.Seed, k, l, o)
}

// polk returns the options with what was found.
func (o *shardLearner) polk(s start) (*polk.Options, error) {
	var opts polk.Options
	err := json.Unmarshal(o.Options, &opts)
	opts.Kernel, opts.Loss, opts.Uncalibrated = s.kernel, s.loss, true
	if s.kernel != nil {
		opts.Metric = kernel.AutoMetric
	}
	if s.ridge > 0 {
		opts.Ridge = s.ridge
	}
	return &opts, err
}

// findPolk takes the kernel and the noise of a fit to the sample.
func (o *shardLearner) findPolk(ctx context.Context, x, y mat.Matrix, given start, rows int64) (start, error) {
	opts, err := o.polk(given)
	if err != nil || given.kernel != nil && opts.Ridge > 0 {
		return given, err
	}
	var m *polk.Model
	if o.Classes {
		var c *polk.Classifier
		c, err = polk.FitClassifier(ctx, x, y, opts)
		m = c.Model()
	} else {
		m, err = polk.Fit(ctx, x, y, opts)
	}
	if err != nil {
		return given, fmt.Errorf("learn: the sample: %w", err)
	}
	n, _ := x.Dims()
	r := m.Report()
	given.kernel, given.ridge = r.Kernel, opts.Ridge
	if given.ridge == 0 {
		given.ridge = r.Ridge * float64(n) / float64(rows)
	}
	return given, nil
}

func (o *shardLearner) fitPolk(ctx context.Context, x, y mat.Matrix, from start) (marshaler, error) {
	opts, err := o.polk(from)
	if err != nil {
		return nil, err
	}
	if o.Classes {
		return polk.FitClassifier(ctx, x, y, opts)
	}
	return polk.Fit(ctx, x, y, opts)
}

func (o *shardLearner) mergePolk(files [][]byte) (marshaler, error) {
	if o.Classes {
		list, err := open[polk.Classifier](files)
		if err != nil {
			return nil, err
		}
		c, _, err := polk.MergeClassifiersTo(list, o.MaxPoints)
		return c, err
	}
	list, err := open[polk.Model](files)
	if err != nil {
		return nil, err
	}
	m, _, err := polk.MergeTo(list, o.MaxPoints)
	return m, err
}
