package doublysgd

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// signsOf returns the signs of the waves as labels.
func signsOf(y *mat.Dense) *mat.Dense {
	s := mat.DenseCopyOf(y)
	s.Apply(func(_, _ int, v float64) float64 { return math.Copysign(1, v) }, s)
	return s
}

func small() *Options {
	return &Options{Kernel: kernel.Gaussian{Sigma: 1}, Features: 16, Paper: Paper{Columns: 4}}
}

func smallSteps(mode Mode) *Options {
	o := small()
	o.Mode, o.Batch = mode, 8
	return o
}

func smallModel(t testing.TB) testutil.File {
	x, y := waves(40, 0.1, 1)
	m, err := Fit(context.Background(), x, y, small())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func smallClassifier(t testing.TB) testutil.File {
	x, y := waves(40, 0.1, 1)
	c, err := FitClassifier(context.Background(), x, signsOf(y), small())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func smallLearner(t testing.TB, mode Mode) testutil.File {
	x, y := waves(90, 0.1, 1)
	l, err := NewLearner(smallSteps(mode))
	if err == nil {
		err = l.Update(x, y)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func smallClassLearner(t testing.TB) testutil.File {
	x, y := waves(90, 0.1, 1)
	l, err := NewClassLearner([]int{-1, 1, 5}, smallSteps(Newton))
	if err == nil {
		err = l.Update(x, signsOf(y))
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// use predicts with a loaded model or updates a loaded learner.
func use(f testutil.File) {
	x, y := waves(20, 0.1, 2)
	d := mat.NewDense(20, 2, nil)
	switch f := f.(type) {
	case *Model:
		if inputs, _ := f.Dims(); inputs == 2 {
			f.Predict(d)
		}
	case *Classifier:
		if inputs, _ := f.Model().Dims(); inputs == 2 {
			f.Predict(d)
		}
	case *Learner:
		if f.stream.Outputs == 1 && f.options.Batch < 100 && f.options.Columns < 100 {
			f.Update(x, y)
			f.Model(context.Background())
		}
	case *ClassLearner:
		if f.learner.options.Batch < 100 && f.learner.options.Columns < 100 {
			f.Update(x, mat.NewDense(20, 1, nil))
			f.Model(context.Background())
		}
	}
}

func FuzzModel(f *testing.F) {
	testutil.Fuzz(f, modelFormat.Kind, func() testutil.File { return new(Model) }, use, smallModel(f))
}

func FuzzClassifier(f *testing.F) {
	testutil.Fuzz(f, classifierFormat.Kind, func() testutil.File { return new(Classifier) }, use, smallClassifier(f))
}

func FuzzLearner(f *testing.F) {
	testutil.Fuzz(f, learnerFormat.Kind, func() testutil.File { return new(Learner) }, use, smallLearner(f, Newton), smallLearner(f, Plain))
}

func FuzzClassLearner(f *testing.F) {
	testutil.Fuzz(f, classLearnerFormat.Kind, func() testutil.File { return new(ClassLearner) }, use, smallClassLearner(f))
}
