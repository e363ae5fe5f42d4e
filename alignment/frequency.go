package alignment

import (
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// frequency searches the frequency of a kernel of several columns.
type frequency struct {
	*data
	of        kernel.Harmonic // any member of the family
	low, high float64
	workers   int
}

func (f frequency) at(sigma float64) kernel.Kernel { return f.of.WithParameters([]float64{sigma}) }

func (f frequency) best(p compute.Matrix) candidate {
	k := compute.NewMatrix(p.Rows, p.Cols)
	m := maximise(func(sigma float64) float64 {
		kernel.Evaluator{Kernel: f.at(sigma), Workers: f.workers}.Gram(k, f.x)
		return dot(p, k, f.workers)
	}, f.low, f.high, frequencies(f.data, f.low, f.high), 1e-4*f.low)
	return candidate{f.at(m.at), m.value, m.evaluations}
}

func (f frequency) fallback() kernel.Kernel { return f.at(f.low) }
