package testutil

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
)

// Fuzz fuzzes the payload of a file of any version under a valid checksum. A value that loads
// must work, save and load again.
func Fuzz(f *testing.F, kind string, empty func() File, use func(File), seeds ...File) {
	last := uint16(0)
	for _, s := range seeds {
		data := Bytes(f, s)
		version, payload, err := codec.Unmarshal(data, kind)
		if err != nil {
			f.Fatal(err)
		}
		last = version
		f.Add(payload)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		files := [][]byte{bytes.Clone(payload)}
		for version := range last {
			files = append(files, codec.Marshal(kind, version+1, bytes.Clone(payload)))
		}
		for _, file := range files {
			v := empty()
			if err := v.UnmarshalBinary(file); err != nil {
				if !errors.Is(err, rkhs.ErrFormat) {
					t.Errorf("error %v does not wrap %v", err, rkhs.ErrFormat)
				}
				continue
			}
			use(v)
			if data, err := v.MarshalBinary(); err != nil {
				t.Errorf("a loaded value cannot be saved: %v", err)
			} else if err := v.UnmarshalBinary(data); err != nil {
				t.Errorf("a saved value cannot be loaded: %v", err)
			}
		}
	})
}

// CheckError reports an error that is not of a package, does not wrap want or does not name
// everything.
func CheckError(t *testing.T, pkg string, err, want error, names ...string) {
	t.Helper()
	if !errors.Is(err, want) || !strings.HasPrefix(err.Error(), pkg+": ") {
		t.Errorf("error %v, want one of package %s that wraps %q", err, pkg, want)
		return
	}
	for _, s := range names {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("error %q does not name %q", err, s)
		}
	}
}

// Normals draws rows of independent normal variables.
func Normals(n, d int, mean, deviation float64, seed uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 5))
	x := mat.NewDense(n, d, nil)
	x.Apply(func(int, int, float64) float64 { return mean + deviation*r.NormFloat64() }, x)
	return x
}

// Finite reports predictions for the rows of x that are not finite.
func Finite(t *testing.T, name string, x mat.Matrix, predict func(mat.Matrix) (*mat.Dense, error)) {
	t.Helper()
	p, err := predict(x)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for _, v := range p.RawMatrix().Data {
		if v-v != 0 {
			t.Errorf("%s: %v", name, v)
			return
		}
	}
}
