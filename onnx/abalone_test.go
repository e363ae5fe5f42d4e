package onnx_test

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/onnx"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/slkl"
)

// TestAbalone fits models with default options to 2000 rows of a table and predicts 1000 new rows.
func TestAbalone(t *testing.T) {
	dir, ok := testutil.DataDir()
	if !ok {
		t.Skip("RKHS_DATA is not set")
	}
	testutil.Long(t, "takes a minute")
	runtime(t, nil) // or skip before the fits
	set, err := dataset.Load(filepath.Join(dir, "abalone.csv.gz"), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set.Shuffle(1)
	_, d := set.X.Dims()
	x, y := mat.DenseCopyOf(set.X.Slice(0, 2000, 0, d)), mat.NewDense(2000, 1, set.Y[:2000])
	fresh := single(mat.DenseCopyOf(set.X.Slice(2000, 3000, 0, d)))
	ctx := context.Background()
	of := map[string]func() (rkhs.Model, error){
		"ridge":     func() (rkhs.Model, error) { return ridge.Fit(ctx, x, y, nil) },
		"slkl":      func() (rkhs.Model, error) { return slkl.Fit(ctx, x, y, nil) },
		"polk":      func() (rkhs.Model, error) { return polk.Fit(ctx, x, y, nil) },
		"doublysgd": func() (rkhs.Model, error) { return doublysgd.Fit(ctx, x, y, nil) },
	}
	var tasks []task
	var models []rkhs.Model
	for _, name := range []string{"ridge", "slkl", "polk", "doublysgd"} {
		m, err := of[name]()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range precisions {
			var b bytes.Buffer
			if err := onnx.Write(&b, m, c.o); err != nil {
				t.Fatal(err)
			}
			models = append(models, m)
			tasks = append(tasks, task{name, b.Bytes(), map[string]array{"x": rowsOf(fresh, c.o)}})
		}
	}
	for i, r := range runtime(t, tasks) {
		c := precisions[i%len(precisions)]
		e := compare(t, tasks[i].name, r, models[i], fresh, c.tolerance)
		t.Logf("%s, %+v: %d bytes, off by %.1e of the spread", tasks[i].name, c.o, len(tasks[i].model), e)
	}
}
