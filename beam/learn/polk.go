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

// PolkOptions configure Polk. The zero value is the default.
type PolkOptions struct {
	// Options are the options of package polk without Recorder. Kernel and Ridge default to
	// a fit to the sample, with the ridge for all rows. MaxPoints bounds the dictionary of
	// each shard.
	polk.Options
	// MergedPoints bounds the dictionary of the merged model. A larger value than MaxPoints
	// improves accuracy. Default: MaxPoints.
	MergedPoints int
	// Shards is the number of shards, at most 1024. One worker holds each. Default: 8.
	Shards int
}

const polkPoints = 1000

// Polk fits the learner of package polk by shards. It assigns rows to shards at random, fits
// each shard, averages the models, and keeps the most important dictionary points
// (polk.MergeTo). The result does not depend on batches, files, order or retries. Models
// have no intervals.
//
// Workers exchange all rows once. A worker holds three times the rows of its shard, and
// waiting shards. Errors wrap rkhs.ErrOption and the errors of kernel.Marshal and
// loss.Marshal.
func Polk(opts PolkOptions) (*Method, error) { return newPolk("learn.Polk", opts, false) }

// PolkClassifier is Polk for labels. The file is a polk.Classifier. Loss defaults to
// loss.MulticlassHinge, since averaged hinge models have lower error than averaged least
// squares, the final step of polk.FitClassifier. If a shard has a single label, the pipeline
// fails with rkhs.ErrLabels; use fewer shards.
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
	if err := optionError(polkShards{opts, classes}.fit); err != nil {
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

// polkShards implements learner.
type polkShards struct {
	PolkOptions
	classes bool
}

// begin sets the shared parameters of the shards.
func (l *polkShards) begin(s start) {
	l.Kernel, l.Loss, l.Ridge, l.NoCalibration = s.kernel, s.loss, s.ridge, true
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

func (polkShards) selected(model marshaler) (kernel.Kernel, float64) {
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
