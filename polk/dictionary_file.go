package polk

import (
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/linalg"
)

func (e *dictionary) encode(out *codec.Encoder) {
	out.Int(e.outputs)
	out.Ints(e.slot)
	out.Float64s(e.points)
	out.Float64s(e.weights)
	_, rows, diag := e.factor.State()
	out.Float64s(rows)
	out.Float64s(diag)
}

// decodeDictionary reads the function of a descent with the given defaults.
func decodeDictionary(d *codec.Decoder, from *defaults, inputs int, averaged bool) *dictionary {
	e := &dictionary{eval: kernel.Evaluator{Kernel: from.kernel, Unblocked: true}, inputs: inputs, outputs: d.Int()}
	var rows, diag []float64
	e.slot, e.points, e.weights, rows, diag = d.Ints(), d.Float64s(), d.Float64s(), d.Float64s(), d.Float64s()
	if d.Err() != nil {
		return nil
	}
	e.width = e.outputs
	if averaged {
		e.width *= 2
	}
	if e.outputs < 1 || e.width < e.outputs || inputs < 1 || !sized(len(e.points), e.order(), inputs) || !sized(len(e.weights), e.order(), e.width) || !permutation(e.slot) {
		d.Fail("%d points of %d inputs and %d outputs, with %d and %d numbers", e.order(), inputs, e.outputs, len(e.points), len(e.weights))
		return nil
	}
	factor, err := linalg.RestoreCholesky(relativeJitter*from.kappa, e.order(), rows, diag)
	if err == nil {
		err = kernel.Check(from.kernel, e.matrix())
	}
	if err != nil {
		d.Fail("%v", err)
	}
	e.factor = factor
	return e
}

// sized reports whether n = a·b for a, b ≥ 0, where a·b may overflow.
func sized(n, a, b int) bool {
	if a == 0 {
		return n == 0
	}
	return n%a == 0 && n/a == b
}

// permutation reports whether list holds each of 0 … n−1.
func permutation(list []int) bool {
	seen := make([]bool, len(list))
	for _, i := range list {
		if i < 0 || i >= len(list) || seen[i] {
			return false
		}
		seen[i] = true
	}
	return true
}
