package doublysgdpaper

import (
	"context"
	"fmt"
	"time"

	"github.com/rkhs-go/rkhs/examples/papers/report"
)

// compare prints a table of all methods on a task, over runs that differ in the seed.
func compare(ctx context.Context, s *settings, t *task) error {
	table := report.Table{Title: t.title, Head: []string{"", "error", "reference", "seconds"}}
	for _, m := range methods {
		var percent, seconds report.Sample
		err := s.Each(ctx, func(seed uint64) error {
			t.seed = seed
			start := time.Now()
			e, err := m.run(t, ctx)
			percent.Add(e)
			seconds.Add(time.Since(start).Seconds())
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		table.Row(m.name, percent.Text(2), t.reference[m.name], seconds.Text(1))
	}
	if err := table.Print(s.W); err != nil {
		return err
	}
	if t.dualRows < len(t.train.Y) {
		fmt.Fprintf(s.W, "k-SDCA learns from the first %d rows\n", t.dualRows)
	}
	_, err := fmt.Fprintln(s.W, "the paper:", t.paper)
	return err
}

func adult(ctx context.Context, s *settings) error {
	t, err := adultTask(s)
	if err != nil {
		return err
	}
	t.reference = map[string]string{"k-SDCA": "14.99 (converged)", plainName: "16.2", newtonName: "15.1-15.7"}
	t.paper = "after one pass NORMA and k-SDCA have the smallest error, that of doubly SGD is comparable"
	return compare(ctx, s, t)
}

func eightAgainstSix(ctx context.Context, s *settings) error {
	t, err := eightAgainstSixTask(s)
	if err != nil {
		return err
	}
	t.reference = map[string]string{"k-SDCA": ".31-.62 (converged)", newtonName: ".62-.67", severalName: ".31"}
	t.paper = "doubly SGD has the smallest error, after one pass and after the same time (1.6 million distorted digits)"
	return compare(ctx, s, t)
}

func digits(ctx context.Context, s *settings) error {
	t, err := digitsTask(s)
	if err != nil {
		return err
	}
	t.reference = map[string]string{plainName: "12.7", newtonName: "2.1-2.3", severalName: "1.67"}
	t.paper = "doubly SGD .5, a neural network .6, on features of convolutions of 8 million distorted digits"
	return compare(ctx, s, t)
}

func covtype(ctx context.Context, s *settings) error {
	t, err := covtypeTask(s)
	if err != nil {
		return err
	}
	t.reference = map[string]string{"k-SDCA": "19.9 (converged, C = 100)", severalName: "21.1 (10 passes)"}
	t.paper = "after one pass NORMA and k-SDCA have the smallest error, and doubly SGD one much smaller than SDCA\nand Pegasos on random and on Nyström features (all of covtype)"
	return compare(ctx, s, t)
}
