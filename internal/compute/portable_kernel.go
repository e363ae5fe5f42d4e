package compute

import (
	"math"
	"math/bits"
	"unsafe"
)

func distancesGo[T float](row, norms []T, norm, least T) int {
	for i, s := range row {
		t := norms[i] + norm
		row[i] = fma(-2, s, t)
		if !(row[i] >= least*t) {
			return i
		}
	}
	return len(row)
}

// weighGo uses as many partial sums as the widest register has lanes. It then adds the
// upper half of them to the lower half until one is left.
func weighGo[T float](out, k []T, stride int, w []T) {
	lanes := 64 / int(unsafe.Sizeof(T(0)))
	for i := range out {
		var s [16]T
		row := k[i*stride:]
		for j, v := range w {
			s[j%lanes] = fma(row[j], v, s[j%lanes])
		}
		for n := lanes / 2; n > 0; n /= 2 {
			for j := range n {
				s[j] += s[j+n]
			}
		}
		out[i] = s[0]
	}
}

func expMapGo[T float](dst, src []T, a, _ T) {
	for i, v := range src {
		dst[i] = expOf(T(a * v))
	}
}

// maternArgument returns a·√v, clamped where exp underflows to zero. Without the clamp,
// the Matérn functions would multiply zero by infinity.
func maternArgument[T float](v, a T) T {
	t := T(a * T(math.Sqrt(float64(v))))
	if t < -800 {
		return -800
	}
	return t
}

func matern12Go[T float](dst, src []T, a, _ T) {
	for i, v := range src {
		dst[i] = expOf(maternArgument(v, a))
	}
}

func matern32Go[T float](dst, src []T, a, _ T) {
	for i, v := range src {
		t := maternArgument(v, a)
		dst[i] = fma(-1, t, 1) * expOf(t)
	}
}

func matern52Go[T float](dst, src []T, a, _ T) {
	third := T(1. / 3)
	for i, v := range src {
		t := maternArgument(v, a)
		dst[i] = fma(fma(third, t, -1), t, 1) * expOf(t)
	}
}

// rationalGo corrects the logarithm of 1 + a·v for the rounding error of the sum, so that
// results stay accurate for small a·v and any exponent b.
func rationalGo[T float](dst, src []T, a, b T) {
	for i, v := range src {
		x := T(a * v)
		if top := largest[T](); x > top {
			x = top
		}
		u := 1 + x
		t := u - 1
		c := (1 - (u - t)) + (x - t)
		dst[i] = expOf(T(b * logOf(u, c/u)))
	}
}

func largest[T float]() T {
	top := math.MaxFloat64
	if unsafe.Sizeof(T(0)) == 4 {
		top = math.MaxFloat32
	}
	return T(top)
}

func polynomialGo[T float](dst, src []T, a, b T, p int) {
	for i, v := range src {
		x := fma(a, v, b)
		y := x
		for bit := bits.Len(uint(p)) - 2; bit >= 0; bit-- {
			y = T(y * y)
			if p>>bit&1 != 0 {
				y = T(y * x)
			}
		}
		dst[i] = y
	}
}
