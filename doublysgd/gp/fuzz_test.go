package gp_test

import (
	"context"
	"encoding"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/kernel"
)

// saved is a model with centres as a fuzz target takes it.
type saved interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
	Predict(x mat.Matrix) (*mat.Dense, error)
}

// fuzzSaved fuzzes what is inside the frame of a file, under a right checksum: what
// loads must predict without a panic, and can be saved again.
func fuzzSaved[M saved](f *testing.F, kind string, model M, err error, empty func() M) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
	data, err := model.MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	_, payload, err := codec.Unmarshal(data, kind)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(payload)
	f.Add(data)
	f.Fuzz(func(t *testing.T, payload []byte) {
		for _, file := range [][]byte{payload, codec.Marshal(kind, 1, payload)} {
			m := empty()
			if err := m.UnmarshalBinary(file); err != nil {
				if !errors.Is(err, rkhs.ErrFormat) {
					t.Errorf("error %v does not wrap %v", err, rkhs.ErrFormat)
				}
				continue
			}
			if _, err := m.MarshalBinary(); err != nil {
				t.Errorf("a model that was loaded cannot be saved: %v", err)
			}
			if _, err := m.Predict(mat.NewDense(2, 2, []float64{0, 1, 2, 3})); err != nil && !errors.Is(err, rkhs.ErrShape) && !errors.Is(err, rkhs.ErrDomain) {
				t.Errorf("a model that was loaded does not predict: %v", err)
			}
		}
	})
}

func FuzzGP(f *testing.F) {
	x, y := wave(20, 1)
	o := doublysgd.GPOptions{Kernel: kernel.Gaussian{Sigma: 1}, Centres: 3}
	m, err := doublysgd.FitGP(context.Background(), x, y, x, &o)
	fuzzSaved(f, "doublysgd gp", m, err, func() *doublysgd.GP { return new(doublysgd.GP) })
}

func FuzzNovelty(f *testing.F) {
	o := doublysgd.NoveltyOptions{Centres: 3, Features: 8, Columns: 4, Steps: 5}
	m, err := doublysgd.FitNovelty(context.Background(), cloud(20, 2, 1), &o)
	fuzzSaved(f, "doublysgd novelty", m, err, func() *doublysgd.Novelty { return new(doublysgd.Novelty) })
}

func FuzzRatio(f *testing.F) {
	o := doublysgd.RatioOptions{Centres: 3, Features: 8, Columns: 4}
	m, err := doublysgd.FitRatio(context.Background(), cloud(20, 2, 1), cloud(20, 2, 2), &o)
	fuzzSaved(f, "doublysgd ratio", m, err, func() *doublysgd.Ratio { return new(doublysgd.Ratio) })
}
