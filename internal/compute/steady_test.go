//go:build !race

// With the race detector on, pools drop items at random.

package compute

import "testing"

// TestSteadyState checks that calls allocate only the closures for each panel of 256 terms, and
// no memory per row, tile or element.
func TestSteadyState(t *testing.T) {
	x, z, k := normals(200, 40, 1), normals(300, 40, 2), NewMatrix(200, 300)
	y, w, pairs := NewMatrix(200, 3), normals(300, 3, 3), NewMatrix(200, 600)
	f := Func{Family: Gaussian, A: 0.05}
	for name, call := range map[string]func(){
		"MulNT":        func() { MulNT(k, x, z, 1) },
		"Kernel":       func() { Kernel(k, x, z, f, 1) },
		"KernelMul":    func() { KernelMul(y, x, z, w, f, 1) },
		"FourierPairs": func() { FourierPairs(pairs, x, z, 1, 1) },
		"Normals":      func() { Normals(x.Data, Address{}, 1) },
		"Cos":          func() { Cos(x.Data, x.Data) },
	} {
		if n := testing.AllocsPerRun(5, call); n > 12 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
