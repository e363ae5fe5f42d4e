// Command quickstart learns a function of two variables from noisy values and
// compares the sparse model of package slkl with exact kernel ridge regression.
// It takes no arguments, reads no files, and leaves a picture in the current
// folder.
//
// The task is the sinc task of the paper behind slkl: y = sin‖x‖/‖x‖ plus noise,
// x uniform in [−5,5]².
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rkhs-go/rkhs/examples/internal/commandline"
	"github.com/rkhs-go/rkhs/slkl"
)

func main() {
	commandline.Alone("quickstart", func(ctx context.Context) error {
		_, err := run(ctx, os.Stdout, ".", 1000)
		return err
	})
}

// result is what a learner achieves on a task.
type result struct {
	rmse    float64 // root of the mean squared error on the test rows
	terms   int     // kernel functions in the model
	seconds float64
}

// comparison is what both learners achieve on a task.
type comparison struct {
	task
	sparse, exact result
}

// run trains both learners on so many rows, writes a report to w and a picture
// to dir.
func run(ctx context.Context, w io.Writer, dir string, rows int) (c comparison, err error) {
	c.task = drawTask(rows, 1)
	model, sparse, err := trainSparse(ctx, c.task)
	if err != nil {
		return c, err
	}
	exact, chosen, err := trainExact(c.task)
	if err != nil {
		return c, err
	}
	c.sparse, c.exact = sparse, exact
	c.print(w, model.Report().Outputs[0], chosen)

	path := filepath.Join(dir, "quickstart.png")
	if err := draw(path, c.task, model, landmarks(model.Kernel(0))); err != nil {
		return c, err
	}
	fmt.Fprintf(w, "wrote %s\n", path)
	return c, nil
}

func (c comparison) print(w io.Writer, report slkl.OutputReport, chosen choice) {
	fmt.Fprintf(w, "sinc: %d noisy rows to train on (noise %.4f), %d clean rows to test on\n\n", len(c.train.Y), c.noise, len(c.test.Y))
	fmt.Fprintf(w, "%-30s %10s %8s %10s\n", "", "test RMSE", "terms", "seconds*")
	for _, row := range []struct {
		name string
		result
	}{{"slkl", c.sparse}, {"exact kernel ridge regression", c.exact}} {
		fmt.Fprintf(w, "%-30s %10.4f %8d %10.2f\n", row.name, row.rmse, row.terms, row.seconds)
	}
	fmt.Fprintf(w, "\nslkl: nu = %.3g by 5-fold cross-validation, m0 = %d, relative duality gap %.1e\n", report.Penalty, report.ModelOrder, report.RelativeGap())
	fmt.Fprintf(w, "exact: %v, lam = %.3g by leave-one-out cross-validation\n* with cross-validation\n\n", chosen.kernel, chosen.lam)
}
