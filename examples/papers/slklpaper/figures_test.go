package slklpaper

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/internal/testutil"
)

// A step does not increase F, and it changes m0 by at most one.
func TestTrace(t *testing.T) {
	d, err := sincSource(1)
	if err != nil {
		t.Fatal(err)
	}
	f, m0, err := trace(context.Background(), d.train.Select(firstRows(200)), 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(f) < 200 || len(f) != len(m0) {
		t.Fatalf("%d values of F, %d of m0", len(f), len(m0))
	}
	for i := 1; i < len(f); i++ {
		if f[i].X != f[i-1].X+1 || f[i].Y > f[i-1].Y*(1+1e-12) {
			t.Fatalf("F goes from %v to %v", f[i-1], f[i])
		}
		if math.Abs(m0[i].Y-m0[i-1].Y) > 1 {
			t.Fatalf("m0 goes from %v to %v", m0[i-1], m0[i])
		}
	}
	if !(f[len(f)-1].Y < f[0].Y/2) {
		t.Errorf("F fell from %v to %v only", f[0].Y, f[len(f)-1].Y)
	}
}

// m0 decreases with nu and increases with M, as in section 5.2.2 of the paper.
func TestOrders(t *testing.T) {
	nus := []float64{1, 0.01}
	var last float64
	for _, m := range []int{30, 300} {
		samples := make([]report.Sample, len(nus))
		d, err := sincSource(2)
		if err != nil {
			t.Fatal(err)
		}
		if err := addOrders(context.Background(), d.train, m, nus, samples); err != nil {
			t.Fatal(err)
		}
		if samples[0].Mean() >= samples[1].Mean() || samples[1].Mean() <= last {
			t.Errorf("M = %d: m0 %v for nu = %v after %v for a smaller M", m, samples, nus, last)
		}
		last = samples[1].Mean()
	}
}

func TestFigures(t *testing.T) {
	testutil.Long(t, "takes seconds")
	var b bytes.Buffer
	s := &report.Settings{Out: t.TempDir(), Runs: 1, Seed: 1, W: &b}
	if err := figures(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"slkl-figure1.png", "slkl-figure2.png", "slkl-figure3.png"} {
		info, err := os.Stat(filepath.Join(s.Out, name))
		if err != nil || info.Size() == 0 || !strings.Contains(b.String(), name) {
			t.Errorf("%s: %v, said:\n%s", name, err, b.String())
		}
	}
}
