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

// mostShifts is the number of classes up to which each has a shift of its own.
const mostShifts = 200

// fitSoftmax fits the slope, not negative, and the shifts by the likelihood of smooth targets, less
// half of the squares of the shifts, so that a class without rows has one too. Targets are
// (n + 1)/(n + 2) for the class of a row and what is left of 1 for the others in equal parts: where n
// rows were right the next one is with this probability (Laplace's rule of succession). Without that
// rows that the scores tell apart would make a slope without bound, and be certain of any row to come.
// Scores are in units of their deviation while it goes on. Newton's steps, halved until they
// descend; O(n·K²) each.
func fitSoftmax(s Sample) softmax {
	k := s.Scores.Cols
	f := &softmaxLoss{Sample: s, scale: deviation(s.Scores), width: 1}
	f.other = 1 / ((s.Weights.Total(s.Rows()) + 2) * float64(k-1))
	if k <= mostShifts {
		f.width += k
	}
	m := softmax{slope: 1, shift: make([]float64, k)}
	value := f.at(m)
	for range 100 {
		step, gain := f.newton(m)
		if !(gain > 1e-12*(1+value)) {
			break
		}
		size := 1.0
		var next softmax
		var lower float64
		for ; size > 1e-10; size /= 2 {
			next = m.moved(step, size)
			if lower = f.at(next); lower < value {
				break
			}
		}
		if size <= 1e-10 {
			break
		}
		m, value = next, lower
	}
	m.slope /= f.scale
	return m
}

// deviation returns that of all numbers of a matrix about zero, 1 if they are zero.
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

func (m softmax) moved(step []float64, size float64) softmax {
	next := softmax{slope: max(0, m.slope+float64(size*step[0])), shift: make([]float64, len(m.shift))}
	copy(next.shift, m.shift)
	for k, v := range step[1:] {
		next.shift[k] += float64(size * v)
	}
	return next
}

// to sets dst to the probabilities of scores, which it may be.
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

// logits sets dst, which may be the scores, to slope·s_k + shift_k, and returns the largest.
func (m softmax) logits(dst, scores []float64) (most float64) {
	most = math.Inf(-1)
	for k, s := range scores {
		dst[k] = float64(m.slope*s) + m.shift[k]
		most = max(most, dst[k])
	}
	return most
}

// softmaxLoss is the negative logarithm of the likelihood, and half the squares of the shifts.
type softmaxLoss struct {
	Sample
	scale float64
	width int     // of a step: the slope, and the shifts if they are free
	other float64 // the target of each class that is not that of the row
}

// own is the target of the class of a row.
func (f *softmaxLoss) own() float64 { return 1 - float64(float64(f.Scores.Cols-1)*f.other) }

// expected returns Σ_k t_k·v_k for the targets t of a row of a class.
func (f *softmaxLoss) expected(v []float64, class int) float64 {
	others := 0.0
	for k, x := range v {
		if k != class {
			others += x
		}
	}
	return float64(f.own()*v[class]) + float64(f.other*others)
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

// newton returns the step and what it is to gain.
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

// derivatives returns the gradient by slope and shifts, and the upper triangle of the second
// derivatives.
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
