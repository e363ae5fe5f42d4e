package features

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/kernel"
)

// A term is gain·Π factors. Every kernel that is made of Sum, Product, Scale and
// ARD is a sum of terms.
type term struct {
	gain    float64
	factors []factor
}

// A factor is the kernel of x/scales; nil scales are ones.
type factor struct {
	kernel kernel.Kernel
	scales []float64
}

// expand returns the terms of k, at most limit+1 of them.
func expand(k kernel.Kernel, limit int) []term {
	switch k := k.(type) {
	case kernel.Sum:
		var all []term
		for _, t := range k {
			if len(all) <= limit {
				all = append(all, expand(t, limit)...)
			}
		}
		return all
	case kernel.Product:
		all := []term{{gain: 1}}
		for _, f := range k {
			all = multiply(all, expand(f, limit), limit)
		}
		return all
	case kernel.Scale:
		all := expand(k.Of, limit)
		for i := range all {
			all[i].gain *= k.By
		}
		return all
	case kernel.ARD:
		all := expand(k.Of, limit)
		for i := range all {
			for j := range all[i].factors {
				all[i].factors[j].divide(k.Scales)
			}
		}
		return all
	}
	return []term{{gain: 1, factors: []factor{{kernel: k}}}}
}

// multiply multiplies each term of a by each of b, up to limit+1 products.
func multiply(a, b []term, limit int) []term {
	var all []term
	for _, s := range a {
		for _, t := range b {
			if len(all) > limit {
				return all
			}
			all = append(all, term{s.gain * t.gain, slices.Concat(s.factors, t.factors)})
		}
	}
	return all
}

func (f *factor) divide(scales []float64) {
	if f.scales == nil {
		f.scales = slices.Clone(scales)
		return
	}
	f.scales = floats.MulTo(make([]float64, len(scales)), f.scales, scales)
}

// kernel returns the kernel of the term, for messages.
func (t term) kernel() kernel.Kernel {
	var p kernel.Product
	for _, f := range t.factors {
		k := f.kernel
		if f.scales != nil {
			k = kernel.ARD{Scales: f.scales, Of: k}
		}
		p = append(p, k)
	}
	if len(p) == 1 {
		return p[0]
	}
	return p
}
