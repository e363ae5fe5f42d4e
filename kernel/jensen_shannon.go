package kernel

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/quantile"
)

// JensenShannon is the kernel
//
//	k(x, z) = ½·Σ_i x_i·log2((x_i + z_i)/x_i) + z_i·log2((x_i + z_i)/z_i)
//
// on x_i ≥ 0, with 0·log2(·/0) = 0. For histograms of sum 1 it is 1 less the
// Jensen–Shannon divergence in bits. Source: as for AdditiveChiSquared.
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

// mapRow keeps x and, for x_i > 0, log x_i: half of the logarithms of a block
// are then taken once a row.
func (JensenShannon) mapRow(dst, x []float64) {
	copy(dst, x)
	for i, v := range x {
		dst[len(x)+i] = 0
		if v > 0 {
			dst[len(x)+i] = math.Log(v)
		}
	}
}

func (JensenShannon) mappedRow(dst, x []float64, z blas64.General) {
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

func (k JensenShannon) engine(Kernel) gram.Engine {
	return gram.Mapped(gram.Doubling(k.mapRow), gram.Loop(k.mappedRow))
}

func (k JensenShannon) representation(int) gram.Representation {
	return gram.Representation{Of: k, Gain: 1, Family: Homogeneous{quantile.JensenShannon, quantile.JensenShannonDensity}}
}

func (k JensenShannon) outside(x []float64) (int, string) { return negative(x) }
func (k JensenShannon) String() string                    { return literal(k) }

// log1pRatio returns log(1 + lo/hi) for 0 < lo ≤ hi, with the digits of lo: the
// series of 2·atanh(s), s = lo/(lo + 2hi) ≤ 1/3, its coefficients fitted to
// 1e-17 by Chebyshev interpolation in s². Its even and odd parts run side by side.
func log1pRatio(lo, hi float64) float64 {
	s := lo / (lo + 2*hi)
	z := s * s
	w := z * z
	even := 0.6666666666666666 + w*(0.2857142856710876+w*(0.18181789436132859+w*(0.13314144209654935+w*0.08800738486144674)))
	odd := 0.40000000000014585 + w*(0.22222222717427864+w*(0.15385570064958623+w*(0.12001072809590713+w*0.1616404561194353)))
	return s * (2 + z*(even+z*odd))
}
