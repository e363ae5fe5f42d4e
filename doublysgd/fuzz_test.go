package doublysgd

import (
	"bytes"
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// signsOf returns labels of the waves.
func signsOf(y *mat.Dense) *mat.Dense {
	s := mat.DenseCopyOf(y)
	s.Apply(func(_, _ int, v float64) float64 { return math.Copysign(1, v) }, s)
	return s
}

func small() *Options {
	return &Options{Kernel: kernel.Gaussian{Sigma: 1}, Columns: 4, Batch: 8, Features: 16}
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
	o := small()
	o.Mode = mode
	l, err := NewLearner(1, o)
	if err == nil {
		err = l.Update(x, y)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func centredModel(t testing.TB) testutil.File {
	x, y := waves(90, 0.1, 1)
	o := small()
	o.Mode, o.Kernel, o.Centres = Preconditioned, kernel.Gaussian{Sigma: 1}, 3
	m, err := Fit(context.Background(), x, y, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func smallClassLearner(t testing.TB) testutil.File {
	x, y := waves(90, 0.1, 1)
	l, err := NewClassLearner([]int{-1, 1, 5}, small())
	if err == nil {
		err = l.Update(x, signsOf(y))
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func smallNoveltyLearner(t testing.TB) testutil.File {
	x, _ := waves(270, 0.1, 1)
	l, err := NewNoveltyLearner(&NoveltyOptions{Kernel: kernel.Gaussian{Sigma: 1}, Columns: 4, Batch: 8, Features: 16})
	if err == nil {
		err = l.Update(x)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func smallRatioLearner(t testing.TB) testutil.File {
	x, _ := waves(510, 0.1, 1)
	y, _ := waves(520, 0.1, 2)
	l, err := NewRatioLearner(&RatioOptions{Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 0.1, Columns: 4, Batch: 8, Features: 16})
	if err == nil {
		err = l.Update(x, y)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// use asks whatever was loaded for predictions, and a learner to go on.
func use(t *testing.T, f testutil.File) {
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
		if f.outputs == 1 && f.s.Batch < 100 && f.s.Columns < 100 {
			f.Update(x, y)
			f.Model()
		}
	case *ClassLearner:
		if f.l.s.Batch < 100 && f.l.s.Columns < 100 {
			f.Update(x, mat.NewDense(20, 1, nil))
			f.Model()
		}
	case *NoveltyLearner:
		if f.s.Batch < 100 && f.s.Columns < 100 {
			f.Update(x)
			f.Model()
		}
	case *RatioLearner:
		if f.s.Batch < 100 && f.s.Columns < 100 {
			f.Update(x, x)
			f.Model()
		}
	}
	if data, err := f.MarshalBinary(); err != nil {
		t.Errorf("what was loaded cannot be saved: %v", err)
	} else if err := f.UnmarshalBinary(data); err != nil {
		t.Errorf("what was saved cannot be loaded: %v", err)
	}
}

// fuzzPayload fuzzes what is inside the frame of a file, under a right checksum.
func fuzzPayload(f *testing.F, kind string, empty func() testutil.File, seeds ...testutil.File) {
	for _, s := range seeds {
		data, err := s.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		_, payload, err := codec.Unmarshal(data, kind)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(payload)
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		v := empty()
		err := v.UnmarshalBinary(codec.Marshal(kind, 1, bytes.Clone(payload)))
		if err == nil {
			use(t, v)
		} else if !errors.Is(err, rkhs.ErrFormat) {
			t.Errorf("error %v does not wrap %v", err, rkhs.ErrFormat)
		}
	})
}

func FuzzModel(f *testing.F) {
	fuzzPayload(f, modelFormat.Kind, func() testutil.File { return new(Model) }, smallModel(f), centredModel(f))
}

func FuzzClassifier(f *testing.F) {
	fuzzPayload(f, classifierFormat.Kind, func() testutil.File { return new(Classifier) }, smallClassifier(f))
}

func FuzzLearner(f *testing.F) {
	fuzzPayload(f, learnerFormat.Kind, func() testutil.File { return new(Learner) }, smallLearner(f, Newton), smallLearner(f, Plain))
}

func FuzzClassLearner(f *testing.F) {
	fuzzPayload(f, classLearnerFormat.Kind, func() testutil.File { return new(ClassLearner) }, smallClassLearner(f))
}

func FuzzNoveltyLearner(f *testing.F) {
	fuzzPayload(f, noveltyLearnerFormat.Kind, func() testutil.File { return new(NoveltyLearner) }, smallNoveltyLearner(f))
}

func FuzzRatioLearner(f *testing.F) {
	fuzzPayload(f, ratioLearnerFormat.Kind, func() testutil.File { return new(RatioLearner) }, smallRatioLearner(f))
}
