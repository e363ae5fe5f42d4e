package onnx

import (
	"google.golang.org/protobuf/encoding/protowire"
)

// This file writes the messages of onnx.proto3 (github.com/onnx/onnx). The constants in calls are
// field numbers.

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

// message is the encoding of a protocol buffer.
type message []byte

func (m *message) varint(field protowire.Number, v int64) {
	*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), uint64(v))
}

func (m *message) bytes(field protowire.Number, v []byte) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), v)
}

func (m *message) text(field protowire.Number, v string) { m.bytes(field, []byte(v)) }

// attribute is an AttributeProto: an integer, or a list of integers or of strings.
type attribute struct {
	name    string
	number  int64
	ints    []int64
	strings []string
}

func (a attribute) message() (m message) {
	const typeInt, typeInts, typeStrings = 2, 7, 8
	m.text(1, a.name)
	switch {
	case a.ints != nil:
		for _, v := range a.ints {
			m.varint(8, v)
		}
		m.varint(20, typeInts)
	case a.strings != nil:
		for _, v := range a.strings {
			m.text(9, v)
		}
		m.varint(20, typeStrings)
	default:
		m.varint(3, a.number)
		m.varint(20, typeInt)
	}
	return m
}

// node is a NodeProto.
type node struct {
	kind       string
	inputs     []string
	outputs    []string
	attributes []attribute
}

func (n node) message() (m message) {
	for _, name := range n.inputs {
		m.text(1, name)
	}
	for _, name := range n.outputs {
		m.text(2, name)
	}
	m.text(3, n.outputs[0])
	m.text(4, n.kind)
	for _, a := range n.attributes {
		m.bytes(5, a.message())
	}
	if n.kind == labelEncoder {
		m.text(7, domainML)
	}
	return m
}

const (
	labelEncoder = "LabelEncoder"
	domainML     = "ai.onnx.ml"
)

// tensor is a TensorProto of raw little-endian bytes or strings.
type tensor struct {
	name    string
	elem    elem
	dims    []int
	raw     []byte
	strings []string
}

func (t tensor) message() (m message) {
	for _, n := range t.dims {
		m.varint(1, int64(n))
	}
	m.varint(2, int64(t.elem))
	for _, v := range t.strings {
		m.text(6, v)
	}
	m.text(8, t.name)
	if t.elem != elemString {
		m.bytes(9, t.raw)
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

func (v value) message() (m message) {
	var rows, shape, tensorType, typ message
	rows.text(2, "rows")
	shape.bytes(1, rows)
	if v.columns > 0 {
		var columns message
		columns.varint(1, int64(v.columns))
		shape.bytes(1, columns)
	}
	tensorType.varint(1, int64(v.elem))
	tensorType.bytes(2, shape)
	typ.bytes(1, tensorType)
	m.text(1, v.name)
	m.bytes(2, typ)
	m.text(3, v.doc)
	return m
}

// message returns the GraphProto of g.
func (g *graph) message() (m message) {
	for _, n := range g.nodes {
		m.bytes(1, n.message())
	}
	m.text(2, "rkhs")
	for _, t := range g.initialisers {
		m.bytes(5, t.message())
	}
	for _, v := range g.inputs {
		m.bytes(11, v.message())
	}
	for _, v := range g.outputs {
		m.bytes(12, v.message())
	}
	return m
}

// model returns the ModelProto of g.
func (g *graph) model() (m message) {
	m.varint(1, irVersion)
	m.text(2, "rkhs")
	m.text(6, g.doc)
	m.bytes(7, g.message())
	for _, s := range []struct {
		domain  string
		version int64
	}{{"", opset}, {domainML, opsetML}} {
		var id message
		id.text(1, s.domain)
		id.varint(2, s.version)
		m.bytes(8, id)
	}
	return m
}
