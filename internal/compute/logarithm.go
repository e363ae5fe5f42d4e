package compute

import "math"

// Log sets dst_i = log(src_i) with an error of at most 1 ulp: −Inf for 0, NaN for
// negative values. dst may be src.
func Log(dst, src []float64) {
	for i, v := range src {
		dst[i] = log(v)
	}
}

func log(x float64) float64 {
	const smallest = 0x1p-1022 // smallest normal number
	switch {
	case x >= smallest && x <= math.MaxFloat64:
		return logGo(x, 0)
	case x > 0 && x < smallest:
		// 54·log(2) dominates the result, so the subtraction adds little error.
		return logGo(x*0x1p54, 0) - 54*math.Ln2
	case x == 0:
		return math.Inf(-1)
	case x > 0:
		return x
	}
	return math.NaN()
}
