package polk

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// saved holds files of one kind and functions to load and use one.
type saved struct {
	kind  string
	files [][]byte
	empty func() testutil.File
	use   func(f testutil.File)
}

func bytesOf(t testing.TB, f interface{ MarshalBinary() ([]byte, error) }) []byte {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// rowsFor returns a few rows with the number of columns in a file, or nil if it is too large.
func rowsFor(inputs int) *mat.Dense {
	if inputs < 1 || inputs > 64 {
		return nil
	}
	x := mat.NewDense(3, inputs, nil)
	x.Apply(func(i, j int, _ float64) float64 { return float64(i) + 0.1*float64(j) }, x)
	return x
}

var wave = mat.NewDense(9, 2, []float64{0, 1, 1, 0, 2, 1, 2.2, 1, 2, 3, 0, 1, 5, 5, 1e-9, 1, 0.5, 0.25})

func savedModels(t testing.TB) saved {
	s := saved{kind: modelFormat.Kind, empty: func() testutil.File { return new(Model) }, use: func(f testutil.File) {
		if x := rowsFor(f.(*Model).f.Inputs); x != nil {
			f.(*Model).Predict(x)
			Merge([]*Model{f.(*Model), f.(*Model)}, 0.1)
		}
	}}
	for _, o := range []Options{{Passes: 2, Kernel: kernel.Gaussian{Sigma: 1}}, {Ridge: 1e-6, Loss: loss.Pinball{Tau: 0.2}, Kernel: kernel.Laplacian{Sigma: 1}, Paper: Paper{NoIntercept: true, BudgetConstant: 1e6}}} {
		m, err := Fit(context.Background(), wave, wave, &o)
		if err != nil && !errors.Is(err, rkhs.ErrNotConverged) {
			t.Fatal(err)
		}
		s.files = append(s.files, bytesOf(t, m))
	}
	return s
}

var waveLabels = mat.NewDense(9, 1, []float64{1, 1, 2, 2, 1, 2, 2, 1, 1})

func savedClassifiers(t testing.TB) saved {
	s := saved{kind: classifierFormat.Kind, empty: func() testutil.File { return new(Classifier) }, use: func(f testutil.File) {
		c := f.(*Classifier)
		if x := rowsFor(c.model.f.Inputs); x != nil {
			c.Predict(x)
			c.Proba(x)
			MergeClassifiers([]*Classifier{c, c}, 0.1)
		}
	}}
	for _, l := range []loss.Loss{loss.Softmax{}, loss.Logistic{}} {
		c, err := FitClassifier(context.Background(), wave, waveLabels, &Options{Loss: l, Passes: 2, Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-3})
		if err != nil {
			t.Fatal(err)
		}
		s.files = append(s.files, bytesOf(t, c))
	}
	return s
}

func savedLearners(t testing.TB) saved {
	s := saved{kind: learnerFormat.Kind, empty: func() testutil.File { return new(Learner) }, use: func(f testutil.File) {
		l := f.(*Learner)
		if x := rowsFor(max(l.stream.inputs, 1)); x != nil && l.outputs <= 64 {
			y := mat.NewDense(3, max(l.outputs, 1), nil)
			l.Update(x, y)
			l.Update(x, y)
			l.Model(context.Background())
		}
	}}
	// Avoid slow kernel searches at each Model of waiting rows, and for their learning curve.
	k, ridge := kernel.Gaussian{Sigma: 1}, 1e-3
	for _, o := range []Options{{Warmup: 3, Kernel: k, Ridge: ridge}, {Warmup: 20, Kernel: k, Ridge: ridge}, {Warmup: 3, Kernel: k, Horizon: 10, Paper: Paper{Budget: 0.01}}} {
		l, err := NewLearner(&o)
		if err != nil {
			t.Fatal(err)
		}
		s.files = append(s.files, bytesOf(t, l))
		if err := l.Update(wave, wave); err != nil {
			t.Fatal(err)
		}
		s.files = append(s.files, bytesOf(t, l))
	}
	return s
}

func savedClassLearners(t testing.TB) saved {
	s := saved{kind: classLearnerFormat.Kind, empty: func() testutil.File { return new(ClassLearner) }, use: func(f testutil.File) {
		l := f.(*ClassLearner)
		if x := rowsFor(max(l.stream.inputs, 1)); x != nil {
			l.Update(x, mat.NewDense(3, 1, []float64{1, 2, 1}))
			l.Update(x, mat.NewDense(3, 1, []float64{1, 3, 5}))
			l.Model(context.Background())
		}
	}}
	k, ridge := kernel.Gaussian{Sigma: 1}, 1e-3
	for _, o := range []Options{{Warmup: 3, Kernel: k, Ridge: ridge}, {Warmup: 20, Kernel: k, Ridge: ridge}, {Warmup: 3, Kernel: k, Ridge: ridge, Loss: loss.Hinge{}}} {
		l, err := NewClassLearner(nil, &o)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Update(wave, waveLabels); err != nil {
			t.Fatal(err)
		}
		s.files = append(s.files, bytesOf(t, l))
	}
	return s
}

// load loads a payload with a valid frame. An accepted payload must be usable.
func (s saved) load(payload []byte) error {
	f := s.empty()
	err := f.UnmarshalBinary(codec.Marshal(s.kind, 1, payload))
	if err == nil {
		s.use(f)
	}
	return err
}

func fuzz(f *testing.F, s saved) {
	for _, file := range s.files {
		_, payload, err := codec.Unmarshal(file, s.kind)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(payload)
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		if err := s.load(payload); err != nil && !errors.Is(err, rkhs.ErrFormat) {
			t.Errorf("error %v does not wrap %v", err, rkhs.ErrFormat)
		}
	})
}

func FuzzModel(f *testing.F) { fuzz(f, savedModels(f)) }

func FuzzClassifier(f *testing.F) { fuzz(f, savedClassifiers(f)) }

func FuzzLearner(f *testing.F) { fuzz(f, savedLearners(f)) }

func FuzzClassLearner(f *testing.F) { fuzz(f, savedClassLearners(f)) }

// Each 8-byte word of a payload in turn becomes an invalid number. An accepted payload must still
// be usable.
func TestForgedFiles(t *testing.T) {
	testutil.Long(t, "takes seconds")
	for _, s := range []saved{savedModels(t), savedClassifiers(t), savedLearners(t), savedClassLearners(t)} {
		refused := 0
		for _, file := range s.files {
			_, payload, err := codec.Unmarshal(file, s.kind)
			if err != nil {
				t.Fatal(err)
			}
			for at := 0; at+8 <= len(payload); at++ {
				for _, bad := range []string{"\xff\xff\xff\xff\xff\xff\xff\xff", "\x00\x00\x00\x00\x00\x00\xf0\x7f", "\x00\x00\x00\x00\x00\x00\x00\x00", "\x00\x00\x00\x00\x00\x00\x00\x40", "\xff\xff\xff\xff\xff\xff\xef\x7f"} {
					forged := append([]byte(nil), payload...)
					copy(forged[at:], bad)
					if err := s.load(forged); errors.Is(err, rkhs.ErrFormat) {
						refused++
					} else if err != nil {
						t.Errorf("%s: error %v", s.kind, err)
					}
				}
			}
		}
		if refused == 0 {
			t.Errorf("%s: no error", s.kind)
		}
	}
}

// The error names an unsupported later version.
func TestUnknownVersion(t *testing.T) {
	for _, s := range []saved{savedModels(t), savedClassifiers(t), savedLearners(t), savedClassLearners(t)} {
		_, payload, err := codec.Unmarshal(s.files[0], s.kind)
		if err != nil {
			t.Fatal(err)
		}
		err = s.empty().UnmarshalBinary(codec.Marshal(s.kind, 9, payload))
		if want := fmt.Sprintf("polk: %v: version 9 is unknown, this library reads %d", rkhs.ErrFormat, 1); err == nil || err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
	}
}

// A learner with a user-defined loss works but cannot be saved.
func TestOwnLossIsNotSaved(t *testing.T) {
	l, err := NewLearner(&Options{Loss: cube{}, Warmup: 3})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Update(wave, wave); err != nil {
		t.Fatal(err)
	}
	if data, err := l.MarshalBinary(); err == nil || data != nil {
		t.Errorf("%d bytes, error %v", len(data), err)
	}
}

type cube struct{ loss.Squared }

func (cube) Value(f, y float64) float64      { return max(f-y, y-f) * (f - y) * (f - y) / 3 }
func (cube) Derivative(f, y float64) float64 { return max(f-y, y-f) * (f - y) }
