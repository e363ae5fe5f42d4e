package learn

import (
	"cmp"
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// PolkOptions configure polk by shards. The zero value is the default.
type PolkOptions struct {
	// Options are those of package polk, but for Recorder. Kernel and Ridge are those that a fit
	// to the sample finds, the ridge for all rows. MaxPoints bounds the points of each shard.
	polk.Options
	// MergedPoints bounds the points of the model, which loses accuracy where these are as few as
	// those of a shard. Default: MaxPoints.
	MergedPoints int
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

// PolkClassifier is Polk for labels: the file is a polk.Classifier. Loss is loss.MulticlassHinge unless
// given: the mean of what its steps find errs less than that of least squares, with which polk.FitClassifier
// ends by default. A shard of a single label fails the pipeline with an error that wraps rkhs.ErrLabels: take fewer.
func PolkClassifier(opts PolkOptions) (*Method, error) {
	return newPolk("learn.PolkClassifier", opts, true)
}

func newPolk(name string, opts PolkOptions, classes bool) (*Method, error) {
	if opts.Recorder != nil || opts.Horizon > 0 || opts.Warmup > 0 {
		return nil, fmt.Errorf("learn: polk by shards takes no Recorder, no Horizon and no Warmup: %w", rkhs.ErrOption)
	}
	if opts.MergedPoints < 0 {
		return nil, fmt.Errorf("learn: option MergedPoints = %d is negative: %w", opts.MergedPoints, rkhs.ErrOption)
	}
	if err := refused(polkShards{opts, classes}.fit); err != nil {
		return nil, err
	}
	opts.MaxPoints = cmp.Or(opts.MaxPoints, polkPoints)
	opts.MergedPoints = cmp.Or(opts.MergedPoints, opts.MaxPoints)
	if classes && opts.Loss == nil {
		opts.Loss = loss.MulticlassHinge{}
	}
	given := start{kernel: opts.Kernel, loss: opts.Loss, ridge: opts.Ridge}
	opts.Kernel, opts.Loss, opts.Ridge = nil, nil, 0
	return newByShards(name, shardLearner{Classes: classes}, opts.Shards, opts.Seed, given, opts)
}

// polkShards is a learner.
type polkShards struct {
	PolkOptions
	classes bool
}

// begin sets what shards begin with.
func (l *polkShards) begin(s start) {
	l.Kernel, l.Loss, l.Ridge, l.Uncalibrated = s.kernel, s.loss, s.ridge, true
	if s.kernel != nil {
		l.Metric = kernel.AutoMetric
	}
}

func (l polkShards) fit(ctx context.Context, x, y mat.Matrix) (marshaler, error) {
	if l.classes {
		return polk.FitClassifier(ctx, x, y, &l.Options)
	}
	return polk.Fit(ctx, x, y, &l.Options)
}

func (polkShards) chosen(model marshaler) (kernel.Kernel, float64) {
	m, ok := model.(*polk.Model)
	if !ok {
		m = model.(*polk.Classifier).Model()
	}
	r := m.Report()
	return r.Kernel, r.Ridge
}

func (l polkShards) merge(files [][]byte) (marshaler, error) {
	if l.classes {
		list, err := open[polk.Classifier](files)
		if err != nil {
			return nil, err
		}
		c, _, err := polk.MergeClassifiersTo(list, l.MergedPoints)
		return c, err
	}
	list, err := open[polk.Model](files)
	if err != nil {
		return nil, err
	}
	m, _, err := polk.MergeTo(list, l.MergedPoints)
	return m, err
}
