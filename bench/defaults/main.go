// Command defaults fits learners of this module with default options to the tables of a folder and
// compares their test errors with tuned peers:
//
//	defaults [flags] DATA
//
// It splits each table several times into random training and test rows. For one learner it prints
// per table
//
//   - the mean test error (root mean squared error, or fraction of wrong labels)
//   - the errors of a tuned kernel machine and of tuned boosted trees
//   - the ratio to the kernel machine, of the means and of the worst split
//   - the ratio to the trees
//   - the seconds of the slowest fit
//
// For several learners it prints one line per table with all errors. A summary has the wins and
// losses of each learner against the peers, and its seconds.
//
// The tables are the data sets of this project. If the folder has files c-NAME.csv.gz and
// r-NAME.csv.gz, the tables are these classifications and regressions.
//
// The learner search is exact kernel ridge regression with the kernel and the ridge of the search
// shared by the learners. The errors of the peers come from a file written by bench/defaults.py.
// With -dump the command writes the splits for that program and fits no learner.
package main

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rkhs-go/rkhs/internal/compute"
)

var (
	learner = flag.String("learner", "doublysgd", "by comma some of "+strings.Join(slices.Sorted(maps.Keys(learners)), ", "))
	names   = flag.String("tables", "", "tables, by comma; all by default")
	splits  = flag.Int("splits", 5, "splits of a table; 20 at least where fewer than 300 rows are tested on, unless -few")
	few     = flag.Bool("few", false, "take so many splits of every table")
	rest    = flag.Bool("rest", false, "test on all rows that are not trained on")
	rows    = flag.Int("rows", 20000, "rows to train on, at most")
	peers   = flag.String("peers", "peers.txt", "file of what the peers reached")
	dump    = flag.String("dump", "", "folder to write the splits to")
	verbose = flag.Bool("v", false, "print each split")
)

func main() {
	flag.Parse()
	if err := run(flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "defaults:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	selected := strings.Split(*learner, ",")
	for _, name := range selected {
		if learners[name] == nil {
			return fmt.Errorf("no learner %q", name)
		}
	}
	list, err := userTables(folder)
	if err != nil {
		return err
	}
	switch {
	case *names != "":
		list = strings.Split(*names, ",")
	case len(list) == 0:
		list = slices.Concat(regressions, labelled)
	}
	known, err := readPeers(*peers)
	if err != nil {
		return err
	}
	side := newSideBySide(selected)
	var all []result
	for _, name := range list {
		t, err := open(folder, name)
		if err != nil {
			return err
		}
		if *dump != "" {
			if err := write(*dump, name, t); err != nil {
				return err
			}
			continue
		}
		if len(selected) > 1 {
			side.add(name, t, known)
			continue
		}
		r, err := compare(name, t, learners[*learner], known)
		if err != nil {
			fmt.Printf("%-18s %v\n", name, err)
			continue
		}
		fmt.Println(r)
		all = append(all, r)
	}
	summarise(all)
	side.summarise()
	return nil
}

// splitsOf returns the number of splits of a table. Tables with few test rows need more.
func splitsOf(t *table) int {
	if t.x.Rows/4 < 300 && !*few {
		return max(*splits, 20)
	}
	return *splits
}

// result holds sums over the splits of a table.
type result struct {
	name                string
	splits              int
	ours, kernel, trees float64
	worst               float64 // worst ratio to the kernel machine
	seconds             float64 // seconds of the slowest fit
}

func (r result) String() string {
	n := float64(r.splits)
	return fmt.Sprintf("%-18s %2d  %9.4g %9.4g %9.4g   kernel %.3f  worst %.3f  trees %.3f  %6.2f s",
		r.name, r.splits, r.ours/n, r.kernel/n, r.trees/n, r.ours/r.kernel, r.worst, r.ours/r.trees, r.seconds)
}

func compare(name string, t *table, fit learnerFunc, known peerErrors) (result, error) {
	r := result{name: name}
	for split := range splitsOf(t) {
		train, test := t.split(uint64(split), *rows)
		start := time.Now()
		f, err := fit(train, test, uint64(split))
		if err != nil {
			return r, fmt.Errorf("split %d: %w", split, err)
		}
		seconds := time.Since(start).Seconds()
		e := test.score(f)
		kernel, trees := known.of(name, split, *rows, "kernel"), known.of(name, split, *rows, "trees")
		if *verbose {
			fmt.Printf("  %s split %d: %.5g, kernel %.5g, trees %.5g, %.2f s\n", name, split, e, kernel, trees, seconds)
		}
		r.splits++
		r.ours, r.kernel, r.trees = r.ours+e, r.kernel+kernel, r.trees+trees
		r.worst, r.seconds = max(r.worst, e/kernel), max(r.seconds, seconds)
	}
	return r, nil
}

// summarise prints the geometric mean and the maximum of the ratios to the kernel machine, and the
// number of tables with a lower error than the trees.
func summarise(list []result) {
	logarithms, count, worst, ahead := 0.0, 0.0, 0.0, 0
	for _, r := range list {
		if ratio := r.ours / r.kernel; ratio > 0 {
			logarithms += math.Log(ratio)
			worst = max(worst, ratio)
			count++
		}
		if r.ours < r.trees {
			ahead++
		}
	}
	if count > 0 {
		fmt.Printf("%.0f tables: geometric mean %.3f, worst %.3f; ahead of the trees on %d\n", count, math.Exp(logarithms/count), worst, ahead)
	}
}

// score returns the root mean squared error of predictions, or the fraction of wrong labels.
func (t *table) score(f compute.Matrix) float64 {
	sum := 0.0
	for i := range f.Rows {
		v := f.Data[i*f.Stride]
		if t.labels == nil {
			d := v - t.y.Data[i]
			sum += d * d
		} else if v != float64(t.labels[i]) {
			sum++
		}
	}
	mean := sum / float64(f.Rows)
	if t.labels == nil {
		return math.Sqrt(mean)
	}
	return mean
}
