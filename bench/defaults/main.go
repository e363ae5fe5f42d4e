// Command defaults compares the kernel and the ridge that internal/choose finds without
// being told anything with those of a tuned grid:
//
//	defaults [flags] DATA
//
// For each table of the folder and each split of it into rows to train on and rows to
// test on, both are given to exact kernel ridge regression on the same rows. It prints
// the test errors, their ratio, and the seconds of the search. The peer is a Gaussian
// on standardised columns, bandwidth and ridge from a grid of 42 by five folds; what it
// reached is kept in a file, for it takes long.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/kernel"
)

var (
	names     = flag.String("tables", "", "tables, by comma; all by default")
	splits    = flag.Int("splits", 3, "splits of a table; of those with less than 300 test rows four times as many")
	rows      = flag.Int("rows", 2000, "rows to train on, at most")
	peers     = flag.String("peers", "peers.txt", "file of what the peer reached")
	peersOnly = flag.Bool("peers-only", false, "only fill that file")
	knownOnly = flag.Bool("known", false, "only splits that the file has")
	shift     = flag.Bool("shift", false, "")
	debug     = flag.Bool("v", false, "")
)

func main() {
	flag.Parse()
	if err := run(flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "defaults:", err)
		os.Exit(1)
	}
}

type key struct {
	table string
	split int
	rows  int
}
type result struct{ err, sigma, noise float64 }

func readPeers() map[key]result {
	known := map[key]result{}
	f, err := os.Open(*peers)
	if err != nil {
		return known
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var k key
		var r result
		if _, err := fmt.Sscan(s.Text(), &k.table, &k.split, &k.rows, &r.err, &r.sigma, &r.noise); err == nil {
			known[k] = r
		}
	}
	return known
}

func run(folder string) error {
	list := slices.Concat(regressions, labelled)
	if *names != "" {
		list = strings.Split(*names, ",")
	}
	known := readPeers()
	log, worst := 0.0, 0.0
	for _, name := range list {
		t, err := open(folder, name)
		if err != nil {
			return err
		}
		count := *splits
		if t.x.Rows/4 < 300 {
			count *= 4
		}
		var ours, theirs, seconds, top float64
		places := map[string]int{}
		for split := range count {
			train, test := t.split(uint64(split), *rows)
			if *shift {
				train, test = t.sliced(uint64(split), *rows)
			}
			k := key{name, split, *rows}
			p, ok := known[k]
			if !ok && *knownOnly {
				continue
			}
			if !ok {
				p.err, p.sigma, p.noise = peer(train, test)
				f, err := os.OpenFile(*peers, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
				if err != nil {
					return err
				}
				fmt.Fprintln(f, name, split, *rows, p.err, p.sigma, p.noise)
				f.Close()
			}
			if *peersOnly {
				continue
			}
			begin := cpu()
			c := choose.Tune(train.x, train.y, train.labels, choose.TuneOptions{Seed: uint64(split)})
			took := cpu() - begin
			e := fit(c.Kernel, c.Noise, train, test)
			if *debug {
				text := fmt.Sprint(c.Kernel)
				fmt.Printf("%s %d: %.5g peer %.5g ratio %.3f %.2fs %s noise %.2g loo %.4g (peer %.3g %.2g)\n", name, split, e, p.err, e/p.err, took, text[max(0, len(text)-60):], c.Noise, c.Error, p.sigma, p.noise)
			}
			places[familyOf(c.Kernel)]++
			ours += e
			theirs += p.err
			seconds = max(seconds, took)
			top = max(top, e/p.err)
		}
		if !*peersOnly && ours > 0 {
			fmt.Printf("%-18s %9.5g %9.5g  ratio %.3f  worst %.3f  %5.2f s %v\n", name, ours, theirs, ours/theirs, top, seconds, places)
			log += math.Log(ours/theirs) / float64(len(list))
			worst = max(worst, ours/theirs)
		}
	}
	fmt.Printf("geometric mean %.4f, worst %.3f\n", math.Exp(log), worst)
	return nil
}

// familyOf names the family and the scale of a kernel.
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

func cpu() float64 {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
