// Command quickstart fits packages slkl, alignment, doublysgd and polk to a suitable task
// each, compares the test error with a common method, and writes a picture of each to the
// current folder. It has no arguments and reads no files.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	if flag.Parse(); flag.NArg() > 0 {
		log.Fatal("quickstart takes no arguments")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if _, err := run(ctx, os.Stdout, ".", 1); err != nil {
		log.Fatal(err)
	}
}

// result has the test errors of a learner and of a common method.
type result struct {
	error, baseline float64
	usual           string // the common method
	remark          string // about the model
}

// tasks are the tasks. Each fits the given part of its rows and writes a picture to a file.
var tasks = []struct {
	learner, task, measure string
	learn                  func(ctx context.Context, picture string, part float64) (result, error)
}{
	{"slkl", "a surface from noisy values", "RMSE", surface},
	{"doublysgd", "two noisy spirals", "error rate", spirals},
	{"alignment", "which columns matter", "RMSE", columns},
	{"polk", "a stream that drifts", "RMSE", drift},
}

// run runs all tasks with a part of their rows, and writes a table to w and pictures to
// dir.
func run(ctx context.Context, w io.Writer, dir string, part float64) ([]result, error) {
	const format = "%-10s %-28s %-10s %8s %8s  %s\n"
	fmt.Fprintf(w, format, "learner", "task", "measure", "learner", "common", "common method")
	var results []result
	var remarks string
	for _, t := range tasks {
		start, picture := time.Now(), filepath.Join(dir, "quickstart-"+t.learner+".png")
		r, err := t.learn(ctx, picture, part)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.learner, err)
		}
		results = append(results, r)
		fmt.Fprintf(w, format, t.learner, t.task, t.measure, fmt.Sprintf("%.4f", r.error), fmt.Sprintf("%.4f", r.baseline), r.usual)
		remarks += fmt.Sprintf("%-10s %s\n%-10s wrote %s (%.1f s in all)\n", t.learner, r.remark, "", picture, time.Since(start).Seconds())
	}
	_, err := fmt.Fprintf(w, "\n%s", remarks)
	return results, err
}
