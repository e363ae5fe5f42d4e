package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// table is a task: rows with numbers or labels 0, 1, … to predict.
type table struct {
	x       compute.Matrix
	y       compute.Matrix
	labels  []int // nil for regressions
	classes int
}

var (
	regressions = []string{"abalone", "boston", "ccpp", "concrete", "elevators", "kin8nm", "qm7", "made-heavytails", "made-wildunits"}
	labelled    = []string{"banana", "breast-cancer", "diabetes", "german", "heart", "image", "letter", "ringnorm", "sonar",
		"splice", "splice-unique", "thyroid", "titanic", "twonorm", "usps", "waveform", "waveform3", "covtype-sample15k", "made-unbalanced"}
)

// open reads a table of the folder or generates one. Names with prefix r- are regressions, names
// with prefix c- are classifications.
func open(folder, name string) (*table, error) {
	switch name {
	case "made-unbalanced":
		return unbalanced(50000), nil
	case "made-heavytails":
		return heavyTails(4000), nil
	case "made-wildunits":
		return wildUnits(4000), nil
	}
	file := name
	if name == "usps" {
		file = "usps.train"
	}
	set, err := dataset.Load(filepath.Join(folder, file+".csv.gz"), dataset.Options{})
	if err != nil {
		return nil, err
	}
	t := &table{x: set.X.RawMatrix()}
	if slices.Contains(regressions, name) || strings.HasPrefix(name, "r-") {
		t.y = compute.ColumnOf(set.Y)
		return t, nil
	}
	if name == "covtype-sample15k" {
		for i, v := range set.Y {
			set.Y[i] = 0
			if v == 2 {
				set.Y[i] = 1
			}
		}
	}
	return t, t.label(set.Y)
}

// userTables returns the tables with prefix c- or r- in a folder.
func userTables(folder string) (list []string, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "[cr]-*.csv.gz"))
	for _, f := range files {
		list = append(list, strings.TrimSuffix(filepath.Base(f), ".csv.gz"))
	}
	return list, err
}

// label codes the labels as 0, 1, … in ascending order.
func (t *table) label(y []float64) error {
	distinct := slices.Compact(slices.Sorted(slices.Values(y)))
	t.classes = len(distinct)
	if t.classes > 100 {
		return fmt.Errorf("%d distinct labels", t.classes)
	}
	for _, v := range y {
		c, _ := slices.BinarySearch(distinct, v)
		t.labels = append(t.labels, c)
	}
	return nil
}

func (t *table) pick(rows []int) *table {
	p := &table{x: compute.Pick(t.x, rows), classes: t.classes}
	if t.labels == nil {
		p.y = compute.Pick(t.y, rows)
		return p
	}
	for _, r := range rows {
		p.labels = append(p.labels, t.labels[r])
	}
	return p
}

// split draws at most rows training rows and a quarter of the table, at most 4000 rows, as test
// rows. With -rest the test rows are all other rows.
func (t *table) split(seed uint64, rows int) (train, test *table) {
	n := t.x.Rows
	order := rng.New(seed, "bench defaults", 0).Perm(n)
	held := n / 4
	end := min(n, held+rows)
	if *rest {
		return t.pick(order[held:end]), t.pick(slices.Concat(order[:held], order[end:]))
	}
	return t.pick(order[held:end]), t.pick(order[:min(held, 4000)])
}

// unbalanced generates a task with 10 % positives, 12 real columns and two one-hot blocks. A
// curved boundary separates the classes, except for .2 % wrong labels.
func unbalanced(n int) *table {
	s := rng.New(1, "unbalanced", 0)
	t := &table{x: compute.NewMatrix(n, 22), classes: 2}
	score := make([]float64, n)
	for i := range n {
		row := compute.Row(t.x, i)
		for j := range 12 {
			row[j] = s.NormFloat64()
		}
		for j := range 4 {
			row[j] = math.Exp(row[j]) // long tails: many test rows are outside the range of the training rows
		}
		a, b := s.IntN(6), s.IntN(4)
		row[12+a], row[18+b] = 1, 1
		score[i] = 2*row[4] + row[5] + 0.3*math.Log(row[1]) + 0.4*row[6]*row[6] + 0.5*float64(a%3) - 0.4*float64(b)
	}
	bound := slices.Sorted(slices.Values(score))[n-n/10]
	for i := range n {
		label := 0
		if score[i] >= bound {
			label = 1
		}
		if s.Float64() < 0.002 {
			label = 1 - label
		}
		t.labels = append(t.labels, label)
	}
	return t
}

// heavyTails generates a regression with noise from Student's t with 2 degrees of freedom.
func heavyTails(n int) *table {
	s := rng.New(2, "heavy tails", 0)
	t := &table{x: compute.NewMatrix(n, 6), y: compute.NewMatrix(n, 1)}
	for i := range n {
		row := compute.Row(t.x, i)
		for j := range row {
			row[j] = s.NormFloat64()
		}
		a, b := s.NormFloat64(), s.NormFloat64()
		t.y.Data[i] = 3*math.Sin(row[0]) + row[1]*row[2] + s.NormFloat64()/math.Sqrt((a*a+b*b)/2)
	}
	return t
}

// wildUnits generates a regression with columns far from zero, in units from 10⁻⁶ to 10⁶.
func wildUnits(n int) *table {
	s := rng.New(3, "wild units", 0)
	t := &table{x: compute.NewMatrix(n, 8), y: compute.NewMatrix(n, 1)}
	unit := make([]float64, 8)
	for j := range unit {
		unit[j] = math.Pow(10, float64(s.IntN(13)-6))
	}
	for i := range n {
		row := compute.Row(t.x, i)
		for j := range row {
			row[j] = 2*s.Float64() - 1
		}
		t.y.Data[i] = math.Sin(3*row[0]+row[1]) + row[2]*row[3] + 0.5*math.Abs(row[4]) + 0.1*s.NormFloat64()
		for j := range row {
			row[j] = unit[j] * (row[j] + 10)
		}
	}
	return t
}
