package kernel

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/gram"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// ScaledProduct is the kernel Gain·Π_i Factors[i].
type ScaledProduct struct {
	Gain    float64
	Factors []Factor
}

// Factor is the kernel Of(x/Scales, z/Scales). Scales that are nil are ones.
type Factor struct {
	Of     Kernel
	Scales []float64
}

func (f Factor) kernel() Kernel {
	if f.Scales == nil {
		return f.Of
	}
	return ARD{Scales: f.Scales, Of: f.Of}
}

// Products multiplies k out: k is the sum of the products that it returns. A factor
// is a kernel that is no Sum, Product, Scale or ARD, that is no type which embeds one
// of these, or that is Represented. Of more products than limit, limit+1 are
// returned. dim is the length of points. The error wraps rkhs.ErrOption: a type that
// embeds one of the four but has other values than it. It is that of Check where k is nil
// or a parameter out of range.
func Products(k Kernel, dim, limit int) (all []ScaledProduct, err error) {
	defer refusePanic(k, &err)
	if err := validate(k, dim); err != nil {
		return nil, err
	}
	return expander{dim, limit}.products(k)
}

// Kernel returns p as one kernel.
func (p ScaledProduct) Kernel() Kernel {
	of := make(Product, len(p.Factors))
	for i, f := range p.Factors {
		of[i] = f.kernel()
	}
	var k Kernel = of
	if len(of) == 1 {
		k = of[0]
	}
	if p.Gain != 1 {
		k = Scale{By: p.Gain, Of: k}
	}
	return k
}

// composite is a kernel made of others, or a type that embeds one: composition
// returns the Sum, Product, Scale or ARD itself.
type composite interface{ composition() Kernel }

type expander struct{ dim, limit int }

func (e expander) products(k Kernel) ([]ScaledProduct, error) {
	if p, ok := k.(Projected); ok {
		return e.projected(p)
	}
	if h, ok := k.(OneHot); ok {
		return e.encoded(h)
	}
	c, ok := k.(composite)
	if _, represented := k.(Represented); represented || !ok {
		return []ScaledProduct{{Gain: 1, Factors: []Factor{{Of: k}}}}, nil
	}
	of := c.composition()
	if err := agree(k, of, e.dim); err != nil {
		return nil, err
	}
	switch of := of.(type) {
	case Sum:
		return e.sum(of)
	case Product:
		return e.product(of)
	case Scale:
		all, err := e.products(of.Of)
		for i := range all {
			all[i].Gain *= of.By
		}
		return all, err
	default:
		return e.scaled(of.(ARD))
	}
}

func (e expander) sum(k Sum) ([]ScaledProduct, error) {
	var all []ScaledProduct
	for _, t := range k {
		if len(all) > e.limit {
			break
		}
		p, err := e.products(t)
		if err != nil {
			return nil, err
		}
		all = append(all, p...)
	}
	return all, nil
}

func (e expander) product(k Product) ([]ScaledProduct, error) {
	all := []ScaledProduct{{Gain: 1}}
	for _, f := range k {
		p, err := e.products(f)
		if err != nil {
			return nil, err
		}
		all = e.multiply(all, p)
	}
	return all, nil
}

// multiply multiplies each product of a by each of b, up to limit+1 of them.
func (e expander) multiply(a, b []ScaledProduct) []ScaledProduct {
	var all []ScaledProduct
	for _, p := range a {
		for _, q := range b {
			if len(all) > e.limit {
				return all
			}
			all = append(all, ScaledProduct{p.Gain * q.Gain, slices.Concat(p.Factors, q.Factors)})
		}
	}
	return all
}

func (e expander) scaled(k ARD) ([]ScaledProduct, error) {
	all, err := e.products(k.Of)
	for i := range all {
		for j := range all[i].Factors {
			all[i].Factors[j].divide(k.Scales)
		}
	}
	return all, err
}

func (f *Factor) divide(scales []float64) {
	if f.Scales == nil {
		f.Scales = slices.Clone(scales)
		return
	}
	f.Scales = floats.MulTo(make([]float64, len(scales)), f.Scales, scales)
}

// projected folds the scales of the factors of k.Of into its matrix.
func (e expander) projected(k Projected) ([]ScaledProduct, error) {
	l := k.L.RawMatrix()
	all, err := expander{l.Rows, e.limit}.products(k.Of)
	for _, p := range all {
		for j, f := range p.Factors {
			own := mat.DenseCopyOf(k.L)
			for i, scale := range f.Scales {
				floats.Scale(1/scale, own.RawRowView(i))
			}
			p.Factors[j] = Factor{Of: Projected{L: own, Of: f.Of}}
		}
	}
	return all, err
}

// encoded takes the factors of k.Of, scales and all, behind the encoding.
func (e expander) encoded(k OneHot) ([]ScaledProduct, error) {
	all, err := expander{gram.Encoding(k.Levels).Width(e.dim), e.limit}.products(k.Of)
	for _, p := range all {
		for j, f := range p.Factors {
			p.Factors[j] = Factor{Of: OneHot{Levels: k.Levels, Of: f.kernel()}}
		}
	}
	return all, err
}
