// Command novelty learns where points of the plane lie, and draws the border around
// them. It takes no arguments, reads no files, and leaves a picture in the current
// folder.
//
// The points are two half rings with a few strangers anywhere. A tenth of the points
// may lie outside of the border. It is learned from points at hand, and once more from
// a stream of others, of which none is kept.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/novelty"
	"github.com/rkhs-go/rkhs/examples/internal/commandline"
	"github.com/rkhs-go/rkhs/kernel"
)

func main() {
	commandline.Alone("novelty", func(ctx context.Context) error {
		_, _, err := run(ctx, os.Stdout, ".", 1000)
		return err
	})
}

// outcome says what fraction of the points are called novel.
type outcome struct{ train, rings, strangers float64 }

// run learns from so many points at hand and from a stream of thirty times as many, writes
// a report to w and a picture to dir.
func run(ctx context.Context, w io.Writer, dir string, rows int) (fitted, streamed outcome, err error) {
	train := drawMixture(rows, 1)
	model, err := learn(ctx, train)
	if err != nil {
		return fitted, streamed, err
	}
	r := model.Report()
	fmt.Fprintf(w, "at hand: r = %.4f after %d steps, relative error %.1e\n", -model.Intercept()[0], r.Iterations, r.Error)
	if fitted, err = measure(w, model, train); err != nil {
		return fitted, streamed, err
	}
	path := filepath.Join(dir, "novelty.png")
	if err := picture(path, model, train); err != nil {
		return fitted, streamed, err
	}
	fmt.Fprintf(w, "wrote %s\n", path)
	other, err := learnStream(ctx, model.Kernel(), rows)
	if err != nil {
		return fitted, streamed, err
	}
	fmt.Fprintf(w, "from a stream: r = %.4f after %d steps on %d points\n", -other.Intercept()[0], other.Report().Iterations, other.Report().Rows)
	streamed, err = measure(w, other, train)
	return fitted, streamed, err
}

// measure writes what fraction of the points of each kind are called novel.
func measure(w io.Writer, m *novelty.Model, train *mat.Dense) (o outcome, err error) {
	rows, _ := train.Dims()
	for _, part := range []struct {
		name     string
		points   *mat.Dense
		fraction *float64
	}{
		{"the points at hand", train, &o.train},
		{"more points of the rings", drawRings(rows, 2), &o.rings},
		{"strangers", drawStrangers(rows, 3), &o.strangers},
	} {
		if *part.fraction, err = novel(m, part.points); err != nil {
			return o, err
		}
		fmt.Fprintf(w, "novel: %5.1f %% of %s\n", 100**part.fraction, part.name)
	}
	return o, nil
}

// learn takes a quarter of the median distance as bandwidth, for a border that
// follows the rings.
func learn(ctx context.Context, x *mat.Dense) (*novelty.Model, error) {
	median, err := kernel.MedianDistance(x, 0)
	if err != nil {
		return nil, err
	}
	return novelty.Fit(ctx, x, &novelty.Options{Fraction: 0.1, Kernel: kernel.Gaussian{Sigma: median / 4}})
}

// learnStream learns from thirty batches of so many points.
func learnStream(ctx context.Context, k kernel.Kernel, rows int) (*novelty.Model, error) {
	l, err := novelty.NewLearner(&novelty.Options{Fraction: 0.1, Kernel: k, Features: 8192})
	if err != nil {
		return nil, err
	}
	for batch := range uint64(30) {
		if err := errors.Join(ctx.Err(), l.Update(drawMixture(rows, 10+batch))); err != nil {
			return nil, err
		}
	}
	return l.Model(ctx)
}

// novel returns the fraction of points that are labelled −1.
func novel(m *novelty.Model, x *mat.Dense) (float64, error) {
	labels, err := m.Predict(x)
	if err != nil {
		return 0, err
	}
	n, _ := labels.Dims()
	return (float64(n) - mat.Sum(labels)) / float64(2*n), nil
}
