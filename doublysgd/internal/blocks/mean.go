package blocks

import (
	"fmt"
	"reflect"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// CheckAlike refuses functions that are not in the same features: with rkhs.ErrShape those of
// other sizes, with rkhs.ErrOption others.
func (f *Function) CheckAlike(g *Function) error {
	switch {
	case f.Map.Dim() != g.Map.Dim() || f.Outputs != g.Outputs || f.Count() != g.Count() || f.Map.Columns() != g.Map.Columns():
		return fmt.Errorf("models of %d inputs, %d outputs and %d×%d features and of %d, %d and %d×%d cannot merge: %w",
			f.Map.Dim(), f.Outputs, f.Count(), f.Map.Columns(), g.Map.Dim(), g.Outputs, g.Count(), g.Map.Columns(), rkhs.ErrShape)
	case !kernel.Equal(f.Map.Kernel(), g.Map.Kernel()):
		return fmt.Errorf("kernels %v and %v cannot merge: %w", f.Map.Kernel(), g.Map.Kernel(), rkhs.ErrOption)
	case !reflect.DeepEqual(drawn(f.Options), drawn(g.Options)):
		return fmt.Errorf("features of %+v and of %+v cannot merge: %w", f.Options, g.Options, rkhs.ErrOption)
	}
	return nil
}

// drawn returns what the features of a block depend on beside the kernel and their number.
func drawn(o features.Options) features.Options {
	o.Workers, o.Columns = 0, 0
	return o
}

// AddShare adds g, in the same features, with a factor for each output.
func (f *Function) AddShare(g *Function, factors []float64) {
	for b := range g.Count() {
		a := g.Coefficients(b)
		for o, v := range factors {
			blas64.Scal(v, blas64.Vector{N: a.Rows, Inc: a.Stride, Data: a.Data[o:]})
		}
		f.Add(b, a)
	}
}
