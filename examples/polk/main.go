// Command polk learns five classes in the plane from a stream with package polk, and draws
// them. It has no arguments, reads no files, and writes a picture to the current folder.
//
// The task is from the paper of package polk: each class is a mixture of three normal
// distributions, so about 15 points suffice. The program also merges two learners that
// each see half of the stream.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"iter"
	"log"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

func main() {
	if flag.Parse(); flag.NArg() > 0 {
		log.Fatal("polk takes no arguments")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if _, err := run(ctx, os.Stdout, ".", 5000); err != nil {
		log.Fatal(err)
	}
}

// outcome is the test error of a classifier and its number of points.
type outcome struct {
	name   string
	error  float64
	points int
}

// classifier is a classifier with its name in the report.
type classifier struct {
	name string
	*polk.Classifier
}

// run trains on the given number of rows, writes a report to w and a picture to dir.
func run(ctx context.Context, w io.Writer, dir string, rows int) ([]outcome, error) {
	m := newMixture(4)
	list, distance, err := train(ctx, m, rows)
	if err != nil {
		return nil, err
	}
	x, labels := m.draw(5000, newSource(2))
	right, err := dataset.Accuracy(m.bayes(x), labels)
	if err != nil {
		return nil, err
	}
	results := []outcome{{"the Bayes rule", 1 - right, 0}}
	for _, c := range list {
		predicted, err := c.Predict(x)
		if err != nil {
			return nil, err
		}
		if right, err = dataset.Accuracy(predicted, labels); err != nil {
			return nil, err
		}
		results = append(results, outcome{c.name, 1 - right, c.Model().ModelOrder()})
	}
	fmt.Fprintf(w, "%-18s %12s %8s\n", "", "test error", "points")
	for _, r := range results {
		fmt.Fprintf(w, "%-18s %10.2f %% %8d\n", r.name, 100*r.error, r.points)
	}
	whole := list[0].Classifier
	t := whole.Report().Totals
	fmt.Fprintf(w, "polk: %d of %d rows had a gradient, %d points added and %d removed; %.2f %% errors on rows before training on them\n",
		t.Active, t.Rows, t.Added, t.Pruned, 100*float64(t.Mistakes)/float64(t.Rows))
	fmt.Fprintf(w, "the merged function is within %.2g of the mean of the halves\n", distance)
	path := filepath.Join(dir, "polk.png")
	if err := picture(path, whole, x, labels); err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(w, "wrote %s: the regions of the classes, rows, and the points of polk\n", path)
	return results, err
}

// train returns classifiers of all rows, of each half, of the merged halves, and of all rows with
// the softmax loss; and the distance of the merged function from the mean of the halves.
func train(ctx context.Context, m mixture, rows int) (list []classifier, distance float64, err error) {
	paper := polk.Paper{Batch: batch}
	whole, err := learn(ctx, m.stream(rows, 10), &polk.Options{Horizon: rows, MaxPoints: maxPoints, Paper: paper})
	if err != nil {
		return nil, 0, err
	}
	// Models with the same kernel can be merged.
	half := &polk.Options{Horizon: rows / 2, MaxPoints: maxPoints, Kernel: whole.Model().Kernel(), Paper: paper}
	var halves []*polk.Classifier
	for seed := range uint64(2) {
		c, err := learn(ctx, m.stream(rows/2, 20+seed), half)
		if err != nil {
			return nil, 0, err
		}
		halves = append(halves, c)
	}
	merged, distance, err := polk.MergeClassifiers(halves, 0.5)
	if err != nil {
		return nil, 0, err
	}
	softmax, err := learn(ctx, m.stream(rows, 10), &polk.Options{Horizon: rows, MaxPoints: maxPoints, Loss: loss.Softmax{}, Paper: paper})
	list = []classifier{{"polk", whole}, {"half of the rows", halves[0]}, {"the other half", halves[1]},
		{"both, merged", merged}, {"softmax", softmax}}
	return list, distance, err
}

// maxPoints is slightly more than the 15 normal distributions of the task.
const maxPoints = 20

// learn trains on a stream.
func learn(ctx context.Context, stream iter.Seq2[polk.Batch, error], opts *polk.Options) (*polk.Classifier, error) {
	l, err := polk.NewClassLearner([]int{0, 1, 2, 3, 4}, opts)
	if err != nil {
		return nil, err
	}
	if err := l.Learn(ctx, stream); err != nil {
		return nil, err
	}
	return l.Model(ctx)
}
