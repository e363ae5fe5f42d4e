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
	// Rounds is the number of Newton steps, at most 100, that the shards take together after their models are
	// merged. Default: 1, and none, which is then the only number, where the loss has kinks or
	// Features is more than 8192.
	Rounds int
	// NoRounds leaves the model at the mean.
	NoRounds bool
}

const (
	mostRounds      = 100  // each of which is nine steps of the pipeline
	mostRounded     = 8192 // features, whose Hessian a worker holds
	defaultShards   = 8
	defaultFeatures = 4096
	shardColumns    = 1024 // of a block, in all shards
)

// DoublySGD is the learner of package doublysgd by shards: rows are dealt out at random, one fit in the
// same random features learns from each shard, and the means of their coefficients (Merge of
// doublysgd.Model) are where Rounds begin. It is for losses other than the squared one, and for more
// features than Ridge has sums for; of the squared loss Ridge finds the minimum for all rows. The
// result does not depend on batches, files, order and retries. There are no intervals.
//
// A round is a globally improved approximate Newton step. With the objective F_k of the rows of shard k,
// of weight w_k, and F = Σ_k w_k·F_k/Σ_k w_k of all rows, both with the same ridge, coefficients and
// constants move by
//
//	t·Σ_k w_k·p_k/Σ_k w_k,   p_k = −(∇²F_k)⁻¹∇F,
//
// and of t = 1, 1/2, …, 1/16 and 0 the one at which F is least is taken, so that a round never makes F
// worse. Shards of many more rows than there are features have about the Hessian of all rows, and one round
// then goes most of the way to the minimum (Wang, Roosta, Xu and Mahoney, "GIANT: Globally Improved
// Approximate Newton Method for Distributed Optimization", NeurIPS 2018). Shards of few rows at a ridge so small that
// their Hessians are nearly singular may have no step of these lengths that helps. The Hessian is that of each
// output by itself: of loss.Softmax the blocks of its diagonal. A loss of numbers of another package must
// be one of differences of score and target for it.
//
// Rows of weight zero count for nothing, also where a shard has no others. All rows pass between workers
// once, and three times more in each round. A worker holds three times
// the rows of the shard that it fits, and the rows of those that wait for it, beside what the fit does
// and, in a round, 16·D² bytes for D features; a step takes O(n·D·(d + D) + D³) operations for a shard of n
// rows, under losses other than the squared one for each output. Errors wrap rkhs.ErrOption and,
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
	rounds, err := opts.rounds(o.Loss)
	if err != nil {
		return nil, err
	}
	given := start{kernel: o.Kernel, loss: o.Loss, ridge: o.Ridge}
	o.Kernel, o.Loss, o.Ridge = nil, nil, 0
	return newByShards(name, shardLearner{DoublySGD: true, Classes: classes, Rounds: rounds}, opts.Shards, o.Seed, given, o)
}

// rounds returns the number of rounds under a loss.
func (o *DoublySGDOptions) rounds(l loss.Loss) (int, error) {
	none := loss.Kinked(l) || o.Features > mostRounded
	switch {
	case o.Rounds < 0 || o.Rounds > mostRounds:
		return 0, fmt.Errorf("learn: option Rounds = %d, want 0 to %d: %w", o.Rounds, mostRounds, rkhs.ErrOption)
	case o.Rounds > 0 && o.NoRounds:
		return 0, fmt.Errorf("learn: option Rounds = %d has no meaning for NoRounds: %w", o.Rounds, rkhs.ErrOption)
	case o.Rounds > 0 && none:
		return 0, fmt.Errorf("learn: option Rounds = %d has no meaning for the loss %v and %d features: there are none for kinks and beyond %d: %w", o.Rounds, l, o.Features, mostRounded, rkhs.ErrOption)
	case o.NoRounds || none:
		return 0, nil
	}
	return cmp.Or(o.Rounds, 1), nil
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
