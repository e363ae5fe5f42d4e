//go:build !race

// With the race detector, pools drop objects at random.

package features_test

import (
	"runtime"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestSteadyState checks that allocations of a transformation do not grow with its size.
func TestSteadyState(t *testing.T) {
	x := uniforms(500, 5, 1)
	check := func(m features.Map) {
		d := m.Dim()
		block, z := m.Block(0), compute.NewMatrix(500, m.Columns())
		x := compute.Matrix{Rows: 500, Cols: d, Stride: 5, Data: x.Data}
		if n := testing.AllocsPerRun(5, func() { block.TransformTo(z, x) }); n > 40 {
			t.Errorf("%v: %v allocations", m.Kernel(), n)
		}
	}
	for _, c := range table {
		if c.d <= 5 {
			check(mapOf(t, c.k, c.d, features.Options{Columns: 64, Workers: 1}))
		}
	}
	for _, c := range combinations {
		check(mapOf(t, c.k, 4, features.Options{Columns: 64, Workers: 1}))
	}
	for _, m := range dataMaps(t) {
		check(m)
	}
}

// TestBytes compares reported sizes of blocks with the growth of the memory in use.
func TestBytes(t *testing.T) {
	check := func(k kernel.Kernel, d int, opts features.Options) {
		opts.Columns, opts.Workers = 2000, 1
		m := mapOf(t, k, d, opts)
		m.Block(0)
		blocks, said := make([]features.Block, 20), 0
		before := inUse()
		for b := range blocks {
			blocks[b] = m.Block(uint64(b))
			said += blocks[b].Bytes()
		}
		grown := inUse() - before
		if r := float64(grown) / float64(said); !(r > 0.8 && r < 1.3) {
			t.Errorf("%v: 20 blocks take %d bytes and say %d", k, grown, said)
		}
		runtime.KeepAlive(blocks)
	}
	for _, c := range table {
		check(c.k, 20, features.Options{})
	}
	for _, c := range combinations {
		if c.name != "zero" {
			check(c.k, 4, features.Options{})
		}
	}
	check(kernel.Gaussian{Sigma: 1}, 64, features.Options{Sampler: features.Fastfood})
	points := denseOf(uniforms(20, 20, 1))
	check(kernel.ReciprocalSemigroup{Lambda: 1}, 20, features.Options{Leverage: &features.Leverage{Points: points}})
}

// inUse returns the bytes of reachable objects.
func inUse() int64 {
	var m runtime.MemStats
	// The second collection empties pools.
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
