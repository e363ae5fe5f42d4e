package rows_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/dataset"
)

func init() { register.Function1x0(show) }

// show is a step of a pipeline.
func show(b rows.Batch) {
	fmt.Println(b.X().Dims())
	fmt.Println(b.Y().At(0, 0), "in line", b.Row(0))
}

func Example() {
	dir, err := os.MkdirTemp("", "rkhs")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "part-0.csv"), []byte("x,y,target\n1,oops,3\n4,5,6\n7,8,9\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	p, s := beam.NewPipelineWithRoot()
	batches, rejected, err := rows.Read(s, filepath.Join(dir, "part-*.csv"), rows.Options{Format: rows.CSV})
	if err != nil {
		fmt.Println(err)
		return
	}
	beam.ParDo0(s, show, batches)
	rows.WriteRejected(s, filepath.Join(dir, "rejected.jsonl"), rejected)
	if _, err := prism.Execute(context.Background(), p); err != nil {
		fmt.Println(err)
		return
	}
	aside, err := os.ReadFile(filepath.Join(dir, "rejected.jsonl"))
	fmt.Println(len(aside) > 0, err)
	// Output:
	// 2 2
	// 6 in line 3
	// true <nil>
}

// A program can create batches itself: one of sparse rows with weights, and one of cells.
func ExampleBatch() {
	b := rows.Batch{Rows: 2, Cols: 5, Offsets: []int{0, 1, 2}, Columns: []int32{3, 0}, Values: []float64{.5, 2},
		Outputs: 1, Targets: []float64{1, -1}, Weights: []float64{1, 3}, Source: "mine", First: 1}
	fmt.Println(b.Check(), b.Inputs().At(0, 3))
	second := b.Slice(1, 2)
	copied, err := rows.Decode(rows.Encode(second))
	fmt.Println(copied.Targets, copied.Weights, copied.Row(0), err)

	raw := rows.Batch{Rows: 1, Names: []string{"town", "area"}, Cells: []string{"Ulm", "12,5"}, Source: "mine", First: 1}
	t, err := raw.Table(dataset.TableOptions{DecimalComma: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	area, _, _ := t.Column("area").Number(0)
	fmt.Println(area, rows.SVM, rows.Parquet, rows.Rejected{Source: "mine", Line: 2}.Line)
	// Output:
	// <nil> 0.5
	// [-1] [3] 2 <nil>
	// 12.5 svm parquet 2
}
