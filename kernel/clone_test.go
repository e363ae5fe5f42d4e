package kernel_test

import (
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	. "github.com/rkhs-go/rkhs/kernel"
)

func TestCloneIsEqual(t *testing.T) {
	for name, example := range examples {
		k := example.of(2)
		if got := Clone(k); !reflect.DeepEqual(got, k) {
			t.Errorf("%s: %v became %v", name, k, got)
		}
	}
	for _, k := range []Kernel{nil, Sum{nil}, ARD{}, Scale{}, LowRank{}} {
		if got := Clone(k); !reflect.DeepEqual(got, k) {
			t.Errorf("%#v became %#v", k, got)
		}
	}
}

// TestCloneSharesNothing writes to every slice and matrix of a composition.
func TestCloneSharesNothing(t *testing.T) {
	scales, coefficients, weights := []float64{1, 2}, []float64{1, 0.5}, []float64{1, 3}
	points := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	sum := Sum{
		Product{ARD{Scales: scales, Of: Gaussian{1}}, Linear{}},
		Scale{2, LowRank{Base: ARD{Scales: scales, Of: Gaussian{2}}, Points: points, Weights: weights}},
		DotProduct{Coefficients: coefficients},
	}
	x, y := []float64{0.5, -1}, []float64{1, 0.25}
	clone := Clone(sum)
	before := clone.Eval(x, y)
	scales[0], coefficients[1], weights[1] = 7, 8, 9
	points.Set(0, 0, -5)
	sum[0].(Product)[1] = Gaussian{1}
	sum[2] = Linear{}
	if after := clone.Eval(x, y); after != before {
		t.Errorf("the clone gave %v and gives %v", before, after)
	}
	if sum.Eval(x, y) == before {
		t.Error("the original did not change")
	}
}
