// Command polk learns five classes in the plane from a stream, by package polk, and
// draws what it learned. It takes no arguments, reads no files, and leaves two
// pictures in the current folder.
//
// The task is multidist of the paper behind polk: each class is a mixture of three
// normal distributions, so that 15 points are enough. The pictures are those of its
// figures 2 to 4: the regions of the classes with the points of the dictionary, and
// loss, error and number of points over the rows of one pass, beside stochastic
// gradient descent on a budget as large (BSGD, by merging).
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rkhs-go/rkhs/examples/internal/commandline"
	"github.com/rkhs-go/rkhs/polk"
)

func main() {
	commandline.Alone("polk", func(ctx context.Context) error {
		_, err := run(ctx, os.Stdout, ".", 5000)
		return err
	})
}

// run learns from so many rows with both losses, writes a report to w and the
// pictures to dir.
func run(ctx context.Context, w io.Writer, dir string, rows int) ([]result, error) {
	t := drawTask(rows, 3)
	fmt.Fprintf(w, "multidist: %d rows to learn from, once, and %d to test on; the Bayes rule errs in %.2f %%\n\n", len(t.train.Y), len(t.test.Y), 100*t.bayes)
	fmt.Fprintf(w, "%-20s %-36s %12s %12s %8s\n", "loss", "method", "test loss", "test error", "points")
	var results []result
	for _, l := range losses {
		r, err := t.learn(ctx, l)
		if err != nil {
			return nil, err
		}
		r.print(w)
		results = append(results, r)
	}
	fmt.Fprintln(w)
	for _, picture := range []struct {
		name string
		draw func(string, task, []result) error
	}{{"polk-regions.png", drawRegions}, {"polk-curves.png", drawCurves}} {
		path := filepath.Join(dir, picture.name)
		if err := picture.draw(path, t, results); err != nil {
			return nil, err
		}
		fmt.Fprintf(w, "wrote %s\n", path)
	}
	return results, nil
}

func (r result) print(w io.Writer) {
	for _, m := range r.methods {
		end := m.points[len(m.points)-1]
		fmt.Fprintf(w, "%-20s %-36s %12.3f %10.2f %% %8d\n", r.name, m.name, end.Loss, 100*end.Error, end.Order)
	}
	t := r.model.Model().Report().Totals
	fmt.Fprintf(w, "%-20s with default options %d of %d rows had a gradient, %d points came and %d went; %.2f %% of all rows were\n%-20s predicted wrongly before they were learned from\n",
		"", t.Active, t.Rows, t.Added, t.Pruned, percent(t), "")
}

func percent(t polk.Totals) float64 { return 100 * float64(t.Mistakes) / float64(t.Rows) }
