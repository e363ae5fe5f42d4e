package svm_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/svm"
)

func novelty(t testing.TB, x mat.Matrix, o *svm.Options) *svm.Novelty {
	t.Helper()
	m, err := svm.FitNovelty(context.Background(), x, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// CheckLearner needs targets. This test checks its other conditions.
func TestNoveltyContract(t *testing.T) {
	x, _, _ := task(300, 1)
	z, _, _ := task(50, 2)
	m := novelty(t, x, nil)
	file, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 2, 8} {
		other, err := novelty(t, x, &svm.Options{Workers: workers}).MarshalBinary()
		if err != nil || !bytes.Equal(other, file) {
			t.Errorf("%d workers give other bits (error %v)", workers, err)
		}
	}
	again(t, m, z)
	for at := range file {
		bad := bytes.Clone(file)
		bad[at] ^= 1 << (at % 8)
		if err := m.UnmarshalBinary(bad); !errors.Is(err, rkhs.ErrFormat) {
			t.Fatalf("a bit flipped at %d: error %v", at, err)
		}
	}
	testutil.CheckUnfitted(t, "svm", m)
	testutil.CheckScans(t, "FitNovelty", 300, func() { novelty(t, x, nil) })
	sparse := &svm.Options{Kernel: kernel.Gaussian{Sigma: 1}, Tolerance: 1e-10}
	if d := distance(scores(t, novelty(t, testutil.Sparse(x), sparse), z), scores(t, novelty(t, x, sparse), z)); !(d < 1e-7) {
		t.Errorf("sparse rows give another function, by %.3g", d)
	}
	novelty(t, mat.NewDense(1, 2, nil), nil)
	equal := mat.NewDense(50, 2, nil)
	for _, p := range predict(t, novelty(t, equal, nil), equal) {
		if p != 1 {
			t.Fatal("one of equal rows is novel")
		}
	}
}

// A fit that is stopped, or at its limit, returns a model with the error.
func TestNoveltyStopped(t *testing.T) {
	x, _, _ := task(3000, 1)
	gone := errors.New("gone")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(gone)
	for name, c := range map[string]struct {
		ctx    context.Context
		o      svm.Options
		want   error
		status rkhs.Status
	}{
		"cancelled": {ctx, svm.Options{}, gone, rkhs.Cancelled},
		"stopped": {context.Background(), svm.Options{Recorder: rkhs.RecorderFunc(func(p rkhs.Progress) error {
			if p.Iteration > 0 {
				return gone
			}
			return nil
		})}, gone, rkhs.Stopped},
		"limited": {context.Background(), svm.Options{Iterations: 3, Tolerance: 1e-3}, rkhs.ErrNotConverged, rkhs.IterationLimit},
	} {
		m, err := svm.FitNovelty(c.ctx, x, &c.o)
		if !errors.Is(err, c.want) || m == nil || m.Report().Status != c.status {
			t.Errorf("%s: model %v, error %v", name, m.Report(), err)
			continue
		}
		predict(t, m, x)
	}
}
