package features

import (
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
)

// A part is a term whose features are known: it makes a basis of any number of
// columns.
type part struct {
	gain float64
	// Where a single factor has a better way than atoms, it is here.
	single leaf
	alone  bool
	atoms  []atomic
}

// newPart finds the features of each factor and of their product.
func newPart(t term, d int, how Sampler) (part, error) {
	p := part{gain: t.gain, alone: len(t.factors) == 1}
	var plain combined
	for _, f := range t.factors {
		l, ok := leafOf(f, d)
		if !ok || l.maker != nil && !p.alone {
			return p, fmt.Errorf("features: %v has no random features%s: %w", f.kernel, inProduct(!p.alone), rkhs.ErrOption)
		}
		p.gain *= l.gain
		p.single = l
		if l.spectrum != nil && l.lift == nil {
			plain = append(plain, l.spectrum)
			continue
		}
		if err := p.add(l, f.kernel, how); err != nil {
			return p, err
		}
	}
	if err := p.addPlain(plain, t, d, how); err != nil {
		return p, err
	}
	if !finite(p.gain) {
		return p, fmt.Errorf("features: k(x, x) of %v overflows in %d columns: %w", t.kernel(), d, rkhs.ErrOption)
	}
	return p, nil
}

func inProduct(yes bool) string {
	if yes {
		return " in a product"
	}
	return ""
}

// addPlain adds the Fourier features of the product of kernels of x − z: their
// frequencies add up.
func (p *part) addPlain(plain combined, t term, d int, how Sampler) error {
	if len(plain) == 0 {
		return nil
	}
	var of spectrum = plain
	if len(plain) == 1 {
		of = plain[0]
	}
	how, err := how.samplerFor(t.kernel(), of, d)
	p.atoms = append(p.atoms, waves{d, of, how})
	return err
}

// add adds the atoms of a leaf.
func (p *part) add(l leaf, k kernel.Kernel, how Sampler) error {
	if l.maker != nil {
		return nil
	}
	a, err := l.family(k, how)
	if err != nil {
		return err
	}
	if m, ok := a.(monomials); ok && !(p.alone && l.sketching != nil) && !finite(total(m.coefficients)) {
		return fmt.Errorf("features: the coefficients of %v overflow: %w", k, rkhs.ErrOption)
	}
	if l.lift != nil {
		a = lifted{a, l.lift, l.d}
	}
	p.atoms = append(p.atoms, a)
	return nil
}

// family returns the atoms of the lifted points.
func (l leaf) family(k kernel.Kernel, how Sampler) (atomic, error) {
	switch {
	case l.spectrum != nil:
		how, err := how.samplerFor(k, l.spectrum, l.inner())
		return waves{l.inner(), l.spectrum, how}, err
	case l.linear:
		return monomials{l.inner(), []float64{0, 1}}, nil
	}
	return l.atoms(how)
}

func finite(v float64) bool { return v-v == 0 }

// exactColumns returns how many columns give the term exactly, 0 if none do.
func (p part) exactColumns() int {
	if p.alone && p.single.linear {
		return p.single.inner()
	}
	return 0
}

// basis returns a basis of at most the given number of columns.
func (p part) basis(columns int) basis {
	l := p.single
	if n := p.exactColumns(); n > 0 && n <= columns {
		return exact{l.lift, l.d, n, p.gain}
	}
	if p.alone && l.maker != nil {
		return around(l, p.gain, made{l.maker, l.inner(), columns})
	}
	if p.alone && l.sketching != nil {
		return around(l, p.gain, newSketches(l.inner(), columns, l.sketching))
	}
	return newProduct(p.atoms, columns, p.gain)
}

// around puts the lift of a leaf before a basis, and a gain behind it.
func around(l leaf, gain float64, of basis) basis {
	return wrapped{of, l.lift, l.d, math.Sqrt(gain)}
}
