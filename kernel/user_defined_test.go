package kernel_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/testutil"
	. "github.com/rkhs-go/rkhs/kernel"
)

// within replaces the kernels inside k by user-defined kernels.
func within(k Kernel) Kernel {
	list := func(kernels []Kernel) []Kernel {
		out := make([]Kernel, len(kernels))
		for i, k := range kernels {
			out[i] = within(k)
		}
		return out
	}
	switch k := k.(type) {
	case Sum:
		return Sum(list(k))
	case Product:
		return Product(list(k))
	case Scale:
		return Scale{k.By, within(k.Of)}
	case ARD:
		return ARD{k.Scales, within(k.Of)}
	case LowRank:
		return LowRank{within(k.Base), k.Points, k.Weights}
	}
	return testutil.UserDefinedKernel(k)
}

func pointerTo(k Kernel) Kernel {
	p := reflect.New(reflect.TypeOf(k))
	p.Elem().Set(reflect.ValueOf(k))
	return p.Interface().(Kernel)
}

// operations returns the results of all operations of a kernel for n and m rows.
func operations(k Kernel, single bool, x, z, w blas64.General) map[string]*mat.Dense {
	e := gram.Evaluator{Kernel: k, SinglePrecision: single}
	n := x.Rows
	gram, cross, mul, diag := mat.NewDense(n, n, nil), mat.NewDense(n, z.Rows, nil), mat.NewDense(n, w.Cols, nil), mat.NewDense(1, n, nil)
	e.Gram(gram.RawMatrix(), x)
	e.Cross(cross.RawMatrix(), x, z)
	e.Mul(mul.RawMatrix(), x, z, w)
	e.Diag(diag.RawMatrix().Data, x)
	return map[string]*mat.Dense{"Gram": gram, "Cross": cross, "Mul": mul, "Diag": diag}
}

// A kernel of another name, embedded or as a pointer, also within other kernels, has the same
// bits.
func TestUserDefined(t *testing.T) {
	const d = 7
	for name, e := range examples {
		k := e.of(d)
		embedded := testutil.UserDefinedKernel(k)
		others := map[string]Kernel{"embedded": embedded, "behind a pointer": pointerTo(k), "pointer to embedded": pointerTo(embedded), "of embedded": within(k)}
		for _, sizes := range [][2]int{{1, 1}, {3, 5}, {140, 530}} {
			r := rand.New(rand.NewPCG(1, 2))
			x, z, w := mat.NewDense(sizes[0], d, nil), mat.NewDense(sizes[1], d, nil), randomMatrix(r, sizes[1], 2).RawMatrix()
			for _, m := range []*mat.Dense{x, z} {
				for i := range m.RawMatrix().Rows {
					e.point(r, m.RawRowView(i))
				}
			}
			for _, single := range []bool{false, true} {
				want := operations(k, single, x.RawMatrix(), z.RawMatrix(), w)
				for how, other := range others {
					if err := Check(other, x); err != nil {
						t.Errorf("%s %s: %v", name, how, err)
					}
					for op, got := range operations(other, single, x.RawMatrix(), z.RawMatrix(), w) {
						if !sameElements(got, want[op]) {
							t.Errorf("%s %s: %s of %v rows differs", name, how, op, sizes)
						}
					}
				}
			}
		}
	}
}

func sameElements(a, b *mat.Dense) bool {
	for i, v := range a.RawMatrix().Data {
		if math.Float64bits(v) != math.Float64bits(b.RawMatrix().Data[i]) {
			return false
		}
	}
	return true
}

// steeper and bounded embed a kernel of this package but have other values, which is invalid.
type steeper struct{ Gaussian }

func (k steeper) Eval(x, y []float64) float64 { return math.Pow(k.Gaussian.Eval(x, y), 3) }

type bounded struct{ Laplacian }

func (k bounded) Eval(x, y []float64) float64 { return 1 + k.Laplacian.Eval(x, y) }

// steep holds a kernel in a field.
type steep struct{ of Gaussian }

func (k steep) Eval(x, y []float64) float64 { return math.Pow(k.of.Eval(x, y), 3) }

func (k steep) OfSquaredDistance(d []float64) {
	k.of.OfSquaredDistance(d)
	for i, v := range d {
		d[i] = v * v * v
	}
}

func TestChangedEvalIsRefused(t *testing.T) {
	x := randomMatrix(rand.New(rand.NewPCG(3, 4)), 20, 2)
	for _, k := range []Kernel{steeper{Gaussian{1.5}}, bounded{Laplacian{2}}} {
		for _, k := range []Kernel{k, pointerTo(k), Sum{Linear{}, Scale{2, k}}, ARD{[]float64{1, 2}, k}, Product{k, k}} {
			var g mat.SymDense
			if err := Gram(&g, k, x); !errors.Is(err, rkhs.ErrOption) {
				t.Errorf("%#v: %v", k, err)
			}
		}
	}
	if err := Check(steep{Gaussian{1.5}}, x); err != nil {
		t.Error(err)
	}
	p, q := []float64{1, 2}, []float64{0.5, 1}
	if got, want := one(steep{Gaussian{1.5}}, p, q), (steep{Gaussian{1.5}}).Eval(p, q); math.Abs(got-want) > 1e-15 {
		t.Errorf("a block has %v, Eval gives %v", got, want)
	}
}

// Files and copies treat a pointer as its kernel. A nil pointer is an error.
func TestPointerToKernel(t *testing.T) {
	k := Kernel(&Gaussian{2})
	data, err := Marshal(Sum{k})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Unmarshal(data); err != nil || !reflect.DeepEqual(got, Kernel(Sum{Gaussian{2}})) {
		t.Errorf("%v, %v", got, err)
	}
	if got := fmt.Sprintf("%#v", Clone(k)); got != "kernel.Gaussian{Sigma:2}" {
		t.Error(got)
	}
	if !Equal(k, Gaussian{2}) || Equal(k, Gaussian{3}) {
		t.Error("Equal does not look through a pointer")
	}
	for _, k := range []Kernel{(*Gaussian)(nil), Sum{(*Linear)(nil)}, struct{ *Gaussian }{}, struct{ *Linear }{}, Sum{struct{ *LowRank }{}}} {
		if err := Check(k, mat.NewDense(1, 1, []float64{1})); !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("nil pointer: %v", err)
		}
	}
}
