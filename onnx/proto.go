package onnx

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// This file writes messages of onnx.proto3 (github.com/onnx/onnx).

const (
	irVersion = 7  // of ONNX 1.8, the first with opset 13
	opset     = 13 // of the standard operators
	opsetML   = 2  // of ai.onnx.ml, for LabelEncoder
)

// elem is a type of the elements of tensors.
type elem int32

const (
	elemFloat  elem = 1
	elemInt64  elem = 7
	elemString elem = 8
	elemDouble elem = 11
)

// message is an encoded protocol buffer.
type message []byte

// encode returns the message of alternating field numbers and values. A list is a repeated field.
func encode(fields ...any) (m message) {
	for i := 0; i < len(fields); i += 2 {
		m.add(protowire.Number(fields[i].(int)), fields[i+1])
	}
	return m
}

func (m *message) add(field protowire.Number, value any) {
	switch v := value.(type) {
	case int64:
		*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), uint64(v))
	case string:
		*m = protowire.AppendString(protowire.AppendTag(*m, field, protowire.BytesType), v)
	case message:
		*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), v)
	case []int64:
		addAll(m, field, v)
	case []string:
		addAll(m, field, v)
	case []message:
		addAll(m, field, v)
	default:
		panic(fmt.Sprintf("onnx: a field of type %T", v))
	}
}

func addAll[T any](m *message, field protowire.Number, list []T) {
	for _, v := range list {
		m.add(field, v)
	}
}

// messages returns the messages of a list.
func messages[T interface{ message() message }](list []T) (all []message) {
	for _, v := range list {
		all = append(all, v.message())
	}
	return all
}

// attribute is an AttributeProto: an integer, or a list of integers or of strings.
type attribute struct {
	name    string
	number  int64
	ints    []int64
	strings []string
}

func (a attribute) message() message {
	const typeInt, typeInts, typeStrings = int64(2), int64(7), int64(8)
	switch {
	case a.ints != nil:
		return encode(1, a.name, 8, a.ints, 20, typeInts)
	case a.strings != nil:
		return encode(1, a.name, 9, a.strings, 20, typeStrings)
	}
	return encode(1, a.name, 3, a.number, 20, typeInt)
}

const (
	labelEncoder = "LabelEncoder"
	domainML     = "ai.onnx.ml"
)

// node is a NodeProto.
type node struct {
	kind       string
	inputs     []string
	outputs    []string
	attributes []attribute
}

func (n node) message() message {
	m := encode(1, n.inputs, 2, n.outputs, 3, n.outputs[0], 4, n.kind, 5, messages(n.attributes))
	if n.kind == labelEncoder {
		m.add(7, domainML)
	}
	return m
}

// tensor is a TensorProto of raw little-endian bytes or strings.
type tensor struct {
	name    string
	elem    elem
	dims    []int
	raw     message
	strings []string
}

func (t tensor) message() (m message) {
	for _, n := range t.dims {
		m.add(1, int64(n))
	}
	m = append(m, encode(2, int64(t.elem), 6, t.strings, 8, t.name)...)
	if t.elem != elemString {
		m.add(9, t.raw)
	}
	return m
}

// value is the ValueInfoProto of an input or an output: a matrix with any number of rows and the
// given columns, or a vector for 0 columns.
type value struct {
	name    string
	elem    elem
	columns int
	doc     string
}

func (v value) message() message {
	shape := encode(1, encode(2, "rows"))
	if v.columns > 0 {
		shape.add(1, encode(1, int64(v.columns)))
	}
	tensorType := encode(1, int64(v.elem), 2, shape)
	return encode(1, v.name, 2, encode(1, tensorType), 3, v.doc)
}

// message returns the GraphProto of g.
func (g *graph) message() message {
	m := encode(1, messages(g.nodes), 2, "rkhs")
	for _, t := range g.initialisers { // one by one, because they are large
		m.add(5, t.message())
	}
	return append(m, encode(11, messages(g.inputs), 12, messages(g.outputs))...)
}

// model returns the ModelProto of g.
func (g *graph) model() message {
	opsets := []message{encode(1, "", 2, int64(opset)), encode(1, domainML, 2, int64(opsetML))}
	return encode(1, int64(irVersion), 2, "rkhs", 6, g.doc, 7, g.message(), 8, opsets)
}
