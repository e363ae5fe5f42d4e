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
	bits int // width of a vector register
}

func (t target) file() string { return strings.ToLower(t.name) }

// A generator writes routines for one target. size is the element size in bytes, and
// selects the precision of the next routines.
type generator struct {
	*build.Context
	target
	size      int
	constants map[string]operand.Mem
	names     map[int][]string // names of the routines by size
	labels    int
	crowded   bool // the constants of the routine do not fit in registers
}

func newGenerator(t target) *generator {
	g := &generator{Context: build.NewContext(), target: t, constants: map[string]operand.Mem{}, names: map[int][]string{}}
	g.ConstraintExpr("amd64,!purego")
	return g
}

// routines writes all routines in one precision.
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

// engines returns the source of Go functions that return an engine in each precision. The
// fields have the names of the routines.
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

// begin starts a routine. Its symbol consists of name, precision and target. In its
// signature, T is the element type.
func (g *generator) begin(name, signature, doc string) {
	symbol := g.symbol(name)
	g.names[g.size] = append(g.names[g.size], name)
	g.Function(symbol)
	g.Attributes(attr.NOSPLIT)
	g.Pragma("noescape")
	g.SignatureExpr(strings.ReplaceAll(signature, "T", fmt.Sprintf("float%d", 8*g.size)))
	g.Doc(strings.Split(symbol+" "+doc, "\n")...)
}

// end finishes a routine. It clears the upper halves of the registers, because SSE code
// would otherwise be slow afterwards.
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

// packed emits the packed instruction with the given stem, for example VADD, in the
// current precision.
func (g *generator) packed(stem string, ops ...operand.Op) {
	g.emit(stem, map[int]string{8: "PD", 4: "PS"}, ops)
}

// scalar emits the scalar instruction with the given stem.
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

// constant returns an operand with x in every lane. The operand is a register if the
// target has 32 registers and the routine is not crowded. Otherwise it is in memory.
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

// data returns the memory operand of a constant vector.
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

// label returns a label that is unique in the file.
func (g *generator) label(name string) string {
	g.labels++
	return fmt.Sprintf("%s%d", name, g.labels)
}

// base and length load parts of a slice argument. value loads an integer argument.
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

// stride loads a number of elements and converts it to bytes.
func (g *generator) stride(name string) reg.GPVirtual {
	r := g.value(name)
	g.bytes(r)
	return r
}

// bytes converts a number of elements to bytes.
func (g *generator) bytes(r reg.GPVirtual) {
	if g.size == 8 {
		g.SHLQ(operand.Imm(3), r)
	} else {
		g.SHLQ(operand.Imm(2), r)
	}
}

// times emits a loop that runs body n times. It counts register n down to zero.
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
