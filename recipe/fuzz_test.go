package recipe_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/recipe"
	"github.com/rkhs-go/rkhs/ridge"
)

// FuzzModelFile: any payload of a file is an error, or a model that predicts and writes its file
// without a panic.
func FuzzModelFile(f *testing.F) {
	all := table(f, houses(60, 1), dataset.TableOptions{Missing: []string{"?"}})
	m, err := recipe.Fit(context.Background(), all, recipe.Options{}, ridge.Fit, nil)
	if err != nil {
		f.Fatal(err)
	}
	data, err := m.MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	_, payload, err := codec.Unmarshal(data, "recipe model")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(payload)
	for at := 0; at < len(payload); at += 1 + at/4 {
		bad := bytes.Clone(payload)
		bad[at] ^= 0x41
		f.Add(bad)
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		var m recipe.Model
		if m.UnmarshalBinary(codec.Marshal("recipe model", 1, bytes.Clone(payload))) != nil {
			return
		}
		if p, err := m.Predict(all); err == nil && len(p.Values) != 60 {
			t.Errorf("%d predictions of 60 rows", len(p.Values))
		}
		if _, err := m.MarshalBinary(); err != nil {
			t.Error(err)
		}
	})
}
