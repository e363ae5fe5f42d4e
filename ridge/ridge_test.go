package ridge_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/ridge"
)

// The leave-one-out error equals the error of fits without each row, with and without a constant.
func TestLeaveOneOut(t *testing.T) {
	x, y := rows(40)
	for _, none := range []bool{false, true} {
		o := ridge.Options{Kernel: kernel.Matern{Nu: 1.5, Length: 1}, Ridge: 1e-3, NoIntercept: none, Tolerance: 1e-12}
		m, err := ridge.Fit(context.Background(), x, y, &o)
		if err != nil {
			t.Fatal(err)
		}
		want := 0.0
		o.Ridge *= 40. / 39
		for i := range 40 {
			lessX, lessY := without(x, i), without(y, i)
			f, err := ridge.Fit(context.Background(), lessX, lessY, &o)
			if err != nil {
				t.Fatal(err)
			}
			p, err := f.Predict(x.Slice(i, i+1, 0, 4))
			if err != nil {
				t.Fatal(err)
			}
			want += math.Pow(p.At(0, 0)-y.At(i, 0), 2) / 40
		}
		if got := m.Report().LeaveOneOut[0]; math.Abs(got/want-1) > 1e-8 {
			t.Errorf("without a constant: %v: leave-one-out error %v, want %v", none, got, want)
		}
	}
}

func without(m *mat.Dense, row int) *mat.Dense {
	n, c := m.Dims()
	less := mat.NewDense(n-1, c, nil)
	for i := range n - 1 {
		from := i
		if i >= row {
			from++
		}
		less.SetRow(i, m.RawRowView(from))
	}
	return less
}

// The report has the norm and the residual of the model, and a bound that is valid for a fit that ended early.
func TestReport(t *testing.T) {
	x, y := rows(700)
	o := ridge.Options{Kernel: kernel.Matern{Nu: 0.5, Length: 2}, Ridge: 1e-6, MaxPoints: 40, Tolerance: 1e-12}
	exact, err := ridge.Fit(context.Background(), x, y, &o)
	if err != nil {
		t.Fatal(err)
	}
	o.Tolerance, o.Iterations = 1e-12, 3
	rough, err := ridge.Fit(context.Background(), x, y, &o)
	if !errors.Is(err, rkhs.ErrNotConverged) || !strings.Contains(err.Error(), "3 iterations") {
		t.Errorf("error %v, want one of 3 iterations", err)
	}
	for _, m := range []*ridge.Model{exact, rough} {
		norm, err := m.Expansion().Norm()
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Report().Norm[0]; math.Abs(got/norm[0]-1) > 1e-8 {
			t.Errorf("norm %v, want %v", got, norm[0])
		}
	}
	distance, err := rough.Expansion().Distance(exact.Expansion())
	if err != nil {
		t.Fatal(err)
	}
	if r := rough.Report(); r.Status != rkhs.IterationLimit || !(distance[0] > 0) || distance[0] > r.Error[0] {
		t.Errorf("%v: the solution is %v off, the bound is %v", r.Status, distance[0], r.Error[0])
	}
}

// For all rows the certificate is the residual of the equations. The ridge is at least the smallest one above
// rounding.
func TestSmallRidge(t *testing.T) {
	x, y := rows(300)
	for _, k := range []kernel.Kernel{kernel.Matern{Nu: 0.5, Length: 2}, kernel.Gaussian{Sigma: 1}} {
		m, err := ridge.Fit(context.Background(), x, y, &ridge.Options{Kernel: k, Ridge: 1e-14 / 300})
		if err != nil {
			t.Fatal(err)
		}
		r := m.Report()
		if r.Status != rkhs.Converged || !(r.Ridge >= 1e-14/300) || r.Ridge > 1e-12 {
			t.Errorf("%v: %v with ridge %v", k, r.Status, r.Ridge)
		}
		f, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		a, residual, size := m.Expansion().Weights, 0.0, 0.0
		for i := range 300 {
			residual += math.Pow(y.At(i, 0)-f.At(i, 0)-300*r.Ridge*a.At(i, 0), 2)
			size += math.Pow(y.At(i, 0)-mat.Sum(y)/300, 2)
		}
		if got, want := r.Residual[0], math.Sqrt(residual/size); got > 1e-5 || math.Abs(got-want) > 1e-6 {
			t.Errorf("%v: residual %v, want %v", k, got, want)
		}
	}
}

// Units and constant columns do not affect the error.
func TestUnits(t *testing.T) {
	testutil.Long(t, "three searches")
	x, y := rows(200)
	want, err := ridge.Fit(context.Background(), x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []float64{1e6, 1e-6} {
		scaled := mat.NewDense(200, 5, nil)
		for i := range 200 {
			for j := range 4 {
				scaled.Set(i, j, unit*x.At(i, j))
			}
			scaled.Set(i, 4, 7)
		}
		m, err := ridge.Fit(context.Background(), scaled, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, want := m.Report().LeaveOneOut[0], want.Report().LeaveOneOut[0]
		if got > 1.2*want {
			t.Errorf("columns × %v: leave-one-out error %v, as they are %v", unit, got, want)
		}
	}
}

func TestRefuses(t *testing.T) {
	x, y := rows(30)
	large := mat.NewDense(30, 1, nil)
	large.Scale(1e200, y)
	for _, c := range []struct {
		name string
		y    mat.Matrix
		opts ridge.Options
		want error
		text string
	}{
		{"large", large, ridge.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1}, rkhs.ErrDiverged, "targets"},
		{"ridge", y, ridge.Options{Ridge: -1}, rkhs.ErrOption, "Ridge"},
		{"ridge not a number", y, ridge.Options{Ridge: math.NaN()}, rkhs.ErrOption, "Ridge"},
		{"metric", y, ridge.Options{Metric: 4}, rkhs.ErrOption, "Metric"},
		{"metric of a kernel", y, ridge.Options{Kernel: kernel.Gaussian{Sigma: 1}, Metric: kernel.NoMetric}, rkhs.ErrOption, "Metric"},
		{"points", y, ridge.Options{MaxPoints: -1}, rkhs.ErrOption, "MaxPoints"},
		{"tolerance", y, ridge.Options{Tolerance: 1}, rkhs.ErrOption, "Tolerance"},
		{"iterations", y, ridge.Options{Iterations: -1}, rkhs.ErrOption, "Iterations"},
		{"kernel", y, ridge.Options{Kernel: kernel.Gaussian{Sigma: -1}}, rkhs.ErrOption, "Sigma"},
		{"domain", y, ridge.Options{Kernel: kernel.Intersection{}}, rkhs.ErrDomain, ""},
		{"memory", y, ridge.Options{MemoryLimit: 1000}, rkhs.ErrMemory, "MiB"},
		{"memory of points", y, ridge.Options{MaxPoints: 20, MemoryLimit: 1000}, rkhs.ErrMemory, "20 points"},
	} {
		m, err := ridge.Fit(context.Background(), x, c.y, &c.opts)
		if !errors.Is(err, c.want) || m != nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: error %v, want %v of %q; model %v", c.name, err, c.want, c.text, m)
		}
	}
}

// Early stopping needs fewer steps, predicts as well, and is reported.
func TestPatience(t *testing.T) {
	x, y := rows(8500)
	for _, points := range []int{0, 400} {
		o := ridge.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-7, MaxPoints: points, Patience: 2, Tolerance: 1e-10}
		m, err := ridge.Fit(context.Background(), x, y, &o)
		if err != nil {
			t.Fatal(err)
		}
		o.Patience = 0
		whole, err := ridge.Fit(context.Background(), x, y, &o)
		if err != nil {
			t.Fatal(err)
		}
		if early, late := off(t, m, x, y), off(t, whole, x, y); !(early < 1.01*late) {
			t.Errorf("%d points: error %.4g when stopped early, %.4g otherwise", points, early, late)
		}
		r, w := m.Report(), whole.Report()
		if r.Status != rkhs.EarlyStopped || r.Rows != 7650 || !(r.Residual[0] > o.Tolerance) || r.Iterations >= w.Iterations {
			t.Errorf("%d points: report %+v; otherwise %d steps", points, r, w.Iterations)
		}
		o.Patience = 1000 // more than the number of steps
		patient, err := ridge.Fit(context.Background(), x, y, &o)
		if err != nil || patient.Report().Status != rkhs.Converged || len(patient.Report().HeldOut) != 1 || math.Abs(patient.Report().Ridge/o.Ridge-1) > 1e-12 {
			t.Errorf("%d points, patient: %v, %+v", points, err, patient.Report())
		}
		if len(r.HeldOut) != 1 || math.Abs(r.HeldOut[0]/0.0025-1) > 0.2 || w.HeldOut != nil {
			t.Errorf("%d points: held out %v, want the variance of the noise; otherwise %v", points, r.HeldOut, w.HeldOut)
		}
	}
}

// A fit that is stopped at once uses the same few rows for each output.
func TestStoppedAtOnce(t *testing.T) {
	x, y := rows(1200)
	both := mat.NewDense(1200, 2, nil)
	for i := range 1200 {
		both.SetRow(i, []float64{y.At(i, 0) + 100, -y.At(i, 0)})
	}
	for seed := range uint64(4) {
		o := ridge.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-5, Seed: seed, Recorder: never{}}
		m, err := ridge.Fit(context.Background(), x, both, &o)
		if m == nil || !errors.Is(err, errNever) {
			t.Fatalf("%v, %v: want a model and the error of the recorder", m, err)
		}
		p, err := m.Predict(x)
		if err != nil {
			t.Fatal(err)
		}
		p.Sub(p, both)
		for o := range 2 {
			if e := mat.Norm(p.ColView(o), 2) / math.Sqrt(1200); e > 0.2 {
				t.Errorf("seed %d: output %d is %v off", seed, o, e)
			}
		}
		if r := m.Report(); r.Rows != 500 || r.Status != rkhs.Stopped {
			t.Errorf("%v, %d rows", r.Status, r.Rows)
		}
	}
}

var errNever = errors.New("never")

type never struct{}

func (never) Record(rkhs.Progress) error { return errNever }

// The fit does not hold out rows of a rare label.
func TestPatienceLabels(t *testing.T) {
	x, _ := rows(600)
	labels := mat.NewDense(600, 1, nil)
	labels.Set(17, 0, 1)
	for seed := range uint64(20) {
		o := ridge.Options{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-4, MaxPoints: 50, Patience: 1, Seed: seed}
		m, err := ridge.FitClassifier(context.Background(), x, labels, &o)
		if err != nil || m.Report().Rows != 600-59 || !(m.Report().Norm[0] > 0) {
			t.Fatalf("seed %d: %v, %+v", seed, err, m.Report())
		}
	}
}

// off returns the root of the mean squared error.
func off(t *testing.T, m *ridge.Model, x, y *mat.Dense) float64 {
	t.Helper()
	p, err := m.Predict(x)
	if err != nil {
		t.Fatal(err)
	}
	p.Sub(p, y)
	n, _ := y.Dims()
	return mat.Norm(p, 2) / math.Sqrt(float64(n))
}
