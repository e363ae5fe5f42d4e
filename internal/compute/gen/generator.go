package main

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A target is an instruction set.
type target struct {
	name string
	bits int // of a vector register
}

func (t target) file() string { return strings.ToLower(t.name) }

// A generator writes routines for one target. Its size, the bytes of an
// element, selects the precision of what it writes next.
type generator struct {
	*build.Context
	target
	size      int
	constants map[string]operand.Mem
	names     map[int][]string // of the routines, by size
	labels    int
	crowded   bool // the routine has too many constants for registers
}

func newGenerator(t target) *generator {
	g := &generator{Context: build.NewContext(), target: t, constants: map[string]operand.Mem{}, names: map[int][]string{}}
	g.ConstraintExpr("amd64,!purego")
	return g
}

// routines writes all routines of one precision.
func (g *generator) routines() {
	rows, _ := g.tile()
	g.product("product", "sums of products", rows, g.multiply)
	g.product("productRow", "sums of products", 1, g.multiply)
	g.product("difference", "sums of squared differences", rows, g.squareDifference)
	g.streamed()
	g.narrow()
	g.transpose()
	g.squares()
	g.distances()
	g.absolute()
	g.weigh()
	g.exponentials()
	g.powers()
	g.waves()
	if g.size == 8 {
		g.randoms()
		g.eliminate()
		g.spread()
		g.gather()
	}
}

func (g *generator) symbol(name string) string { return name + fmt.Sprint(8*g.size) + g.name }

// engines returns Go functions that make an engine of each precision: the routines are
// in fields of their names.
func (g *generator) engines() []byte {
	var b bytes.Buffer
	for _, size := range []int{8, 4} {
		g.size = size
		rows, vectors := g.tile()
		element := fmt.Sprintf("float%d", 8*size)
		fmt.Fprintf(&b, "\nfunc %s() *engine[%s] {\n\treturn &engine[%s]{\n", g.symbol("engine"), element, element)
		fmt.Fprintf(&b, "\t\tname: %q, rows: %d, cols: %d, lanes: %d,\n", g.file(), rows, vectors*g.lanes(), g.lanes())
		if size == 8 {
			fmt.Fprintf(&b, "\t\tgathered: %d,\n", g.gatherVectors()*g.lanes())
		}
		for _, name := range g.names[size] {
			fmt.Fprintf(&b, "\t\t%s: %s,\n", name, g.symbol(name))
		}
		b.WriteString("\t}\n}\n")
	}
	return b.Bytes()
}

// begin opens a routine: name and precision and target make its symbol, params
// its signature in which T stands for the element type.
func (g *generator) begin(name, signature, doc string) {
	symbol := g.symbol(name)
	g.names[g.size] = append(g.names[g.size], name)
	g.Function(symbol)
	g.Attributes(attr.NOSPLIT)
	g.Pragma("noescape")
	g.SignatureExpr(strings.ReplaceAll(signature, "T", fmt.Sprintf("float%d", 8*g.size)))
	g.Doc(strings.Split(symbol+" "+doc, "\n")...)
}

// end closes a routine. Code after it may use SSE, which is slow while the
// upper halves of the registers are in use.
func (g *generator) end() {
	g.VZEROUPPER()
	g.RET()
}

func (g *generator) lanes() int { return g.bits / 8 / g.size }

func (g *generator) vector() reg.VecVirtual {
	if g.bits == 512 {
		return g.ZMM()
	}
	return g.YMM()
}

func (g *generator) vectors(n int) []reg.VecVirtual {
	v := make([]reg.VecVirtual, n)
	for i := range v {
		v[i] = g.vector()
	}
	return v
}

// packed emits the instruction of the given stem, for example VADD, on packed
// elements of the precision at hand.
func (g *generator) packed(stem string, ops ...operand.Op) {
	g.emit(stem, map[int]string{8: "PD", 4: "PS"}, ops)
}

// scalar emits the instruction of the given stem on one element.
func (g *generator) scalar(stem string, ops ...operand.Op) {
	g.emit(stem, map[int]string{8: "SD", 4: "SS"}, ops)
}

func (g *generator) emit(stem string, suffix map[int]string, ops []operand.Op) {
	m := reflect.ValueOf(g.Context).MethodByName(stem + suffix[g.size])
	args := make([]reflect.Value, len(ops))
	for i, op := range ops {
		args[i] = reflect.ValueOf(op)
	}
	m.Call(args)
}

// constant returns an operand that holds x in every lane: a register where
// there are thirty-two of them, memory where there are sixteen or the routine
// is crowded.
func (g *generator) constant(x float64) operand.Op {
	if g.size == 4 {
		return g.bitsConstant(uint64(math.Float32bits(float32(x))))
	}
	return g.bitsConstant(math.Float64bits(x))
}

// bitsConstant is constant for a bit pattern.
func (g *generator) bitsConstant(bits uint64) operand.Op {
	lanes := make([]uint64, g.lanes())
	for i := range lanes {
		lanes[i] = bits
	}
	m := g.data(fmt.Sprintf("lane%d_%x", 8*g.size, bits), lanes)
	if g.bits == 256 || g.crowded {
		return m
	}
	return g.broadcast(m)
}

// data returns memory that holds a vector.
func (g *generator) data(name string, lanes []uint64) operand.Mem {
	if m, ok := g.constants[name]; ok {
		return m
	}
	m := g.StaticGlobal(name + "_" + g.file())
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	for _, bits := range lanes {
		if g.size == 4 {
			g.AppendDatum(operand.U32(bits))
		} else {
			g.AppendDatum(operand.U64(bits))
		}
	}
	g.constants[name] = m
	return m
}

// broadcast returns a register with the element at src in every lane.
func (g *generator) broadcast(src operand.Op) reg.VecVirtual {
	v := g.vector()
	g.scalar("VBROADCAST", src, v)
	return v
}

// label returns a name that no other label of the file has.
func (g *generator) label(name string) string {
	g.labels++
	return fmt.Sprintf("%s%d", name, g.labels)
}

// base and length load parts of a slice argument, value loads a whole number.
func (g *generator) base(name string) reg.GPVirtual {
	r := g.GP64()
	g.Load(g.Param(name).Base(), r)
	return r
}

func (g *generator) length(name string) reg.GPVirtual {
	r := g.GP64()
	g.Load(g.Param(name).Len(), r)
	return r
}

func (g *generator) value(name string) reg.GPVirtual {
	r := g.GP64()
	g.Load(g.Param(name), r)
	return r
}

// stride loads a number of elements and turns it into bytes.
func (g *generator) stride(name string) reg.GPVirtual {
	r := g.value(name)
	g.bytes(r)
	return r
}

// bytes turns a number of elements into bytes.
func (g *generator) bytes(r reg.GPVirtual) {
	if g.size == 8 {
		g.SHLQ(operand.Imm(3), r)
	} else {
		g.SHLQ(operand.Imm(2), r)
	}
}

// times emits body n times over, where n is a register that it counts down to
// zero. It does nothing where n is zero.
func (g *generator) times(n reg.GPVirtual, body func()) {
	loop, done := g.label("loop"), g.label("done")
	g.TESTQ(n, n)
	g.JZ(operand.LabelRef(done))
	g.Label(loop)
	body()
	g.DECQ(n)
	g.JNZ(operand.LabelRef(loop))
	g.Label(done)
}
