// Command quickstart gives each of the four learners a task that suits it, sets what
// it reaches on rows that it has not seen beside a usual method, and leaves a picture
// of each in the current folder. It takes no arguments and reads no files.
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

// result is what a learner and a usual method reach on rows that neither has seen.
type result struct {
	error, baseline float64
	usual           string // the usual method
	remark          string // what the model says of itself
}

// tasks each learn, draw a picture to a file, and take part times as many rows as
// they would.
var tasks = []struct {
	learner, task, measure string
	learn                  func(ctx context.Context, picture string, part float64) (result, error)
}{
	{"slkl", "a surface from noisy values", "RMSE", surface},
	{"doublysgd", "two noisy spirals", "error rate", spirals},
	{"alignment", "which columns matter", "RMSE", columns},
	{"polk", "a stream that drifts", "RMSE", drift},
}

// run does all tasks, with a part of their rows, and writes a table to w and the
// pictures to dir.
func run(ctx context.Context, w io.Writer, dir string, part float64) ([]result, error) {
	const format = "%-10s %-28s %-10s %8s %8s  %s\n"
	fmt.Fprintf(w, format, "learner", "task", "measure", "learner", "usual", "the usual method")
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
