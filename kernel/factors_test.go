package kernel_test

import (
	"errors"
	"fmt"
	"log"
	"math"
	"testing"

	"github.com/rkhs-go/rkhs"
	. "github.com/rkhs-go/rkhs/kernel"
)

// ownScale and ownSum are types of a user that embed kernels made of others.
type (
	ownScale struct{ Scale }
	ownSum   struct{ Sum }
)

// brokenSum embeds a Sum and means another kernel.
type brokenSum struct{ Sum }

func (k brokenSum) Eval(x, y []float64) float64 { return 2 * k.Sum.Eval(x, y) }

// TestProducts compares kernels with the sums of their products.
func TestProducts(t *testing.T) {
	g, l, c := Gaussian{Sigma: 2}, Laplacian{Sigma: 3}, Cauchy{Sigma: 1}
	ard := func(k Kernel) Kernel { return ARD{Scales: []float64{0.5, 2, 3}, Of: k} }
	x, y := []float64{1, 2, 3}, []float64{0.5, 2.5, 1}
	for _, e := range []struct {
		k    Kernel
		want int
	}{
		{g, 1},
		{Scale{By: 3, Of: g}, 1},
		{ard(ard(g)), 1},
		{Sum{g, Scale{By: 2, Of: Sum{l, c}}}, 3},
		{Product{Sum{g, l}, Sum{g, Linear{}}, Scale{By: 0.5, Of: c}}, 4},
		{ard(Product{Sum{g, ard(l)}, c}), 2},
		{ownScale{Scale{By: 2, Of: ownSum{Sum{g, l}}}}, 2},
		{&Sum{g, &Scale{By: 2, Of: l}}, 2},
	} {
		all, err := Products(e.k, 3, 10)
		if err != nil || len(all) != e.want {
			t.Errorf("%v: %v, %d products, want %d", e.k, err, len(all), e.want)
			continue
		}
		var sum Sum
		for _, p := range all {
			sum = append(sum, p.Kernel())
		}
		if got, want := sum.Eval(x, y), e.k.Eval(x, y); math.Abs(got-want) > 1e-14*want {
			t.Errorf("%v: %v, want %v", e.k, got, want)
		}
	}
}

func TestProductsLimit(t *testing.T) {
	g, k := Gaussian{Sigma: 1}, make(Product, 40)
	for i := range k {
		k[i] = Sum{g, g}
	}
	for _, k := range []Kernel{k, Sum(k)} {
		if all, err := Products(k, 2, 7); err != nil || len(all) > 8 {
			t.Errorf("%d products, %v", len(all), err)
		}
	}
	for _, k := range []Kernel{Sum{}, brokenSum{Sum{g, g}}, Scale{By: 2, Of: brokenSum{Sum{g}}}, Product{g, Sum{brokenSum{Sum{g}}}}} {
		if _, err := Products(k, 2, 7); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("%T: %v", k, err)
		}
	}
}

// What package features makes of a kernel: a sum of products of factors.
func ExampleProducts() {
	k := Product{
		Sum{Gaussian{Sigma: 2}, Scale{By: 0.5, Of: Linear{}}},
		ARD{Scales: []float64{1, 10}, Of: Laplacian{Sigma: 1}},
	}
	products, err := Products(k, 2, 100)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range products {
		fmt.Print(p.Gain)
		for _, f := range p.Factors {
			fmt.Print(" · ", f.Of, " ", f.Scales)
		}
		fmt.Println()
	}
	// Output:
	// 1 · kernel.Gaussian{Sigma: 2} [] · kernel.Laplacian{Sigma: 1} [1 10]
	// 0.5 · kernel.Linear{} [] · kernel.Laplacian{Sigma: 1} [1 10]
}
