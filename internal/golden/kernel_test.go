package golden

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// lowRank returns a kernel like a learned kernel of slkl.
func lowRank(d int) kernel.Kernel {
	return kernel.LowRank{Base: kernel.Gaussian{Sigma: 1}, Points: normal(5, d, 0, "low rank"), Weights: []float64{1, 2, .5, 0, 1}}
}

var plane = []kernel.Kernel{
	kernel.Gaussian{Sigma: 1.5},
	kernel.Matern{Nu: .5, Length: 2}, kernel.Matern{Nu: 1.5, Length: 2}, kernel.Matern{Nu: 2.5, Length: 2}, kernel.Matern{Nu: 1.7, Length: 2},
	kernel.RationalQuadratic{Alpha: 1.5, Length: 2},
	kernel.Laplacian{Sigma: 3}, kernel.Cauchy{Sigma: 2}, kernel.Dirichlet{Sigma: .5},
	kernel.Linear{}, kernel.Polynomial{Degree: 3, Scale: .5, Offset: 1}, kernel.DotProduct{Coefficients: []float64{1, .5, 0, .125}},
	kernel.ArcCosine{Order: 0}, kernel.ArcCosine{Order: 1}, kernel.ArcCosine{Order: 2},
	lowRank(6),
	kernel.Sum{kernel.Gaussian{Sigma: 1}, kernel.Scale{By: .5, Of: kernel.Gaussian{Sigma: 4}}, kernel.Linear{}},
	kernel.Product{kernel.Gaussian{Sigma: 2}, kernel.Laplacian{Sigma: 4}},
	kernel.ARD{Scales: []float64{1, 2, 3, 1, .5, 4}, Of: kernel.Matern{Nu: 1.5, Length: 1}},
}

var histogram = []kernel.Kernel{
	kernel.AdditiveChiSquared{}, kernel.JensenShannon{}, kernel.Intersection{}, kernel.Hellinger{},
	kernel.SkewedChiSquared{C: .25}, kernel.SkewedIntersection{C: .25},
	kernel.ExponentialSemigroup{Beta: .5}, kernel.ReciprocalSemigroup{Lambda: 2},
}

var kernelCases = []goldenCase{
	kernelOperations("kernel/plane", plane, normal(40, 6, 0, "rows")),
	kernelOperations("kernel/far", plane[:6], normal(40, 6, 1000, "rows")),
	kernelOperations("kernel/large", plane, normal(280, 6, 0, "rows")),
	kernelSingle("kernel/single", plane[:6], normal(300, 6, 0, "rows")),
	kernelOperations("kernel/histogram", histogram, histograms(40, 6)),
}

// kernelOperations returns kernel products as predictions and kernel matrices as figures.
func kernelOperations(name string, list []kernel.Kernel, x *mat.Dense) goldenCase {
	return goldenCase{name, func(*testing.T) (products, matrices []float64) {
		_, d := x.Dims()
		z := x.Slice(0, 13, 0, d)
		median := must(kernel.MedianDistance(x, 1))
		matrices = append(matrices, median)
		for _, k := range list {
			var gram mat.SymDense
			var cross, mul mat.Dense
			var diag mat.VecDense
			check(kernel.Gram(&gram, k, x))
			check(kernel.Cross(&cross, k, x, z))
			check(kernel.Diag(&diag, k, x))
			check(kernel.Mul(&mul, k, x, z, normal(13, 3, 0, "weights")))
			products = append(products, values(&mul)...)
			matrices = append(matrices, values(&gram, &cross, &diag)...)
		}
		return products, matrices
	}}
}

// kernelSingle is kernelOperations in single precision.
func kernelSingle(name string, list []kernel.Kernel, x *mat.Dense) goldenCase {
	return goldenCase{name, func(*testing.T) (products, matrices []float64) {
		n, _ := x.Dims()
		w := normal(n, 3, 0, "weights")
		for _, k := range list {
			e := gram.Evaluator{Kernel: k, SinglePrecision: true}
			cross, mul := mat.NewDense(n, n, nil), mat.NewDense(n, 3, nil)
			z := x.RawMatrix()
			e.Cross(cross.RawMatrix(), z, z)
			e.Mul(mul.RawMatrix(), z, z, w.RawMatrix())
			products, matrices = append(products, values(mul)...), append(matrices, values(cross)...)
		}
		return products, matrices
	}}
}

var featureCases = []goldenCase{
	featureMaps("features/plane", plane, normal(40, 6, 0, "rows"), features.Options{Columns: 64}),
	featureMaps("features/histogram", histogram, histograms(40, 6), features.Options{Columns: 64}),
	featureMaps("features/orthogonal", plane[:6], normal(40, 6, 0, "rows"), features.Options{Columns: 64, Sampler: features.Orthogonal}),
	featureMaps("features/fastfood", plane[:6], normal(40, 6, 0, "rows"), features.Options{Columns: 64, Sampler: features.Fastfood}),
	featureMaps("features/halton", plane[:9], normal(40, 6, 0, "rows"), features.Options{Columns: 64, Sampler: features.Halton}),
	featureMaps("features/independent", plane, normal(40, 6, 0, "rows"), features.Options{Columns: 64, Sampler: features.Independent}),
	featureMaps("features/leverage", plane[:9], normal(40, 6, 0, "rows"),
		features.Options{Columns: 64, Leverage: &features.Leverage{Points: normal(30, 6, 0, "points")}}),
	{"features/nystroem", func(*testing.T) (transformed, columns []float64) {
		x := normal(60, 6, 0, "rows")
		for _, k := range plane {
			transformed, columns = transform(transformed, columns,
				must(features.Nystroem(k, x, features.NystroemOptions{MaxPoints: 20, Seed: 3})), x)
		}
		return transformed, columns
	}},
	{"features/sampled", func(*testing.T) (transformed, columns []float64) {
		for _, k := range histogram[:3] {
			transformed, columns = transform(transformed, columns, must(features.Sampled(k, 6, 2, 0)), histograms(40, 6))
		}
		return transformed, columns
	}},
}

// featureMaps returns the features as predictions and the numbers of features as figures.
func featureMaps(name string, list []kernel.Kernel, x *mat.Dense, opts features.Options) goldenCase {
	return goldenCase{name, func(*testing.T) (transformed, columns []float64) {
		_, d := x.Dims()
		opts.Seed = 5
		for _, k := range list {
			transformed, columns = transform(transformed, columns, must(features.New(k, d, opts)), x)
		}
		return transformed, columns
	}}
}

func transform(transformed, columns []float64, m features.Map, x *mat.Dense) (_, _ []float64) {
	t := features.NewTransformer(m)
	return append(transformed, values(must(t.Transform(x)))...), append(columns, float64(t.Columns()))
}
