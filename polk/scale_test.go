package polk_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// wave returns rows of two inputs with targets scale times a function of them.
func wave(n int, scale float64) (x, y *mat.Dense) {
	random := rand.New(rand.NewPCG(1, 2))
	x, y = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		a, b := random.NormFloat64(), random.NormFloat64()
		x.SetRow(i, []float64{a, b})
		y.Set(i, 0, scale*(math.Sin(2*a)+b/2))
	}
	return x, y
}

// TestUnitOfTargets: losses in units of the targets learn the same function in any unit by default.
func TestUnitOfTargets(t *testing.T) {
	testutil.Long(t, "takes seconds")
	for _, l := range []loss.Loss{loss.Squared{}, loss.Absolute{}, loss.Pinball{Tau: 0.5}, loss.EpsilonInsensitive{}} {
		var first float64
		for _, scale := range []float64{1, 0x1p-20, 0x1p20, 0x1p40} {
			x, y := wave(300, scale)
			m, err := polk.Fit(context.Background(), x, y, &polk.Options{Loss: l, Passes: 2})
			if err != nil {
				t.Fatal(err)
			}
			p, err := m.Predict(x)
			if err != nil {
				t.Fatal(err)
			}
			p.Sub(p, y)
			off := mat.Norm(p, 2) / mat.Norm(y, 2)
			if scale == 1 {
				first = off
			}
			if off > 0.3 || math.Abs(off-first) > 1e-6 {
				t.Errorf("%v at scale %g: relative error %.3g, at scale 1 %.3g", l, scale, off, first)
			}
		}
	}
}

// TestWaitingRowsKeepTheLimit: while rows wait, Update rejects a batch that would exceed the memory
// limit after the start. Waiting rows count.
func TestWaitingRowsKeepTheLimit(t *testing.T) {
	l, err := polk.NewLearner(&polk.Options{Warmup: 1 << 20, MemoryLimit: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	x, y := wave(900, 1)
	if err := l.Update(x, y); !errors.Is(err, rkhs.ErrMemory) {
		t.Errorf("a batch that no step can take waits: error %v", err)
	}
	accepted := 0
	for i := 0; i < 900*100; i += 10 {
		from := i % 900
		err := l.Update(x.Slice(from, from+10, 0, 2), y.Slice(from, from+10, 0, 1))
		if errors.Is(err, rkhs.ErrMemory) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		accepted += 10
	}
	if accepted < 100 || accepted > 40000 {
		t.Errorf("%d rows of 24 bytes wait within a limit of 1 MiB", accepted)
	}
	if _, err := l.Model(context.Background()); err != nil {
		t.Errorf("no model of rows that were taken: %v", err)
	}
}
