package learn

import (
	"cmp"
	"context"
	"encoding/json"
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
	if o.Kernel != nil && o.Metric != kernel.AutoMetric {
		return nil, fmt.Errorf("learn: a given Kernel does not use Metric: %w", rkhs.ErrOption)
	}
	of := shardLearner{DoublySGD: true, Classes: classes}
	k, l := o.Kernel, cmp.Or[loss.Loss](o.Loss, loss.Squared{})
	o.Kernel, o.Loss, o.Mode = nil, nil, doublysgd.Revisit
	return newByShards(name, of, opts.Shards, o.Seed, k, l, o)
}

// newByShards makes a method of a learner with options that have no kernel and no loss.
func newByShards(name string, of shardLearner, shards int, seed uint64, k kernel.Kernel, l loss.Loss, options any) (*Method, error) {
	if shards < 0 || shards > mergers*mergers {
		return nil, fmt.Errorf("learn: option Shards = %d, at most %d: %w", shards, mergers*mergers, rkhs.ErrOption)
	}
	files, err := start{kernel: k, loss: l}.keep()
	if err != nil {
		return nil, err
	}
	of.Kernel, of.Loss, of.Shards = files.Kernel, files.Loss, cmp.Or(shards, defaultShards)
	if of.Options, err = json.Marshal(options); err != nil { // of a number that is not finite
		return nil, fmt.Errorf("learn: options: %v: %w", err, rkhs.ErrOption)
	}
	return byShards(name, of, seed), nil
}

// doublySGD returns the options with what was found.
func (o *shardLearner) doublySGD(s start) (*doublysgd.Options, error) {
	var opts doublysgd.Options
	err := json.Unmarshal(o.Options, &opts)
	opts.Kernel, opts.Loss, opts.Uncalibrated = s.kernel, s.loss, true
	if s.kernel != nil {
		opts.Metric = kernel.AutoMetric
	}
	if s.ridge > 0 {
		opts.Ridge = s.ridge
	}
	opts.Features = cmp.Or(opts.Features, s.features)
	opts.Columns = cmp.Or(opts.Columns, min(shardColumns, opts.Features+opts.Features%2))
	return &opts, err
}

// findDoublySGD takes the kernel and the noise of a fit to the sample.
func (o *shardLearner) findDoublySGD(ctx context.Context, x, y mat.Matrix, given start, rows int64) (start, error) {
	given.features = min(defaultFeatures, max(2, int(rows)/o.Shards/2))
	opts, err := o.doublySGD(given)
	if err != nil || given.kernel != nil && opts.Ridge > 0 {
		return given, err
	}
	m, err := fitDoublySGD(ctx, o.Classes, x, y, opts)
	if err != nil {
		return given, fmt.Errorf("learn: the sample: %w", err)
	}
	n, _ := x.Dims()
	given.kernel, given.ridge = m.Kernel(), opts.Ridge
	if given.ridge == 0 {
		given.ridge = m.Report().Ridge * float64(n) / float64(rows)
	}
	return given, nil
}

func fitDoublySGD(ctx context.Context, classes bool, x, y mat.Matrix, opts *doublysgd.Options) (*doublysgd.Model, error) {
	if classes {
		c, err := doublysgd.FitClassifier(ctx, x, y, opts)
		return c.Model(), err
	}
	return doublysgd.Fit(ctx, x, y, opts)
}

func (o *shardLearner) fitDoublySGD(ctx context.Context, x, y mat.Matrix, from start) (marshaler, error) {
	opts, err := o.doublySGD(from)
	if err != nil {
		return nil, err
	}
	if o.Classes {
		return doublysgd.FitClassifier(ctx, x, y, opts)
	}
	return doublysgd.Fit(ctx, x, y, opts)
}

func (o *shardLearner) mergeDoublySGD(files [][]byte) (marshaler, error) {
	if o.Classes {
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
