package kernel

import (
	"math"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/quantile"
)

// The additive kernels of this file compare histograms: points with x_i ≥ 0, usually of sum 1. Each is homogeneous of
// degree 1, k(cx, cz) = c·k(x, z), and k(x, x) = Σ_i x_i. Source: Vedaldi and Zisserman, "Efficient additive kernels
// via explicit feature maps", IEEE PAMI 34 (2012), table 1.

// AdditiveChiSquared is the kernel
//
//	k(x, z) = Σ_i 2·x_i·z_i / (x_i + z_i),  with 0/0 = 0,
//
// on x_i ≥ 0. It equals Σ x_i/2 + Σ z_i/2 − χ²(x, z)/2 for the χ² distance.
type AdditiveChiSquared struct{}

func (AdditiveChiSquared) Eval(x, y []float64) float64 {
	const tiny = 0x1p-1022 // turns 0/0 into 0, and vanishes in other sums
	y = gram.SameLength(x, y)
	var s, t float64
	for len(x) >= 2 && len(y) >= 2 {
		s += x[0] * (y[0] / (x[0] + y[0] + tiny))
		t += x[1] * (y[1] / (x[1] + y[1] + tiny))
		x, y = x[2:], y[2:]
	}
	if len(x) > 0 && len(y) > 0 {
		s += x[0] * (y[0] / (x[0] + y[0] + tiny))
	}
	return 2 * (s + t)
}

func (k AdditiveChiSquared) family() (Kernel, any) {
	return k, Homogeneous{quantile.Sech, quantile.SechDensity}
}
func (k AdditiveChiSquared) outside(x []float64) (int, string) { return negative(x) }
func (k AdditiveChiSquared) String() string                    { return literal(k) }

// Hellinger is the kernel
//
//	k(x, z) = Σ_i √(x_i·z_i)
//
// on x_i ≥ 0, the inner product of the elementwise square roots, also called the Bhattacharyya coefficient.
type Hellinger struct{}

func (Hellinger) Eval(x, y []float64) float64 {
	y = gram.SameLength(x, y)
	s := 0.0
	for i, v := range x {
		s += math.Sqrt(v) * math.Sqrt(y[i])
	}
	return s
}

func (k Hellinger) representation(int) gram.Representation {
	return gram.Representation{Of: k, Gain: 1, Embedding: gram.Roots{}, Family: Linear{}}
}

func (Hellinger) engine() gram.Engine                 { return gram.Mapped(gram.Roots{}, Linear{}.engine()) }
func (k Hellinger) outside(x []float64) (int, string) { return negative(x) }
func (k Hellinger) String() string                    { return literal(k) }

// Intersection is the histogram intersection kernel
//
//	k(x, z) = Σ_i min(x_i, z_i)
//
// on x_i ≥ 0.
type Intersection struct{}

func (Intersection) Eval(x, y []float64) float64 {
	y = gram.SameLength(x, y)
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(y) >= 4 {
		s0 += min(x[0], y[0])
		s1 += min(x[1], y[1])
		s2 += min(x[2], y[2])
		s3 += min(x[3], y[3])
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += min(v, y[i])
	}
	return (s0 + s1) + (s2 + s3)
}

func (k Intersection) family() (Kernel, any) {
	return k, Homogeneous{scaled(quantile.Cauchy, 0.5).Quantile, halfCauchyDensity}
}

func halfCauchyDensity(w []float64) {
	for i, v := range w {
		w[i] = 2 / math.Pi / (1 + float64(4*v*v))
	}
}

func (k Intersection) outside(x []float64) (int, string) { return negative(x) }
func (k Intersection) String() string                    { return literal(k) }

// JensenShannon is the kernel
//
//	k(x, z) = ½·Σ_i x_i·log2((x_i + z_i)/x_i) + z_i·log2((x_i + z_i)/z_i)
//
// on x_i ≥ 0, with 0·log2(·/0) = 0. For histograms of sum 1 it is 1 minus the Jensen–Shannon divergence in bits.
type JensenShannon struct{}

func (JensenShannon) Eval(x, y []float64) float64 {
	y = gram.SameLength(x, y)
	s := 0.0
	for i, v := range x {
		if lo, hi := min(v, y[i]), max(v, y[i]); lo > 0 {
			s += (lo+hi)*log1pRatio(lo, hi) + lo*math.Log(hi/lo)
		}
	}
	return s / (2 * math.Ln2)
}

// mapRow keeps x and, for x_i > 0, log x_i. Half of the logarithms of a block are then computed once per row.
func (JensenShannon) mapRow(dst, x []float64) {
	copy(dst, x)
	for i, v := range x {
		dst[len(x)+i] = 0
		if v > 0 {
			dst[len(x)+i] = math.Log(v)
		}
	}
}

func (JensenShannon) mappedRow(dst, x []float64, z compute.Matrix) {
	d := len(x) / 2
	for j := range dst {
		zj := compute.Row(z, j)
		s := 0.0
		for i, v := range x[:d] {
			if lo, hi := min(v, zj[i]), max(v, zj[i]); lo > 0 {
				s += (lo+hi)*log1pRatio(lo, hi) + lo*math.Abs(x[d+i]-zj[d+i])
			}
		}
		dst[j] = s / (2 * math.Ln2)
	}
}

func (k JensenShannon) engine() gram.Engine {
	return gram.Mapped(gram.RowEmbedding{Map: k.mapRow, Columns: twice}, gram.Loop(k.mappedRow))
}

func (k JensenShannon) family() (Kernel, any) {
	return k, Homogeneous{quantile.JensenShannon, quantile.JensenShannonDensity}
}

func (k JensenShannon) outside(x []float64) (int, string) { return negative(x) }
func (k JensenShannon) String() string                    { return literal(k) }

// log1pRatio returns log(1 + lo/hi) for 0 < lo ≤ hi with a small relative error. It is the series of 2·atanh(s),
// s = lo/(lo + 2hi) ≤ 1/3, with coefficients fitted to 1e-17 by Chebyshev interpolation in s². The even and odd parts
// are independent, which hides latency.
func log1pRatio(lo, hi float64) float64 {
	s := lo / (lo + 2*hi)
	z := s * s
	w := z * z
	even := 0.6666666666666666 + w*(0.2857142856710876+w*(0.18181789436132859+w*(0.13314144209654935+w*0.08800738486144674)))
	odd := 0.40000000000014585 + w*(0.22222222717427864+w*(0.15385570064958623+w*(0.12001072809590713+w*0.1616404561194353)))
	return s * (2 + z*(even+z*odd))
}
