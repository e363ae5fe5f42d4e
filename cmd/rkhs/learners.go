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

// learner fits regressions and classifiers.
type learner struct {
	name          string
	options       any    // a pointer to the Options of its package
	fit, classify fitter // classify is nil if the learner has no classifier
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

func newLearner[O any, M rkhs.Model, C rkhs.Classifier](name string,
	fit func(context.Context, mat.Matrix, mat.Matrix, *O) (M, error),
	classify func(context.Context, mat.Matrix, mat.Matrix, *O) (C, error)) learner {
	o := new(O)
	l := learner{name: name, options: o}
	l.fit = func(ctx context.Context, x, y mat.Matrix) (rkhs.Model, error) { return modelOrNil(fit(ctx, x, y, o)) }
	if classify != nil {
		l.classify = func(ctx context.Context, x, y mat.Matrix) (rkhs.Model, error) {
			return modelOrNil(classify(ctx, x, y, o))
		}
	}
	return l
}

// modelOrNil replaces a nil pointer by a nil interface.
func modelOrNil[M rkhs.Model](m M, err error) (rkhs.Model, error) {
	if v := reflect.ValueOf(m); !v.IsValid() || v.IsNil() {
		return nil, err
	}
	return m, err
}

func learnerByName(name string) (learner, error) {
	for _, l := range learners() {
		if l.name == name {
			return l, nil
		}
	}
	return learner{}, misuse("-learner %q: want one of %s", name, learnerNames())
}

func learnerNames() string {
	var names []string
	for _, l := range learners() {
		names = append(names, l.name)
	}
	return strings.Join(names, ", ")
}

// exactRows is the number of rows that exact kernel ridge regression solves in minutes.
const exactRows = 100000

// defaultLearner returns the name of the learner for the rows, and the reason.
func defaultLearner(x mat.Matrix) (name, why string) {
	if w, ok := x.(rkhs.Weighted); ok {
		x = w.Matrix
	}
	n, _ := x.Dims()
	_, sparse := x.(*rkhs.Sparse)
	switch {
	case sparse:
		return "doublysgd", "the rows are sparse"
	case n > exactRows:
		return "doublysgd", fmt.Sprintf("more than %d rows", exactRows)
	}
	return "ridge", fmt.Sprintf("exact up to %d rows", exactRows)
}

// record sets the recorder of the fits.
func (l learner) record(r rkhs.Recorder) {
	reflect.ValueOf(l.options).Elem().FieldByName("Recorder").Set(reflect.ValueOf(&r).Elem())
}
