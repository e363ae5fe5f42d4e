package svm_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/svm"
)

// fuzz loads payloads of a kind and predicts with the models.
func fuzz(f *testing.F, kind string, empty func() libsvmWriter, models ...libsvmWriter) {
	for _, m := range models {
		data, err := m.(testutil.File).MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		version, payload, err := codec.Unmarshal(data, kind)
		if err != nil || version != 1 {
			f.Fatal(version, err)
		}
		f.Add(payload)
	}
	at := mat.NewDense(2, 2, nil)
	f.Fuzz(func(t *testing.T, payload []byte) {
		m := empty()
		if err := m.(testutil.File).UnmarshalBinary(codec.Marshal(kind, 1, bytes.Clone(payload))); err != nil {
			if !errors.Is(err, rkhs.ErrFormat) {
				t.Errorf("error %v does not wrap %v", err, rkhs.ErrFormat)
			}
			return
		}
		m.Predict(at)
		m.WriteLIBSVM(new(bytes.Buffer))
	})
}

// fuzzed fits small models of a kind to rows and to a Gram matrix.
func fuzzed(f *testing.F, kind string) (list []libsvmWriter) {
	x, y, labels := task(20, 1)
	for _, rows := range []mat.Matrix{x, gram(gaussian, x, x)} {
		o := svm.Options{Precomputed: rows != mat.Matrix(x)}
		if !o.Precomputed {
			o.Kernel = kernel.Gaussian{Sigma: 1}
		}
		m, err := fits[kind](context.Background(), rows, y, labels, o)
		if err != nil {
			f.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

func FuzzModel(f *testing.F) {
	fuzz(f, "svm model", func() libsvmWriter { return new(svm.Model) }, fuzzed(f, "regression")...)
}

func FuzzClassifier(f *testing.F) {
	fuzz(f, "svm classifier", func() libsvmWriter { return new(svm.Classifier) }, fuzzed(f, "classifier")...)
}

func FuzzNovelty(f *testing.F) {
	fuzz(f, "svm novelty", func() libsvmWriter { return new(svm.Novelty) }, fuzzed(f, "novelty")...)
}

// A valid text gives a model that predicts. The model writes a text that gives the same model.
func FuzzReadLIBSVM(f *testing.F) {
	for name := range fits {
		for _, m := range fuzzed(f, name) {
			var b bytes.Buffer
			if err := m.WriteLIBSVM(&b); err != nil {
				f.Fatal(err)
			}
			f.Add(b.String())
		}
	}
	f.Add("svm_type nu_svc\nkernel_type polynomial\ndegree 2\ngamma 0.5\ncoef0 1\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 3 -1\nprobA 1\nnr_sv 1 1\nSV\n1 1:1\n-1 2:1 \n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := svm.ReadLIBSVM(bytes.NewBufferString(text), 0)
		if err != nil {
			return
		}
		if d, _ := m.Dims(); d < 1000 {
			m.Predict(mat.NewDense(2, d, nil))
		}
		var b, c bytes.Buffer
		if err := m.(libsvmWriter).WriteLIBSVM(&b); err != nil {
			return // coefficients that no machine has
		}
		again, err := svm.ReadLIBSVM(bytes.NewReader(b.Bytes()), 0)
		if err != nil {
			t.Fatalf("%v of %q", err, b.String())
		}
		if err := again.(libsvmWriter).WriteLIBSVM(&c); err != nil || c.String() != b.String() {
			t.Errorf("%q was read and written as %q (error %v)", b.String(), c.String(), err)
		}
	})
}
