package ridge_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/ridge"
)

func FuzzModel(f *testing.F) {
	x, y := rows(20)
	m, err := ridge.Fit(context.Background(), x, y, &ridge.Options{Kernel: kernel.Gaussian{Sigma: 1}})
	if err != nil {
		f.Fatal(err)
	}
	small, err := m.Compress(context.Background(), 5)
	if err != nil {
		f.Fatal(err)
	}
	for _, v := range []*ridge.Model{m, small} {
		data, err := v.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		version, payload, err := codec.Unmarshal(data, "ridge model")
		if err != nil || version != 1 {
			f.Fatal(version, err)
		}
		f.Add(payload)
	}
	at := mat.NewDense(2, 4, nil)
	f.Fuzz(func(t *testing.T, payload []byte) {
		var m ridge.Model
		if err := m.UnmarshalBinary(codec.Marshal("ridge model", 1, bytes.Clone(payload))); err != nil {
			if !errors.Is(err, rkhs.ErrFormat) {
				t.Errorf("error %v does not wrap %v", err, rkhs.ErrFormat)
			}
			return
		}
		m.Predict(at)
		if m.ModelOrder() < 100 {
			m.Compress(context.Background(), 3)
		}
	})
}
