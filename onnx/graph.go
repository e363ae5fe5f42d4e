package onnx

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
)

// graph builds a graph of operators on named tensors. After the first error, err, its contents are
// invalid.
type graph struct {
	real         elem // of the computation
	input        elem // of the inputs
	doc          string
	nodes        []node
	initialisers []tensor
	inputs       []value
	outputs      []value
	count        map[string]int // of names by kind
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

// maxBytes is the limit of a protocol buffer, less a reserve for the nodes.
const maxBytes = 1<<31 - 1<<24

func (g *graph) fail(format string, args ...any) {
	if g.err == nil {
		g.err = fmt.Errorf(pkg+": "+format, args...)
	}
}

// name returns a new name.
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

// rename adds a tensor as an output of the graph. Underscores distinguish its name from the inputs.
func (g *graph) rename(tensor string, v value) {
	for g.isInput(v.name) {
		v.name += "_"
	}
	g.nodes = append(g.nodes, node{kind: "Identity", inputs: []string{tensor}, outputs: []string{v.name}})
	g.outputs = append(g.outputs, v)
}

// reserve counts bytes of the file and reports whether they fit.
func (g *graph) reserve(bytes float64) bool {
	g.bytes += bytes
	if g.bytes > maxBytes {
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

// round returns v in the precision of the graph.
func (g *graph) round(v float64) float64 {
	if g.real == elemFloat {
		return float64(float32(v))
	}
	return v
}

// numbers adds an initialiser of numbers.
func (g *graph) numbers(v []float64, dims ...int) string {
	name := g.name("constant")
	if !g.reserve(g.size() * float64(len(v))) {
		return name
	}
	raw := make([]byte, 0, int(g.size())*len(v))
	for _, x := range v {
		switch {
		case !compute.Finite(g.round(x)):
			g.fail("%v, a number of the model, is outside the range of the file: %w", x, rkhs.ErrOption)
			return name
		case g.real == elemFloat:
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(x)))
		default:
			raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(x))
		}
	}
	g.initialisers = append(g.initialisers, tensor{name: name, elem: g.real, dims: dims, raw: raw})
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
		t := tensor{name: g.name("ints"), elem: elemInt64, dims: []int{len(v)}}
		for _, x := range v {
			t.raw = binary.LittleEndian.AppendUint64(t.raw, uint64(int64(x)))
		}
		g.initialisers = append(g.initialisers, t)
		return t.name
	})
}

// texts adds an initialiser of strings.
func (g *graph) texts(v []string) string {
	name := g.name("texts")
	g.initialisers = append(g.initialisers, tensor{name: name, elem: elemString, dims: []int{len(v)}, strings: v})
	return name
}

// once builds a tensor at the first use of a key.
func (g *graph) once(key string, build func() string) string { return once(g.known, key, build) }

func once(known map[string]string, key string, build func() string) string {
	name, ok := known[key]
	if !ok {
		name = build()
		known[key] = name
	}
	return name
}

// cast converts elements to another type.
func (g *graph) cast(x string, to elem) string {
	return g.with("Cast", []attribute{{name: "to", number: int64(to)}}, x)
}

// gather returns the listed columns of x.
func (g *graph) gather(x string, columns ...int) string {
	return g.with("Gather", []attribute{{name: "axis", number: 1}}, x, g.ints(columns...))
}

// concat concatenates columns.
func (g *graph) concat(parts ...string) string {
	return g.with("Concat", []attribute{{name: "axis", number: 1}}, parts...)
}

// transpose permutes the axes of x.
func (g *graph) transpose(x string, perm ...int64) string {
	return g.with("Transpose", []attribute{{name: "perm", ints: perm}}, x)
}

// reduceSum sums over an axis, which remains if keep is 1.
func (g *graph) reduceSum(x string, axis int, keep int64) string {
	return g.with("ReduceSum", []attribute{{name: "keepdims", number: keep}}, x, g.ints(axis))
}

// topK returns the k largest elements of each row, or the k smallest elements in ascending order.
func (g *graph) topK(x string, k int, largest int64) string {
	values, indices := g.name("TopK"), g.name("TopK")
	g.nodes = append(g.nodes, node{kind: "TopK", inputs: []string{x, g.ints(k)}, outputs: []string{values, indices},
		attributes: []attribute{{name: "axis", number: 1}, {name: "largest", number: largest}}})
	return values
}

// times returns x·v.
func (g *graph) times(x string, v float64) string {
	if v == 1 {
		return x
	}
	return g.op("Mul", x, g.scalar(v))
}

// plus returns x + v.
func (g *graph) plus(x string, v float64) string {
	if v == 0 {
		return x
	}
	return g.op("Add", x, g.scalar(v))
}

// add returns a + b, where "" is zero.
func (g *graph) add(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return g.op("Add", a, b)
}
