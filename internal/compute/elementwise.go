package compute

import "math"

// Exp sets dst_i = exp(src_i). dst may be src.
func Exp(dst, src []float64) {
	for i, v := range src {
		dst[i] = math.Exp(v)
	}
}
