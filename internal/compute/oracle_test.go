package compute

import (
	"math"
	"math/big"
)

// Elementary functions in math/big, by Taylor series.

const precision = 1400

func number(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// series sums term, term·next(1), term·next(1)·next(2), … until the sum is stationary.
func series(term *big.Float, next func(term *big.Float, i int)) *big.Float {
	sum := number(0).Add(number(0), term)
	for i := 1; term.Sign() != 0 && term.MantExp(nil) > sum.MantExp(nil)-300; i++ {
		next(term, i)
		sum.Add(sum, term)
	}
	return sum
}

func bigExp(x float64) *big.Float {
	// exp(x) = exp(x/2¹⁶)^(2¹⁶).
	t := number(x)
	t.SetMantExp(t, -16)
	sum := series(number(1), func(term *big.Float, i int) {
		term.Mul(term, t)
		term.Quo(term, number(float64(i)))
	})
	for range 16 {
		sum.Mul(sum, sum)
	}
	return sum
}

// bigPi is π by Machin's formula.
var bigPi = func() *big.Float {
	arctan := func(q float64) *big.Float {
		sum, power := number(0), number(0).Quo(number(1), number(q))
		for i := 1; power.MantExp(nil) > -precision; i += 2 {
			term := number(0).Quo(power, number(float64(i)))
			if i%4 == 3 {
				term.Neg(term)
			}
			sum.Add(sum, term)
			power.Quo(power, number(q*q))
		}
		return sum
	}
	pi := number(0).Mul(number(16), arctan(5))
	return pi.Sub(pi, number(0).Mul(number(4), arctan(239)))
}()

// bigSinCos first reduces x modulo 2π.
func bigSinCos(x float64) (sin, cos *big.Float) {
	turn := number(0).Mul(number(2), bigPi)
	n, _ := number(0).Quo(number(x), turn).Int(nil)
	r := number(x)
	r.Sub(r, number(0).Mul(turn, number(0).SetInt(n)))
	square := number(0).Mul(r, r)
	step := func(from int) func(term *big.Float, i int) {
		return func(term *big.Float, i int) {
			term.Mul(term, square)
			term.Quo(term, number(float64(-(2*i+from)*(2*i+from-1))))
		}
	}
	return series(number(0).Set(r), step(1)), series(number(1), step(0))
}

// ulps returns |got − want| in units in the last place of want. For subnormal numbers the unit
// is 2^-1074.
func ulps(got float64, want *big.Float) float64 {
	if math.IsInf(got, 0) || math.IsNaN(got) {
		return math.Inf(1)
	}
	d := number(0).Sub(number(got), want)
	u, _ := d.SetMantExp(d, -max(want.MantExp(nil)-53, -1074)).Float64()
	return math.Abs(u)
}
