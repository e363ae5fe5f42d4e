package svm

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
)

// Options configures a fit. The zero value of each field selects its default.
type Options struct {
	// C is the weight of the losses. Default: 1.
	C float64
	// Weights are positive weights of the rows: C_i = C·w_i. Default: 1.
	Weights []float64
	// Tolerance is the largest violation of the optimality conditions, in units of the margin.
	// Default: 1e-3, as in LIBSVM.
	Tolerance float64
	// Gap is the largest Solution.Relative. The solver lowers its tolerance until the gap is
	// reached. Default: no bound.
	Gap float64
	// MaxIterations bounds the steps on pairs. Default: the larger of 10⁷ and 100·n.
	MaxIterations int
	// CacheBytes bounds the cache of the Gram matrix. A cache holds at least one working set of
	// rows. Default: 256 MiB.
	CacheBytes int64
	// Start is the initial Beta. Values outside the bounds are moved inside. Default: zero.
	Start []float64
	// Workers bounds the goroutines. It does not affect the result. Default: GOMAXPROCS.
	Workers int
	// Report, if not nil, receives the steps and the violation from time to time. FitClasses
	// calls it from several goroutines.
	Report func(steps int, violation float64)
}

func (o Options) withDefaults(n int) Options {
	o.C = cmp.Or(o.C, 1)
	o.Tolerance = cmp.Or(o.Tolerance, 1e-3)
	o.MaxIterations = cmp.Or(o.MaxIterations, max(1e7, 100*n))
	o.CacheBytes = cmp.Or(o.CacheBytes, 256<<20)
	return o
}

// check returns an error if an option is invalid for n rows.
func (o Options) check(n int) error {
	if err := door.Ranges("svm", []door.Field{
		{Name: "C", Value: o.C, OK: positive(o.C)},
		{Name: "Tolerance", Value: o.Tolerance, OK: positive(o.Tolerance)},
		{Name: "Gap", Value: o.Gap, OK: o.Gap == 0 || positive(o.Gap)},
		{Name: "MaxIterations", Value: float64(o.MaxIterations), OK: o.MaxIterations > 0},
		{Name: "CacheBytes", Value: float64(o.CacheBytes), OK: o.CacheBytes > 0},
		{Name: "Workers", Value: float64(o.Workers), OK: o.Workers >= 0},
	}); err != nil {
		return err
	}
	for i, w := range o.Weights {
		if !positive(w) || !positive(w*o.C) {
			return fmt.Errorf("svm: Weights[%d] = %v is out of range: %w", i, w, rkhs.ErrOption)
		}
	}
	if i := slices.IndexFunc(o.Start, func(b float64) bool { return !compute.Finite(b) }); i >= 0 {
		return fmt.Errorf("svm: Start[%d] = %v: %w", i, o.Start[i], rkhs.ErrNotFinite)
	}
	if o.Weights != nil && len(o.Weights) != n || o.Start != nil && len(o.Start) != n {
		return fmt.Errorf("svm: %d Weights and %d Start values for %d rows: %w", len(o.Weights), len(o.Start), n, rkhs.ErrShape)
	}
	return nil
}

func positive(v float64) bool { return v > 0 && !math.IsInf(v, 1) }

// checkLabels returns an error unless there are n labels ±1 and both occur.
func checkLabels(y []float64, n int) error {
	if len(y) != n {
		return fmt.Errorf("svm: %d labels for %d rows: %w", len(y), n, rkhs.ErrShape)
	}
	if n == 0 {
		return fmt.Errorf("svm: no rows: %w", rkhs.ErrEmpty)
	}
	for i, v := range y {
		if v != 1 && v != -1 {
			return fmt.Errorf("svm: label %v in row %d is not −1 or 1: %w", v, i, rkhs.ErrLabels)
		}
	}
	if slices.Min(y) == slices.Max(y) {
		return fmt.Errorf("svm: all labels are %v: %w", y[0], rkhs.ErrLabels)
	}
	return nil
}
