package quantile

import (
	"math"
	"sync"
)

// JensenShannon is the quantile function of the density (2/log 4)·sech(πw)/(1 + 4w²), the spectrum of the
// Jensen–Shannon kernel, accurate to a probability of about 1e-14.
func JensenShannon(u []float64) {
	folded(u, func(v []float64) {
		for i, p := range v {
			v[i] = jensenShannonTail(p)
		}
	})
}

// The table of the upper tail has steps of panel.
const (
	panel  = 0.125
	panels = 160 // up to w = 20; the tail probability there is below 1e-27
)

// jensenShannonTails returns the tail probabilities of w > i·panel by quadrature.
var jensenShannonTails = sync.OnceValue(func() []float64 {
	tails := make([]float64, panels+1)
	for i := panels - 1; i >= 0; i-- {
		tails[i] = tails[i+1] + jensenShannonIntegral(float64(i)*panel, float64(i+1)*panel)
	}
	return tails
})

// jensenShannonTail returns the w ≥ 0 with the tail probability p, by Newton's method within a panel.
func jensenShannonTail(p float64) float64 {
	tails := jensenShannonTails()
	i := 0
	for i < panels-1 && tails[i+1] > p {
		i++
	}
	from := float64(i) * panel
	w, excess := from, tails[i]-p
	for range 20 {
		density := []float64{w}
		JensenShannonDensity(density)
		step := excess / density[0]
		w = max(from, w+step)
		if math.Abs(step) < 1e-15*w {
			break
		}
		excess = tails[i] - p - jensenShannonIntegral(from, w)
	}
	return w
}

// JensenShannonDensity replaces w ≥ 0 by the density of JensenShannon.
func JensenShannonDensity(w []float64) {
	sech := append([]float64(nil), w...)
	SechDensity(sech)
	for i, v := range w {
		w[i] = sech[i] / math.Ln2 / (1 + float64(4*v*v))
	}
}

// jensenShannonIntegral integrates the density over [from, to], at most one panel, by 8-point
// Gauss-Legendre quadrature.
func jensenShannonIntegral(from, to float64) float64 {
	half, middle := (to-from)/2, (to+from)/2
	var w [8]float64
	for i, x := range gaussNodes {
		w[i], w[7-i] = middle-float64(half*x), middle+float64(half*x)
	}
	JensenShannonDensity(w[:])
	s := 0.0
	for i, g := range gaussWeights {
		s = math.FMA(g, w[i]+w[7-i], s)
	}
	return float64(half * s)
}

var (
	gaussNodes   = [4]float64{0.96028985649753623168, 0.79666647741362673959, 0.52553240991632898582, 0.18343464249564980494}
	gaussWeights = [4]float64{0.10122853629037625915, 0.22238103445337447054, 0.31370664587788728734, 0.36268378337836198297}
)
