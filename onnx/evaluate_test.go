package onnx_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// This file evaluates the operators that the package writes. It reads the bytes of a file and
// follows the ONNX standard, so tests need no runtime. It does not use the package.

// fields are the fields of a protocol buffer, in order.
type fields []struct {
	number protowire.Number
	varint uint64
	bytes  []byte
}

func parse(b []byte) (all fields, err error) {
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return nil, protowire.ParseError(n)
		}
		b = b[n:]
		f := fields{{number: number}}
		switch kind {
		case protowire.VarintType:
			f[0].varint, n = protowire.ConsumeVarint(b)
		case protowire.BytesType:
			f[0].bytes, n = protowire.ConsumeBytes(b)
		default:
			return nil, fmt.Errorf("field %d has wire type %d", number, kind)
		}
		if n < 0 {
			return nil, protowire.ParseError(n)
		}
		b = b[n:]
		all = append(all, f[0])
	}
	return all, nil
}

func must(b []byte) fields {
	f, err := parse(b)
	if err != nil {
		panic(err)
	}
	return f
}

func (f fields) texts(number protowire.Number) (list []string) {
	for _, v := range f {
		if v.number == number {
			list = append(list, string(v.bytes))
		}
	}
	return list
}

func (f fields) text(number protowire.Number) string {
	for _, s := range f.texts(number) {
		return s
	}
	return ""
}

func (f fields) ints(number protowire.Number) (list []int) {
	for _, v := range f {
		if v.number == number {
			list = append(list, int(int64(v.varint)))
		}
	}
	return list
}

func (f fields) messages(number protowire.Number) (list []fields) {
	for _, s := range f.texts(number) {
		list = append(list, must([]byte(s)))
	}
	return list
}

const (
	typeFloat, typeInt64, typeString, typeBool, typeDouble = 1, 7, 8, 9, 11
)

// tensor stores numbers of all types in f and texts in s.
type tensor struct {
	kind int
	dims []int
	f    []float64
	s    []string
}

func (t tensor) size() int {
	n := 1
	for _, d := range t.dims {
		n *= d
	}
	return n
}

// initialiser reads a TensorProto.
func initialiser(f fields) (name string, t tensor) {
	t.dims, t.kind = f.ints(1), f.ints(2)[0]
	raw := []byte(f.text(9))
	switch t.kind {
	case typeString:
		t.s = f.texts(6)
	case typeFloat:
		for ; len(raw) > 0; raw = raw[4:] {
			t.f = append(t.f, float64(math.Float32frombits(binary.LittleEndian.Uint32(raw))))
		}
	case typeDouble:
		for ; len(raw) > 0; raw = raw[8:] {
			t.f = append(t.f, math.Float64frombits(binary.LittleEndian.Uint64(raw)))
		}
	case typeInt64:
		for ; len(raw) > 0; raw = raw[8:] {
			t.f = append(t.f, float64(int64(binary.LittleEndian.Uint64(raw))))
		}
	}
	if len(t.f)+len(t.s) != t.size() {
		panic(fmt.Sprintf("initialiser %s of %v has %d elements", f.text(8), t.dims, len(t.f)+len(t.s)))
	}
	return f.text(8), t
}

// declared is a ValueInfoProto.
type declared struct {
	name string
	kind int
	dims []int // 0 for the number of rows
}

func declaredOf(f fields) declared {
	of := f.messages(2)[0].messages(1)[0]
	v := declared{name: f.text(1), kind: of.ints(1)[0]}
	for _, d := range of.messages(2)[0].messages(1) {
		if d.text(2) == "rows" {
			v.dims = append(v.dims, 0)
		} else {
			v.dims = append(v.dims, d.ints(1)[0])
		}
	}
	return v
}

// file is a ModelProto.
type file struct {
	ir              int
	opsets          map[string]int
	inputs, outputs []declared
	initialisers    map[string]tensor
	nodes           []fields
}

func open(b []byte) (f file, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	m := must(b)
	f = file{ir: m.ints(1)[0], opsets: map[string]int{}, initialisers: map[string]tensor{}}
	for _, o := range m.messages(8) {
		f.opsets[o.text(1)] = o.ints(2)[0]
	}
	g := m.messages(7)[0]
	for _, t := range g.messages(5) {
		name, of := initialiser(t)
		f.initialisers[name] = of
	}
	for _, v := range g.messages(11) {
		f.inputs = append(f.inputs, declaredOf(v))
	}
	for _, v := range g.messages(12) {
		f.outputs = append(f.outputs, declaredOf(v))
	}
	f.nodes = g.messages(1)
	return f, nil
}

// fits reports whether a tensor has the declared shape for a number of rows.
func (v declared) fits(t tensor, rows int) bool {
	if t.kind != v.kind || len(t.dims) != len(v.dims) || len(t.f)+len(t.s) != t.size() {
		return false
	}
	for i, d := range v.dims {
		if d == 0 {
			d = rows
		}
		if t.dims[i] != d {
			return false
		}
	}
	return true
}

// run evaluates the graph. Exactly one node must define each name, before its use.
func (f file) run(inputs map[string]tensor) (out map[string]tensor, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	known, rows := map[string]tensor{}, 0
	for name, t := range f.initialisers {
		known[name] = t
	}
	for _, v := range f.inputs {
		t, ok := inputs[v.name]
		if rows = t.dims[0]; !ok || !v.fits(t, rows) {
			return nil, fmt.Errorf("input %v does not fit", v)
		}
		known[v.name] = t
	}
	for _, n := range f.nodes {
		node := nodeOf(n)
		for _, name := range n.texts(1) {
			t, ok := known[name]
			if !ok {
				return nil, fmt.Errorf("%s takes %q, which is not there", node.kind, name)
			}
			node.in = append(node.in, t)
		}
		made := n.texts(2)
		for i, t := range node.eval() {
			if _, ok := known[made[i]]; ok {
				return nil, fmt.Errorf("%q is made twice", made[i])
			}
			known[made[i]] = t.rounded()
		}
	}
	out = map[string]tensor{}
	for _, v := range f.outputs {
		t, ok := known[v.name]
		if !ok || !v.fits(t, rows) {
			return nil, fmt.Errorf("output %v is %v of type %d", v, t.dims, t.kind)
		}
		out[v.name] = t
	}
	return out, nil
}

func (t tensor) rounded() tensor {
	if t.kind == typeFloat {
		for i, v := range t.f {
			t.f[i] = float64(float32(v))
		}
	}
	return t
}

type operator struct {
	kind    string
	in      []tensor
	number  map[string]int
	numbers map[string][]int
	texts   map[string][]string
}

func nodeOf(f fields) *operator {
	n := &operator{kind: f.text(4), number: map[string]int{}, numbers: map[string][]int{}, texts: map[string][]string{}}
	for _, a := range f.messages(5) {
		switch name := a.text(1); a.ints(20)[0] {
		case 2:
			n.number[name] = a.ints(3)[0]
		case 7:
			n.numbers[name] = a.ints(8)
		case 8:
			n.texts[name] = a.texts(9)
		}
	}
	return n
}

var unary = map[string]func(float64) float64{
	"Exp": math.Exp, "Log": math.Log, "Sqrt": math.Sqrt, "Abs": math.Abs, "Sin": math.Sin, "Cos": math.Cos, "Tanh": math.Tanh,
	"Neg": func(v float64) float64 { return -v }, "Identity": func(v float64) float64 { return v },
	"Not": func(v float64) float64 { return 1 - v }, "IsNaN": func(v float64) float64 { return truth(math.IsNaN(v)) },
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

var binary2 = map[string]func(a, b float64) float64{
	"Add": func(a, b float64) float64 { return a + b }, "Sub": func(a, b float64) float64 { return a - b },
	"Mul": func(a, b float64) float64 { return a * b }, "Div": func(a, b float64) float64 { return a / b },
	"Max": math.Max, "Min": math.Min,
	"Greater": func(a, b float64) float64 { return truth(a > b) }, "Less": func(a, b float64) float64 { return truth(a < b) },
	"Equal": func(a, b float64) float64 { return truth(a == b) },
}

func (n *operator) eval() []tensor {
	x := n.in[0]
	if f, ok := unary[n.kind]; ok {
		y := tensor{kind: x.kind, dims: x.dims, s: x.s}
		if n.kind == "IsNaN" {
			y.kind = typeBool
		}
		for _, v := range x.f {
			y.f = append(y.f, f(v))
		}
		return []tensor{y}
	}
	if f, ok := binary2[n.kind]; ok {
		y := broadcast(n.in, func(v []float64) float64 { return f(v[0], v[1]) })
		if n.in[1].kind != x.kind {
			panic(n.kind + " of two types")
		}
		y.kind = x.kind
		if n.kind == "Greater" || n.kind == "Less" || n.kind == "Equal" {
			y.kind = typeBool
		}
		return []tensor{y}
	}
	switch n.kind {
	case "MatMul":
		return []tensor{matMul(x, n.in[1])}
	case "Where":
		y := broadcast(n.in, func(v []float64) float64 {
			if v[0] != 0 {
				return v[1]
			}
			return v[2]
		})
		y.kind = n.in[1].kind
		return []tensor{y}
	case "Cast":
		return []tensor{{kind: n.number["to"], dims: x.dims, f: slices.Clone(x.f)}}
	case "ReduceSum":
		return []tensor{reduce(x, int(n.in[1].f[0]), n.number["keepdims"], func(s, v float64) float64 { return s + v })}
	case "ReduceSumSquare":
		return []tensor{reduce(x, n.numbers["axes"][0], n.number["keepdims"], func(s, v float64) float64 { return s + v*v })}
	case "Unsqueeze":
		return []tensor{{kind: x.kind, dims: slices.Insert(slices.Clone(x.dims), int(n.in[1].f[0]), 1), f: x.f}}
	case "Squeeze":
		at := int(n.in[1].f[0])
		return []tensor{{kind: x.kind, dims: slices.Delete(slices.Clone(x.dims), at, at+1), f: x.f}}
	case "Reshape":
		y := tensor{kind: x.kind, f: x.f}
		for i, d := range n.in[1].f {
			if d == 0 {
				d = float64(x.dims[i])
			}
			y.dims = append(y.dims, int(d))
		}
		return []tensor{y}
	case "Transpose":
		if perm := n.numbers["perm"]; perm[0] != 1 || perm[1] != 0 || len(perm) != len(x.dims) {
			panic(fmt.Sprint("Transpose by ", perm))
		}
		return []tensor{swapped(x)}
	case "Slice":
		return []tensor{slice(x, int(n.in[1].f[0]), int(n.in[2].f[0]), int(n.in[3].f[0]))}
	case "Concat":
		return []tensor{concat(n.in)}
	case "Gather":
		return []tensor{gather(x, n.in[1], n.number["axis"])}
	case "ArgMax":
		return []tensor{argMax(x)}
	case "TopK":
		return []tensor{topK(x, int(n.in[1].f[0]), n.number["largest"] != 0), {kind: typeInt64, dims: x.dims, f: x.f}}
	case "LabelEncoder":
		return []tensor{n.encode(x)}
	}
	panic(errors.New("operator " + n.kind))
}

// broadcast evaluates f elementwise, by the rules of numpy.
func broadcast(in []tensor, f func(v []float64) float64) (y tensor) {
	for _, t := range in {
		for len(y.dims) < len(t.dims) {
			y.dims = slices.Insert(y.dims, 0, 1)
		}
		for i, d := range t.dims {
			if at := len(y.dims) - len(t.dims) + i; y.dims[at] == 1 {
				y.dims[at] = d
			} else if d != 1 && d != y.dims[at] {
				panic(fmt.Sprintf("%v beside %v", t.dims, y.dims))
			}
		}
	}
	v, at := make([]float64, len(in)), make([]int, len(y.dims))
	for range y.size() {
		for k, t := range in {
			offset := 0
			for i, d := range t.dims {
				if offset *= d; d > 1 {
					offset += at[len(at)-len(t.dims)+i]
				}
			}
			v[k] = t.f[offset]
		}
		y.f = append(y.f, f(v))
		for i := len(at) - 1; i >= 0; i-- {
			if at[i]++; at[i] < y.dims[i] {
				break
			}
			at[i] = 0
		}
	}
	return y
}

func matMul(a, b tensor) tensor {
	if len(a.dims) == 3 {
		return matMuls(a, b)
	}
	if len(a.dims) != 2 || len(b.dims) != 2 || a.dims[1] != b.dims[0] || a.kind != b.kind {
		panic(fmt.Sprintf("MatMul of %v and %v", a.dims, b.dims))
	}
	y := tensor{kind: a.kind, dims: []int{a.dims[0], b.dims[1]}}
	for i := range a.dims[0] {
		for j := range b.dims[1] {
			s := 0.0
			for k := range a.dims[1] {
				s += a.f[i*a.dims[1]+k] * b.f[k*b.dims[1]+j]
			}
			y.f = append(y.f, s)
		}
	}
	return y
}

// matMuls is matMul for stacked matrices.
func matMuls(a, b tensor) (all tensor) {
	m, k, n := a.dims[1], a.dims[2], b.dims[2]
	all = tensor{kind: a.kind, dims: []int{a.dims[0], m, n}}
	for i := range a.dims[0] {
		x := tensor{kind: a.kind, dims: a.dims[1:], f: a.f[i*m*k : (i+1)*m*k]}
		y := tensor{kind: b.kind, dims: b.dims[1:], f: b.f[i*k*n : (i+1)*k*n]}
		all.f = append(all.f, matMul(x, y).f...)
	}
	return all
}

// swapped exchanges the first two axes.
func swapped(x tensor) tensor {
	a, b := x.dims[0], x.dims[1]
	c := x.size() / (a * b)
	y := tensor{kind: x.kind, dims: slices.Concat([]int{b, a}, x.dims[2:])}
	for j := range b {
		for i := range a {
			y.f = append(y.f, x.f[(i*b+j)*c:(i*b+j+1)*c]...)
		}
	}
	return y
}

// blocks returns the number of blocks of an axis, the length of the axis, and the number of elements
// of each step.
func (t tensor) blocks(axis int) (before, length, after int) {
	before, after = 1, 1
	for i, d := range t.dims {
		if i < axis {
			before *= d
		} else if i > axis {
			after *= d
		}
	}
	return before, t.dims[axis], after
}

// reduce reduces an axis with f. It removes the axis, or keeps it with length 1.
func reduce(x tensor, axis, keep int, f func(s, v float64) float64) tensor {
	before, length, after := x.blocks(axis)
	y := tensor{kind: x.kind, dims: slices.Clone(x.dims), f: make([]float64, before*after)}
	if y.dims[axis] = 1; keep == 0 {
		y.dims = slices.Delete(y.dims, axis, axis+1)
	}
	for i, v := range x.f {
		at := i/(length*after)*after + i%after
		y.f[at] = f(y.f[at], v)
	}
	return y
}

func slice(x tensor, from, to, axis int) tensor {
	before, length, after := x.blocks(axis)
	y := tensor{kind: x.kind, dims: slices.Clone(x.dims)}
	y.dims[axis] = to - from
	for i := range before {
		y.f = append(y.f, x.f[(i*length+from)*after:(i*length+to)*after]...)
	}
	return y
}

func concat(in []tensor) tensor {
	y := tensor{kind: in[0].kind, dims: []int{in[0].dims[0], 0}}
	for _, t := range in {
		if y.dims[1] += t.dims[1]; t.kind != y.kind {
			panic("Concat of two types")
		}
	}
	for i := range y.dims[0] {
		for _, t := range in {
			y.f = append(y.f, t.f[i*t.dims[1]:(i+1)*t.dims[1]]...)
		}
	}
	return y
}

func gather(of, at tensor, axis int) tensor {
	y := tensor{kind: of.kind, dims: slices.Concat(of.dims[:axis], at.dims, of.dims[axis+1:])}
	before, length, after := of.blocks(axis)
	for i := range before {
		for _, v := range at.f {
			from := (i*length + int(v)) * after
			if of.kind == typeString {
				y.s = append(y.s, of.s[from:from+after]...)
			} else {
				y.f = append(y.f, of.f[from:from+after]...)
			}
		}
	}
	return y
}

func argMax(x tensor) tensor {
	y := tensor{kind: typeInt64, dims: x.dims[:1]}
	for i := range x.dims[0] {
		row := x.f[i*x.dims[1] : (i+1)*x.dims[1]]
		y.f = append(y.f, float64(slices.Index(row, slices.Max(row))))
	}
	return y
}

// topK returns the k smallest or largest numbers of each row, in order.
func topK(x tensor, k int, largest bool) tensor {
	y := tensor{kind: x.kind, dims: []int{x.dims[0], k}}
	for i := range x.dims[0] {
		row := slices.Sorted(slices.Values(x.f[i*x.dims[1] : (i+1)*x.dims[1]]))
		if largest {
			slices.Reverse(row)
		}
		y.f = append(y.f, row[:k]...)
	}
	return y
}

func (n *operator) encode(x tensor) tensor {
	y := tensor{kind: typeInt64, dims: x.dims}
	for _, text := range x.s {
		v := n.number["default_int64"]
		if k := slices.Index(n.texts["keys_strings"], text); k >= 0 {
			v = n.numbers["values_int64s"][k]
		}
		y.f = append(y.f, float64(v))
	}
	return y
}

// evaluate is runtime by the evaluator of this file.
func evaluate(tasks []task) []result {
	kinds := map[string]int{"float32": typeFloat, "float64": typeDouble, "string": typeString}
	results := make([]result, len(tasks))
	for i, of := range tasks {
		inputs := map[string]tensor{}
		for name, a := range of.inputs {
			t := tensor{kind: kinds[a.Type], dims: a.Dims}
			for k, v := range a.Data {
				if s, ok := v.(string); ok && t.kind == typeString {
					t.s = append(t.s, s)
				} else {
					t.f = append(t.f, a.number(k))
				}
			}
			inputs[name] = t
		}
		f, err := open(of.model)
		var out map[string]tensor
		if err == nil {
			out, err = f.run(inputs)
		}
		if err != nil {
			results[i].Error = err.Error()
			continue
		}
		results[i].Outputs = map[string]array{}
		for name, t := range out {
			a := array{Dims: t.dims}
			for _, v := range t.f {
				a.Data = append(a.Data, v)
			}
			for _, v := range t.s {
				a.Data = append(a.Data, v)
			}
			results[i].Outputs[name] = a
		}
	}
	return results
}
