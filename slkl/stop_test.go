package slkl_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/slkl"
)

// TestStopDuringThePass stops a fit at its first report, in the pass over the rows. The model fits the rows
// read until then.
func TestStopDuringThePass(t *testing.T) {
	const n = 30000
	x, y := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		x.Set(i, 0, float64(i%17))
		y.Set(i, 0, float64(i))
	}
	stop := errors.New("stop")
	seen := 0
	o := slkl.Options{Penalty: 1e12, MaxPoints: 3, Kernels: base().Kernels, Recorder: rkhs.RecorderFunc(func(p rkhs.Progress) error {
		seen = p.Iteration
		if p.Phase != "rows" || p.Done != seen || p.Total != n {
			t.Errorf("progress %+v in the pass over %d rows", p, n)
		}
		return stop
	})}
	m, err := slkl.Fit(context.Background(), x, y, &o)
	if !errors.Is(err, stop) || seen == 0 || seen == n {
		t.Fatalf("stopped after %d rows of %d, error %v", seen, n, err)
	}
	if got, want := m.Intercept()[0], float64(seen-1)/2; !near(got, want, 1e-12) {
		t.Errorf("the mean is %v, that of the first %d rows %v", got, seen, want)
	}
	if r := m.Report().Outputs[0]; r.Status != rkhs.Stopped {
		t.Errorf("status %v of a fit that was stopped", r.Status)
	}
}

// TestStopDuringTheSolution stops a fit at an early step. The model must report this and its distance from the
// optimum.
func TestStopDuringTheSolution(t *testing.T) {
	x, y := sample(300, 3, 2, 1)
	stop := errors.New("stop")
	for name, o := range variants() {
		o.Penalty = 1e-4
		for _, want := range []rkhs.Status{rkhs.Stopped, rkhs.Cancelled} {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			reports := 0
			o.Recorder = rkhs.RecorderFunc(func(p rkhs.Progress) error {
				if reports++; reports < 3 {
					return nil
				}
				if cancel(); want == rkhs.Cancelled {
					return nil
				}
				return stop
			})
			if want == rkhs.Stopped {
				ctx = context.Background()
			}
			m, err := slkl.Fit(ctx, x, y, &o)
			if want == rkhs.Stopped && !errors.Is(err, stop) || want == rkhs.Cancelled && !errors.Is(err, context.Canceled) {
				t.Errorf("%s: error %v", name, err)
			}
			for _, r := range m.Report().Outputs {
				if r.Status != want || !(r.RelativeGap() > 1e-9) || math.IsInf(r.Gap, 0) {
					t.Errorf("%s: report %+v, want status %v and a gap", name, r, want)
				}
			}
		}
	}
}

// TestPhases checks the order of the stages of a fit.
func TestPhases(t *testing.T) {
	x, y := sample(300, 3, 1, 1)
	var phases []string
	o := slkl.Options{MaxPoints: 20, Recorder: rkhs.RecorderFunc(func(p rkhs.Progress) error {
		phases = append(phases, p.Phase)
		return nil
	})}
	if _, err := slkl.Fit(context.Background(), x, y, &o); err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Compact(phases), []string{"search", "rows", "noise", "penalty", "solve"}; !slices.Equal(got, want) {
		t.Errorf("phases %v, want %v", got, want)
	}
}
