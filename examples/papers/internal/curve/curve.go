// Package curve records learning curves of classifiers. Labels are classes 0, 1, … in order.
package curve

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/papers/internal/baseline"
	"github.com/rkhs-go/rkhs/examples/papers/internal/score"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// Point is the state of a learner after a number of rows.
type Point struct {
	Rows  int
	Loss  float64 // mean over the test rows
	Error float64 // fraction of the test rows
	Order int     // terms of the function
}

// Measure returns the Point for scores (n×C) of the test rows. A tie with the true class is an
// error.
func Measure(scores *mat.Dense, test *dataset.Set, l loss.Multiclass, rows, order int) Point {
	p := Point{Rows: rows, Order: order}
	n := len(test.Y)
	for i, y := range test.Y {
		f := scores.RawRowView(i)
		p.Loss += l.Value(f, int(y)) / float64(n)
		for c, v := range f {
			if c != int(y) && v >= f[int(y)] {
				p.Error += 1 / float64(n)
				break
			}
		}
	}
	return p
}

// POLK trains on all rows once, in order, and records a Point after each multiple of every steps
// and at the end. opts needs a multi-class loss.
func POLK(ctx context.Context, opts polk.Options, train, test *dataset.Set, classes, every int) ([]Point, *polk.Classifier, error) {
	l, err := polk.NewClassLearner(nil, &opts)
	if err != nil {
		return nil, nil, err
	}
	n, d := train.X.Dims()
	var points []Point
	for from, step := 0, 1; from < n; step++ {
		to := min(from+opts.Batch, n)
		err := l.Update(train.X.Slice(from, to, 0, d), mat.NewDense(to-from, 1, train.Y[from:to]))
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, nil, err
		}
		from = to
		if (step%every == 0 && !l.Last().Waiting) || to == n {
			p, err := measure(ctx, l, opts.Loss.(loss.Multiclass), test, classes, to)
			if err != nil {
				return nil, nil, err
			}
			points = append(points, p)
		}
	}
	c, err := l.Model(ctx)
	return points, c, err
}

func measure(ctx context.Context, l *polk.ClassLearner, with loss.Multiclass, test *dataset.Set, classes, rows int) (Point, error) {
	c, err := l.Model(ctx)
	if err != nil {
		return Point{}, err
	}
	scores, err := Scores(c, test.X, classes)
	if err != nil {
		return Point{}, err
	}
	return Measure(scores, test, with, rows, c.Model().ModelOrder()), nil
}

// Scores returns the scores of classes 0 to classes−1 (n×classes). A class unknown to c has score
// 0.
func Scores(c *polk.Classifier, x *mat.Dense, classes int) (*mat.Dense, error) {
	f, err := c.Scores(x)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	out := mat.NewDense(n, classes, nil)
	for j, label := range c.Labels() {
		for i := range n {
			out.Set(i, label, f.At(i, j))
		}
	}
	return out, nil
}

// SGD trains on all rows once, in order, and records a Point after each multiple of every rows and
// at the end.
func SGD(ctx context.Context, l *baseline.SGD, with loss.Multiclass, train, test *dataset.Set, every int) ([]Point, error) {
	var points []Point
	for i, y := range train.Y {
		l.Update(train.X.RawRowView(i), int(y))
		if (i+1)%every != 0 && i+1 < len(train.Y) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f := l.Function()
		points = append(points, Measure(f.Scores(test.X), test, with, i+1, f.Order()))
	}
	return points, nil
}

// Bayes returns the error rate of the Bayes rule.
func Bayes(best, labels []float64) float64 {
	return float64(score.Errors(best, labels)) / float64(len(labels))
}
