package features

import (
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// scaledProduct is the kernel gain·Π_i factors[i].
type scaledProduct struct {
	gain    float64
	factors []scaledFactor
}

// scaledFactor is the kernel of(x/scales, z/scales). Nil scales are ones.
type scaledFactor struct {
	of     kernel.Kernel
	scales []float64
}

func (f scaledFactor) kernel() kernel.Kernel {
	if f.scales == nil {
		return f.of
	}
	return kernel.ARD{Scales: f.scales, Of: f.of}
}

// productsOf writes k, a kernel of points of length dim, as the sum of the products that it returns.
// Factors are kernels without structure, unlike Sum, Product, Scale and ARD. If there are more than limit
// products it returns limit+1. Errors are the errors of gram.Check, or wrap rkhs.ErrOption for a type that
// embeds a structured kernel but has other values.
func productsOf(k kernel.Kernel, dim, limit int) ([]scaledProduct, error) {
	if err := gram.Check(k, compute.DensePoints(compute.NewMatrix(0, dim))); err != nil {
		return nil, err
	}
	return expander{dim, limit}.products(k)
}

// kernel returns p as one kernel.
func (p scaledProduct) kernel() kernel.Kernel {
	of := make(kernel.Product, len(p.factors))
	for i, f := range p.factors {
		of[i] = f.kernel()
	}
	var k kernel.Kernel = of
	if len(of) == 1 {
		k = of[0]
	}
	if p.gain != 1 {
		k = kernel.Scale{By: p.gain, Of: k}
	}
	return k
}

type expander struct{ dim, limit int }

func (e expander) products(k kernel.Kernel) ([]scaledProduct, error) {
	of := gram.StructureOf(k)
	if of.Self == nil {
		return []scaledProduct{{gain: 1, factors: []scaledFactor{{of: k}}}}, nil
	}
	if err := gram.Agree(k, of.Self, e.dim); err != nil {
		return nil, err
	}
	switch by := of.Map.(type) {
	case gram.Projection:
		return e.projected(by, of.Of)
	case gram.Encoding:
		return e.mapped(by, of.Of, func(of kernel.Kernel) kernel.Kernel { return kernel.OneHot{Levels: by, Of: of} })
	case gram.Warping:
		return e.mapped(by, of.Of, func(of kernel.Kernel) kernel.Kernel { return kernel.Warped{From: by.From, To: by.To, Of: of} })
	case gram.Division:
		return e.scaled(by, of.Of)
	}
	switch {
	case of.Terms != nil:
		return e.sum(of.Terms)
	case of.Factors != nil:
		return e.product(of.Factors)
	}
	all, err := e.products(of.Of)
	for i := range all {
		all[i].gain *= of.By
	}
	return all, err
}

func (e expander) sum(terms []gram.Kernel) ([]scaledProduct, error) {
	var all []scaledProduct
	for _, t := range terms {
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

func (e expander) product(factors []gram.Kernel) ([]scaledProduct, error) {
	all := []scaledProduct{{gain: 1}}
	for _, f := range factors {
		p, err := e.products(f)
		if err != nil {
			return nil, err
		}
		all = e.multiply(all, p)
	}
	return all, nil
}

// multiply multiplies each product of a by each of b, up to limit+1 of them.
func (e expander) multiply(a, b []scaledProduct) []scaledProduct {
	var all []scaledProduct
	for _, p := range a {
		for _, q := range b {
			if len(all) > e.limit {
				return all
			}
			all = append(all, scaledProduct{p.gain * q.gain, slices.Concat(p.factors, q.factors)})
		}
	}
	return all
}

func (e expander) scaled(by gram.Division, k kernel.Kernel) ([]scaledProduct, error) {
	all, err := e.products(k)
	for i := range all {
		for j := range all[i].factors {
			all[i].factors[j].divide(by)
		}
	}
	return all, err
}

func (f *scaledFactor) divide(scales []float64) {
	if f.scales == nil {
		f.scales = slices.Clone(scales)
		return
	}
	f.scales = floats.MulTo(make([]float64, len(scales)), f.scales, scales)
}

// projected applies the scales of the factors of k to the matrix.
func (e expander) projected(by gram.Projection, k kernel.Kernel) ([]scaledProduct, error) {
	all, err := expander{by.Width(e.dim), e.limit}.products(k)
	for _, p := range all {
		for j, f := range p.factors {
			own := mat.DenseCopyOf(by.Dense)
			for i, scale := range f.scales {
				floats.Scale(1/scale, own.RawRowView(i))
			}
			p.factors[j] = scaledFactor{of: kernel.Projected{L: own, Of: f.of}}
		}
	}
	return all, err
}

// mapped applies a map of the points before the scaled factors of k.
func (e expander) mapped(by gram.Embedding, k kernel.Kernel, wrap func(of kernel.Kernel) kernel.Kernel) ([]scaledProduct, error) {
	all, err := expander{by.Width(e.dim), e.limit}.products(k)
	for _, p := range all {
		for j, f := range p.factors {
			p.factors[j] = scaledFactor{of: wrap(f.kernel())}
		}
	}
	return all, err
}
