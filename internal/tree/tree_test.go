package tree_test

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/tree"
	"github.com/rkhs-go/rkhs/kernel"
)

// renamed is a Gaussian under another name. changed is a different kernel.
type (
	renamed     struct{ kernel.Gaussian }
	changed     struct{ kernel.Gaussian }
	userDefined struct{}
	sums        struct{ kernel.Sum }
)

func (changed) Eval(x, y []float64) float64     { return 0.5 }
func (userDefined) Eval(x, y []float64) float64 { return 1 }

func TestDescribe(t *testing.T) {
	l := mat.NewDense(1, 2, []float64{1, 2})
	gaussian := tree.Node{Family: "Gaussian", Numbers: map[string]float64{"Sigma": 2}}
	for _, c := range []struct {
		k    kernel.Kernel
		want tree.Node
	}{
		{kernel.Gaussian{Sigma: 2}, gaussian},
		{&kernel.Gaussian{Sigma: 2}, gaussian},
		{renamed{kernel.Gaussian{Sigma: 2}}, gaussian},
		{kernel.Linear{}, tree.Node{Family: "Linear"}},
		{kernel.Polynomial{Degree: 3, Offset: 1}, tree.Node{Family: "Polynomial", Numbers: map[string]float64{"Degree": 3, "Scale": 1, "Offset": 1}}},
		{kernel.DotProduct{Coefficients: []float64{1, 0, 2}}, tree.Node{Family: "DotProduct", Lists: map[string][]float64{"Coefficients": {1, 0, 2}}}},
		{kernel.Projected{L: l, Of: kernel.ARD{Scales: []float64{3}, Of: kernel.Gaussian{Sigma: 2}}}, tree.Node{
			Family: "Projected", Matrices: map[string]*mat.Dense{"L": l},
			Of: []tree.Node{{Family: "ARD", Lists: map[string][]float64{"Scales": {3}}, Of: []tree.Node{gaussian}}}}},
		{sums{kernel.Sum{kernel.Scale{By: 2, Of: kernel.Linear{}}, kernel.Gaussian{Sigma: 2}}}, tree.Node{
			Family: "Sum", Of: []tree.Node{{Family: "Scale", Numbers: map[string]float64{"By": 2}, Of: []tree.Node{{Family: "Linear"}}}, gaussian}}},
		{kernel.LowRank{Base: kernel.Gaussian{Sigma: 2}, Points: l, Weights: []float64{4}}, tree.Node{
			Family: "LowRank", Matrices: map[string]*mat.Dense{"Points": l}, Lists: map[string][]float64{"Weights": {4}}, Of: []tree.Node{gaussian}}},
	} {
		got, err := tree.Describe(c.k, 2)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %+v, error %v", c.k, got, err)
		}
	}
}

func TestDescribeRefuses(t *testing.T) {
	var deep kernel.Kernel = kernel.Linear{}
	for range 100 {
		deep = kernel.Scale{By: 1, Of: deep}
	}
	for _, k := range []kernel.Kernel{nil, userDefined{}, changed{kernel.Gaussian{Sigma: 1}}, kernel.Gaussian{Sigma: math.NaN()}, (*kernel.Gaussian)(nil),
		kernel.Sum{kernel.Linear{}, userDefined{}}, deep, struct{ kernel.Kernel }{}} {
		if _, err := tree.Describe(k, 2); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("%T: error %v", k, err)
		}
	}
}

// Callers may modify the result of Describe.
func TestDescribeCopies(t *testing.T) {
	k := kernel.ARD{Scales: []float64{1, 2}, Of: kernel.Linear{}}
	n, err := tree.Describe(k, 2)
	if err != nil {
		t.Fatal(err)
	}
	if n.Lists["Scales"][0] = 7; k.Scales[0] != 1 {
		t.Error("the scales of the kernel were written to")
	}
}
