package compute

import "testing"

// TestWithoutColumns tests empty rows, with no data in the matrices. Their distances and inner
// products are zero.
func TestWithoutColumns(t *testing.T) {
	x, z := NewMatrix(40, 0), NewMatrix(30, 0)
	k, y := normals(40, 30, 1), normals(40, 2, 2)
	f := Func{Family: Gaussian, A: 1}
	Kernel(k, x, z, f, 2)
	KernelMul(y, x, z, normals(30, 2, 3), f, 2)
	sym := normals(40, 40, 4)
	KernelSym(sym, x, f, 2)
	for _, v := range append(k.Data, sym.Data...) {
		if v != 1 {
			t.Fatalf("kernel value %v of rows without columns", v)
		}
	}
	KernelMul(NewMatrix(40, 0), normals(40, 3, 5), normals(30, 3, 6), NewMatrix(30, 0), f, 2)
	pairs := normals(40, 60, 7)
	FourierPairs(pairs, x, z, 2, 2)
	for i := range 40 {
		if pairs.Data[60*i] != 2 || pairs.Data[60*i+30] != 0 {
			t.Fatalf("features of rows without columns: %v, %v", pairs.Data[60*i], pairs.Data[60*i+30])
		}
	}
}
