// Command novelty learns the region of points in the plane, and draws its border. It has
// no arguments, reads no files, and writes a picture to the current folder.
//
// The points are two half rings with a few uniform outliers. A tenth of the points may be
// outside the border. The program fits a set of points, and then a stream of new points
// in constant memory.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/novelty"
	"github.com/rkhs-go/rkhs/kernel"
)

func main() {
	if flag.Parse(); flag.NArg() > 0 {
		log.Fatal("novelty takes no arguments")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if _, _, err := run(ctx, os.Stdout, ".", 1000); err != nil {
		log.Fatal(err)
	}
}

// outcome has the fractions of points that are predicted as novel.
type outcome struct{ train, rings, outliers float64 }

// run fits the given number of points, and a stream of thirty times as many, writes a
// report to w and a picture to dir.
func run(ctx context.Context, w io.Writer, dir string, rows int) (fitted, streamed outcome, err error) {
	train := drawMixture(rows, 1)
	median, err := kernel.MedianDistance(train, 0)
	if err != nil {
		return fitted, streamed, err
	}
	k := kernel.Gaussian{Sigma: median / 4} // narrow, so that the border follows the rings
	model, err := novelty.Fit(ctx, train, &novelty.Options{Nu: 0.1, Kernel: k})
	if err != nil {
		return fitted, streamed, err
	}
	fmt.Fprintf(w, "fit: %d steps, relative error %.1e\n", model.Report().Iterations, model.Report().Error)
	if fitted, err = measure(w, model, train); err != nil {
		return fitted, streamed, err
	}
	path := filepath.Join(dir, "novelty.png")
	if err := picture(path, model, train); err != nil {
		return fitted, streamed, err
	}
	fmt.Fprintf(w, "wrote %s: f(x) − r (blue: negative, novel), its border and the points\n", path)
	if model, err = learnStream(ctx, k, rows); err != nil {
		return fitted, streamed, err
	}
	fmt.Fprintf(w, "stream: %d steps on %d points\n", model.Report().Iterations, model.Report().Rows)
	streamed, err = measure(w, model, train)
	return fitted, streamed, err
}

// learnStream trains on thirty batches of the given number of points.
func learnStream(ctx context.Context, k kernel.Kernel, rows int) (*novelty.Model, error) {
	l, err := novelty.NewLearner(&novelty.Options{Nu: 0.1, Kernel: k, Features: 8192})
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

// measure writes the fraction of novel points of each kind.
func measure(w io.Writer, m *novelty.Model, train *mat.Dense) (o outcome, err error) {
	rows, _ := train.Dims()
	for _, part := range []struct {
		name     string
		points   *mat.Dense
		fraction *float64
	}{
		{"the training points", train, &o.train},
		{"new points of the rings", drawRings(rows, 2), &o.rings},
		{"outliers", drawOutliers(rows, 3), &o.outliers},
	} {
		labels, err := m.Predict(part.points) // −1 for novel points, else 1
		if err != nil {
			return o, err
		}
		*part.fraction = (1 - mat.Sum(labels)/float64(rows)) / 2
		fmt.Fprintf(w, "novel: %5.1f %% of %s\n", 100**part.fraction, part.name)
	}
	return o, nil
}

// outliers is the fraction of outliers among the training points.
const outliers = 0.05

func drawMixture(n int, seed uint64) *mat.Dense {
	x := drawRings(n, seed)
	few := int(outliers * float64(n))
	x.Slice(0, few, 0, 2).(*mat.Dense).Copy(drawOutliers(few, seed))
	return x
}

// drawRings draws points near two interlocking half rings.
func drawRings(n int, seed uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 1))
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		sin, cos := math.Sincos(math.Pi * r.Float64())
		if i%2 == 1 {
			cos, sin = 1-cos, 0.5-sin
		}
		x.SetRow(i, []float64{cos + 0.08*r.NormFloat64(), sin + 0.08*r.NormFloat64()})
	}
	return x
}

// drawOutliers draws uniform points in the picture.
func drawOutliers(n int, seed uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 2))
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		x.SetRow(i, []float64{left + (right-left)*r.Float64(), bottom + (top-bottom)*r.Float64()})
	}
	return x
}
