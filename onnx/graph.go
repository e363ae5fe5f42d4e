package onnx

import (
	"fmt"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// graph is a graph of operators that is being built. Tensors are known by their names. What
// fails stays in err, and what is built after that is of no account.
type graph struct {
	real         elem // of the numbers
	input        elem // of those of the inputs
	doc          string
	nodes        []node
	initialisers []tensor
	inputs       []value
	outputs      []value
	count        map[string]int // of names by their beginning
	known        map[string]string
	bytes        float64 // of initialisers
	err          error
}

func newGraph(o Options) *graph {
	g := &graph{real: elemDouble, count: map[string]int{}, known: map[string]string{}}
	if o.Float32 {
		g.real = elemFloat
	}
	g.input = g.real
	return g
}

// mostBytes is what a protocol buffer may hold, less some for the nodes.
const mostBytes = 1<<31 - 1<<24

func (g *graph) fail(format string, args ...any) {
	if g.err == nil {
		g.err = fmt.Errorf(pkg+": "+format, args...)
	}
}

// name returns a name that no tensor has yet.
func (g *graph) name(kind string) string {
	for {
		g.count[kind]++
		if name := fmt.Sprintf("%s_%d", kind, g.count[kind]); !g.isInput(name) {
			return name
		}
	}
}

func (g *graph) isInput(name string) bool {
	return slices.ContainsFunc(g.inputs, func(v value) bool { return v.name == name })
}

// op adds an operator and returns its output.
func (g *graph) op(kind string, inputs ...string) string {
	return g.with(kind, nil, inputs...)
}

// with is op with attributes.
func (g *graph) with(kind string, attributes []attribute, inputs ...string) string {
	out := g.name(kind)
	g.nodes = append(g.nodes, node{kind: kind, inputs: inputs, outputs: []string{out}, attributes: attributes})
	return out
}

// rename makes a tensor an output of the graph, under its name and as many underscores as tell
// it from the inputs.
func (g *graph) rename(tensor string, v value) {
	for g.isInput(v.name) {
		v.name += "_"
	}
	g.nodes = append(g.nodes, node{kind: "Identity", inputs: []string{tensor}, outputs: []string{v.name}})
	g.outputs = append(g.outputs, v)
}

// room reports whether so many bytes more fit, and counts them.
func (g *graph) room(bytes float64) bool {
	g.bytes += bytes
	if g.bytes > mostBytes {
		g.fail("a model of %.1f GiB or more, where a file may have 2: %w", g.bytes/(1<<30), rkhs.ErrMemory)
	}
	return g.err == nil
}

// size returns the bytes of a number.
func (g *graph) size() float64 {
	if g.real == elemFloat {
		return 4
	}
	return 8
}

// round returns v as the graph will have it.
func (g *graph) round(v float64) float64 {
	if g.real == elemFloat {
		return float64(float32(v))
	}
	return v
}

// numbers adds an initialiser of numbers.
func (g *graph) numbers(v []float64, dims ...int) string {
	name := g.name("constant")
	if !g.room(g.size() * float64(len(v))) {
		return name
	}
	for _, x := range v {
		if !compute.Finite(g.round(x)) {
			g.fail("%v, a number of the model, is beyond the range of what is written: %w", x, rkhs.ErrOption)
			return name
		}
	}
	g.initialisers = append(g.initialisers, tensor{name: name, elem: g.real, dims: dims, raw: rawReals(v, g.real)})
	return name
}

// matrix adds an initialiser.
func (g *graph) matrix(m compute.Matrix) string {
	return g.numbers(compute.Contiguous(m), m.Rows, m.Cols)
}

// transposed adds the initialiser mᵀ.
func (g *graph) transposed(m compute.Matrix) string { return g.matrix(compute.Transpose(m)) }

// scalar adds an initialiser of one number, once.
func (g *graph) scalar(v float64) string {
	return g.once(fmt.Sprint("number ", v, " of type ", g.real), func() string { return g.numbers([]float64{v}) })
}

// ints adds an initialiser of whole numbers, once.
func (g *graph) ints(v ...int) string {
	return g.once(fmt.Sprint("ints ", v), func() string {
		name := g.name("ints")
		g.initialisers = append(g.initialisers, tensor{name: name, elem: elemInt64, dims: []int{len(v)}, raw: rawInts(v)})
		return name
	})
}

// texts adds an initialiser of strings.
func (g *graph) texts(v []string) string {
	name := g.name("texts")
	g.initialisers = append(g.initialisers, tensor{name: name, elem: elemString, dims: []int{len(v)}, strings: v})
	return name
}

func (g *graph) once(key string, make func() string) string {
	if name, ok := g.known[key]; ok {
		return name
	}
	name := make()
	g.known[key] = name
	return name
}

// Operators with a constant.

func (g *graph) times(x string, v float64) string {
	if v == 1 {
		return x
	}
	return g.op("Mul", x, g.scalar(v))
}

func (g *graph) plus(x string, v float64) string {
	if v == 0 {
		return x
	}
	return g.op("Add", x, g.scalar(v))
}

// add returns a + b, where none of the two is "" for nothing.
func (g *graph) add(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return g.op("Add", a, b)
}
