package alignment

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/kernel"
)

// centredGram is C·K·C computed by explicit products with C.
func centredGram(k kernel.Kernel, x compute.Matrix) *mat.Dense {
	return centred(gramOf(k, x))
}

func centred(g *mat.Dense) *mat.Dense {
	n, _ := g.Dims()
	c := centring(n)
	var out mat.Dense
	out.Product(c, g, c)
	return &out
}

func centring(n int) *mat.Dense {
	c := mat.NewDense(n, n, nil)
	c.Apply(func(i, j int, _ float64) float64 {
		if i == j {
			return 1 - 1/float64(n)
		}
		return -1 / float64(n)
	}, c)
	return c
}

func targetGram(y compute.Matrix) *mat.Dense {
	var t mat.Dense
	m := mat.NewDense(y.Rows, y.Cols, y.Data)
	t.Mul(m, m.T())
	return centred(&t)
}

func frobenius(a, b *mat.Dense) float64 {
	return inner(a.RawMatrix().Data, b.RawMatrix().Data)
}

// alignmentOf is the definition of the alignment.
func alignmentOf(k kernel.Kernel, x, y compute.Matrix) float64 {
	g, t := centredGram(k, x), targetGram(y)
	return frobenius(g, t) / (mat.Norm(g, 2) * mat.Norm(t, 2))
}

// gradientAt is eq. (3) times ‖K‖, at the centred matrix k.
func gradientAt(k, t *mat.Dense) *mat.Dense {
	var p, q mat.Dense
	p.Scale(1/mat.Norm(t, 2), t)
	q.Scale(frobenius(k, t)/(frobenius(k, k)*mat.Norm(t, 2)), k)
	p.Sub(&p, &q)
	return &p
}

// problem draws rows with signs that depend on the first columns.
func problem(n, d int, seed uint64) (x, y compute.Matrix) {
	r := rand.New(rand.NewPCG(seed, 7))
	x, y = compute.NewMatrix(n, d), compute.NewMatrix(n, 1)
	for i := range n {
		for j := range d {
			x.Data[i*d+j] = r.NormFloat64()
		}
		y.Data[i] = 1
		if math.Sin(3*x.Data[i*d])+0.3*x.Data[i*d+d-1]+0.2*r.NormFloat64() < 0 {
			y.Data[i] = -1
		}
	}
	return x, y
}

// runOf is a search without data.
func runOf(t testing.TB, o Options) *run { return runWith(t, context.Background(), searching, o) }

func runWith(t testing.TB, ctx context.Context, m mode, o Options) *run {
	t.Helper()
	s, err := o.settings(m)
	if err != nil {
		t.Fatal(err)
	}
	r := &run{options: s, monitor: progress.New(ctx, nil, pkg)}
	t.Cleanup(r.monitor.Close)
	return r
}

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol*math.Max(math.Abs(a), math.Abs(b)) }

// TestGradient compares eq. (3), on which the spaces are based, with finite differences of the
// alignment.
func TestGradient(t *testing.T) {
	x, y := problem(25, 3, 1)
	k, target := centredGram(kernel.Gaussian{Sigma: 1.3}, x), targetGram(y)
	p := gradientAt(k, target)
	for _, sigma := range []float64{0.2, 1, 5} {
		further := centredGram(kernel.Gaussian{Sigma: sigma}, x)
		f := func(eta float64) float64 {
			var sum mat.Dense
			sum.Scale(eta, further)
			sum.Add(&sum, k)
			return frobenius(&sum, target) / (mat.Norm(&sum, 2) * mat.Norm(target, 2))
		}
		const h = 1e-5
		want := (f(h) - f(-h)) / (2 * h) * mat.Norm(k, 2)
		if got := frobenius(p, further); !near(got, want, 1e-7) {
			t.Errorf("<P, K'> = %v, differences give %v", got, want)
		}
		// C·P·C = P, so the added kernel need not be centred.
		if plain := frobenius(p, gramOf(kernel.Gaussian{Sigma: sigma}, x)); !near(plain, frobenius(p, further), 1e-10) {
			t.Errorf("<P, K'> = %v without centring, %v with it", plain, frobenius(p, further))
		}
	}
}

func gramOf(k kernel.Kernel, x compute.Matrix) *mat.Dense {
	g := mat.NewDense(x.Rows, x.Rows, nil)
	gram.Evaluator{Kernel: k}.Gram(g.RawMatrix(), x)
	return g
}

// checkSpace compares all results of a space for its members and for a direction with explicit
// centred matrices.
func checkSpace(t *testing.T, sp space, d *data, members []kernel.Kernel, value func(space, direction, kernel.Kernel) float64, tol float64) {
	t.Helper()
	target, c := targetGram(d.y), centring(d.x.Rows)
	if h := mat.Norm(target, 2); !near(h, d.norm, 1e-10) {
		t.Errorf("‖T‖ = %v, want %v", d.norm, h)
	}
	var grams []*mat.Dense
	p := direction{identity: 0.4}
	sum := mat.NewDense(d.x.Rows, d.x.Rows, nil)
	sum.Scale(0.4, c)
	for i, k := range members {
		grams = append(grams, centredGram(k, d.x))
		got := sp.admit(k)
		size := mat.Norm(grams[i], 2)
		off := func(name string, got, want, scale float64) {
			t.Helper()
			if !(math.Abs(got-want) <= tol*scale) {
				t.Errorf("%v: %s %v, want %v", k, name, got, want)
			}
		}
		off("with the target", got.target, frobenius(grams[i], target), size*d.norm)
		off("trace", got.trace, frobenius(grams[i], c), size*math.Sqrt(float64(d.x.Rows)))
		for j, g := range grams {
			off("with another", got.members[j], frobenius(grams[i], g), size*mat.Norm(g, 2))
		}
		p.weights = append(p.weights, 0.1/float64(i+1))
		var part mat.Dense
		part.Scale(0.1/float64(i+1), grams[i])
		sum.Add(sum, &part)
	}
	var full mat.Dense
	full.Scale(1/d.norm, target)
	full.Sub(&full, sum)
	for i, k := range members {
		want := frobenius(&full, grams[i])
		if got := value(sp, p, k); !(math.Abs(got-want) <= tol*mat.Norm(&full, 2)*mat.Norm(grams[i], 2)) {
			t.Errorf("%v: <P, K> = %v, want %v", k, got, want)
		}
	}
}
