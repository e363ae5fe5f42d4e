// Command defaults compares the kernel and the ridge that the search of the learners finds, without
// being told anything, with those of a tuned grid:
//
//	defaults [flags] DATA
//
// For each table of the folder, and each split of it into rows to train on and rows to
// test on, both are given to exact kernel ridge regression on the same rows. It prints
// their test errors, the root mean squared error or the fraction of wrong labels, summed
// over the splits, the ratio of the sums, the largest ratio of a split, the seconds that
// the longest search took, and the families that were chosen.
//
// The peer is common practice: a Gaussian on standardised columns, bandwidth and ridge
// from a grid of 42 by the error of five folds. What it reached is kept in a file, for it
// takes long.
//
// With -carry it prints instead, for a choice made on a sample of 500 rows, the test
// errors on all rows to train on with noise of 1/100 to 100 times the noise chosen.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/kernel"
)

var (
	names  = flag.String("tables", "", "tables, by comma; all by default")
	splits = flag.Int("splits", 3, "splits of a table; four times as many where fewer than 300 rows are tested on")
	rows   = flag.Int("rows", 2000, "rows to train on, at most")
	peers  = flag.String("peers", "peers.txt", "file of what the peer reached")
	known  = flag.Bool("known", false, "take only splits that this file has")
	shift  = flag.Bool("shift", false, "test on the outermost rows along a random direction")
	carry  = flag.Bool("carry", false, "show how the noise carries over from a sample")
)

func main() {
	flag.Parse()
	if err := run(flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "defaults:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	list := slices.Concat(regressions, labelled)
	if *names != "" {
		list = strings.Split(*names, ",")
	}
	file, err := readPeers(*peers)
	if err != nil {
		return err
	}
	logarithms, worst, count := 0.0, 0.0, 0.0
	for _, name := range list {
		t, err := open(folder, name)
		if err != nil {
			return err
		}
		if *carry {
			carryOver(name, t)
			continue
		}
		r, err := compare(name, t, file)
		if err != nil {
			return err
		}
		if len(r.families) == 0 {
			continue
		}
		fmt.Println(r)
		logarithms += math.Log(r.ours / r.theirs)
		worst = max(worst, r.ours/r.theirs)
		count++
	}
	if count > 0 {
		fmt.Printf("%.0f tables: mean ratio %.3f, worst %.3f\n", count, math.Exp(logarithms/count), worst)
	}
	return nil
}

// row is what was found on a table.
type row struct {
	name         string
	ours, theirs float64
	worst        float64
	seconds      float64
	families     map[string]int
}

func (r row) String() string {
	return fmt.Sprintf("%-18s %9.5g %9.5g  ratio %.3f  worst %.3f  %5.2f s  %v", r.name, r.ours, r.theirs, r.ours/r.theirs, r.worst, r.seconds, r.families)
}

func compare(name string, t *table, file *peerFile) (row, error) {
	r := row{name: name, families: map[string]int{}}
	count := *splits
	if t.x.Rows/4 < 300 {
		count *= 4
	}
	for split := range count {
		train, test := t.split(uint64(split), *rows)
		if *shift {
			train, test = t.sliced(uint64(split), *rows)
		}
		k := key{name, split, *rows, *shift}
		theirs, ok := file.found[k]
		if !ok {
			if *known {
				continue
			}
			theirs = peer(train, test)
			if err := file.add(k, theirs); err != nil {
				return r, err
			}
		}
		start := time.Now()
		c := choose.Tune(train.x, train.y, train.labels, choose.Options{Seed: uint64(split)})
		r.seconds = max(r.seconds, time.Since(start).Seconds())
		ours := fit(c.Kernel, c.Noise, train, test)
		r.families[familyOf(c.Kernel)]++
		r.ours, r.theirs, r.worst = r.ours+ours, r.theirs+theirs, max(r.worst, ours/theirs)
	}
	return r, nil
}

func carryOver(name string, t *table) {
	train, test := t.split(0, *rows)
	c := choose.Tune(train.x, train.y, train.labels, choose.Options{Rows: 500})
	fmt.Printf("%-18s noise %-8.2g", name, c.Noise)
	for _, factor := range []float64{0.01, 0.03, 0.1, 0.3, 1, 3, 10, 100} {
		fmt.Printf("  ×%g %.4g", factor, fit(c.Kernel, factor*c.Noise, train, test))
	}
	fmt.Println("  ", familyOf(c.Kernel))
}

// familyOf names the family of a kernel, and whether it scales columns.
func familyOf(k kernel.Kernel) string {
	scale := "plain "
	if a, ok := k.(kernel.ARD); ok {
		scale, k = "scaled ", a.Of
	}
	switch k := k.(type) {
	case kernel.Matern:
		return scale + fmt.Sprint("Matern ", k.Nu)
	case kernel.Laplacian:
		return scale + "Laplacian"
	}
	return scale + "Gaussian"
}

// peerFile keeps the test errors of the peer.
type peerFile struct {
	path  string
	found map[key]float64
}

type key struct {
	table string
	split int
	rows  int
	shift bool
}

func readPeers(path string) (*peerFile, error) {
	p := &peerFile{path, map[key]float64{}}
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		var k key
		var e float64
		if _, err := fmt.Sscan(s.Text(), &k.table, &k.split, &k.rows, &k.shift, &e); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		p.found[k] = e
	}
	return p, s.Err()
}

func (p *peerFile) add(k key, e float64) error {
	f, err := os.OpenFile(p.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	fmt.Fprintln(f, k.table, k.split, k.rows, k.shift, e)
	return f.Close()
}
