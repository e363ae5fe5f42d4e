package features_test

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// digest hashes the bits of numbers.
func digest(h uint64, x []float64) uint64 {
	f := fnv.New64a()
	b := binary.LittleEndian.AppendUint64(nil, h)
	for _, v := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	f.Write(b)
	return f.Sum64()
}

// uniforms returns points of (0, 1), which are in the domain of every kernel.
func uniforms(rows, cols int, stream uint32) compute.Matrix {
	m := compute.NewMatrix(rows, cols)
	compute.Uniforms(m.Data, compute.Address{Seed: 21, Stream: stream}, 0)
	return m
}

// fingerprint is the digest of two blocks at some points.
func fingerprint(m features.Map, x compute.Matrix) uint64 {
	z := compute.NewMatrix(x.Rows, m.Columns())
	h := uint64(0)
	for _, b := range []uint64{0, 1 << 40} {
		m.Block(b).TransformTo(z, x)
		h = digest(h, z.Data)
	}
	return h
}

var allSamplers = []features.Sampler{features.Auto, features.Independent, features.Orthogonal, features.Fastfood, features.Sobol, features.Halton}

// TestSameBitsEverywhere pins the bits of the features on every processor, since saved models contain
// only their seeds.
func TestSameBitsEverywhere(t *testing.T) {
	want := map[string]uint64{
		"Auto":                    0x4f90d098e0e40e2f,
		"Independent":             0x4c95f459a822393,
		"Orthogonal":              0x53efbbe3f3448344,
		"Fastfood":                0xa448839070e04e66,
		"Sobol":                   0x985eebe84d3388e,
		"Halton":                  0xfd5e2963c93e3993,
		"scale":                   0x642f6eeab6bc5ac2,
		"zero":                    0x74585afb4dd74848,
		"sum":                     0xe5b4a3519f8ce5ff,
		"product of frequencies":  0x47a0405abcee1039,
		"product of pairs":        0x3d94f38df9a95a15,
		"product of columns":      0x741e1686ab31b22b,
		"pair times column":       0xf29d9757d60a296c,
		"two series":              0x5b474a0e3e741afc,
		"additive times additive": 0x10bcc9bbcbb50355,
		"sum in a product":        0xe548645e8e30befc,
		"ARD of frequencies":      0xa99dc8e22d600d4d,
		"projected frequencies":   0x8886445e46586c47,
		"projected sum of ARD":    0xd441fc7ddb9f2d99,
		"ARD of a polynomial":     0xc5ff9a0d709d8886,
		"ARD of logarithms":       0xaedbb502ad01a24a,
		"ARD of ARD of a sum":     0x61ac314b0ca55a5e,
		"blocks of a user":        0x87c51157bf74baac,
		"Sampled":                 0x6fb42e3ad64ea36d,
		"leverage":                0xa26c97682e2e1db8,
		"leverage, lifted":        0x3939dd8751862bc6,
		"leverage, units":         0x49259b9dfac9265b,
		"leverage, decaying":      0x43d0c58db434df9,
		"large shape":             0x8f15e3f6e03be41f,
		"Nystroem":                0x57db8b758135bc3d,
	}
	check := func(name string, got uint64) {
		if got != want[name] {
			t.Errorf("%q: %#x,", name, got)
		}
	}
	for _, s := range allSamplers {
		var h uint64
		for _, c := range table {
			for _, d := range []int{c.d, 23} {
				m, err := features.New(c.k, d, features.Options{Columns: 60, Seed: 5, Sampler: s})
				if err == nil {
					h = digest(h, []float64{math.Float64frombits(fingerprint(m, uniforms(9, d, 1)))})
				}
			}
		}
		check(s.String(), h)
	}
	for _, c := range combinations {
		if c.name != "spectral kernel of a user" && c.name != "user's in a product, scaled" { // these use math.Cos
			check(c.name, fingerprint(mapOf(t, c.k, 4, features.Options{Columns: 60, Seed: 5}), uniforms(9, 4, 1)))
		}
	}
	check("large shape", fingerprint(mapOf(t, kernel.Matern{Nu: 1e4, Length: 1}, 4, features.Options{Columns: 60}), uniforms(9, 4, 1)))
	for name, m := range dataMaps(t) {
		check(name, fingerprint(m, uniforms(9, 4, 1)))
	}
}

// dataMaps are the maps that need data in addition to a kernel.
func dataMaps(t testing.TB) map[string]features.Map {
	x := uniforms(40, 4, 2)
	points := mat.NewDense(40, 4, x.Data)
	nystroem, err := features.Nystroem(kernel.Gaussian{Sigma: 1}, points, features.NystroemOptions{MaxPoints: 20})
	if err != nil {
		t.Fatal(err)
	}
	sampled, err := features.Sampled(kernel.JensenShannon{}, 4, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	l := &features.Leverage{Points: points}
	return map[string]features.Map{
		"Nystroem":           nystroem,
		"Sampled":            sampled,
		"leverage":           mapOf(t, kernel.Laplacian{Sigma: 2}, 4, features.Options{Columns: 60, Leverage: l}),
		"leverage, lifted":   mapOf(t, kernel.SkewedChiSquared{C: 1}, 4, features.Options{Columns: 60, Leverage: l}),
		"leverage, units":    mapOf(t, kernel.ArcCosine{Order: 2}, 4, features.Options{Columns: 60, Leverage: l}),
		"leverage, decaying": mapOf(t, kernel.ReciprocalSemigroup{Lambda: 1}, 4, features.Options{Columns: 60, Leverage: l}),
	}
}

// TestWorkersAndOrder checks that features have the same bits for any number of workers, batch and row
// stride, after drawing again, and in concurrent use.
func TestWorkersAndOrder(t *testing.T) {
	for _, c := range table {
		for _, s := range allSamplers {
			opts := features.Options{Columns: 300, Seed: 5, Sampler: s}
			if _, err := features.New(c.k, c.d, opts); err == nil {
				checkBits(t, func(workers int) features.Map {
					opts.Workers = workers
					return mapOf(t, c.k, c.d, opts)
				}, c.d)
			}
		}
	}
	for _, c := range combinations {
		checkBits(t, func(workers int) features.Map {
			return mapOf(t, c.k, 4, features.Options{Columns: 300, Workers: workers})
		}, 4)
	}
	for name := range dataMaps(t) {
		checkBits(t, func(int) features.Map { return dataMaps(t)[name] }, 4)
	}
}

func checkBits(t *testing.T, of func(workers int) features.Map, d int) {
	t.Helper()
	x := uniforms(70, d, 1)
	m := of(1)
	want := make([]compute.Matrix, 3)
	for b := range want {
		want[b] = compute.NewMatrix(x.Rows, m.Columns())
		m.Block(uint64(b)).TransformTo(want[b], x)
	}
	var wg sync.WaitGroup
	for _, workers := range []int{2, 8} {
		m := of(workers)
		for b := range want {
			wg.Add(1)
			go func() {
				defer wg.Done()
				block := m.Block(uint64(len(want) - 1 - b))
				if !sameRows(block, x, want[len(want)-1-b], 0, 70) || !sameRows(block, x, want[len(want)-1-b], 33, 38) {
					t.Errorf("%v: other bits with %d workers", m.Kernel(), workers)
				}
			}()
		}
	}
	wg.Wait()
}

// sameRows transforms rows [from, to) of x into a matrix with gaps and compares with the rows of want.
func sameRows(b features.Block, x, want compute.Matrix, from, to int) bool {
	const gap = 3
	got := compute.Matrix{Rows: to - from, Cols: want.Cols, Stride: want.Cols + gap}
	got.Data = make([]float64, got.Rows*got.Stride)
	for i := range got.Data {
		got.Data[i] = math.Inf(1)
	}
	b.TransformTo(got, compute.Rows(x, from, to))
	for i, v := range got.Data {
		row, col := i/got.Stride, i%got.Stride
		if col >= want.Cols && !math.IsInf(v, 1) || col < want.Cols && math.Float64bits(v) != math.Float64bits(rowOf(want, from+row)[col]) {
			return false
		}
	}
	return true
}
