package arrow

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/rkhs-go/rkhs/recipe"
)

// FromPredictions returns predictions as a record batch. The column prediction has numbers or
// the texts of classes. If there are bounds, the columns lower and upper follow. If there are
// probabilities, a column p(class) follows for each class. O(rows·columns).
func FromPredictions(p *recipe.Predictions) arrow.RecordBatch {
	var fields []arrow.Field
	var columns []arrow.Array
	add := func(name string, values arrow.Array) {
		fields = append(fields, arrow.Field{Name: name, Type: values.DataType()})
		columns = append(columns, values)
	}
	if p.Classes != nil {
		b := array.NewStringBuilder(memory.DefaultAllocator)
		b.AppendValues(p.Classes, nil)
		add("prediction", b.NewArray())
	} else {
		add("prediction", numbers(p.Values))
	}
	if p.Lower != nil {
		add("lower", numbers(p.Lower))
		add("upper", numbers(p.Upper))
	}
	for j, name := range p.Names {
		values := make([]float64, len(p.Values))
		for i := range values {
			values[i] = p.Proba.At(i, j)
		}
		add("p("+name+")", numbers(values))
	}
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), columns, int64(len(p.Values)))
}

func numbers(values []float64) arrow.Array {
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	b.AppendValues(values, nil)
	return b.NewArray()
}
