package learn

import (
	"cmp"
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// DoublySGDOptions configure doublysgd by shards. The zero value is the default.
type DoublySGDOptions struct {
	// Options are those of package doublysgd, but for Recorder and Quantiles, in Revisit mode. Kernel and Ridge
	// are those that a fit to the sample finds, the ridge for all rows; Loss is loss.Squared, also
	// of classes; Features are half the rows of a shard, at most 4096.
	doublysgd.Options
	// Shards is the number of shards, at most 1024, each of which one worker holds. Default: 8.
	Shards int
}

const (
	defaultShards   = 8
	defaultFeatures = 4096
	shardColumns    = 1024 // of a block, in all shards
)

// DoublySGD is the learner of package doublysgd by shards: rows are dealt out at random, one fit in the
// same random features learns from each shard, and the model has the means of their
// coefficients (Merge of doublysgd.Model). It is for losses other than the squared one, and for more
// features than Ridge has sums for; of the squared loss Ridge finds the minimum for all rows. The
// result does not depend on batches, files, order and retries. There are no intervals.
//
// All rows pass between workers once. A worker holds three times the rows of the shard that it fits,
// and the rows of those that wait for it, beside what the fit does. Errors wrap rkhs.ErrOption and,
// of a kernel or a loss that cannot be written, what kernel.Marshal and loss.Marshal say.
func DoublySGD(opts DoublySGDOptions) (*Method, error) {
	return newDoublySGD("learn.DoublySGD", opts, false)
}

// DoublySGDClassifier is DoublySGD for labels: the file is a doublysgd.Classifier. A shard in which one of
// the labels is missing fails the pipeline with an error that wraps rkhs.ErrLabels: take fewer.
func DoublySGDClassifier(opts DoublySGDOptions) (*Method, error) {
	return newDoublySGD("learn.DoublySGDClassifier", opts, true)
}

func newDoublySGD(name string, opts DoublySGDOptions, classes bool) (*Method, error) {
	o := opts.Options
	if o.Recorder != nil || len(o.Quantiles) > 0 || o.Mode != doublysgd.Auto && o.Mode != doublysgd.Revisit {
		return nil, fmt.Errorf("learn: doublysgd by shards takes no Recorder, no Quantiles and no Mode but Revisit: %w", rkhs.ErrOption)
	}
	o.Mode, o.Loss = doublysgd.Revisit, cmp.Or[loss.Loss](o.Loss, loss.Squared{})
	if err := refused(doublySGDShards{o, classes}.fit); err != nil {
		return nil, err
	}
	given := start{kernel: o.Kernel, loss: o.Loss, ridge: o.Ridge}
	o.Kernel, o.Loss, o.Ridge = nil, nil, 0
	return newByShards(name, shardLearner{DoublySGD: true, Classes: classes}, opts.Shards, o.Seed, given, o)
}

// doublySGDShards is a learner.
type doublySGDShards struct {
	doublysgd.Options
	classes bool
}

// begin sets what shards begin with.
func (l *doublySGDShards) begin(s start) {
	l.Kernel, l.Loss, l.Ridge, l.Uncalibrated = s.kernel, s.loss, s.ridge, true
	if s.kernel != nil {
		l.Metric = kernel.AutoMetric
	}
	l.Features = cmp.Or(l.Features, s.features)
	l.Columns = cmp.Or(l.Columns, min(shardColumns, l.Features+l.Features%2))
}

func (l doublySGDShards) fit(ctx context.Context, x, y mat.Matrix) (marshaler, error) {
	if l.classes {
		return doublysgd.FitClassifier(ctx, x, y, &l.Options)
	}
	return doublysgd.Fit(ctx, x, y, &l.Options)
}

func (doublySGDShards) chosen(model marshaler) (kernel.Kernel, float64) {
	m, ok := model.(*doublysgd.Model)
	if !ok {
		m = model.(*doublysgd.Classifier).Model()
	}
	return m.Kernel(), m.Report().Ridge
}

func (l doublySGDShards) merge(files [][]byte) (marshaler, error) {
	if l.classes {
		list, err := open[doublysgd.Classifier](files)
		if err != nil {
			return nil, err
		}
		return list[0].Merge(list[1:]...)
	}
	list, err := open[doublysgd.Model](files)
	if err != nil {
		return nil, err
	}
	return list[0].Merge(list[1:]...)
}
