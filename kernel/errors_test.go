package kernel_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/gram"
	. "github.com/rkhs-go/rkhs/kernel"
)

func TestBadParameters(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	two := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	for _, c := range []struct {
		k     Kernel
		want  error
		names string
	}{
		{nil, rkhs.ErrOption, "nil"},
		{Gaussian{}, rkhs.ErrOption, "Gaussian.Sigma is 0"},
		{Gaussian{-1}, rkhs.ErrOption, "Gaussian.Sigma is -1"},
		{Gaussian{nan}, rkhs.ErrOption, "Gaussian.Sigma is NaN"},
		{Gaussian{1e-160}, rkhs.ErrOption, "Gaussian.Sigma is 1e-160"},
		{Laplacian{inf}, rkhs.ErrOption, "Laplacian.Sigma is +Inf"},
		{Cauchy{-2}, rkhs.ErrOption, "Cauchy.Sigma is -2"},
		{Matern{0, 1}, rkhs.ErrOption, "Matern.Nu is 0"},
		{Matern{inf, 1}, rkhs.ErrOption, "Matern.Nu is +Inf"},
		{Matern{1, 0}, rkhs.ErrOption, "Matern.Length is 0"},
		{RationalQuadratic{0, 1}, rkhs.ErrOption, "RationalQuadratic.Alpha is 0"},
		{RationalQuadratic{1, nan}, rkhs.ErrOption, "RationalQuadratic.Length is NaN"},
		{Polynomial{}, rkhs.ErrOption, "Polynomial.Degree is 0"},
		{Polynomial{Degree: 2, Scale: -1}, rkhs.ErrOption, "Polynomial.Scale is -1"},
		{Polynomial{Degree: 2, Offset: -3}, rkhs.ErrOption, "Polynomial.Offset is -3"},
		{DotProduct{}, rkhs.ErrOption, "DotProduct.Coefficients is empty"},
		{DotProduct{[]float64{1, -2}}, rkhs.ErrOption, "DotProduct.Coefficients[1] is -2"},
		{ArcCosine{3}, rkhs.ErrOption, "ArcCosine.Order is 3"},
		{Dirichlet{0}, rkhs.ErrOption, "Dirichlet.Sigma is 0"},
		{SkewedChiSquared{-1}, rkhs.ErrOption, "SkewedChiSquared.C is -1"},
		{SkewedIntersection{nan}, rkhs.ErrOption, "SkewedIntersection.C is NaN"},
		{ExponentialSemigroup{0}, rkhs.ErrOption, "ExponentialSemigroup.Beta is 0"},
		{ReciprocalSemigroup{-1}, rkhs.ErrOption, "ReciprocalSemigroup.Lambda is -1"},
		{Sum{}, rkhs.ErrOption, "Sum is empty"},
		{Product{}, rkhs.ErrOption, "Product is empty"},
		{Sum{Linear{}, nil}, rkhs.ErrOption, "nil"},
		{Scale{1, nil}, rkhs.ErrOption, "nil"},
		{Scale{-1, Linear{}}, rkhs.ErrOption, "Scale.By is -1"},
		{Sum{Linear{}, Scale{2, Product{Gaussian{-4}}}}, rkhs.ErrOption, "Gaussian.Sigma is -4"},
		{ARD{[]float64{1, 0}, Linear{}}, rkhs.ErrOption, "ARD.Scales[1] is 0"},
		{ARD{nil, Linear{}}, rkhs.ErrShape, "0 scales"},
		{ARD{[]float64{1, 2, 3}, Linear{}}, rkhs.ErrShape, "3 scales"},
		{ARD{[]float64{1, 2}, nil}, rkhs.ErrOption, "nil"},
		{Sum{ARD{[]float64{1}, Linear{}}}, rkhs.ErrShape, "1 scales"},
		{Projected{nil, Linear{}}, rkhs.ErrEmpty, "Projected.L"},
		{Projected{mat.NewDense(1, 3, nil), Linear{}}, rkhs.ErrShape, "3 columns"},
		{Projected{mat.NewDense(1, 2, []float64{1, nan}), Linear{}}, rkhs.ErrNotFinite, "Projected.L at row 0, column 1"},
		{Projected{two, nil}, rkhs.ErrOption, "nil"},
		{Projected{two, ARD{[]float64{1}, Linear{}}}, rkhs.ErrShape, "1 scales"},
		{LowRank{Linear{}, nil, nil}, rkhs.ErrEmpty, "LowRank.Points"},
		{LowRank{Linear{}, two, []float64{1}}, rkhs.ErrShape, "1 weights for 2 points"},
		{LowRank{Linear{}, two, []float64{1, -1}}, rkhs.ErrOption, "LowRank.Weights[1] is -1"},
		{LowRank{nil, two, []float64{1, 1}}, rkhs.ErrOption, "nil"},
		{LowRank{Linear{}, mat.NewDense(1, 3, nil), []float64{1}}, rkhs.ErrShape, "length 3"},
		{LowRank{Linear{}, mat.NewDense(1, 2, []float64{1, nan}), []float64{1}}, rkhs.ErrNotFinite, "LowRank.Points at row 0, column 1"},
		{LowRank{Linear{}, mat.NewDense(2, 2, []float64{1, 1, 0, 0}), []float64{1, 1}}, rkhs.ErrDomain, "row 1 of LowRank.Points"},
		{LowRank{Hellinger{}, mat.NewDense(1, 2, []float64{1, -1}), []float64{1}}, rkhs.ErrDomain, "row 0, column 1"},
	} {
		err := Check(c.k, mat.NewDense(1, 2, []float64{1, 2}))
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.names) || !strings.HasPrefix(err.Error(), "kernel: ") {
			t.Errorf("%#v: error %q, want one that is %q and says %q", c.k, err, c.want, c.names)
		}
	}
}

type around struct{ Kernel }

// TestNils passes nil kernels, and kernels with nil parts, to all functions of kernels.
func TestNils(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	for _, k := range []Kernel{
		nil, (*Gaussian)(nil), (*Sum)(nil), Sum{(*Gaussian)(nil)}, &Product{nil}, Scale{By: 1}, struct{ *Gaussian }{},
		LowRank{}, LowRank{around{}, x, []float64{1, 1}}, around{}, around{(*Gaussian)(nil)}, ARD{[]float64{1, 1}, around{}},
	} {
		_, represented := gram.RepresentationOf(k, 2)
		f := Expansion{k, x, mat.NewDense(2, 1, []float64{1, 2})}
		_, predicted := f.Predict(x)
		_, normed := f.Norm()
		for name, err := range map[string]error{
			"RepresentationOf": represented, "Check": Check(k, x), "Gram": Gram(new(mat.SymDense), k, x),
			"Expansion.Check": f.Check(), "Expansion.Predict": predicted, "Expansion.Norm": normed,
		} {
			if !errors.Is(err, rkhs.ErrOption) && !errors.Is(err, rkhs.ErrEmpty) {
				t.Errorf("%#v: %s: error %v", k, name, err)
			}
		}
	}
}

func TestDomains(t *testing.T) {
	for _, c := range []struct {
		k       Kernel
		x       []float64
		message string // empty inside of the domain
	}{
		{Intersection{}, []float64{0, math.Copysign(0, -1)}, ""},
		{Intersection{}, []float64{0, -1e-300}, "column 1: -1e-300 is negative"},
		{AdditiveChiSquared{}, []float64{-1, 0}, "column 0: -1 is negative"},
		{JensenShannon{}, []float64{1, -1}, "column 1"},
		{Hellinger{}, []float64{1, -1}, "column 1"},
		{ExponentialSemigroup{1}, []float64{1, -1}, "column 1"},
		{ReciprocalSemigroup{1}, []float64{1, -1}, "column 1"},
		{SkewedChiSquared{0.5}, []float64{0, -0.5}, "column 1: -0.5 is not above -0.5"},
		{SkewedChiSquared{0.5}, []float64{0, -0.499}, ""},
		{SkewedIntersection{0}, []float64{1, 0}, "column 1: 0 is not above -0"},
		{Sum{Linear{}, Scale{2, Product{Gaussian{1}, Intersection{}}}}, []float64{1, -1}, "column 1"},
		{ARD{[]float64{1, 2}, SkewedChiSquared{0.5}}, []float64{1, -0.9}, ""},
		{Projected{mat.NewDense(1, 2, []float64{1, -1}), Hellinger{}}, []float64{1, 2}, "coordinate 0 of L·x is -1"},
		{Projected{mat.NewDense(1, 2, []float64{1, -1}), Hellinger{}}, []float64{2, 1}, ""},
		{ARD{[]float64{1, 0.5}, SkewedChiSquared{0.5}}, []float64{1, -0.4}, "column 1: -0.4 divided by its scale 0.5 is not above -0.5"},
		{LowRank{Hellinger{}, mat.NewDense(1, 2, []float64{1, 1}), []float64{1}}, []float64{1, -1}, "column 1"},
	} {
		err := Check(c.k, mat.NewDense(1, len(c.x), c.x))
		if c.message == "" && err != nil {
			t.Errorf("%v at %v: %v", c.k, c.x, err)
		}
		if c.message != "" && (!errors.Is(err, rkhs.ErrDomain) || !strings.Contains(err.Error(), c.message)) {
			t.Errorf("%v at %v: error %v, want %q", c.k, c.x, err, c.message)
		}
	}
}

func TestWeightsOfMul(t *testing.T) {
	x, z := mat.NewDense(2, 3, nil), mat.NewDense(4, 3, nil)
	var dst mat.Dense
	if err := Mul(&dst, Linear{}, x, z, mat.NewDense(3, 1, nil)); !errors.Is(err, rkhs.ErrShape) {
		t.Errorf("three weights for four rows: %v", err)
	}
	w := mat.NewDense(4, 2, nil)
	w.Set(2, 1, math.Inf(1))
	if err := Mul(&dst, Linear{}, x, z, w); !errors.Is(err, rkhs.ErrNotFinite) || !strings.Contains(err.Error(), "w at row 2, column 1") {
		t.Errorf("infinite weight: %v", err)
	}
	if !dst.IsEmpty() {
		t.Error("the destination was touched")
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

func TestDestinations(t *testing.T) {
	k, x := Gaussian{1}, mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6})
	for name, err := range map[string]error{
		"Gram":  errors.Join(refusedShape(Gram(mat.NewSymDense(2, nil), k, x)), refusedShape(Gram(nil, k, x))),
		"Cross": errors.Join(refusedShape(Cross(mat.NewDense(3, 2, nil), k, x, x)), refusedShape(Cross(nil, k, x, x))),
		"Diag":  errors.Join(refusedShape(Diag(mat.NewVecDense(2, nil), k, x)), refusedShape(Diag(nil, k, x))),
		"Mul": errors.Join(refusedShape(Mul(mat.NewDense(3, 2, nil), k, x, x, mat.NewVecDense(3, nil))),
			refusedShape(Mul(nil, k, x, x, mat.NewVecDense(3, nil)))),
	} {
		if err != nil {
			t.Errorf("%s: a destination of a wrong size: %v", name, err)
		}
	}
}

// refusedShape returns an error unless err wraps rkhs.ErrShape.
func refusedShape(err error) error {
	if errors.Is(err, rkhs.ErrShape) {
		return nil
	}
	return fmt.Errorf("error %v", err)
}

func TestSizesPanic(t *testing.T) {
	g := func(r, c int) blas64.General {
		return blas64.General{Rows: r, Cols: c, Stride: c, Data: make([]float64, r*c)}
	}
	e := gram.Evaluator{Kernel: Gaussian{1}}
	for name, f := range map[string]func(){
		"Gram":            func() { e.Gram(g(3, 2), g(3, 4)) },
		"Cross z":         func() { e.Cross(g(3, 2), g(3, 4), g(2, 5)) },
		"Cross dst":       func() { e.Cross(g(3, 3), g(3, 4), g(2, 4)) },
		"Diag":            func() { e.Diag(make([]float64, 2), g(3, 4)) },
		"Mul w":           func() { e.Mul(g(3, 1), g(3, 4), g(2, 4), g(3, 1)) },
		"Mul dst":         func() { e.Mul(g(3, 2), g(3, 4), g(2, 4), g(2, 1)) },
		"WithParameters":  func() { WithParameters(Gaussian{1}, nil) },
		"WithParameters2": func() { WithParameters(Sum{Gaussian{1}, Cauchy{1}}, []float64{1}) },
		"WithParameters3": func() { WithParameters(Sum{Gaussian{1}, Cauchy{1}}, []float64{1, 2, 3}) },
	} {
		if !panics(f) {
			t.Errorf("%s: a wrong size did not panic", name)
		}
	}
	for name, example := range examples {
		if _, own := example.of(2).(interface{ MarshalBinary() ([]byte, error) }); own || name == "SumOfOwn" || name == "ScaleZero" {
			continue
		}
		if k := example.of(2); !panics(func() { k.Eval([]float64{1, 1}, []float64{1, 1, 1}) }) {
			t.Errorf("%v: points of different length did not panic", k)
		}
	}
}

// A gram.Evaluator accepts empty blocks.
func TestEmptyBlocks(t *testing.T) {
	e := gram.Evaluator{Kernel: Sum{Gaussian{1}, Laplacian{1}}}
	none := blas64.General{Cols: 2, Stride: 2}
	some := blas64.General{Rows: 3, Cols: 2, Stride: 2, Data: make([]float64, 6)}
	e.Gram(blas64.General{Stride: 1}, none)
	e.Diag(nil, none)
	e.Cross(blas64.General{Rows: 3, Stride: 1}, some, none)
	e.Cross(blas64.General{Cols: 3, Stride: 3}, none, some)
	dst := blas64.General{Rows: 3, Cols: 1, Stride: 1, Data: []float64{1, 2, 3}}
	e.Mul(dst, some, none, blas64.General{Cols: 1, Stride: 1})
	if dst.Data[0] != 0 || dst.Data[1] != 0 || dst.Data[2] != 0 {
		t.Errorf("the product with nothing is %v", dst.Data)
	}
}

// Data may be any matrix, and functions reuse dst.
func TestMatrixTypes(t *testing.T) {
	x := mat.NewDense(4, 3, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 0, 1})
	wide := mat.NewDense(6, 5, nil)
	wide.Slice(1, 5, 1, 4).(*mat.Dense).Copy(x)
	var want mat.Dense
	if err := Cross(&want, Gaussian{3}, x, x); err != nil {
		t.Fatal(err)
	}
	for name, same := range map[string]mat.Matrix{"transpose": mat.DenseCopyOf(x.T()).T(), "slice": wide.Slice(1, 5, 1, 4)} {
		dst := mat.NewDense(4, 4, nil)
		if err := Cross(dst, Gaussian{3}, same, x); err != nil || !mat.Equal(dst, &want) {
			t.Errorf("%s: %v, %v", name, err, mat.Formatted(dst))
		}
	}
	column := mat.NewVecDense(4, []float64{1, 2, 3, 4})
	var g mat.SymDense
	if err := Gram(&g, Laplacian{1}, column); err != nil || math.Abs(g.At(0, 2)-math.Exp(-2)) > 1e-15 {
		t.Errorf("vector: %v, %v", err, mat.Formatted(&g))
	}
}
