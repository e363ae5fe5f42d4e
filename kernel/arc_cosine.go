package kernel

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/gram"
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
	y = gram.SameLength(x, y)
	nx, ny := gram.Norm(x), gram.Norm(y)
	if nx == 0 || ny == 0 {
		return 0
	}
	t := gram.Angle(x, y, nx, ny)
	s, c := math.Sincos(t)
	return k.ofAngle(t, s, c) * gram.Power(nx*ny, k.Order)
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

func (k ArcCosine) validate(int) error {
	if k.Order < 0 || k.Order > 2 {
		return fmt.Errorf("kernel: ArcCosine.Order is %d, want 0, 1 or 2: %w", k.Order, rkhs.ErrOption)
	}
	return nil
}

func (k ArcCosine) representation(int) gram.Representation {
	return gram.Representation{Of: k, Gain: 1, Family: k}
}

func (k ArcCosine) String() string                 { return literal(k) }
func (k ArcCosine) engine(self Kernel) gram.Engine { return gram.Angular(self, k.Order, k.ofAngle) }
