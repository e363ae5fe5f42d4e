package svm

import (
	"cmp"
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/door"
)

// Options configures a fit. The zero value of each field means its default.
type Options struct {
	// C is the weight of the losses, positive. Default: 1.
	C float64
	// Weights, if given, are positive factors w_i of C: C_i = C·w_i, so that a
	// class or a row counts more. Default: 1.
	Weights []float64
	// Tolerance is the violation of the optimality conditions at which a
	// solution is accepted, in units of the margin. Default: 1e-3, as LIBSVM's.
	Tolerance float64
	// Gap, if given, is the relative gap, as Solution.Relative has it, that a solution must
	// reach besides: solutions are solved to smaller violations until they do. Default: none.
	Gap float64
	// MaxIterations bounds the steps on pairs. Default: the larger of 10⁷ and
	// 100·n.
	MaxIterations int
	// CacheBytes bounds the memory for rows of the Gram matrix. Fewer than a
	// working set of rows are not held. Default: 256 MiB.
	CacheBytes int64
	// Start, if given, is the Beta to start from, of a problem with the same
	// labels; values outside of the bounds are moved inside. Default: zero.
	Start []float64
	// Workers bounds the goroutines. Default: GOMAXPROCS. It does not change the
	// result by a bit.
	Workers int
	// Report, if given, is told the steps and the violation now and then, of pairs of classes
	// from several goroutines.
	Report func(steps int, violation float64)
}

func (o Options) withDefaults(n int) Options {
	o.C = cmp.Or(o.C, 1)
	o.Tolerance = cmp.Or(o.Tolerance, 1e-3)
	o.MaxIterations = cmp.Or(o.MaxIterations, max(1e7, 100*n))
	o.CacheBytes = cmp.Or(o.CacheBytes, 256<<20)
	return o
}

func (o Options) check(n int) error {
	err := door.Ranges("svm", []door.Field{
		{Name: "C", Value: o.C, OK: positive(o.C)},
		{Name: "Tolerance", Value: o.Tolerance, OK: positive(o.Tolerance)},
		{Name: "Gap", Value: o.Gap, OK: o.Gap == 0 || positive(o.Gap)},
		{Name: "MaxIterations", Value: float64(o.MaxIterations), OK: o.MaxIterations > 0},
		{Name: "CacheBytes", Value: float64(o.CacheBytes), OK: o.CacheBytes > 0},
		{Name: "Workers", Value: float64(o.Workers), OK: o.Workers >= 0},
	})
	if err != nil {
		return err
	}
	for i, w := range o.Weights {
		if !positive(w) || !positive(w*o.C) {
			return fmt.Errorf("svm: Weights[%d] = %v is out of range: %w", i, w, rkhs.ErrOption)
		}
	}
	for i, b := range o.Start {
		if b-b != 0 {
			return fmt.Errorf("svm: Start[%d] = %v: %w", i, b, rkhs.ErrNotFinite)
		}
	}
	return o.checkLengths(n)
}

func (o Options) checkLengths(n int) error {
	for _, f := range []struct {
		name   string
		values []float64
	}{{"Weights", o.Weights}, {"Start", o.Start}} {
		if f.values != nil && len(f.values) != n {
			return fmt.Errorf("svm: %s has length %d, want %d: %w", f.name, len(f.values), n, rkhs.ErrShape)
		}
	}
	return nil
}

func positive(v float64) bool { return v > 0 && !math.IsInf(v, 1) }

// checkLabels wants ±1 for each row, and both.
func checkLabels(y []float64, n int) error {
	if len(y) != n {
		return fmt.Errorf("svm: %d labels for %d rows: %w", len(y), n, rkhs.ErrShape)
	}
	if n == 0 {
		return fmt.Errorf("svm: no rows: %w", rkhs.ErrEmpty)
	}
	var seen [2]bool
	for i, v := range y {
		switch v {
		case -1:
			seen[0] = true
		case 1:
			seen[1] = true
		default:
			return fmt.Errorf("svm: label %v in row %d is not −1 or 1: %w", v, i, rkhs.ErrLabels)
		}
	}
	if !seen[0] || !seen[1] {
		return fmt.Errorf("svm: all labels are %v: %w", y[0], rkhs.ErrLabels)
	}
	return nil
}
