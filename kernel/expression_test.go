package kernel_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	. "github.com/rkhs-go/rkhs/kernel"
)

var kernelTypes = map[string]reflect.Type{}

func init() {
	for _, e := range examples {
		collect(reflect.ValueOf(e.of(2)))
	}
}

func collect(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		collect(v.Elem())
	case reflect.Slice:
		kernelTypes[v.Type().Name()] = v.Type()
		for i := range v.Len() {
			collect(v.Index(i))
		}
	case reflect.Struct:
		kernelTypes[v.Type().Name()] = v.Type()
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				collect(v.Field(i))
			}
		}
	}
}

// interpret evaluates a Go expression.
func interpret(e ast.Expr, t reflect.Type) reflect.Value {
	switch e := e.(type) {
	case *ast.CompositeLit:
		if name, ok := e.Type.(*ast.SelectorExpr); ok {
			t = kernelTypes[name.Sel.Name]
		}
		v := reflect.New(t).Elem()
		for i, element := range e.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				field := v.FieldByName(pair.Key.(*ast.Ident).Name)
				field.Set(interpret(pair.Value, field.Type()))
				continue
			}
			if t.Kind() == reflect.Struct {
				v.Field(i).Set(interpret(element, t.Field(i).Type))
				continue
			}
			v = reflect.Append(v, interpret(element, t.Elem()))
		}
		return v
	case *ast.CallExpr: // mat.NewDense
		n := func(i int) int { return int(interpret(e.Args[i], reflect.TypeFor[int]()).Int()) }
		return reflect.ValueOf(mat.NewDense(n(0), n(1), interpret(e.Args[2], reflect.TypeFor[[]float64]()).Interface().([]float64)))
	case *ast.UnaryExpr:
		v := reflect.New(t).Elem()
		v.SetFloat(-interpret(e.X, t).Float())
		return v
	case *ast.BasicLit:
		f, err := strconv.ParseFloat(e.Value, 64)
		if err != nil {
			panic(err)
		}
		return reflect.ValueOf(f).Convert(t)
	}
	panic(fmt.Sprintf("no such expression: %T", e))
}

// A kernel prints as a Go expression for itself, to the last bit.
func TestExpressions(t *testing.T) {
	for name, example := range examples {
		if strings.Contains(name, "Own") || name == "EvalOnly" {
			continue
		}
		k := example.of(2)
		e, err := parser.ParseExpr(fmt.Sprint(k))
		if err != nil {
			t.Errorf("%s: %v", k, err)
			continue
		}
		if got := interpret(e, nil).Interface(); !reflect.DeepEqual(got, k) {
			t.Errorf("%s makes %s", k, got)
		}
	}
}

func TestExpressionText(t *testing.T) {
	for want, k := range map[string]Kernel{
		"kernel.Gaussian{Sigma: 1.5}": Gaussian{1.5},
		"kernel.Sum{kernel.Scale{By: 0.5, Of: kernel.Gaussian{Sigma: 1}}, kernel.Linear{}}":                                   Sum{Scale{0.5, Gaussian{1}}, Linear{}},
		"kernel.Polynomial{Degree: 2, Offset: 0}":                                                                             Polynomial{Degree: 2},
		"kernel.Polynomial{Degree: 2, Scale: 1e-07, Offset: 1}":                                                               Polynomial{Degree: 2, Scale: 1e-7, Offset: 1},
		"kernel.Scale{By: 0.1, Of: kernel_test.evalOnly{Sigma:2}}":                                                            Scale{0.1, evalOnly{2}},
		"kernel.ARD{Scales: make([]float64, 100 /* values left out */), Of: kernel.Linear{}}":                                 ARD{make([]float64, 100), Linear{}},
		"kernel.LowRank{Base: kernel.Linear{}, Points: mat.NewDense(50, 2, nil /* values left out */), Weights: []float64{}}": LowRank{Base: Linear{}, Points: mat.NewDense(50, 2, nil)},
	} {
		if got := fmt.Sprint(k); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if _, err := parser.ParseExpr(want); err != nil {
			t.Errorf("%s: %v", want, err)
		}
	}
}
