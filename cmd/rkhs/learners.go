package main

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/slkl"
	"github.com/rkhs-go/rkhs/svm"
)

// learner fits models to numbers and to classes.
type learner struct {
	name          string
	options       any // a pointer to its options
	fit, classify fitter
}

type fitter func(ctx context.Context, x, y mat.Matrix) (rkhs.Model, error)

// learners returns all learners, with fresh options.
func learners() []learner {
	return []learner{
		newLearner("ridge", ridge.Fit, ridge.FitClassifier),
		newLearner("doublysgd", doublysgd.Fit, doublysgd.FitClassifier),
		newLearner("slkl", slkl.Fit, slkl.FitClassifier),
		newLearner("polk", polk.Fit, polk.FitClassifier),
		newLearner("alignment", alignment.Fit, alignment.FitClassifier),
		newLearner("svm", svm.Fit, svm.FitClassifier),
		newLearner[gp.Options, *gp.Model, rkhs.Classifier]("gp", gp.Fit, nil),
	}
}

func newLearner[O any, M rkhs.Model, C rkhs.Classifier](name string, fit func(context.Context, mat.Matrix, mat.Matrix, *O) (M, error),
	classify func(context.Context, mat.Matrix, mat.Matrix, *O) (C, error)) learner {
	o := new(O)
	l := learner{name: name, options: o, fit: func(ctx context.Context, x, y mat.Matrix) (rkhs.Model, error) {
		return present(fit(ctx, x, y, o))
	}}
	if classify != nil {
		l.classify = func(ctx context.Context, x, y mat.Matrix) (rkhs.Model, error) { return present(classify(ctx, x, y, o)) }
	}
	return l
}

// present returns no model at all for a nil pointer.
func present[M rkhs.Model](m M, err error) (rkhs.Model, error) {
	if v := reflect.ValueOf(m); !v.IsValid() || v.IsNil() {
		return nil, err
	}
	return m, err
}

func named(name string) (learner, error) {
	for _, l := range learners() {
		if l.name == name {
			return l, nil
		}
	}
	return learner{}, misuse("-learner %q: there are %s", name, strings.Join(learnerNames(), ", "))
}

func learnerNames() (names []string) {
	for _, l := range learners() {
		names = append(names, l.name)
	}
	return names
}

// exactRows is the number of rows up to which exact kernel ridge regression is done in minutes.
const exactRows = 100000

// choose returns the learner for rows, and why.
func choose(x mat.Matrix) (name, why string) {
	rows := x
	if w, ok := x.(rkhs.Weighted); ok {
		rows = w.Matrix
	}
	n, _ := rows.Dims()
	if _, sparse := rows.(*rkhs.Sparse); sparse {
		return "doublysgd", "rows are sparse"
	}
	if n <= exactRows {
		return "ridge", fmt.Sprintf("up to %d rows can be solved for exactly", exactRows)
	}
	return "doublysgd", fmt.Sprintf("more than %d rows", exactRows)
}

// record makes the learner report its progress.
func (l learner) record(r rkhs.Recorder) {
	reflect.ValueOf(l.options).Elem().FieldByName("Recorder").Set(reflect.ValueOf(&r).Elem())
}
