package doublysgd

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestStoppedAmongMoreRows stops a fit during a pass over more rows than the sample on which
// features were added. It must return the error at once, and a model.
func TestStoppedAmongMoreRows(t *testing.T) {
	testutil.Long(t, "it has a hundred thousand rows")
	x, truth := waves(120000, 0, 1)
	noisy, halt := mat.DenseCopyOf(truth), errors.New("halt")
	for i, e := range gaussians(120000, 1, 2).Data {
		noisy.Set(i, 0, noisy.At(i, 0)+3*e)
	}
	for _, c := range []struct {
		cancels bool
		want    error
		status  rkhs.Status
	}{{false, halt, rkhs.Stopped}, {true, context.Canceled, rkhs.Cancelled}} {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var r *run
		var at time.Time
		record := func(rkhs.Progress) error {
			if v := r.solver; v.Train() <= sampleRows || v.Train() == v.Rows() {
				return nil
			}
			at = time.Now()
			if c.cancels {
				cancel()
				return nil
			}
			return halt
		}
		s, err := (&Options{Kernel: kernel.Gaussian{Sigma: 1.5}, Ridge: 1e-5, Work: 4e10, Paper: Paper{Columns: 64}}).settings(0, false)
		if err != nil {
			t.Fatal(err)
		}
		k, err := newTask(s, input.Weighed{X: compute.DensePoints(x.RawMatrix()), Y: noisy.RawMatrix()}, nil)
		if err != nil {
			t.Fatal(err)
		}
		r = &run{passes: passes{task: k}}
		k.monitor = progress.New(ctx, rkhs.RecorderFunc(record), pkg)
		defer k.monitor.Close()
		m, err := r.fit()
		if took := time.Since(at); took > time.Second || !errors.Is(err, c.want) || m == nil {
			t.Fatalf("after %v: model %v, error %v, want %v", took, m, err, c.want)
		}
		report := m.Report()
		if report.Status != c.status || report.Rows <= sampleRows || report.ModelOrder < 2 {
			t.Errorf("%v after %d rows in %d blocks, want %v", report.Status, report.Rows, report.ModelOrder, c.status)
		}
		p, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		if e := distance(p, truth); !(e < 0.2) {
			t.Errorf("%v: off by %.2f of the targets without noise", c.status, e)
		} else if math.Abs(mat.Sum(p)-mat.Sum(noisy))/120000 > 0.05 {
			t.Errorf("%v: predictions have the mean %v, targets %v", c.status, mat.Sum(p)/120000, mat.Sum(noisy)/120000)
		}
	}
}
