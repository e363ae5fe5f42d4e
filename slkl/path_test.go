package slkl_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs"
)

// TestPath compares warm starts with separate fits.
func TestPath(t *testing.T) {
	x, y := sample(rows, 3, 2, 1)
	test, _ := sample(60, 3, 1, 2)
	for _, shared := range []bool{false, true} {
		o := base()
		o.Shared, o.Tolerance = shared, 1e-12
		a := inBatches(t, x, y, span(0, rows), rows, o)
		before := marshal(t, a)
		nus := []float64{1e6, 30, 1, 0.1, 0.03, 0.01}
		models, err := a.Path(context.Background(), nus)
		if err != nil || len(models) != len(nus) {
			t.Fatalf("%d models, error %v", len(models), err)
		}
		for i, nu := range nus {
			o.Penalty = nu
			want := fit(t, x, y, o)
			for k, r := range models[i].Report().Outputs {
				if w := want.Report().Outputs[k]; r.Penalty != nu || r.ModelOrder != w.ModelOrder || !near(r.Objective, w.Objective, 1e-8) {
					t.Errorf("shared %v, nu %g: %+v, a separate fit %+v", shared, nu, r, w)
				}
			}
			if d := far(predict(t, models[i], test), predict(t, want, test)); !(d <= 1e-8) {
				t.Errorf("shared %v, nu %g: predictions differ by %.1e", shared, nu, d)
			}
		}
		if !unchanged(t, a, before) {
			t.Error("Path changes the learner")
		}
	}
}

func TestPathRefuses(t *testing.T) {
	x, y := sample(30, 3, 1, 1)
	a := inBatches(t, x, y, span(0, 30), 30, base())
	for _, nus := range [][]float64{{0}, {-1}, {1, 1}, {1, 2}, {1, 0}} {
		m, err := a.Path(context.Background(), nus)
		if m != nil || !errors.Is(err, rkhs.ErrOption) || !strings.Contains(err.Error(), fmt.Sprintf("penalties[%d] = %v", len(nus)-1, nus[len(nus)-1])) {
			t.Errorf("%v: models %v, error %v", nus, m, err)
		}
	}
	if m, err := a.Path(context.Background(), nil); len(m) != 0 || err != nil {
		t.Errorf("no nu: models %v, error %v", m, err)
	}
}

// TestPathStops expects the models computed so far and the error.
func TestPathStops(t *testing.T) {
	x, y := sample(rows, 3, 1, 1)
	o := base()
	ctx, cancel := context.WithCancel(context.Background())
	reports := 0
	o.Recorder = rkhs.RecorderFunc(func(p rkhs.Progress) error {
		if reports++; reports == 3 {
			cancel()
		}
		return nil
	})
	a := inBatches(t, x, y, span(0, rows), rows, o)
	models, err := a.Path(ctx, []float64{1, 0.5, 0.2, 0.1, 0.01, 0.001})
	if !errors.Is(err, context.Canceled) || len(models) == 0 || len(models) == 6 {
		t.Fatalf("%d models, error %v", len(models), err)
	}
	for _, m := range models {
		if !finite(predict(t, m, x)) {
			t.Error("a model that does not predict")
		}
	}
}
