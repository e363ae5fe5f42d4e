package features

import "github.com/rkhs-go/rkhs/internal/compute"

// Single returns what a block does in single precision, from the same parameters rounded: that of
// Fourier features, of mapped rows too. Others have nothing.
func Single(b Block) (transform func(dst, x compute.Matrix32), ok bool) {
	switch of := b.(type) {
	case *fourierBlock:
		return of.transformTo32, true
	case *embeddedBlock:
		return of.single()
	}
	return nil, false
}

// rows32 returns rows [from, to) of m, which share its memory.
func rows32(m compute.Matrix32, from, to int) compute.Matrix32 {
	return compute.Matrix32{Rows: to - from, Cols: m.Cols, Stride: m.Stride, Data: m.Data[from*m.Stride : (to-1)*m.Stride+m.Cols]}
}

// widen sets dst to m in double precision.
func widen(dst compute.Matrix, m compute.Matrix32) {
	for i := range m.Rows {
		row := compute.Row(dst, i)
		for j, v := range m.Data[i*m.Stride : i*m.Stride+m.Cols] {
			row[j] = float64(v)
		}
	}
}
