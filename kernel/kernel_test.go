package kernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/testutil"
	. "github.com/rkhs-go/rkhs/kernel"
)

func normals(r *rand.Rand, x []float64) {
	for i := range x {
		x[i] = r.NormFloat64()
	}
}

// histogram draws a histogram with zeros.
func histogram(r *rand.Rand, x []float64) {
	s := 0.0
	for i := range x {
		x[i] = max(0, r.NormFloat64()+0.5)
		s += x[i]
	}
	for i := range x {
		x[i] /= max(s, 1)
	}
}

func skewed(r *rand.Rand, x []float64) {
	for i := range x {
		x[i] = r.ExpFloat64() - 0.25
	}
}

type example struct {
	of    func(d int) Kernel
	point testutil.Point
}

func fixed(k Kernel) func(int) Kernel { return func(int) Kernel { return k } }

// wide returns a kernel with a length scale for normal points of d coordinates.
func wide(of func(s float64) Kernel) func(int) Kernel {
	return func(d int) Kernel { return of(1.3 * math.Sqrt(float64(d))) }
}

func scales(d int) []float64 {
	s := make([]float64, d)
	for i := range s {
		s[i] = 0.5 + float64(i%5)
	}
	return s
}

func landmarks(d, m int, point testutil.Point) (*mat.Dense, []float64) {
	r := rand.New(rand.NewPCG(5, uint64(d)))
	p, w := mat.NewDense(m, d, nil), make([]float64, m)
	for i := range m {
		point(r, p.RawRowView(i))
		w[i] = r.ExpFloat64()
	}
	return p, w
}

func lowRank(base Kernel, d int) LowRank {
	p, w := landmarks(d, 3, normals)
	return LowRank{Base: base, Points: p, Weights: w}
}

// evalOnly and ownRadial are user-defined kernels.
type evalOnly struct{ Sigma float64 }

func (k evalOnly) Eval(x, y []float64) float64 {
	s := 0.0
	for i, v := range x {
		s += (v - y[i]) * (v - y[i])
	}
	return 1 / (1 + s/k.Sigma)
}

func (k evalOnly) MarshalBinary() ([]byte, error) { return fmt.Append(nil, k.Sigma), nil }

type ownRadial struct{ evalOnly }

func (k ownRadial) OfSquaredDistance(d []float64) {
	for i, v := range d {
		d[i] = 1 / (1 + v/k.Sigma)
	}
}

func init() {
	Register("test/evalOnly", func(b []byte) (k evalOnly, err error) {
		_, err = fmt.Sscan(string(b), &k.Sigma)
		return k, err
	})
	Register("test/ownRadial", func(b []byte) (k ownRadial, err error) {
		_, err = fmt.Sscan(string(b), &k.Sigma)
		return k, err
	})
}

// projected has a matrix of r rows. The last row repeats the first one.
func projected(of func(d int) Kernel, rows func(d int) int) func(d int) Kernel {
	return func(d int) Kernel {
		r := rows(d)
		l, _ := landmarks(d, r, normals)
		if r > 1 {
			l.SetRow(r-1, l.RawRowView(0))
		}
		return Projected{L: l, Of: of(r)}
	}
}

var examples = map[string]example{
	"Projected":            {projected(wide(func(s float64) Kernel { return Gaussian{s} }), func(d int) int { return d }), normals},
	"ProjectedRank1":       {projected(fixed(Matern{1.5, 2}), func(int) int { return 1 }), normals},
	"ProjectedWider":       {projected(fixed(Polynomial{Degree: 2, Offset: 1}), func(d int) int { return d + 2 }), normals},
	"ProjectedSum":         {projected(fixed(Sum{Gaussian{3}, Laplacian{4}}), func(d int) int { return max(1, d/2) }), normals},
	"Gaussian":             {wide(func(s float64) Kernel { return Gaussian{s} }), normals},
	"Laplacian":            {func(d int) Kernel { return Laplacian{float64(d)} }, normals},
	"Cauchy":               {wide(func(s float64) Kernel { return Cauchy{s} }), normals},
	"Matern12":             {wide(func(s float64) Kernel { return Matern{0.5, s} }), normals},
	"Matern32":             {wide(func(s float64) Kernel { return Matern{1.5, s} }), normals},
	"Matern52":             {wide(func(s float64) Kernel { return Matern{2.5, s} }), normals},
	"Matern72":             {wide(func(s float64) Kernel { return Matern{3.5, s} }), normals},
	"Matern0.3":            {wide(func(s float64) Kernel { return Matern{0.3, s} }), normals},
	"Matern1":              {wide(func(s float64) Kernel { return Matern{1, s} }), normals},
	"Matern2.2":            {wide(func(s float64) Kernel { return Matern{2.2, s} }), normals},
	"Matern80":             {wide(func(s float64) Kernel { return Matern{80, s} }), normals},
	"RationalQuadratic":    {wide(func(s float64) Kernel { return RationalQuadratic{0.7, s} }), normals},
	"RationalQuadratic1e6": {wide(func(s float64) Kernel { return RationalQuadratic{1e6, s} }), normals},
	"Linear":               {fixed(Linear{}), normals},
	"Polynomial":           {fixed(Polynomial{Degree: 3, Scale: 0.5, Offset: 1}), normals},
	"PolynomialHomogenous": {fixed(Polynomial{Degree: 2}), normals},
	"DotProduct":           {fixed(DotProduct{[]float64{1, 0, 0.5, 0.25}}), normals},
	"ArcCosine0":           {fixed(ArcCosine{0}), normals},
	"ArcCosine1":           {fixed(ArcCosine{1}), normals},
	"ArcCosine2":           {fixed(ArcCosine{2}), normals},
	"Dirichlet":            {fixed(Dirichlet{1.7}), normals},
	"AdditiveChiSquared":   {fixed(AdditiveChiSquared{}), histogram},
	"Hellinger":            {fixed(Hellinger{}), histogram},
	"Intersection":         {fixed(Intersection{}), histogram},
	"JensenShannon":        {fixed(JensenShannon{}), histogram},
	"SkewedChiSquared":     {fixed(SkewedChiSquared{0.5}), skewed},
	"SkewedIntersection":   {fixed(SkewedIntersection{0.5}), skewed},
	"ExponentialSemigroup": {fixed(ExponentialSemigroup{0.3}), histogram},
	"ReciprocalSemigroup":  {fixed(ReciprocalSemigroup{0.8}), histogram},
	"ARD":                  {wide(func(s float64) Kernel { return ARD{scales(int(s*s/1.69 + 0.5)), Gaussian{s}} }), normals},
	"ARDLaplacian":         {func(d int) Kernel { return ARD{scales(d), Laplacian{float64(d)}} }, normals},
	"ARDHistogram":         {func(d int) Kernel { return ARD{scales(d), Intersection{}} }, histogram},
	"SumOfGaussians": {wide(func(s float64) Kernel {
		return Sum{Scale{0.5, Gaussian{s}}, Gaussian{2 * s}, Product{Gaussian{s}, RationalQuadratic{1, s}}}
	}), normals},
	"SumOfAll": {wide(func(s float64) Kernel {
		return Sum{Linear{}, Gaussian{s}, Scale{2, Polynomial{Degree: 2, Offset: 1}}, Gaussian{3 * s}, Cauchy{s}}
	}), normals},
	"Product": {wide(func(s float64) Kernel {
		return Product{Gaussian{s}, Polynomial{Degree: 1, Offset: 1}, Linear{}, Sum{Laplacian{s * s}, ArcCosine{1}}}
	}), normals},
	"ProductOfHistograms": {fixed(Product{Intersection{}, Sum{Hellinger{}, Scale{0.1, JensenShannon{}}}}), histogram},
	"Scale":               {fixed(Scale{3, Dirichlet{0.4}}), normals},
	"ScaleZero":           {fixed(Scale{0, Linear{}}), normals},
	"LowRank":             {wide(func(s float64) Kernel { return lowRank(Gaussian{s}, int(s*s/1.69+0.5)) }), normals},
	"LowRankOfLowRank": {wide(func(s float64) Kernel {
		d := int(s*s/1.69 + 0.5)
		return lowRank(Sum{lowRank(Gaussian{s}, d), Linear{}}, d)
	}), normals},
	"SumOfLowRank": {wide(func(s float64) Kernel {
		d := int(s*s/1.69 + 0.5)
		return Sum{Scale{0.5, lowRank(Gaussian{s}, d)}, Gaussian{s}, ARD{scales(d), lowRank(Laplacian{s}, d)}}
	}), normals},
	"EvalOnly":  {fixed(evalOnly{2}), normals},
	"OwnRadial": {fixed(ownRadial{evalOnly{2}}), normals},
	"SumOfOwn":  {fixed(Sum{evalOnly{2}, evalOnly{3}, ownRadial{evalOnly{4}}, Gaussian{2}}), normals},
}

func TestKernels(t *testing.T) {
	dims := []int{1, 2, 7, 60}
	switch {
	case raceEnabled:
		dims = []int{2} // the detector is ten times slower, and d does not affect races
	case !testutil.LongTests():
		dims = []int{2, 60}
	}
	for name, e := range examples {
		for _, d := range dims {
			t.Run(fmt.Sprintf("%s/%d", name, d), func(t *testing.T) {
				testutil.CheckKernel(t, e.of(d), d, e.point)
			})
		}
	}
}
