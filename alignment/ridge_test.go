package alignment

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// ridgeFor is a regression on a sum of kernels.
func ridgeFor(t *testing.T, ctx context.Context, n int) *ridge {
	t.Helper()
	x, y := problem(n, 2, 8)
	res := &Result{Kernel: kernel.Sum{kernel.Scale{By: 0.5, Of: kernel.Gaussian{Sigma: 1}}, kernel.Scale{By: 0.5, Of: kernel.Laplacian{Sigma: 2}}}}
	return newRidge(runWith(t, ctx, fitting, Options{}), res.simplest(), examples{x: x, y: y})
}

// TestRidgeSolvesItsProblem compares with the bordered equations of f and the constant, and perturbs
// the solution.
func TestRidgeSolvesItsProblem(t *testing.T) {
	const n, weight = 40, 0.03
	f := ridgeFor(t, context.Background(), n)
	s, err := f.exact(weight)
	if err != nil {
		t.Fatal(err)
	}
	k := mat.NewDense(n+1, n+1, nil)
	k.Slice(0, n, 0, n).(*mat.Dense).Copy(gramOf(f.kernel.Kernel, f.x))
	right := mat.NewVecDense(n+1, nil)
	for i := range n {
		k.Set(i, i, k.At(i, i)+weight)
		k.Set(i, n, 1)
		k.Set(n, i, 1)
		right.SetVec(i, f.y.Data[i])
	}
	var want mat.VecDense
	if err := want.SolveVec(k, right); err != nil {
		t.Fatal(err)
	}
	for i, v := range append(compute.Clone(s.weights).Data, s.intercept...) {
		if !(math.Abs(v-want.AtVec(i)) < 1e-9) {
			t.Fatalf("coefficient %d is %v, want %v", i, v, want.AtVec(i))
		}
	}
	rep := s.report
	objective := weight * inner(s.weights.Data, f.y.Data)
	if !near(rep.Objective, objective, 1e-10) || rep.Violation > 1e-12 || rep.Ridge != weight {
		t.Errorf("%+v, the objective is %v", rep, objective)
	}
	changed := *s
	changed.report = Report{}
	changed.weights = compute.Clone(s.weights)
	changed.weights.Data[7] += 1e-3
	if f.certify(&changed, weight); changed.report.Objective <= rep.Objective || changed.report.Violation < 1e-6 {
		t.Errorf("%+v beside the solution, %+v there", changed.report, rep)
	}
}

// TestLeaveOneOut compares leave-one-out predictions with fits to the remaining rows. Copies of a row are
// left out with it.
func TestLeaveOneOut(t *testing.T) {
	const n, weight = 40, 0.3
	f := ridgeFor(t, context.Background(), n)
	for _, j := range []int{7, 21} { // copies of row 3
		copy(compute.Row(f.x, j), compute.Row(f.x, 3))
		copy(compute.Row(f.y, j), compute.Row(f.y, 3))
	}
	f = newRidge(f.run, f.kernel.Kernel, f.examples)
	s, err := f.exact(weight)
	if err != nil {
		t.Fatal(err)
	}
	got := f.leaveOneOut(s)
	for _, held := range [][]int{{0}, {5}, {3, 7, 21}, {39}} {
		part := newRidge(f.run, f.kernel.Kernel, f.pick(calibrate.Others(n, held)))
		g, err := part.exact(weight)
		if err != nil {
			t.Fatal(err)
		}
		want := part.predict(g, f.pick(held).x)
		for k, i := range held {
			for o, v := range compute.Row(want, k) {
				if d := compute.Row(got.Scores, i)[o] - v; !(math.Abs(d) <= 1e-9) {
					t.Errorf("row %d, output %d: %v off", i, o, d)
				}
			}
		}
	}
}

// TestLeaveOneOutMemory bounds the memory of leave-one-out by a small part of a second Gram matrix.
func TestLeaveOneOutMemory(t *testing.T) {
	const n = 1500
	f := ridgeFor(t, context.Background(), n)
	s, err := f.exact(0.3)
	if err != nil {
		t.Fatal(err)
	}
	if bytes := testutil.Allocated(func() { f.leaveOneOut(s) }); bytes > 8*n*n/3 {
		t.Errorf("%d bytes besides a Gram matrix of %d", bytes, 8*n*n)
	}
}

// TestAllRowsAsPoints expects the exact solution in several chunks of rows, with the mean preserved.
func TestAllRowsAsPoints(t *testing.T) {
	const weight = 0.3
	f := ridgeFor(t, context.Background(), panelRows+88)
	want, err := f.exact(weight)
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.onPoints(weight)
	if err != nil {
		t.Fatal(err)
	}
	if got.points.Rows != f.x.Rows || !near(got.report.Objective, want.report.Objective, 1e-6) || got.report.Violation > 1e-10 {
		t.Fatalf("%d points: %+v, want %+v", got.points.Rows, got.report, want.report)
	}
	a, b := f.predict(want, f.x), f.predict(got, f.x)
	for i, v := range a.Data {
		if math.Abs(v-b.Data[i]) > 1e-5 {
			t.Fatalf("row %d: %v on points, %v by the exact solution", i, b.Data[i], v)
		}
	}
	for _, p := range []compute.Matrix{a, b} {
		if math.Abs(compute.Mean(p.Data)-compute.Mean(f.y.Data)) > 1e-9 {
			t.Errorf("predictions have the mean %v, targets %v", compute.Mean(p.Data), compute.Mean(f.y.Data))
		}
	}
}

// TestStoppedRidge stops a fit after some rows.
func TestStoppedRidge(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f := ridgeFor(t, ctx, 1200)
	s, err := f.fit(0.1)
	if err != nil || s.points.Rows != 1000 || s.report.Status != rkhs.Cancelled {
		t.Fatalf("%+v, error %v", s, err)
	}
}
