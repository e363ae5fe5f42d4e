package model

import (
	"fmt"
	"slices"
	"sync"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// Sum is the Function
//
//	f_o(x) = b_o + Σ_t f_to(x)
//
// of q constants b and of functions f_t, each in the RKHS of its own kernel.
type Sum struct {
	Inputs    int // d
	Intercept []float64
	Terms     []kernel.Expansion
	Workers   int

	rows *rowTerms
}

// rowTerms evaluates the terms at single rows. It is initialised at first use.
type rowTerms struct {
	once  sync.Once
	terms []*gram.RowFunction
}

// NewSum returns a Sum with the given fields.
func NewSum(inputs int, intercept []float64, terms []kernel.Expansion, workers int) Sum {
	return Sum{Inputs: inputs, Intercept: intercept, Terms: terms, Workers: workers, rows: new(rowTerms)}
}

// Dims returns d and q.
func (s *Sum) Dims() (inputs, outputs int) { return s.Inputs, len(s.Intercept) }

// ModelOrder returns the number of points of all terms.
func (s *Sum) ModelOrder() int {
	n := 0
	for _, t := range s.Terms {
		n += t.ModelOrder()
	}
	return n
}

// Accepts returns an error if a kernel is not defined on the rows.
func (s *Sum) Accepts(x compute.Points) error {
	for _, t := range s.Terms {
		if err := gram.Check(t.Kernel, x); err != nil {
			return err
		}
	}
	return nil
}

// EvalTo sets dst = f(x). O(n·m·(d + q)) for m points.
func (s *Sum) EvalTo(dst compute.Matrix, x compute.Points) error {
	for i := range dst.Rows {
		copy(compute.Row(dst, i), s.Intercept)
	}
	for _, t := range s.Terms {
		expansion.AddTo(dst, t, x, s.Workers)
	}
	return nil
}

// AcceptsRow returns an error if a kernel is not defined on a row of d numbers.
func (s *Sum) AcceptsRow(x []float64) error {
	for _, t := range s.rowTerms() {
		if err := t.Check(x); err != nil {
			return err
		}
	}
	return nil
}

// rowTerms returns the terms for single rows.
func (s *Sum) rowTerms() []*gram.RowFunction {
	s.rows.once.Do(func() {
		for _, t := range s.Terms {
			s.rows.terms = append(s.rows.terms, expansion.RowFunction(t))
		}
	})
	return s.rows.terms
}

// EvalRow sets dst = f(x) of a single row.
func (s *Sum) EvalRow(dst, x []float64) error {
	copy(dst, s.Intercept)
	for _, t := range s.rowTerms() {
		t.AddTo(dst, x)
	}
	return nil
}

// Check returns an error that wraps rkhs.ErrDiverged if a constant is not finite, or the error of
// kernel.Expansion.Check for a term.
func (s *Sum) Check() error {
	for _, b := range s.Intercept {
		if !compute.Finite(b) {
			return fmt.Errorf("the intercept is %v: %w", b, rkhs.ErrDiverged)
		}
	}
	for _, t := range s.Terms {
		if err := t.Check(); err != nil {
			return err
		}
	}
	return nil
}

// Constants returns a copy of the intercept.
func (s *Sum) Constants() []float64 { return slices.Clone(s.Intercept) }

// Expansions returns copies of the terms.
func (s *Sum) Expansions() []kernel.Expansion {
	list := make([]kernel.Expansion, len(s.Terms))
	for i, t := range s.Terms {
		list[i] = t.Clone()
	}
	return list
}

// Term returns the first term, or the zero function without terms.
func (s *Sum) Term() kernel.Expansion {
	if len(s.Terms) == 0 {
		return kernel.Expansion{}
	}
	return s.Terms[0]
}

// Encode writes s without Workers.
func (s *Sum) Encode(e *codec.Encoder) error {
	e.Int(s.Inputs)
	e.Float64s(s.Intercept)
	e.Int(len(s.Terms))
	for _, t := range s.Terms {
		if err := expansion.Encode(e, t); err != nil {
			return err
		}
	}
	return nil
}

// DecodeSum reads the output of Encode. It fails unless all sizes match and all numbers are finite.
func DecodeSum(d *codec.Decoder) Sum {
	s := NewSum(d.Int(), d.Float64s(), nil, 0)
	if d.Err() == nil && (s.Inputs < 1 || len(s.Intercept) < 1) {
		d.Fail("%d inputs and %d outputs", s.Inputs, len(s.Intercept))
	}
	for range d.Count(1) {
		t := expansion.Decode(d)
		if d.Err() == nil && !expansion.Fits(t, s.Inputs, len(s.Intercept)) {
			d.Fail("a term that does not fit %d inputs and %d outputs", s.Inputs, len(s.Intercept))
		}
		if d.Err() != nil {
			break
		}
		s.Terms = append(s.Terms, t)
	}
	return s
}
