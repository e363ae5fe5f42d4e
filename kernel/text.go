package kernel

import (
	"fmt"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

type field struct {
	name  string
	value any
}

// literal writes a composite literal; fields without a name stand in order.
func literal(name string, fields ...field) string {
	var b strings.Builder
	b.WriteString("kernel." + name + "{")
	for i, f := range fields {
		if i > 0 {
			b.WriteString(", ")
		}
		if f.name != "" {
			b.WriteString(f.name + ": ")
		}
		b.WriteString(expression(f.value))
	}
	b.WriteString("}")
	return b.String()
}

// expression writes v as Go source. Numbers have the fewest digits that give
// the same bits again.
func expression(v any) string {
	switch v := v.(type) {
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []float64:
		return listExpression(v)
	case *mat.Dense:
		return matrixExpression(v)
	case fmt.Stringer:
		return v.String()
	default:
		return fmt.Sprintf("%#v", v)
	}
}

// maxPrinted is the largest number of elements that a list or a matrix is printed
// with: the points of a learned kernel may be a whole data set.
const maxPrinted = 64

func listExpression(v []float64) string {
	if len(v) > maxPrinted {
		return fmt.Sprintf("make([]float64, %d /* values left out */)", len(v))
	}
	return "[]float64{" + list(v) + "}"
}

func list(v []float64) string {
	s := make([]string, len(v))
	for i, x := range v {
		s[i] = expression(x)
	}
	return strings.Join(s, ", ")
}

func matrixExpression(m *mat.Dense) string {
	if m == nil {
		return "nil"
	}
	r, c := m.Dims()
	if r*c > maxPrinted {
		return fmt.Sprintf("mat.NewDense(%d, %d, nil /* values left out */)", r, c)
	}
	var v []float64
	for i := range r {
		v = append(v, m.RawRowView(i)...)
	}
	return fmt.Sprintf("mat.NewDense(%d, %d, []float64{%s})", r, c, list(v))
}
