package svm

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// Residuals of variables that were removed in several epochs are correct after restore.
func TestRestoredResiduals(t *testing.T) {
	x, y := problem(3000, 4, 7)
	k := kernel.Gaussian{Sigma: 1.5}
	o := Options{C: 1, Tolerance: 1e-4}.withDefaults(3000)
	s, err := prepare(newComputed(k, compute.DensePoints(x), o), margins(y), o)
	if err != nil {
		t.Fatal(err)
	}
	s.start(1, nil)
	for len(s.epochs) < 2 {
		top, bottom := s.extremes(s.active)
		if top-bottom < 1e-4 {
			t.Fatalf("solved after %d epochs", len(s.epochs))
		}
		s.shrink(top, bottom)
		s.round(context.Background(), top, bottom)
	}
	if len(s.active) > 2500 {
		t.Errorf("%d variables are active still", len(s.active))
	}
	s.restore()
	g := gramOf(k, x)
	for i, e := range s.e {
		want := y[i]
		for j, b := range s.beta {
			want -= g.Data[i*g.Stride+j] * b
		}
		if math.Abs(e-want) > 1e-11 {
			t.Fatalf("residual %d is %v, want %v", i, e, want)
		}
	}
}

func TestCacheDropsTheOldestRequest(t *testing.T) {
	c := &cache{memory: make([]float64, 3*4)}
	c.reset(4)
	ask := func(rows ...int) (missing []int) {
		list, m := c.find(rows)
		for _, t := range m {
			missing = append(missing, rows[t])
			for k := range list[t] {
				list[t][k] = float64(10*rows[t] + k)
			}
		}
		return missing
	}
	for _, step := range []struct{ rows, missing []int }{
		{[]int{1, 2, 3}, []int{1, 2, 3}},
		{[]int{2}, nil},
		{[]int{7, 1}, []int{7}},
		{[]int{3}, []int{3}},
		{[]int{1, 7}, nil},
	} {
		if got := ask(step.rows...); !slices.Equal(got, step.missing) {
			t.Fatalf("rows %v: missing %v, want %v", step.rows, got, step.missing)
		}
	}
	if !c.restrict([]int{0, 1, 2, 3}, []int{1, 3}) {
		t.Fatal("existing columns were rejected")
	}
	list, missing := c.find([]int{3, 1})
	if len(missing) != 0 || !slices.Equal(list[0], []float64{31, 33}) || !slices.Equal(list[1], []float64{11, 13}) {
		t.Errorf("rows %v, missing %v", list, missing)
	}
	if len(c.holder) != 6 {
		t.Errorf("%d slots, want 6 of half the length", len(c.holder))
	}
	if c.restrict([]int{1, 3}, []int{1, 2}) {
		t.Error("a column that is not there was accepted")
	}
}

func TestBestKeepsTheFirstOfEqual(t *testing.T) {
	b := best{limit: 3}
	for i, v := range []float64{1, 5, 2, 5, 0, 5, 5} {
		b.offer(i, v)
	}
	if got := b.indices(); !slices.Equal(got, []int{1, 3, 5}) {
		t.Errorf("%v", got)
	}
}
