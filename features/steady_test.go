//go:build !race

// With the race detector on, pools lose what is put into them at random.

package features_test

import (
	"testing"

	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// TestSteadyState checks that what a transformation allocates does not grow with
// its size.
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
