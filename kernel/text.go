package kernel

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// literal writes k as a composite literal. It omits the optional fields that are zero.
func literal(k Kernel, optional ...string) string {
	v := reflect.ValueOf(k)
	var parts []string
	if v.Kind() == reflect.Slice {
		for i := range v.Len() {
			parts = append(parts, expression(v.Index(i).Interface()))
		}
	} else {
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; !v.Field(i).IsZero() || !slices.Contains(optional, name) {
				parts = append(parts, name+": "+expression(v.Field(i).Interface()))
			}
		}
	}
	return "kernel." + v.Type().Name() + "{" + strings.Join(parts, ", ") + "}"
}

// maxPrinted is the largest number of elements of a list or a matrix to print.
const maxPrinted = 64

// expression writes v as Go source. Numbers have the fewest digits that restore the same bits.
func expression(v any) string {
	switch v := v.(type) {
	case []float64:
		if len(v) > maxPrinted {
			return fmt.Sprintf("make([]float64, %d /* values left out */)", len(v))
		}
		return "[]float64{" + list(v) + "}"
	case [][]float64:
		return listsExpression(v)
	case *mat.Dense:
		return matrixExpression(v)
	case fmt.Stringer:
		return v.String()
	default:
		return fmt.Sprintf("%#v", v)
	}
}

func listsExpression(v [][]float64) string {
	s, count := make([]string, len(v)), len(v)
	for i, of := range v {
		s[i] = "nil"
		if len(of) > 0 {
			s[i] = "{" + list(of) + "}"
		}
		count += len(of)
	}
	if count > maxPrinted {
		return fmt.Sprintf("make([][]float64, %d /* values left out */)", len(v))
	}
	return "[][]float64{" + strings.Join(s, ", ") + "}"
}

func matrixExpression(m *mat.Dense) string {
	if m == nil {
		return "nil"
	}
	r, c := m.Dims()
	if r*c > maxPrinted {
		return fmt.Sprintf("mat.NewDense(%d, %d, nil /* values left out */)", r, c)
	}
	return fmt.Sprintf("mat.NewDense(%d, %d, []float64{%s})", r, c, list(mat.DenseCopyOf(m).RawMatrix().Data))
}

func list(v []float64) string {
	s := make([]string, len(v))
	for i, x := range v {
		s[i] = fmt.Sprint(x)
	}
	return strings.Join(s, ", ")
}
