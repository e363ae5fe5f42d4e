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

// DoublySGDOptions configure DoublySGD. The zero value is the default.
type DoublySGDOptions struct {
	// Options are the options of package doublysgd in Revisit mode, without Recorder and
	// Quantiles. Kernel and Ridge default to a fit to the sample, with the ridge for all
	// rows. Loss defaults to loss.Squared, also for classes, and Features to half the rows
	// of a shard, at most 4096.
	doublysgd.Options
	// Shards is the number of shards, at most 1024. One worker holds each. Default: 8.
	Shards int
	// Rounds is the number of joint Newton steps after the merge, at most 100. Default: 1,
	// or 0 if the loss has kinks or Features is more than 8192, where only 0 is valid.
	Rounds int
	// NoRounds disables Rounds and returns the mean model.
	NoRounds bool
}

const (
	mostRounds      = 100  // each has nine pipeline steps
	mostRounded     = 8192 // maximum number of features with a Hessian in memory
	defaultShards   = 8
	defaultFeatures = 4096
	shardColumns    = 1024 // per block, in all shards
)

// DoublySGD fits the learner of package doublysgd by shards. It assigns rows to shards at
// random and fits each shard with the same random features. It averages the coefficients
// (Merge of doublysgd.Model) and improves them by Rounds. Use it for losses other than the
// squared loss or for more features than Ridge can handle; for the squared loss Ridge finds
// the exact minimum. The result does not depend on batches, files, order or retries. Models
// have no intervals.
//
// A round is a globally improved approximate Newton step (Wang, Roosta, Xu and Mahoney,
// "GIANT: Globally Improved Approximate Newton Method for Distributed Optimization", NeurIPS
// 2018). Let F_k be the objective on shard k of weight w_k, and F = Σ_k w_k·F_k/Σ_k w_k, with
// the same ridge. The round adds to coefficients and constants
//
//	t·Σ_k w_k·p_k/Σ_k w_k,   p_k = −(∇²F_k)⁻¹∇F,
//
// with the t among 1, 1/2, …, 1/16 and 0 that minimises F. A round never increases F. If
// shards have many more rows than features, one round reaches a point near the minimum. If
// shards have few rows and the ridge is tiny, no step length may help. The Hessian treats
// outputs separately; for loss.Softmax it is block diagonal. A user-defined regression loss
// must be a function of the difference of score and target.
//
// Rows of weight zero are ignored. Workers exchange all rows once, and three more times per
// round. A worker holds three times the rows of its shard, waiting shards, and 16·D² bytes
// in a round with D features, in addition to the memory of the fit. A step costs
// O(n·D·(d + D) + D³) operations for a shard of n rows, per output unless the loss is
// squared. Errors wrap rkhs.ErrOption and the errors of kernel.Marshal and loss.Marshal.
func DoublySGD(opts DoublySGDOptions) (*Method, error) {
	return newDoublySGD("learn.DoublySGD", opts, false)
}

// DoublySGDClassifier is DoublySGD for labels. The file is a doublysgd.Classifier. If a shard
// lacks one of the labels, the pipeline fails with rkhs.ErrLabels; use fewer shards.
func DoublySGDClassifier(opts DoublySGDOptions) (*Method, error) {
	return newDoublySGD("learn.DoublySGDClassifier", opts, true)
}

func newDoublySGD(name string, opts DoublySGDOptions, classes bool) (*Method, error) {
	o := opts.Options
	if o.Recorder != nil || len(o.Quantiles) > 0 || o.Mode != doublysgd.Auto && o.Mode != doublysgd.Revisit {
		return nil, fmt.Errorf("learn: doublysgd by shards takes no Recorder, no Quantiles and no Mode but Revisit: %w", rkhs.ErrOption)
	}
	o.Mode, o.Loss = doublysgd.Revisit, cmp.Or[loss.Loss](o.Loss, loss.Squared{})
	if err := optionError(doublySGDShards{o, classes}.fit); err != nil {
		return nil, err
	}
	rounds, err := opts.rounds(o.Loss)
	if err != nil {
		return nil, err
	}
	given := start{kernel: o.Kernel, loss: o.Loss, ridge: o.Ridge}
	o.Kernel, o.Loss, o.Ridge = nil, nil, 0
	return newByShards(name, shardLearner{DoublySGD: true, Classes: classes, Rounds: rounds}, opts.Shards, o.Seed, given, o)
}

// rounds returns the number of rounds for a loss.
func (o *DoublySGDOptions) rounds(l loss.Loss) (int, error) {
	none := loss.Kinked(l) || o.Features > mostRounded
	switch {
	case o.Rounds < 0 || o.Rounds > mostRounds:
		return 0, fmt.Errorf("learn: option Rounds = %d, want 0 to %d: %w", o.Rounds, mostRounds, rkhs.ErrOption)
	case o.Rounds > 0 && o.NoRounds:
		return 0, fmt.Errorf("learn: option Rounds = %d has no effect with NoRounds: %w", o.Rounds, rkhs.ErrOption)
	case o.Rounds > 0 && none:
		return 0, fmt.Errorf("learn: option Rounds = %d has no effect for the loss %v and %d features: rounds need a loss without kinks and at most %d features: %w", o.Rounds, l, o.Features, mostRounded, rkhs.ErrOption)
	case o.NoRounds || none:
		return 0, nil
	}
	return cmp.Or(o.Rounds, 1), nil
}

// doublySGDShards implements learner.
type doublySGDShards struct {
	doublysgd.Options
	classes bool
}

// begin sets the shared parameters of the shards.
func (l *doublySGDShards) begin(s start) {
	l.Kernel, l.Loss, l.Ridge, l.NoCalibration = s.kernel, s.loss, s.ridge, true
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

func (doublySGDShards) selected(model marshaler) (kernel.Kernel, float64) {
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
