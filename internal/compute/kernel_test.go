package compute

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

var families = []Func{
	{Family: SquaredDistance},
	{Family: Gaussian, A: 0.3},
	{Family: Matern12, A: 0.7},
	{Family: Matern32, A: 0.7},
	{Family: Matern52, A: 0.7},
	{Family: RationalQuadratic, A: 0.2, P: 1.5},
	{Family: InnerProduct},
	{Family: Polynomial, A: 0.5, B: 1, P: 1},
	{Family: Polynomial, A: 0.1, B: 0.5, P: 5},
}

// reference evaluates f with package math, given exact r² and s.
func (f Func) reference(r2, s float64) float64 {
	t := f.A * math.Sqrt(r2)
	switch f.Family {
	case SquaredDistance:
		return r2
	case Gaussian:
		return math.Exp(-f.A * r2)
	case Matern12:
		return math.Exp(-t)
	case Matern32:
		return (1 + t) * math.Exp(-t)
	case Matern52:
		return (1 + t + t*t/3) * math.Exp(-t)
	case RationalQuadratic:
		return math.Exp(-f.P * math.Log1p(f.A*r2))
	case InnerProduct:
		return s
	default:
		return math.Pow(f.A*s+f.B, f.P)
	}
}

// pairSums returns ‖x−z‖² and <x,z>, summed in double precision.
func pairSums[T float](x, z []T) (r2, s float64) {
	for k := range x {
		t := float64(x[k]) - float64(z[k])
		r2 += t * t
		s += float64(x[k]) * float64(z[k])
	}
	return r2, s
}

func testKernelValues[T float](t *testing.T, e *engine[T], tol float64) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, d := range []int{0, 1, 3, 4, 5, 17, 300} {
		x, z := random[T](rnd, 31, d, 1), random[T](rnd, 205, d, 2)
		copy(z.row(7, 0, d), x.row(3, 0, d))
		for _, f := range families {
			f.A /= math.Sqrt(float64(d + 1))
			k := random[T](rnd, 31, 205, 3)
			e.kernel(k, x, z, f, false, 1)
			for i := range x.rows {
				for j := range z.rows {
					r2, s := pairSums(x.row(i, 0, d), z.row(j, 0, d))
					want := f.reference(r2, s)
					got := float64(k.data[i*k.stride+j])
					scale := math.Max(1, math.Abs(want))
					if f.Family == InnerProduct || f.Family == Polynomial {
						scale += float64(d)
					}
					if math.Abs(got-want) > tol*scale {
						t.Fatalf("%s d=%d %+v: k[%d,%d] = %v, want %v", e.name, d, f, i, j, got, want)
					}
				}
			}
		}
	}
}

func TestKernelValues(t *testing.T)   { testKernelValues(t, use64, 1e-13) }
func TestKernelValues32(t *testing.T) { testKernelValues(t, use32, 2e-5) }

func testKernelPaths[T float](t *testing.T, engines []*engine[T]) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for _, s := range [][3]int{{1, 1, 3}, {13, 17, 5}, {30, 193, 2}, {97, 200, 9}, {3, 194, 20}, {100, 20, 260}} {
		x, z, w := random[T](rnd, s[0], s[2], 1), random[T](rnd, s[1], s[2], 3), random[T](rnd, s[1], 3, 1)
		for _, f := range families {
			block, sym, product := random[T](rnd, s[0], s[1], 2), random[T](rnd, s[1], s[1], 1), random[T](rnd, s[0], 3, 2)
			for i, e := range append(engines[len(engines)-1:], engines...) {
				for _, workers := range []int{1, 2, 8} {
					if i > 0 && e.name == "go" && workers != 2 {
						continue
					}
					b, y, p := block.clone(), sym.clone(), product.clone()
					e.kernel(b, x, z, f, false, workers)
					e.kernel(y, z, z, f, true, workers)
					e.kernelMul(p, x, z, w, f, workers)
					if i == 0 {
						block, sym, product = b, y, p
						break
					}
					name := fmt.Sprint(e.name, s, f, workers)
					same(t, "Kernel "+name, b.data, block.data)
					same(t, "KernelSym "+name, y.data, sym.data)
					same(t, "KernelMul "+name, p.data, product.data)
				}
			}
		}
	}
}

func TestKernelPaths(t *testing.T)   { testKernelPaths(t, engines64) }
func TestKernelPaths32(t *testing.T) { testKernelPaths(t, engines32) }
