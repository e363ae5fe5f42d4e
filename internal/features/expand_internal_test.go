package features

import (
	"errors"
	"math"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
)

// ownScale and ownSum are user-defined types that embed composite kernels.
type (
	ownScale struct{ kernel.Scale }
	ownSum   struct{ kernel.Sum }
)

// brokenSum embeds a Sum but defines a different kernel.
type brokenSum struct{ kernel.Sum }

func (k brokenSum) Eval(x, y []float64) float64 { return 2 * k.Sum.Eval(x, y) }

// TestProducts compares kernels with the sums of their products.
func TestProducts(t *testing.T) {
	g, l, c := kernel.Gaussian{Sigma: 2}, kernel.Laplacian{Sigma: 3}, kernel.Cauchy{Sigma: 1}
	ard := func(k kernel.Kernel) kernel.Kernel { return kernel.ARD{Scales: []float64{0.5, 2, 3}, Of: k} }
	x, y := []float64{1, 2, 3}, []float64{0.5, 2.5, 1}
	for _, e := range []struct {
		k    kernel.Kernel
		want int
	}{
		{g, 1},
		{kernel.Scale{By: 3, Of: g}, 1},
		{ard(ard(g)), 1},
		{kernel.Sum{g, kernel.Scale{By: 2, Of: kernel.Sum{l, c}}}, 3},
		{kernel.Product{kernel.Sum{g, l}, kernel.Sum{g, kernel.Linear{}}, kernel.Scale{By: 0.5, Of: c}}, 4},
		{ard(kernel.Product{kernel.Sum{g, ard(l)}, c}), 2},
		{ownScale{kernel.Scale{By: 2, Of: ownSum{kernel.Sum{g, l}}}}, 2},
		{&kernel.Sum{g, &kernel.Scale{By: 2, Of: l}}, 2},
	} {
		all, err := productsOf(e.k, 3, 10)
		if err != nil || len(all) != e.want {
			t.Errorf("%v: %v, %d products, want %d", e.k, err, len(all), e.want)
			continue
		}
		var sum kernel.Sum
		for _, p := range all {
			sum = append(sum, p.kernel())
		}
		if got, want := sum.Eval(x, y), e.k.Eval(x, y); math.Abs(got-want) > 1e-14*want {
			t.Errorf("%v: %v, want %v", e.k, got, want)
		}
	}
}

func TestProductsLimit(t *testing.T) {
	g, k := kernel.Gaussian{Sigma: 1}, make(kernel.Product, 40)
	for i := range k {
		k[i] = kernel.Sum{g, g}
	}
	for _, k := range []kernel.Kernel{k, kernel.Sum(k)} {
		if all, err := productsOf(k, 2, 7); err != nil || len(all) > 8 {
			t.Errorf("%d products, %v", len(all), err)
		}
	}
	for _, k := range []kernel.Kernel{kernel.Sum{}, brokenSum{kernel.Sum{g, g}}, kernel.Scale{By: 2, Of: brokenSum{kernel.Sum{g}}}, kernel.Product{g, kernel.Sum{brokenSum{kernel.Sum{g}}}}} {
		if _, err := productsOf(k, 2, 7); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("%T: %v", k, err)
		}
	}
}
