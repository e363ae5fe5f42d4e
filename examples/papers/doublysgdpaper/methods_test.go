package doublysgdpaper

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/papers/internal/ridge"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/synthetic"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// moons is a noisy two-class problem in the plane.
func moons(n int) (x, y *mat.Dense) {
	s := rng.New(1, "moons", 0)
	x, y = mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		a, b := 2*s.NormFloat64(), s.NormFloat64()
		x.SetRow(i, []float64{a, b})
		y.Set(i, 0, math.Copysign(1, math.Sin(a)-b+0.3*s.NormFloat64()))
	}
	return x, y
}

func objective(scores, y *mat.Dense, squaredNorm, nu float64) float64 {
	n, _ := y.Dims()
	total := nu / 2 * squaredNorm
	for i := range n {
		total += max(0, 1-y.At(i, 0)*scores.At(i, 0)) / float64(n)
	}
	return total
}

// The duality gap of the hinge closes. With alpha = nu·n·w the dual objective is (1/n)·Σ y·alpha −
// (nu/2)·‖f‖². The linear form on a factor of the Gram matrix reaches the same minimum.
func TestSDCAClosesTheGap(t *testing.T) {
	const n, nu = 150, 1e-2
	x, y := moons(n)
	k := kernel.Gaussian{Sigma: 1}
	w, err := kernelSDCA(k, x, y, hingeDual, nu, 200, 1)
	if err != nil {
		t.Fatal(err)
	}
	var gram mat.SymDense
	if err := kernel.Gram(&gram, k, x); err != nil {
		t.Fatal(err)
	}
	var f mat.Dense
	f.Mul(&gram, w)
	norm := mat.Dot(f.ColView(0), w.ColView(0))
	primal := objective(&f, y, norm, nu)
	dual := nu*mat.Dot(y.ColView(0), w.ColView(0)) - nu/2*norm
	if gap := primal - dual; gap < -1e-12 || gap > 1e-5 {
		t.Errorf("duality gap %v at the objective %v", gap, primal)
	}

	g := mat.DenseCopyOf(&gram)
	for i := range n {
		gram.SetSym(i, i, gram.At(i, i)+1e-10)
	}
	var chol mat.Cholesky
	if !chol.Factorize(&gram) {
		t.Fatal("no factor")
	}
	var lower mat.TriDense
	chol.LTo(&lower)
	z := mat.DenseCopyOf(&lower)
	v := sdca(z, y, hingeDual, nu, 200, 2)
	f.Mul(z, v)
	if got := objective(&f, y, mat.Dot(v.ColView(0), v.ColView(0)), nu); math.Abs(got-primal) > 1e-5 {
		t.Errorf("objective %v on features, %v with the kernel", got, primal)
	}

	if w, err = norma(k, x, y, loss.Hinge{}, nu, 15, 50, 1); err != nil {
		t.Fatal(err)
	}
	f.Mul(g, w)
	if got := objective(&f, y, mat.Dot(f.ColView(0), w.ColView(0)), nu); got < primal-1e-9 || got > 1.02*primal {
		t.Errorf("NORMA ends at the objective %v, the minimum is %v", got, primal)
	}

	p := pegasos(z, y, hingeSteps(), nu, 1, 1)
	f.Mul(z, p)
	if got := objective(&f, y, mat.Dot(p.ColView(0), p.ColView(0)), nu); got < primal-1e-9 || got > 1.5*primal {
		t.Errorf("Pegasos ends at the objective %v, the minimum is %v", got, primal)
	}
}

// With the squared loss both solve ridge regression, and its solution is known.
func TestSquaredLossIsRidge(t *testing.T) {
	const nu = 1e-2
	s, _ := synthetic.Sinc(80, 1)
	k := kernel.Gaussian{Sigma: 2}
	m, err := ridge.Fit(k, s.X, s.Y, nu*80)
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Predict(s.X)
	if err != nil {
		t.Fatal(err)
	}
	y := mat.NewDense(80, 1, s.Y)
	for name, fit := range map[string]func() (*mat.Dense, error){
		"k-SDCA": func() (*mat.Dense, error) { return kernelSDCA(k, s.X, y, squaredDual, nu, 300, 1) },
		"NORMA":  func() (*mat.Dense, error) { return norma(k, s.X, y, loss.Squared{}, nu, 80, 3000, 1) },
	} {
		w, err := fit()
		if err != nil {
			t.Fatal(err)
		}
		var f mat.Dense
		if err := kernel.Mul(&f, k, s.X, s.X, w); err != nil {
			t.Fatal(err)
		}
		if d := floats.Distance(f.RawMatrix().Data, want, math.Inf(1)); d > 1e-3 {
			t.Errorf("%s: %v from the solution", name, d)
		}
	}
}

// Pegasos also approaches the minimum of ridge regression. One pass is not sufficient, but many
// are.
func TestPegasosOfTheSquaredLoss(t *testing.T) {
	const n, nu = 200, 1e-2
	s, _ := synthetic.Sinc(n, 1)
	y := mat.NewDense(n, 1, s.Y)
	m, err := randomFeatures(kernel.Gaussian{Sigma: 2}, s.X, 64, 1)
	if err != nil {
		t.Fatal(err)
	}
	z, err := features.NewTransformer(m).Transform(s.X)
	if err != nil {
		t.Fatal(err)
	}
	value := func(w mat.Matrix) float64 {
		var f mat.Dense
		f.Mul(z, w)
		f.Sub(&f, y)
		return mat.Norm(&f, 2)*mat.Norm(&f, 2)/(2*n) + nu/2*mat.Norm(w, 2)*mat.Norm(w, 2)
	}
	var normal mat.Dense
	normal.Mul(z.T(), z)
	for i := range 64 {
		normal.Set(i, i, normal.At(i, i)+nu*n)
	}
	var right, best mat.Dense
	right.Mul(z.T(), y)
	if err := best.Solve(&normal, &right); err != nil {
		t.Fatal(err)
	}
	last := math.Inf(1)
	for _, passes := range []int{1, 10, 100} {
		above := value(pegasos(z, y, squaredSteps(z, y), nu, passes, 1))/value(&best) - 1
		t.Logf("%d passes: %.2g above the minimum", passes, above)
		if above < 0 || above > last/2 {
			t.Errorf("%d passes end %v above the minimum, fewer %v", passes, above, last)
		}
		last = above
	}
	if last > 0.01 {
		t.Errorf("100 passes end %v above the minimum", last)
	}
}

// The projections have the variances of the leading components. Both sets are centred by the mean
// of the training rows.
func TestReduce(t *testing.T) {
	const n, d = 400, 6
	s := rng.New(1, "rows", 0)
	x := mat.NewDense(n, d, nil)
	x.Apply(func(_, j int, _ float64) float64 { return 3 + float64(j+1)*s.NormFloat64() }, x)
	train := &dataset.Set{X: x, Y: make([]float64, n)}
	test := &dataset.Set{X: mat.DenseCopyOf(x), Y: make([]float64, n)}
	var svd mat.SVD
	centred := mat.DenseCopyOf(x)
	for j := range d {
		c := mat.Col(nil, j, x)
		floats.AddConst(-floats.Sum(c)/n, c)
		centred.SetCol(j, c)
	}
	svd.Factorize(centred, mat.SVDNone)
	if err := reduce(2, train, test); err != nil {
		t.Fatal(err)
	}
	for j, want := range []float64{svd.Values(nil)[1], svd.Values(nil)[0]} {
		if got := mat.Norm(train.X.ColView(j), 2); math.Abs(got-want) > 1e-9*want {
			t.Errorf("component %d has the norm %v, want the singular value %v", j, got, want)
		}
	}
	if !mat.EqualApprox(train.X, test.X, 1e-12) {
		t.Error("the same rows differ in the two sets")
	}
}

func TestPercent(t *testing.T) {
	two := task{classes: 2, test: &dataset.Set{Y: []float64{1, -1, 1, -1}}}
	if got := two.percent(mat.NewDense(4, 1, []float64{2, -1, -3, 0})); got != 25 {
		t.Errorf("two classes: %v %%, want 25", got)
	}
	three := task{classes: 3, test: &dataset.Set{Y: []float64{0, 2}}, train: &dataset.Set{Y: []float64{1, 2}}}
	if got := three.percent(mat.NewDense(2, 3, []float64{0, 1, 0, 0, 1, 2})); got != 50 {
		t.Errorf("three classes: %v %%, want 50", got)
	}
	if !mat.Equal(three.targets(), mat.NewDense(2, 3, []float64{-1, 1, -1, -1, -1, 1})) {
		t.Error("targets are not ±1 for the class against the rest")
	}
}
