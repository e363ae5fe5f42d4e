package slkl

import (
	"context"

	"github.com/rkhs-go/rkhs/internal/progress"
)

// Hooks for the tests of package slkl_test.

// Kinds of the files.
var (
	ModelKind        = modelFormat.Kind
	ClassifierKind   = classifierFormat.Kind
	LearnerKind      = learnerFormat.Kind
	ClassLearnerKind = classLearnerFormat.Kind
)

// FoldsOf returns the folds of the next n rows.
func FoldsOf(l *Learner, n int) []int {
	fold := make([]int, n)
	order, ends := l.deal(n, nil)
	from := 0
	for f, to := range ends {
		for _, i := range order[from:to] {
			fold[i] = f
		}
		from = to
	}
	return fold
}

// FoldErrors returns the squared error that the cross-validation finds for a
// penalty, for each fold and its outputs, or their sum if they share their mu.
func FoldErrors(l *Learner, penalty, tol float64) [][]float64 {
	r := progress.New(context.Background(), nil, "slkl")
	f, err := newFit(l, false, r)
	if err != nil {
		panic(err)
	}
	var errors [][]float64
	for _, d := range f.folds(f.total.rows) {
		var list []float64
		for _, p := range d.problems {
			p.Solve(d.share(penalty), tol, r)
			list = append(list, d.score(p))
		}
		errors = append(errors, list)
	}
	return errors
}

// Inner returns the learner of the targets ±1.
func Inner(l *ClassLearner) *Learner { return l.learner }
