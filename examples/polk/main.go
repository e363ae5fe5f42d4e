// Command polk learns five classes in the plane from a stream, by package polk, and
// draws what it learned. It takes no arguments, reads no files, and leaves a picture in
// the current folder.
//
// The task is that of the paper behind polk: each class is a mixture of three normal
// distributions, so that some 15 points are enough. Two learners that each see half of
// the stream are merged at its end.
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

// outcome is what a rule reaches on rows that it has not seen.
type outcome struct {
	name   string
	error  float64
	points int
}

// run learns from so many rows, writes a report to w and a picture to dir.
func run(ctx context.Context, w io.Writer, dir string, rows int) ([]outcome, error) {
	m := newMixture(4)
	x, labels := m.draw(5000, newSource(2))
	right, err := dataset.Accuracy(m.bayes(x), labels)
	if err != nil {
		return nil, err
	}
	results := []outcome{{"the Bayes rule", 1 - right, 0}}

	hinge := &polk.Options{Horizon: rows, MaxPoints: maxPoints, Paper: polk.Paper{Batch: batch}}
	whole, err := learn(ctx, m.stream(rows, 10), hinge)
	if err != nil {
		return nil, err
	}
	// Models with the same kernel can be merged.
	half := &polk.Options{Horizon: rows / 2, MaxPoints: maxPoints, Kernel: whole.Model().Kernel(), Paper: polk.Paper{Batch: batch}}
	var halves []*polk.Classifier
	for seed := range uint64(2) {
		c, err := learn(ctx, m.stream(rows/2, 20+seed), half)
		if err != nil {
			return nil, err
		}
		halves = append(halves, c)
	}
	merged, distance, err := polk.MergeClassifiers(halves, 0.5)
	if err != nil {
		return nil, err
	}
	softmax, err := learn(ctx, m.stream(rows, 10), &polk.Options{Horizon: rows, MaxPoints: maxPoints, Loss: loss.Softmax{}, Paper: polk.Paper{Batch: batch}})
	if err != nil {
		return nil, err
	}
	for _, r := range []struct {
		name string
		c    *polk.Classifier
	}{{"polk", whole}, {"half of the rows", halves[0]}, {"the other half", halves[1]}, {"both, merged", merged}, {"softmax", softmax}} {
		predicted, err := r.c.Predict(x)
		if err != nil {
			return nil, err
		}
		if right, err = dataset.Accuracy(predicted, labels); err != nil {
			return nil, err
		}
		results = append(results, outcome{r.name, 1 - right, r.c.Model().ModelOrder()})
	}

	fmt.Fprintf(w, "%-18s %12s %8s\n", "", "test error", "points")
	for _, r := range results {
		fmt.Fprintf(w, "%-18s %10.2f %% %8d\n", r.name, 100*r.error, r.points)
	}
	t := whole.Report().Totals
	fmt.Fprintf(w, "polk: %d of %d rows had a gradient, %d points came and %d went; %.2f %% of the rows were predicted wrongly before they were learned from\n",
		t.Active, t.Rows, t.Added, t.Pruned, 100*float64(t.Mistakes)/float64(t.Rows))
	fmt.Fprintf(w, "the merged function is within %.2g of the mean of the halves\n", distance)
	path := filepath.Join(dir, "polk.png")
	if err := picture(path, whole, x, labels); err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(w, "wrote %s: the regions of the classes, rows, and the points of polk\n", path)
	return results, err
}

// maxPoints is some more than the 15 normal distributions of the task.
const maxPoints = 20

// learn takes in all rows of the stream once.
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
