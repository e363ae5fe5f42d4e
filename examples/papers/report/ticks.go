package report

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// roundTicks are four to nine multiples of 1, 2 or 5 times a power of ten.
type roundTicks struct{}

// Ticks returns the ticks of an axis.
func (roundTicks) Ticks(low, high float64) (list []plot.Tick) {
	step := roundStep(high - low)
	decimals := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9*step; i++ {
		list = append(list, plot.Tick{Value: i * step, Label: strconv.FormatFloat(i*step+0, 'f', decimals, 64)})
	}
	return list
}

// roundStep returns the longest round step that fits at least four times into a length.
func roundStep(length float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(length/4)))
	for _, m := range []float64{5, 2} {
		if m*power <= length/4*(1+1e-9) {
			return m * power
		}
	}
	return power
}

// logTicks are ticks at all digits. Powers of ten have labels; on short axes 2 and 5 times a power
// of ten also do.
type logTicks struct{}

// Ticks returns the ticks of an axis with positive bounds.
func (logTicks) Ticks(low, high float64) (list []plot.Tick) {
	short := math.Log10(high/low) < 2.5
	for e := math.Floor(math.Log10(low)); e <= math.Log10(high)+1e-9; e++ {
		for digit := 1.0; digit < 10; digit++ {
			v, label := digit*math.Pow(10, e), ""
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			if digit == 1 || short && (digit == 2 || digit == 5) {
				label = strconv.FormatFloat(v, 'g', 5, 64)
			}
			list = append(list, plot.Tick{Value: v, Label: label})
		}
	}
	return list
}
