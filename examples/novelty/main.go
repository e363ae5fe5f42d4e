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

// outcome says what fraction of the points are called novel.
type outcome struct{ train, rings, strangers float64 }

// run learns from so many points at hand and from a stream of thirty times as many,
// writes a report to w and a picture to dir.
func run(ctx context.Context, w io.Writer, dir string, rows int) (fitted, streamed outcome, err error) {
	train := drawMixture(rows, 1)
	median, err := kernel.MedianDistance(train, 0)
	if err != nil {
		return fitted, streamed, err
	}
	k := kernel.Gaussian{Sigma: median / 4} // for a border that follows the rings
	model, err := novelty.Fit(ctx, train, &novelty.Options{Fraction: 0.1, Kernel: k})
	if err != nil {
		return fitted, streamed, err
	}
	fmt.Fprintf(w, "at hand: %d steps, relative error %.1e\n", model.Report().Iterations, model.Report().Error)
	if fitted, err = measure(w, model, train); err != nil {
		return fitted, streamed, err
	}
	path := filepath.Join(dir, "novelty.png")
	if err := picture(path, model, train); err != nil {
		return fitted, streamed, err
	}
	fmt.Fprintf(w, "wrote %s: f(x) − r (blue: negative, which is novel), its border and the points\n", path)
	if model, err = learnStream(ctx, k, rows); err != nil {
		return fitted, streamed, err
	}
	fmt.Fprintf(w, "from a stream: %d steps on %d points\n", model.Report().Iterations, model.Report().Rows)
	streamed, err = measure(w, model, train)
	return fitted, streamed, err
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
		labels, err := m.Predict(part.points) // −1 for what is novel, and 1
		if err != nil {
			return o, err
		}
		*part.fraction = (1 - mat.Sum(labels)/float64(rows)) / 2
		fmt.Fprintf(w, "novel: %5.1f %% of %s\n", 100**part.fraction, part.name)
	}
	return o, nil
}

// strangers is the fraction of the points trained on that are strangers.
const strangers = 0.05

func drawMixture(n int, seed uint64) *mat.Dense {
	x := drawRings(n, seed)
	few := int(strangers * float64(n))
	x.Slice(0, few, 0, 2).(*mat.Dense).Copy(drawStrangers(few, seed))
	return x
}

// drawRings draws points near two half rings that reach into one another.
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

// drawStrangers draws points anywhere in the picture.
func drawStrangers(n int, seed uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 2))
	x := mat.NewDense(n, 2, nil)
	for i := range n {
		x.SetRow(i, []float64{left + (right-left)*r.Float64(), bottom + (top-bottom)*r.Float64()})
	}
	return x
}
