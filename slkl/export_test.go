package slkl

import (
	"context"

	"github.com/rkhs-go/rkhs/internal/monitor"
)

// Hooks for the tests of package slkl_test.

// Payload kinds of the files.
var (
	ModelKind            = modelFormat.Kind
	ClassifierKind       = classifierFormat.Kind
	AccumulatorKind      = accumulatorFormat.Kind
	ClassAccumulatorKind = classAccumulatorFormat.Kind
)

// FoldsOf returns the folds of the next n rows.
func (a *Accumulator) FoldsOf(n int) []int {
	fold := make([]int, n)
	order, ends := a.folds(n)
	from := 0
	for f, to := range ends {
		for _, i := range order[from:to] {
			fold[i] = f
		}
		from = to
	}
	return fold
}

// FoldErrors returns the squared error that the cross-validation finds for nu,
// for each fold and its outputs, or their sum if they share their mu.
func (a *Accumulator) FoldErrors(nu, tol float64) [][]float64 {
	r := monitor.New(context.Background(), nil, "slkl")
	f, err := newFit(a, r)
	if err != nil {
		panic(err)
	}
	errors := make([][]float64, 0, len(a.parts))
	for _, t := range f.foldTasks() {
		t.solve(t.share(nu, f.total.n), tol, r)
		if t.index == 0 {
			errors = append(errors, nil)
		}
		last := len(errors) - 1
		errors[last] = append(errors[last], t.score(f.s.NoIntercept))
	}
	return errors
}

// Inner returns the accumulator of the targets ±1.
func (a *ClassAccumulator) Inner() *Accumulator { return a.acc }
