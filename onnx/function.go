package onnx

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/formula"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/tree"
	"github.com/rkhs-go/rkhs/kernel"
)

// function is f(x), rows×q, as far as it is built.
type function struct {
	*graph
	x        string
	constant []float64      // of each output
	slope    compute.Matrix // d×q: what is linear in x
	hasSlope bool
	sum      string // of the other terms, "" without any
}

// function returns the output f(x). Where single precision would lose too much of it, it is
// computed in double precision between two casts.
func (g *graph) function(f formula.Formula, x string) string {
	if g.real == elemFloat && cancels(f) {
		g.real = elemDouble
		v := g.function(f, g.cast(x, elemDouble))
		g.real = elemFloat
		return g.cast(v, elemFloat)
	}
	s := &function{graph: g, x: x, constant: f.Intercept, slope: compute.NewMatrix(f.Inputs, f.Outputs())}
	for _, e := range f.Expansions {
		s.expansion(e, f.Inputs)
	}
	for _, e := range f.Features {
		s.features(e)
	}
	if s.hasSlope || s.sum == "" {
		s.sum = g.add(s.sum, g.op("MatMul", x, g.matrix(s.slope)))
	}
	return g.op("Add", s.sum, g.numbers(s.constant, 1, f.Outputs()))
}

// expansion adds Σ_j k(x, p_j)·w_j.
func (s *function) expansion(e kernel.Expansion, inputs int) {
	if e.ModelOrder() == 0 || s.err != nil {
		return
	}
	n, err := tree.Describe(e.Kernel, inputs)
	if err != nil {
		s.fail("%w", err)
		return
	}
	if elements := float64(e.ModelOrder()) * float64(inputs); elements*s.size() > mostBytes {
		s.fail("%d points of %d columns take %.1f GiB, where a file may have 2: %w", e.ModelOrder(), inputs, elements*s.size()/(1<<30), rkhs.ErrMemory)
		return
	}
	s.term(n, newPlace(s.graph, s.x, expansion.Points(e).Dense()), e.Weights.RawMatrix())
}

// term adds K·w for the values K of a kernel at a place. What is linear in K goes to the
// terms of a sum, and what is linear in x is summed over the points beforehand.
func (s *function) term(n tree.Node, at *place, w compute.Matrix) {
	if summed(n, at.raw.Cols) {
		s.polynomial(powers(n), at, w)
		return
	}
	switch n.Family {
	case "Sum":
		for _, of := range n.Of {
			s.term(of, at, w)
		}
	case "Scale":
		w = compute.Clone(w)
		for i := range w.Data {
			w.Data[i] *= n.Numbers["By"]
		}
		s.term(n.Of[0], at, w)
	case "ARD":
		s.term(n.Of[0], at.divided(n.Lists["Scales"]), w)
	case "Projected":
		s.term(n.Of[0], at.projected(n.Matrices["L"]), w)
	case "OneHot":
		s.term(n.Of[0], at.encoded(levelsOf(n)), w)
	case "Hellinger":
		s.term(tree.Node{Family: "Linear"}, at.roots(), w)
	default:
		s.plus(s.weigh(s.lessOne(n, at, w), w))
	}
}

// together is the number of terms that single precision adds up one after the other.
const together = 32

// weigh returns K·w. In single precision sums of many terms are sums of sums, of which each
// has few: rounding grows with the number of additions in a row.
func (s *function) weigh(k string, w compute.Matrix) string {
	blocks := w.Rows / together
	if s.real == elemDouble || blocks < 2 {
		return s.op("MatMul", k, s.matrix(w))
	}
	whole := blocks * together
	of := func(from, to int) string {
		if from == 0 && to == w.Rows {
			return k
		}
		return s.op("Slice", k, s.ints(from), s.ints(to), s.ints(1))
	}
	parts := s.op("Reshape", of(0, whole), s.ints(0, blocks, together))
	parts = s.with("Transpose", []attribute{{name: "perm", ints: []int64{1, 0, 2}}}, parts)
	sums := s.op("MatMul", parts, s.numbers(compute.Contiguous(compute.Rows(w, 0, whole)), blocks, together, w.Cols))
	sum := s.with("ReduceSum", []attribute{{name: "keepdims"}}, sums, s.ints(0))
	if whole < w.Rows {
		sum = s.op("Add", sum, s.op("MatMul", of(whole, w.Rows), s.matrix(compute.Rows(w, whole, w.Rows))))
	}
	return sum
}

func (s *function) plus(term string) { s.sum = s.graph.add(s.sum, term) }

// lessOne returns K − 1 of a wide kernel in single precision, where that has more digits than
// K, and adds the sum of w to the constant; else K.
func (s *function) lessOne(n tree.Node, at *place, w compute.Matrix) string {
	of, ok := lessOne[n.Family]
	if !ok || s.real == elemDouble || !at.narrower(n) {
		return s.kernel(n, at)
	}
	for i := range w.Rows {
		floats.Add(s.constant, compute.Row(w, i))
	}
	return of(s.graph, n, at)
}

// features adds Σ_b <φ_b(x), A_b>.
func (s *function) features(e features.Expansion) {
	for b, a := range e.Coefficients {
		if s.err != nil {
			return
		}
		parts, err := features.PartsOf(e.Map, uint64(b))
		if err != nil {
			s.fail("%w", err)
			return
		}
		at := 0
		for _, p := range parts {
			s.part(p, compute.Rows(a.RawMatrix(), at, at+p.Columns()))
			at += p.Columns()
		}
	}
}

// part adds <φ(x), A> of some columns φ of a block.
func (s *function) part(p features.Part, a compute.Matrix) {
	a = compute.Clone(a)
	for i := range a.Data {
		a.Data[i] *= p.Scale
	}
	w := p.W.RawMatrix()
	x := s.x
	if p.Levels != nil {
		x = s.encoded(x, p.Levels)
	}
	switch {
	case p.Linear && p.Levels == nil:
		compute.MulTN(s.slope, w, a, 0)
		s.hasSlope = true
		return
	case p.Linear:
		s.plus(s.op("MatMul", s.op("MatMul", x, s.transposed(w)), s.matrix(a)))
		return
	}
	angles := s.op("MatMul", x, s.transposed(w))
	s.plus(s.op("MatMul", s.cosines(angles), s.matrix(compute.Rows(a, 0, w.Rows))))
	s.plus(s.op("MatMul", s.op("Sin", angles), s.matrix(compute.Rows(a, w.Rows, 2*w.Rows))))
}

// cosines takes sines of shifted angles where older runtimes have no cosine of float64, as
// onnxruntime 1.17.
func (s *function) cosines(angles string) string {
	if s.real == elemDouble {
		return s.op("Sin", s.graph.plus(angles, math.Pi/2))
	}
	return s.op("Cos", angles)
}
