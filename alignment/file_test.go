package alignment_test

import (
	"context"
	"encoding"
	"errors"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/kernel"
)

// predictor is a model or a classifier.
type predictor interface {
	Predict(mat.Matrix) (*mat.Dense, error)
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// saved lists saved models with empty values for loading.
func saved(t testing.TB) map[string]struct {
	data  []byte
	empty func() predictor
} {
	t.Helper()
	x, y := circles(20, 2, 1)
	o := alignment.Options{Family: kernel.ARD{Of: kernel.Gaussian{}}, Ridge: []float64{0.1}, Paper: alignment.Paper{Shrink: []float64{0.1}}}
	m, err := alignment.Fit(context.Background(), x, y, &o)
	if err != nil {
		t.Fatal(err)
	}
	o.C, o.Ridge = []float64{1}, nil
	c, err := alignment.FitClassifier(context.Background(), x, y, &o)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]struct {
		data  []byte
		empty func() predictor
	}{}
	for kind, v := range map[string]predictor{"alignment model": m, "alignment classifier": c} {
		data, err := v.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		files[kind] = struct {
			data  []byte
			empty func() predictor
		}{data, func() predictor { return reflect.New(reflect.TypeOf(v).Elem()).Interface().(predictor) }}
	}
	return files
}

// TestFileKeepsTheSearch checks that loading restores the trace and the certificate.
func TestFileKeepsTheSearch(t *testing.T) {
	x, y := circles(80, 2, 2)
	want, err := alignment.FitClassifier(context.Background(), x, y, &alignment.Options{Seed: 9})
	if err != nil {
		t.Fatal(err)
	}
	data, err := want.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var got alignment.Classifier
	if err := got.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Model().Learned(), want.Model().Learned()) || !reflect.DeepEqual(got.Report(), want.Report()) || got.Model().Seed() != 9 {
		t.Errorf("loaded %+v, %+v", got.Model().Learned(), got.Report())
	}
	if !reflect.DeepEqual(got.Model().Expansion(), want.Model().Expansion()) || !reflect.DeepEqual(got.Labels(), []int{-1, 1}) {
		t.Errorf("loaded %v for %v", got.Model().Kernel(), got.Labels())
	}
}

func TestFileOfAnotherKindOrVersion(t *testing.T) {
	files := saved(t)
	for kind, f := range files {
		_, payload, err := codec.Unmarshal(f.data, kind)
		if err != nil {
			t.Fatal(err)
		}
		checkError(t, f.empty().UnmarshalBinary(codec.Marshal(kind, 77, payload)), rkhs.ErrFormat, "version 77")
		for other, g := range files {
			if other != kind {
				checkError(t, g.empty().UnmarshalBinary(f.data), rkhs.ErrFormat, kind)
			}
		}
	}
}

// TestFileOfWrongContents uses labels that do not match the model.
func TestFileOfWrongContents(t *testing.T) {
	_, payload, err := codec.Unmarshal(saved(t)["alignment classifier"].data, "alignment classifier")
	if err != nil {
		t.Fatal(err)
	}
	var right codec.Encoder
	right.Ints([]int{-1, 1})
	rest := payload[len(right.Payload()):]
	for _, labels := range [][]int{nil, {1}, {1, 1}, {2, 1}, {1, 2, 3}} {
		var e codec.Encoder
		e.Ints(labels)
		var c alignment.Classifier
		checkError(t, c.UnmarshalBinary(codec.Marshal("alignment classifier", 1, append(e.Payload(), rest...))), rkhs.ErrFormat, "label")
	}
}

// fuzz tests payloads in a frame with a valid checksum. Loading must return an error, or a model
// that predicts and can be saved.
func fuzz(f *testing.F, kind string) {
	file := saved(f)[kind]
	_, payload, err := codec.Unmarshal(file.data, kind)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(payload)
	f.Fuzz(func(t *testing.T, payload []byte) {
		m := file.empty()
		if err := m.UnmarshalBinary(codec.Marshal(kind, 1, payload)); err != nil {
			if !errors.Is(err, rkhs.ErrFormat) {
				t.Errorf("error %v does not wrap %v", err, rkhs.ErrFormat)
			}
			return
		}
		if _, err := m.Predict(mat.NewDense(1, 2, nil)); err != nil && !errors.Is(err, rkhs.ErrShape) && !errors.Is(err, rkhs.ErrDomain) {
			t.Errorf("prediction of what was loaded: %v", err)
		}
		if _, err := m.MarshalBinary(); err != nil {
			t.Errorf("what was loaded cannot be saved: %v", err)
		}
	})
}

func FuzzModel(f *testing.F) { fuzz(f, "alignment model") }

func FuzzClassifier(f *testing.F) { fuzz(f, "alignment classifier") }
