package polk_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/polk"
)

// rings draws rows of the plane, labelled by their distance from the origin.
func rings(n int, seed uint64) (x, y *mat.Dense) {
	r := rand.New(rand.NewPCG(seed, 43))
	x, y = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		a, b := 2*r.NormFloat64(), 2*r.NormFloat64()
		x.SetRow(i, []float64{a, b})
		y.Set(i, 0, float64(min(int(math.Hypot(a, b)), 3)))
	}
	return x, y
}

// inCalls updates with a number of rows per call.
func inCalls(t *testing.T, update func(x, y mat.Matrix) error, x, y *mat.Dense, rows int) {
	t.Helper()
	n, _ := x.Dims()
	for from := 0; from < n; from += rows {
		to := min(from+rows, n)
		if err := update(x.Slice(from, to, 0, 2), y.Slice(from, to, 0, 1)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLargeUpdate compares calls of 1000 and 2000 rows with calls of 50 rows. A single step on so many
// rows would leave up to half of the labels wrong.
func TestLargeUpdate(t *testing.T) {
	x, y := rings(2000, 1)
	test, want := rings(1000, 2)
	wrong := func(rows int) (errors float64) {
		l, err := polk.NewClassLearner(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		inCalls(t, l.Update, x, y, rows)
		c, err := l.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.Predict(test)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 1000 {
			if p.At(i, 0) != want.At(i, 0) {
				errors += 0.001
			}
		}
		return errors
	}
	small := wrong(50)
	for _, rows := range []int{1000, 2000} {
		if large := wrong(rows); large > 1.2*small+0.02 {
			t.Errorf("calls of %d rows: %.3f of the labels are wrong, calls of 50 rows: %.3f", rows, large, small)
		}
	}
}

// TestLargeUpdateIsSteps: after the wait, a large call gives the bits of calls of Batch rows.
func TestLargeUpdateIsSteps(t *testing.T) {
	x, y := rings(1900, 3)
	var files [][]byte
	for _, rows := range []int{32, 700} {
		l, err := polk.NewLearner(nil)
		if err != nil {
			t.Fatal(err)
		}
		inCalls(t, l.Update, x.Slice(0, 1200, 0, 2).(*mat.Dense), y.Slice(0, 1200, 0, 1).(*mat.Dense), 32)
		inCalls(t, l.Update, x.Slice(1200, 1900, 0, 2).(*mat.Dense), y.Slice(1200, 1900, 0, 1).(*mat.Dense), rows)
		file, err := l.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("a call of 700 rows gives other bits than calls of 32 rows")
	}
}

// TestLargeUpdateFails: a large call that fails after some steps leaves the learner unchanged.
func TestLargeUpdateFails(t *testing.T) {
	x, y := rings(2000, 4)
	l, err := polk.NewLearner(&polk.Options{Kernel: kernel.Gaussian{Sigma: 0.05}, Ridge: 1e-3, MaxPoints: 5000,
		MemoryLimit: 2 << 20, Paper: polk.Paper{Rate: 1, NoIntercept: true, Lossless: true}})
	if err != nil {
		t.Fatal(err)
	}
	inCalls(t, l.Update, x.Slice(0, 100, 0, 2).(*mat.Dense), y.Slice(0, 100, 0, 1).(*mat.Dense), 50)
	before, err := l.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Update(x, y); !errors.Is(err, rkhs.ErrMemory) {
		t.Fatalf("2000 points in 2 MiB: error %v", err)
	}
	after, err := l.MarshalBinary()
	if err != nil || !bytes.Equal(before, after) || l.Rows() != 100 {
		t.Errorf("the failed call changed the learner of %d rows: %v", l.Rows(), err)
	}
	inCalls(t, l.Update, x.Slice(0, 100, 0, 2).(*mat.Dense), y.Slice(0, 100, 0, 1).(*mat.Dense), 50)
}
