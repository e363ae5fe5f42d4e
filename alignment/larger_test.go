package alignment_test

import (
	"context"
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/testutil"
)

// TestTenClasses fits all digits of USPS with one-hot targets.
func TestTenClasses(t *testing.T) {
	testutil.Long(t, "takes seconds")
	train, test := load(t, "usps.train.csv.gz"), load(t, "usps.test.csv.gz")
	train.Shuffle(1)
	s := parts(train, 500)
	c, err := alignment.FitClassifier(context.Background(), s.x, s.y, nil)
	if err != nil {
		t.Fatal(err)
	}
	e := errorsOf(t, c, test.X, mat.NewDense(len(test.Y), 1, test.Y))
	t.Logf("%.2f %% errors with 500 training rows, alignment %.3f, %d kernels", e, c.Model().Learned().Alignment, len(c.Model().Learned().Kernel))
	if e > 14 {
		t.Errorf("%.2f %% errors, want 14 %% at most", e)
	}
	scores, err := c.Scores(test.X)
	if err != nil {
		t.Fatal(err)
	}
	if _, pairs := scores.Dims(); pairs != 10 || len(c.Labels()) != 10 {
		t.Errorf("%d scores for %d labels", pairs, len(c.Labels()))
	}
}

// TestAbalone is a regression with known R².
func TestAbalone(t *testing.T) {
	all := load(t, "abalone.csv.gz")
	all.Shuffle(1)
	s := parts(all, 1000)
	if _, err := dataset.Standardize(s.x, s.testX); err != nil {
		t.Fatal(err)
	}
	m, err := alignment.Fit(context.Background(), s.x, s.y, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(s.testX)
	if err != nil {
		t.Fatal(err)
	}
	var diff mat.Dense
	diff.Sub(p, s.testY)
	n, _ := diff.Dims()
	r2 := 1 - math.Pow(mat.Norm(&diff, 2), 2)/float64(n)/stat.PopVariance(mat.Col(nil, 0, s.testY), nil)
	t.Logf("R² = %.3f, %+v", r2, m.Report())
	if r2 < 0.53 {
		t.Errorf("R² = %.3f, want 0.53 or more", r2)
	}
	if m.Report().Violation > 1e-8 {
		t.Errorf("residual of the equations %v", m.Report().Violation)
	}
}

// TestTenThousandRows searches on all rows and fits without the Gram matrix, which would need 800 MB.
func TestTenThousandRows(t *testing.T) {
	table(t)
	x, y := circles(10000, 4, 1)
	testX, testY := circles(2000, 4, 2)
	var c *alignment.Classifier
	peak := peakHeap(func() {
		var err error
		if c, err = alignment.FitClassifier(context.Background(), x, y, &alignment.Options{C: []float64{1, 10}, Paper: alignment.Paper{SearchRows: 10000}}); err != nil {
			t.Fatal(err)
		}
	})
	e := errorsOf(t, c, testX, testY)
	t.Logf("%.2f %% errors, %d rows in the model, at most %d MB at a time", e, c.Report().ModelOrder, peak>>20)
	if peak > 800<<20 {
		t.Errorf("%d MB were in use at a time", peak>>20)
	}
	if e > 4 {
		t.Errorf("%.2f %% errors, want 4 %% at most", e)
	}
}

// peakHeap returns the largest heap size while do runs, sampled every few milliseconds.
func peakHeap(do func()) uint64 {
	var peak atomic.Uint64
	done := make(chan bool)
	finished := make(chan bool)
	go func() {
		defer close(finished)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak.Store(max(peak.Load(), m.HeapSys-m.HeapReleased))
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	do()
	close(done)
	<-finished
	return peak.Load()
}
