package calibrate

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// softmax has p_k ∝ exp(slope·s_k + shift_k).
type softmax struct {
	slope float64
	shift []float64
}

// mostShifts is the largest number of classes for which shifts are fitted.
const mostShifts = 200

// fitSoftmax fits the slope ≥ 0 and the shifts by penalised maximum likelihood of smoothed targets, with
// penalty ‖shift‖²/2. The target is (n + 1)/(n + 2) for the class of the row. Other classes have equal
// parts of the remainder (Laplace's rule of succession). This keeps the slope finite for separable
// scores. Each Newton step costs O(n·K²).
func fitSoftmax(s Sample) softmax {
	k := s.Scores.Cols
	f := &softmaxLoss{Sample: s, scale: deviation(s.Scores), width: 1}
	f.other = 1 / ((s.Weights.Total(s.Rows()) + 2) * float64(k-1))
	if k <= mostShifts {
		f.width += k
	}
	theta := make([]float64, f.width)
	theta[0] = 1
	descend(theta, 0, func(theta []float64) float64 { return f.at(f.model(theta)) },
		func() ([]float64, float64) { return f.newton(f.model(theta)) })
	m := f.model(theta)
	m.slope /= f.scale
	return m
}

// deviation returns the root mean square of all elements, or 1 if they are zero.
func deviation(m compute.Matrix) float64 {
	sum := 0.0
	for i := range m.Rows {
		for _, v := range compute.Row(m, i) {
			sum += float64(v * v)
		}
	}
	if v := math.Sqrt(sum / float64(max(1, m.Rows*m.Cols))); v > 0 {
		return v
	}
	return 1
}

// to sets dst to the probabilities of scores. dst may be scores.
func (m softmax) to(dst, scores []float64) {
	most, sum := m.logits(dst, scores), 0.0
	for k, v := range dst {
		dst[k] = compute.ExpOne(max(v-most, -700))
		sum += dst[k]
	}
	for k := range dst {
		dst[k] /= sum
	}
}

// logits sets dst to slope·s_k + shift_k and returns the largest. dst may be scores.
func (m softmax) logits(dst, scores []float64) (most float64) {
	most = math.Inf(-1)
	for k, s := range scores {
		dst[k] = float64(m.slope*s) + m.shift[k]
		most = max(most, dst[k])
	}
	return most
}

// softmaxLoss is the penalised negative log likelihood of a softmax of scores/scale.
type softmaxLoss struct {
	Sample
	scale float64
	width int     // number of free parameters
	other float64 // target of a class other than the class of the row
}

// own returns the target of the class of a row.
func (f *softmaxLoss) own() float64 { return 1 - float64(float64(f.Scores.Cols-1)*f.other) }

// expected returns Σ_k t_k·v_k for the targets t of a row of the class.
func (f *softmaxLoss) expected(v []float64, class int) float64 {
	others := 0.0
	for k, x := range v {
		if k != class {
			others += x
		}
	}
	return float64(f.own()*v[class]) + float64(f.other*others)
}

// model returns the softmax with slope theta[0] and shifts theta[1:], or zero shifts if they are fixed.
func (f *softmaxLoss) model(theta []float64) softmax {
	m := softmax{slope: theta[0], shift: make([]float64, f.Scores.Cols)}
	copy(m.shift, theta[1:])
	return m
}

func (f *softmaxLoss) unscaled(m softmax) softmax {
	return softmax{slope: m.slope / f.scale, shift: m.shift}
}

func (f *softmaxLoss) at(m softmax) float64 {
	sum, v, at := 0.0, make([]float64, f.Scores.Cols), f.unscaled(m)
	for i, class := range f.Class {
		most, all := at.logits(v, compute.Row(f.Scores, i)), 0.0
		for _, l := range v {
			all += compute.ExpOne(max(l-most, -700))
		}
		sum += float64(f.Weights.At(i) * (most + math.Log(all) - f.expected(v, class)))
	}
	for _, v := range m.shift {
		sum += v * v / 2
	}
	return sum
}

// newton returns the step and the predicted decrease.
func (f *softmaxLoss) newton(m softmax) (step []float64, gain float64) {
	g, h := f.derivatives(m)
	if m.slope == 0 && g[0] >= 0 {
		g[0] = 0
		for j := 1; j < f.width; j++ {
			h.Data[j] = 0
		}
	}
	step = make([]float64, f.width)
	for j, v := range g {
		step[j] = -v
	}
	if !compute.Cholesky(h, 1) {
		return step, 0
	}
	b := compute.ColumnOf(step)
	compute.SolveUpper(h, b, true, 1)
	compute.SolveUpper(h, b, false, 1)
	return step, -blas64.Dot(compute.Vector(step), compute.Vector(g))
}

// derivatives returns the gradient by slope and shifts, and the upper triangle of the Hessian.
func (f *softmaxLoss) derivatives(m softmax) (g []float64, h compute.Matrix) {
	const ridge = 1e-10
	g, h = make([]float64, f.width), compute.NewMatrix(f.width, f.width)
	k := f.Scores.Cols
	p, at := make([]float64, k), f.unscaled(m)
	for i, class := range f.Class {
		s, w := compute.Row(f.Scores, i), f.Weights.At(i)
		at.to(p, s)
		mean, square := 0.0, 0.0
		for c, v := range p {
			u := s[c] / f.scale
			mean += float64(v * u)
			square += float64(v * u * u)
		}
		g[0] += float64(w * (mean - f.expected(s, class)/f.scale))
		h.Data[0] += float64(w * (square - float64(mean*mean)))
		for c := 0; c < f.width-1; c++ {
			g[1+c] += float64(w * (p[c] - f.other))
			h.Data[1+c] += float64(w * p[c] * (s[c]/f.scale - mean))
			row := compute.Row(h, 1+c)
			row[1+c] += float64(w * p[c])
			blas64.Axpy(-w*p[c], compute.Vector(p[c:]), compute.Vector(row[1+c:]))
		}
		if f.width > 1 {
			g[1+class] -= float64(w * (f.own() - f.other))
		}
	}
	h.Data[0] += ridge
	for c := 0; c < f.width-1; c++ {
		g[1+c] += m.shift[c]
		compute.Row(h, 1+c)[1+c]++
	}
	return g, h
}
