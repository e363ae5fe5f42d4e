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

// function builds f(x), rows×q.
type function struct {
	*graph
	x        string
	constant []float64      // of each output
	slope    compute.Matrix // d×q, of the linear part
	hasSlope bool
	sum      string // of the other terms, or ""
}

// function returns f(x). If single precision is insufficient, it computes f(x) in double precision
// between two casts.
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
	if elements := float64(e.ModelOrder()) * float64(inputs); elements*s.size() > maxBytes {
		s.fail("%d points of %d columns take %.1f GiB, where a file may have 2: %w", e.ModelOrder(), inputs, elements*s.size()/(1<<30), rkhs.ErrMemory)
		return
	}
	s.term(n, newSpace(s.graph, s.x, expansion.Points(e).Dense()), e.Weights.RawMatrix())
}

// term adds K·w for the kernel values K in a space.
func (s *function) term(n tree.Node, at *space, w compute.Matrix) {
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
		s.term(n.Of[0], at.encoded(n.ListsOf("Levels")), w)
	case "Warped":
		s.term(n.Of[0], at.warped(n.ListsOf("From"), n.ListsOf("To")), w)
	case "Hellinger":
		s.term(tree.Node{Family: "Linear"}, at.roots(), w)
	default:
		s.plus(s.weigh(s.lessOne(n, at, w), w))
	}
}

// together is the number of consecutive additions in single precision.
const together = 32

// weigh returns K·w. In single precision, long sums are sums of short sums, because rounding errors
// grow with the number of consecutive additions.
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
	parts = s.transpose(parts, 1, 0, 2)
	sums := s.op("MatMul", parts, s.numbers(compute.Contiguous(compute.Rows(w, 0, whole)), blocks, together, w.Cols))
	sum := s.reduceSum(sums, 0, 0)
	if whole < w.Rows {
		sum = s.op("Add", sum, s.op("MatMul", of(whole, w.Rows), s.matrix(compute.Rows(w, whole, w.Rows))))
	}
	return sum
}

func (s *function) plus(term string) { s.sum = s.graph.add(s.sum, term) }

// lessOne returns K, or for a wide kernel in single precision the more accurate K − 1. It then adds
// the sum of w to the constant.
func (s *function) lessOne(n tree.Node, at *space, w compute.Matrix) string {
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

// part adds <φ(x), A> for a part φ of the columns of a block.
func (s *function) part(p features.Part, a compute.Matrix) {
	a = compute.Clone(a)
	for i := range a.Data {
		a.Data[i] *= p.Scale
	}
	w := p.W.RawMatrix()
	x := s.x
	switch {
	case p.Levels != nil:
		x = s.encoded(x, p.Levels)
	case p.From != nil:
		x = s.warped(x, p.From, p.To)
	}
	switch {
	case p.Linear && x == s.x:
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

// cosines returns sines of shifted angles in float64, because onnxruntime 1.17 has no cosine of
// float64.
func (s *function) cosines(angles string) string {
	if s.real == elemDouble {
		return s.op("Sin", s.graph.plus(angles, math.Pi/2))
	}
	return s.op("Cos", angles)
}
