package kernel

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// ArcCosine is the kernel of order n = 0, 1 or 2
//
//	k(x, z) = (‖x‖·‖z‖)^n · J_n(θ)/π,  θ the angle between x and z,
//	J_0 = π − θ
//	J_1 = sin θ + (π − θ)·cos θ
//	J_2 = 3·sin θ·cos θ + (π − θ)·(1 + 2·cos² θ)
//
// on R^d, which is that of an infinitely wide layer of units max(0, w·x)^n. Its
// diagonal is ‖x‖^2n times 1, 1, 3. A zero vector has the value zero with every
// other and with itself. Source: Cho and Saul, "Kernel methods for deep
// learning", NIPS 2009, eqs. (3) to (6).
type ArcCosine struct {
	Order int // 0, 1 or 2
}

func (k ArcCosine) Eval(x, y []float64) float64 {
	y = sameLength(x, y)
	nx, ny := norm(x), norm(y)
	if nx == 0 || ny == 0 {
		return 0
	}
	t := angle(x, y, nx, ny)
	s, c := math.Sincos(t)
	return k.ofAngle(t, s, c) * power(nx*ny, k.Order)
}

// angle returns the angle between x and y, of length nx and ny, with an error of
// the order of rounding; the arc cosine of their inner product would lose half
// of the digits near 0 and π.
func angle(x, y []float64, nx, ny float64) float64 {
	var minus, plus float64
	for i, v := range x {
		u, w := v/nx, y[i]/ny
		minus += (u - w) * (u - w)
		plus += (u + w) * (u + w)
	}
	return 2 * math.Atan2(math.Sqrt(minus), math.Sqrt(plus))
}

// ofAngle returns J_n(t)/π; s and c are the sine and cosine of t.
func (k ArcCosine) ofAngle(t, s, c float64) float64 {
	switch k.Order {
	case 0:
		return 1 - t/math.Pi
	case 1:
		return (s + (math.Pi-t)*c) / math.Pi
	default:
		return (3*s*c + (math.Pi-t)*(1+2*c*c)) / math.Pi
	}
}

func (k ArcCosine) Validate(int) error {
	if k.Order < 0 || k.Order > 2 {
		return fmt.Errorf("kernel: ArcCosine.Order is %d, want 0, 1 or 2: %w", k.Order, rkhs.ErrOption)
	}
	return nil
}

func (k ArcCosine) Representation(int) Representation {
	return Representation{Of: k, Gain: 1, Family: k}
}

func (k ArcCosine) String() string            { return literal(k) }
func (k ArcCosine) engine(self Kernel) engine { return tiled{arcCosineEngine{plain{self}, k}} }

// arcCosineEngine works on rows scaled to length 1.
type arcCosineEngine struct {
	plain
	order ArcCosine
}

func (e arcCosineEngine) prepare(x compute.Matrix, _ int) side {
	s := side{rows: compute.NewMatrix(x.Rows, x.Cols), norms: make([]float64, x.Rows)}
	for i := range x.Rows {
		s.norms[i] = norm(compute.Row(x, i))
		if s.norms[i] > 0 {
			u := compute.Row(s.rows, i)
			for j, v := range compute.Row(x, i) {
				u[j] = v / s.norms[i]
			}
		}
	}
	return s
}

func (e arcCosineEngine) block(dst compute.Matrix, x, z side) {
	compute.Kernel(dst, x.rows, z.rows, compute.Func{Family: compute.InnerProduct}, 1)
	for i := range dst.Rows {
		row := compute.Row(dst, i)
		for j, c := range row {
			row[j] = e.value(c, x, z, i, j)
		}
	}
}

// value takes the cosine c of the angle between two rows. Order 0 alone is as
// sensitive to the angle as the arc cosine is to c.
func (e arcCosineEngine) value(c float64, x, z side, i, j int) float64 {
	const steep = 0.999
	switch {
	case x.norms[i] == 0 || z.norms[j] == 0:
		return 0
	case e.order.Order == 0 && math.Abs(c) > steep:
		return 1 - angle(compute.Row(x.rows, i), compute.Row(z.rows, j), 1, 1)/math.Pi
	}
	c = max(-1, min(1, c))
	s := math.Sqrt((1 - c) * (1 + c))
	return e.order.ofAngle(math.Acos(c), s, c) * power(x.norms[i]*z.norms[j], e.order.Order)
}

func norm(x []float64) float64 { return blas64.Nrm2(blas64.Vector{N: len(x), Inc: 1, Data: x}) }
