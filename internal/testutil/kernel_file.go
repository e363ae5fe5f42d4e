package testutil

import (
	"bytes"
	"errors"
	"fmt"
	"go/parser"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

func (c kernelCheck) text(t *testing.T) {
	s, ok := c.k.(fmt.Stringer)
	if !ok {
		t.Skip("the kernel has no String")
	}
	if _, err := parser.ParseExpr(s.String()); err != nil {
		t.Fatalf("%s is no Go expression: %v", s, err)
	}
}

func (c kernelCheck) file(t *testing.T) {
	data, err := kernel.Marshal(c.k)
	if err != nil {
		t.Fatal(err)
	}
	k, err := kernel.Unmarshal(data)
	if err != nil {
		t.Fatal(err)
	}
	x := c.points(10)
	for i := range x.Rows {
		for j := range x.Rows {
			if a, b := c.k.Eval(row(x, i), row(x, j)), k.Eval(row(x, i), row(x, j)); math.Float64bits(a) != math.Float64bits(b) {
				t.Fatalf("the saved kernel gives %v, the loaded one %v", a, b)
			}
		}
	}
	if again, err := kernel.Marshal(k); err != nil || !bytes.Equal(again, data) {
		t.Fatalf("the loaded kernel makes another file (%v)", err)
	}
}

func (c kernelCheck) badData(t *testing.T) {
	fails := func(want error, place string, x *mat.Dense) {
		t.Helper()
		var g mat.SymDense
		err := kernel.Gram(&g, c.k, x)
		if !errors.Is(err, want) || !strings.HasPrefix(err.Error(), "kernel: ") || !strings.Contains(err.Error(), place) {
			t.Errorf("error %v, want one that is %v and names %q", err, want, place)
		}
		if !g.IsEmpty() {
			t.Error("the destination was touched")
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		x := dense(c.points(5))
		x.Set(3, c.d-1, v)
		fails(rkhs.ErrNotFinite, fmt.Sprintf("row 3, column %d", c.d-1), x)
	}
	fails(rkhs.ErrEmpty, "x", &mat.Dense{})
	var k mat.Dense
	z := mat.NewDense(2, c.d+1, nil)
	if err := kernel.Cross(&k, c.k, dense(c.points(2)), z); !errors.Is(err, rkhs.ErrShape) {
		t.Errorf("points of different length give %v", err)
	}
}

// outside leaves the domain in one coordinate.
func (c kernelCheck) outside(t *testing.T) {
	if !gram.Restricted(c.k) {
		t.Skip("the kernel is defined everywhere")
	}
	x := dense(c.points(4))
	x.Set(2, c.d-1, -1e6)
	column, _ := gram.Outside(c.k, x.RawRowView(2))
	if column < 0 {
		t.Skip("every point is in the domain")
	}
	var dst mat.Dense
	err := kernel.Cross(&dst, c.k, dense(c.points(2)), x)
	if want := fmt.Sprintf("z at row 2, column %d", c.d-1); !errors.Is(err, rkhs.ErrDomain) || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one that is %v and names %q", err, rkhs.ErrDomain, want)
	}
}
