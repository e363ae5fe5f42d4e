package slklpaper

import (
	"context"
	"fmt"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/papers/report"
)

// uspsWidth is sigma² of USPS in Table 1.
const uspsWidth = 64

// uspsCell is a column of Table 3.
type uspsCell struct {
	landmarks              int
	nystrom, paper, order  string // published results
	errors, orders         report.Sample
	optimum, optimumOrders report.Sample
}

func uspsCells() []*uspsCell {
	return []*uspsCell{
		{landmarks: 64, nystrom: "101.3±22.9", paper: "76.3±9.9", order: "61"},
		{landmarks: 256, nystrom: "34.5±3.0", paper: "47.6±3.1", order: "210"},
		{landmarks: 1024, nystrom: "35.9±2.0", paper: "41.5±3.9", order: "515"},
	}
}

func table3(ctx context.Context, s *report.Settings) error {
	train, err := loadFours(s, "usps.train.csv.gz")
	if err != nil {
		return err
	}
	test, err := loadFours(s, "usps.test.csv.gz")
	if err != nil {
		return err
	}
	cells := uspsCells()
	err = s.Each(ctx, func(seed uint64) error {
		train.Shuffle(seed) // the first rows become the landmarks
		for _, c := range cells {
			if err := c.run(ctx, train, test, seed); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("usps: %w", err)
	}
	return printUSPS(s, cells, len(test.Y))
}

// loadFours reads digits with targets +1 for 4 and −1 otherwise.
func loadFours(s *report.Settings, name string) (*dataset.Set, error) {
	set, err := s.Load(name)
	if err != nil {
		return nil, err
	}
	for i, digit := range set.Y {
		set.Y[i] = -1
		if digit == 4 {
			set.Y[i] = 1
		}
	}
	return set, nil
}

func (c *uspsCell) run(ctx context.Context, train, test *dataset.Set, seed uint64) error {
	k := gaussian(uspsWidth)
	f, order, err := sparse(ctx, train, test.X, paperOptions(k, c.landmarks, seed))
	if err != nil {
		return err
	}
	c.errors.Add(signErrors(f, test.Y))
	c.orders.Add(float64(order))
	f, order, err = sparse(ctx, train, test.X, optimumOptions(k, c.landmarks))
	if err != nil {
		return err
	}
	c.optimum.Add(signErrors(f, test.Y))
	c.optimumOrders.Add(float64(order))
	return nil
}

// signErrors counts the rows where the sign of f differs from the label.
func signErrors(f, labels []float64) float64 {
	n := 0.0
	for i, y := range labels {
		if f[i]*y <= 0 {
			n++
		}
	}
	return n
}

func printUSPS(s *report.Settings, cells []*uspsCell, tests int) error {
	t := report.Table{
		Title: fmt.Sprintf("Table 3, USPS, digit 4 against the rest: errors on %d test rows, %d runs (the paper's)", tests, s.Runs),
		Head:  []string{"", "Nyst", "SLKL", "m0", "SLKL at the optimum", "m0 at the optimum"},
	}
	for _, c := range cells {
		t.Row(fmt.Sprintf("M = %d", c.landmarks), "("+c.nystrom+")",
			c.errors.Text(1)+" ("+c.paper+")", c.orders.Text(0)+" ("+c.order+")",
			c.optimum.Text(1), c.optimumOrders.Text(0))
	}
	return t.Print(s.W)
}
