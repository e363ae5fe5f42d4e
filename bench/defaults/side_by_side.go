package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// sideBySide is a table of several learners.
type sideBySide struct {
	learners []string
	tallies  map[string]*tally
}

// tally holds the results of a learner over all tables.
type tally struct {
	tables        int
	seconds       float64 // sum of the slowest fits
	kernel, trees [2]int  // wins and losses against the peer
}

func newSideBySide(learners []string) *sideBySide {
	s := &sideBySide{learners: learners, tallies: map[string]*tally{}}
	for _, name := range learners {
		s.tallies[name] = new(tally)
	}
	if len(learners) > 1 {
		fmt.Printf("%-18s %2s ", "", "")
		for _, name := range learners {
			fmt.Printf(" %9s", name)
		}
		fmt.Printf(" %9s %9s\n", "kernel", "trees")
	}
	return s
}

// add prints the line of a table. A dash marks a learner that does not support it.
func (s *sideBySide) add(name string, t *table, known peerErrors) {
	var line strings.Builder
	var last result
	for _, learner := range s.learners {
		r, err := compare(name, t, learners[learner], known)
		if err != nil {
			if !errors.Is(err, errNoLabels) {
				fmt.Fprintf(os.Stderr, "%s, %s: %v\n", learner, name, err)
			}
			fmt.Fprintf(&line, " %9s", "-")
			continue
		}
		last = r
		s.tallies[learner].count(r)
		fmt.Fprintf(&line, " %9.4g", r.ours/float64(r.splits))
	}
	n := float64(last.splits)
	fmt.Printf("%-18s %2d %s %9.4g %9.4g\n", name, last.splits, line.String(), last.kernel/n, last.trees/n)
}

func (t *tally) count(r result) {
	t.tables++
	t.seconds += r.seconds
	for _, peer := range []struct {
		tally *[2]int
		error float64
	}{{&t.kernel, r.kernel}, {&t.trees, r.trees}} {
		switch {
		case r.ours < peer.error:
			peer.tally[0]++
		case r.ours > peer.error:
			peer.tally[1]++
		}
	}
}

// summarise prints wins and losses.
func (s *sideBySide) summarise() {
	if len(s.learners) < 2 {
		return
	}
	for _, name := range s.learners {
		t := s.tallies[name]
		fmt.Printf("%-10s %2d tables, %7.1f s: ahead of the kernel machine on %d, behind on %d; of the trees on %d, behind on %d\n",
			name, t.tables, t.seconds, t.kernel[0], t.kernel[1], t.trees[0], t.trees[1])
	}
}
