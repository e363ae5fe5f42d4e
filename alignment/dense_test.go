package alignment

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestFourierAgainstMatrices uses one column, where kernels are never formed.
func TestFourierAgainstMatrices(t *testing.T) {
	for _, n := range []int{2, 70} {
		x, y := problem(n, 1, 3)
		y.Data[1] = -y.Data[0]
		d, sp := spaceFor(t, Options{Family: kernel.Dirichlet{}}, x, y)
		members := []kernel.Kernel{kernel.Dirichlet{Sigma: 0.3}, kernel.Dirichlet{Sigma: 2.9}, kernel.Dirichlet{Sigma: 11}}
		checkSpace(t, sp, d, members, func(sp space, p direction, k kernel.Kernel) float64 {
			return sp.(*fourier).value(p, k.(kernel.Dirichlet).Sigma)
		}, 1e-12)
	}
}

// TestDenseAgainstMatrices uses products of Dirichlet kernels and kernels with several parameters.
func TestDenseAgainstMatrices(t *testing.T) {
	for _, c := range []struct {
		family  kernel.Kernel
		members []kernel.Kernel
	}{
		{kernel.Dirichlet{}, []kernel.Kernel{kernel.Dirichlet{Sigma: 0.3}, kernel.Dirichlet{Sigma: 2.9}}},
		{kernel.ARD{Of: kernel.Gaussian{}}, []kernel.Kernel{
			kernel.ARD{Scales: []float64{1, 2, 3}, Of: kernel.Gaussian{Sigma: 1}}, kernel.ARD{Scales: []float64{1, 0.2, 30}, Of: kernel.Gaussian{Sigma: 1}}}},
		{kernel.RationalQuadratic{Alpha: 1, Length: 1}, []kernel.Kernel{kernel.RationalQuadratic{Alpha: 2, Length: 0.5}, kernel.RationalQuadratic{Alpha: 0.3, Length: 4}}},
	} {
		x, y := problem(60, 3, 3)
		d, sp := spaceFor(t, Options{Family: c.family}, x, y)
		checkSpace(t, sp, d, c.members, func(sp space, p direction, k kernel.Kernel) float64 {
			f := sp.(*dense)
			g := compute.NewMatrix(60, 60)
			f.gram(g, k)
			return f.dot(g, f.matrix(p))
		}, 1e-12)
	}
}

// symmetric draws a symmetric matrix.
func symmetric(n int, seed uint64) compute.Matrix {
	x, _ := problem(n, n, seed)
	m := mat.NewDense(n, n, x.Data)
	var s mat.Dense
	s.Add(m, m.T())
	return s.RawMatrix()
}

// checkSlope compares a gradient with central differences.
func checkSlope(t *testing.T, name string, u []float64, f func(grad, u []float64) float64) {
	t.Helper()
	grad, unused := make([]float64, len(u)), make([]float64, len(u))
	f(grad, u)
	for i := range u {
		const h = 1e-4
		at := append([]float64(nil), u...)
		at[i] += h
		above := f(unused, at)
		at[i] -= 2 * h
		want := (above - f(unused, at)) / (2 * h)
		if !(math.Abs(grad[i]-want) <= 1e-6*(1+math.Abs(want))) {
			t.Errorf("%s: derivative %d is %v, differences give %v", name, i, grad[i], want)
		}
	}
}

func TestSlopes(t *testing.T) {
	const n = tileRows + 9
	x, y := problem(n, 4, 5)
	p := symmetric(n, 6)
	d := newData(x, y, 0, never)
	for _, of := range []kernel.Kernel{kernel.Gaussian{Sigma: 1}, kernel.Gaussian{Sigma: 1.7}, kernel.Matern{Nu: 1.5, Length: 1}, kernel.Laplacian{Sigma: 1}} {
		f := bandwidths{data: d, of: of, description: gram.Describe(of), rows: d.x, unit: []float64{1, 1, 1, 1}}
		checkSlope(t, fmt.Sprint(f.at([]float64{0.1, 0.5, -0.4, 2})), []float64{0.1, 0.5, -0.4, 2}, func(grad, u []float64) float64 { return f.slope(grad, u, p) })
	}
	start := kernel.RationalQuadratic{Alpha: 1, Length: 1}
	f := parametric{data: d, start: start, description: gram.Describe(start)}
	k := compute.NewMatrix(n, n)
	checkSlope(t, "RationalQuadratic", []float64{0.3, -0.2}, func(grad, u []float64) float64 { return f.slope(grad, u, p, k) })
	checkSlope(t, "spread", []float64{0.3, -0.2, 1, -1.5}, func(grad, u []float64) float64 {
		clear(grad)
		return -0.3 * spread(grad, u, 0.3)
	})
}

// TestSpreadOfScales checks the values at both ends, in any unit.
func TestSpreadOfScales(t *testing.T) {
	g := make([]float64, 5)
	for _, unit := range []float64{-300, 0, 300} {
		if v := spread(g, []float64{unit, unit, unit, unit, unit}, 0); v != 0 {
			t.Errorf("equal scales have the spread %v", v)
		}
		if v := spread(g, []float64{unit, unit + 50, unit + 50, unit + 50, unit + 50}, 0); !near(v, 4, 1e-12) {
			t.Errorf("one column alone has the spread %v, want 4", v)
		}
	}
}

// TestGather compares <P, K> computed on the nodes with the sum over pairs.
func TestGather(t *testing.T) {
	const n = 2*tileRows + 5
	x, y := problem(n, 3, 5)
	_, sp := spaceFor(t, Options{Family: kernel.ARD{Of: kernel.Gaussian{}}}, x, y)
	f := sp.(*dense).maximiser.(bandwidths)
	p := symmetric(n, 6)
	value := f.commonValue(p)
	sum := 0.0
	for _, v := range p.Data {
		sum += v
	}
	for _, u := range []float64{-1, 0, 1.5} {
		k := compute.NewMatrix(n, n)
		gram.Evaluator{Kernel: f.at(f.common(u))}.Gram(k, f.x)
		if got, want := value(u)+sum, f.dot(p, k); !near(got, want, 1e-5) {
			t.Errorf("scale exp(%v): <P, K> = %v, want %v", u, got, want)
		}
	}
}

// TestClimb finds the maximum of a quadratic, and respects the bounds if there is no maximum.
func TestClimb(t *testing.T) {
	u, m := climb(func(grad, u []float64) float64 {
		grad[0], grad[1] = -2*(u[0]-1), -20*(u[1]+2)
		return 3 - (u[0]-1)*(u[0]-1) - 10*(u[1]+2)*(u[1]+2)
	}, []float64{0, 0}, never)
	if math.Abs(u[0]-1) > 1e-4 || math.Abs(u[1]+2) > 1e-4 || math.Abs(m.value-3) > 1e-8 {
		t.Errorf("the top is found at %v with %v", u, m.value)
	}
	u, _ = climb(func(grad, u []float64) float64 { grad[0] = 1; return u[0] }, []float64{5}, never)
	if !(u[0] > 5+0.9*reach && u[0] <= 5+reach) {
		t.Errorf("a slope without end leads from 5 to %v", u[0])
	}
}
