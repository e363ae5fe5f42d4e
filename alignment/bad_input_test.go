package alignment_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestOptionsOutOfRange sets every field out of range, one at a time.
func TestOptionsOutOfRange(t *testing.T) {
	x, y := circles(30, 3, 1)
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		opts  alignment.Options
		names []string
	}{
		{alignment.Options{Family: kernel.RationalQuadratic{}}, []string{"RationalQuadratic", "Alpha", "0"}},
		{alignment.Options{Family: kernel.RationalQuadratic{Alpha: 1, Length: -1}}, []string{"Length", "-1"}},
		{alignment.Options{Family: kernel.Matern{}}, []string{"Matern.Nu", "0"}},
		{alignment.Options{Family: kernel.ARD{Of: kernel.Dirichlet{Sigma: 1}}}, []string{"Dirichlet", "gradient"}},
		{alignment.Options{Family: kernel.ARD{}}, []string{"gradient"}},
		{alignment.Options{Family: kernel.Sum{}}, []string{"parameters"}},
		{alignment.Options{Criterion: 2}, []string{"Criterion", "2"}},
		{alignment.Options{Paper: alignment.Paper{Low: -1}}, []string{"Low", "-1"}},
		{alignment.Options{Paper: alignment.Paper{Low: nan}}, []string{"Low", "NaN"}},
		{alignment.Options{Paper: alignment.Paper{High: inf}}, []string{"High", "+Inf"}},
		{alignment.Options{Paper: alignment.Paper{Low: 2, High: 1}}, []string{"High", "1"}},
		{alignment.Options{Paper: alignment.Paper{MaxKernels: -1}}, []string{"MaxKernels", "-1"}},
		{alignment.Options{Paper: alignment.Paper{Tolerance: -1e-3}}, []string{"Tolerance", "-0.001"}},
		{alignment.Options{Paper: alignment.Paper{Tolerance: 1}}, []string{"Tolerance", "1"}},
		{alignment.Options{Paper: alignment.Paper{MaxStep: -2}}, []string{"MaxStep", "-2"}},
		{alignment.Options{Paper: alignment.Paper{Epsilon: -1e-10}}, []string{"Epsilon", "-1e-10"}},
		{alignment.Options{Paper: alignment.Paper{Shrink: []float64{0, -1}}}, []string{"Shrink[1]", "-1"}},
		{alignment.Options{Paper: alignment.Paper{Shrink: []float64{nan}}}, []string{"Shrink[0]", "NaN"}},
		{alignment.Options{C: []float64{1, 0}}, []string{"C[1]", "0"}},
		{alignment.Options{C: []float64{inf}}, []string{"C[0]", "+Inf"}},
		{alignment.Options{Ridge: []float64{-1}}, []string{"Ridge[0]", "-1"}},
		{alignment.Options{Paper: alignment.Paper{HeldOut: 1}}, []string{"HeldOut", "1"}},
		{alignment.Options{Paper: alignment.Paper{HeldOut: -0.1}}, []string{"HeldOut", "-0.1"}},
		{alignment.Options{Paper: alignment.Paper{SearchRows: 1}}, []string{"SearchRows", "1"}},
		{alignment.Options{MemoryLimit: -1}, []string{"MemoryLimit", "-1"}},
		{alignment.Options{Workers: -2}, []string{"Workers", "-2"}},
		{alignment.Options{ValidationX: x}, []string{"ValidationX", "ValidationY", "nil"}},
	} {
		t.Run(strings.Join(c.names, " "), func(t *testing.T) {
			r, err := alignment.Search(context.Background(), x, y, &c.opts)
			checkError(t, err, rkhs.ErrOption, c.names...)
			k, err := alignment.FitClassifier(context.Background(), x, y, &c.opts)
			checkError(t, err, rkhs.ErrOption, c.names...)
			m, err := alignment.Fit(context.Background(), x, y, &c.opts)
			checkError(t, err, rkhs.ErrOption, c.names...)
			if r != nil || k != nil || m != nil {
				t.Error("a result in spite of the error")
			}
		})
	}
}

// fits lists the functions of the package by name.
func fits() map[string]func(x, y mat.Matrix, o *alignment.Options) error {
	return map[string]func(x, y mat.Matrix, o *alignment.Options) error{
		"Search": func(x, y mat.Matrix, o *alignment.Options) error {
			_, err := alignment.Search(context.Background(), x, y, o)
			return err
		},
		"SearchClasses": func(x, y mat.Matrix, o *alignment.Options) error {
			_, err := alignment.SearchClasses(context.Background(), x, y, o)
			return err
		},
		"Fit": func(x, y mat.Matrix, o *alignment.Options) error {
			_, err := alignment.Fit(context.Background(), x, y, o)
			return err
		},
		"FitClassifier": func(x, y mat.Matrix, o *alignment.Options) error {
			_, err := alignment.FitClassifier(context.Background(), x, y, o)
			return err
		},
	}
}

// TestUnusedOptions sets options that a function or a family does not use.
func TestUnusedOptions(t *testing.T) {
	x, y := circles(30, 3, 1)
	ard := kernel.ARD{Of: kernel.Gaussian{}}
	for _, c := range []struct {
		opts  alignment.Options
		field string
		by    []string // functions that must reject it
	}{
		{alignment.Options{C: []float64{1}}, "C", []string{"Search", "SearchClasses", "Fit"}},
		{alignment.Options{Ridge: []float64{1}}, "Ridge", []string{"Search", "SearchClasses"}},
		{alignment.Options{Criterion: alignment.Alignment, Ridge: []float64{1}}, "Ridge", []string{"Search", "SearchClasses", "FitClassifier"}},
		{alignment.Options{C: []float64{1}, Ridge: []float64{1}}, "Ridge", []string{"FitClassifier"}},
		{alignment.Options{Paper: alignment.Paper{Shrink: []float64{1}}}, "Shrink", []string{"Search", "SearchClasses", "Fit", "FitClassifier"}},
		{alignment.Options{Family: kernel.RationalQuadratic{Alpha: 1, Length: 1}, Paper: alignment.Paper{Low: 1, MaxKernels: 1}}, "Low", []string{"Search", "SearchClasses", "Fit", "FitClassifier"}},
		{alignment.Options{Family: kernel.Cauchy{Sigma: 1}, Paper: alignment.Paper{High: 1, MaxKernels: 1}}, "High", []string{"Search", "SearchClasses", "Fit", "FitClassifier"}},
		{alignment.Options{ValidationX: x, ValidationY: y, Paper: alignment.Paper{HeldOut: 0.5}}, "HeldOut", []string{"Search", "SearchClasses", "Fit", "FitClassifier"}},
		{alignment.Options{Criterion: alignment.Alignment, ValidationX: x, ValidationY: y}, "ValidationX", []string{"Search", "SearchClasses"}},
		{alignment.Options{Criterion: alignment.Alignment, Paper: alignment.Paper{HeldOut: 0.5}}, "HeldOut", []string{"Search", "SearchClasses", "FitClassifier"}},
		{alignment.Options{Criterion: alignment.Alignment, Ridge: []float64{1}, Paper: alignment.Paper{HeldOut: 0.5}}, "HeldOut", []string{"Fit"}},
		{alignment.Options{Paper: alignment.Paper{HeldOut: 0.5}}, "", nil},
		{alignment.Options{ValidationX: x, ValidationY: y}, "", nil},
		{alignment.Options{Family: ard, Paper: alignment.Paper{HeldOut: 0.5, MaxKernels: 1, Low: 1, High: 2}}, "", nil},
		{alignment.Options{Family: ard, ValidationX: x, ValidationY: y, Paper: alignment.Paper{MaxKernels: 1}}, "", nil},
	} {
		for name, fit := range fits() {
			err := fit(x, y, &c.opts)
			switch refused := slices.Contains(c.by, name); {
			case refused:
				checkError(t, err, rkhs.ErrOption, "does not use "+c.field)
			case err != nil && c.opts.Ridge == nil && c.opts.C == nil: // the remaining cases have two errors
				t.Errorf("%s with %s: %v", name, c.field, err)
			}
		}
	}
}

func TestBadValidationRows(t *testing.T) {
	x, y := circles(30, 3, 1)
	bad := mat.DenseCopyOf(x)
	bad.Set(11, 2, math.NaN())
	label := mat.DenseCopyOf(y)
	label.Set(7, 0, 3)
	for _, c := range []struct {
		x, y  mat.Matrix
		want  error
		names []string
	}{
		{bad, y, rkhs.ErrNotFinite, []string{"ValidationX", "row 11", "column 2"}},
		{mat.NewDense(30, 2, nil), y, rkhs.ErrShape, []string{"ValidationX", "2", "3"}},
		{x, mat.NewDense(30, 2, nil), rkhs.ErrShape, []string{"ValidationY", "2", "1"}},
		{x, mat.NewDense(29, 1, nil), rkhs.ErrShape, []string{"30", "29"}},
		{&mat.Dense{}, y, rkhs.ErrEmpty, []string{"ValidationX"}},
		{x, label, rkhs.ErrLabels, []string{"ValidationY", "row 7", "3"}},
	} {
		o := alignment.Options{ValidationX: c.x, ValidationY: c.y}
		_, err := alignment.FitClassifier(context.Background(), x, y, &o)
		checkError(t, err, c.want, c.names...)
		if c.want == rkhs.ErrLabels {
			continue
		}
		_, err = alignment.Fit(context.Background(), x, y, &o)
		checkError(t, err, c.want, c.names...)
	}
}

// TestMemoryLimit checks the reported amounts, and that the check itself allocates little.
func TestMemoryLimit(t *testing.T) {
	x, y := circles(3000, 3, 1)
	for name, o := range map[string]alignment.Options{
		"histograms": {Criterion: alignment.Alignment, MemoryLimit: 1 << 20, Paper: alignment.Paper{SearchRows: 3000}},
		"Gram":       {Criterion: alignment.Alignment, MemoryLimit: 100 << 20, Family: kernel.ARD{Of: kernel.Gaussian{}}, Paper: alignment.Paper{SearchRows: 3000, Shrink: []float64{0}}},
	} {
		n := testutil.Allocated(func() {
			_, err := alignment.Search(context.Background(), x, y, &o)
			checkError(t, err, rkhs.ErrMemory, name, "MiB")
		})
		if n > 10<<20 {
			t.Errorf("%s: %d MiB were allocated", name, n>>20)
		}
	}
	_, err := alignment.Fit(context.Background(), x, y, &alignment.Options{MemoryLimit: 100 << 10})
	checkError(t, err, rkhs.ErrMemory, "Gram", "MiB")
}

// TestLittleMemory solves on landmarks if the Gram matrix exceeds the limit.
func TestLittleMemory(t *testing.T) {
	x, y := circles(1000, 3, 1)
	m, err := alignment.Fit(context.Background(), x, y, &alignment.Options{MemoryLimit: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if n := m.ModelOrder(); n >= 500 || n < 100 {
		t.Errorf("%d points", n)
	}
}

// TestLargeMachineHoldsNoGramMatrix fits rows with a Gram matrix of twenty times the limit. The
// result must equal a fit in memory.
func TestLargeMachineHoldsNoGramMatrix(t *testing.T) {
	x, y := circles(1200, 2, 2)
	o := alignment.Options{C: []float64{1, 10}}
	held, err := alignment.FitClassifier(context.Background(), x, y, &o)
	if err != nil {
		t.Fatal(err)
	}
	o.MemoryLimit = 16 << 20
	small, err := alignment.FitClassifier(context.Background(), x, y, &o)
	if err != nil {
		t.Fatal(err)
	}
	a, b := held.Report(), small.Report()
	if a.C != b.C || !near(a.Objective, b.Objective, 1e-3) || b.Gap > 1e-2*b.Objective {
		t.Errorf("%+v in memory, %+v without", a, b)
	}
}

// TestCancelledSearchKeepsItsKernels stops a search at its second kernel.
func TestCancelledSearchKeepsItsKernels(t *testing.T) {
	x, y := circles(200, 2, 3)
	stop := errors.New("stop")
	r, err := alignment.Search(context.Background(), x, y, &alignment.Options{Criterion: alignment.Alignment, Recorder: rkhs.RecorderFunc(func(p rkhs.Progress) error {
		if p.Iteration == 2 {
			return stop
		}
		return nil
	}), Paper: alignment.Paper{Tolerance: 1e-6}})
	if !errors.Is(err, stop) || r == nil || len(r.Iterations) != 2 || r.Status != rkhs.Stopped {
		t.Fatalf("error %v, result %+v", err, r)
	}
	checkKernel(t, r, x, alignment.Options{})
	_, err = alignment.Search(context.Background(), x, y, &alignment.Options{Paper: alignment.Paper{MaxKernels: 1}})
	if err != nil {
		t.Errorf("MaxKernels: %v", err)
	}
}
