package score_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/beam/score"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/ridge"
)

// A model fitted in this process predicts the rows of files on the workers of a runner.
func Example() {
	dir, err := os.MkdirTemp("", "rkhs")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	x, y := mat.NewDense(5, 1, []float64{-2, -1, 0, 1, 2}), mat.NewDense(5, 1, []float64{-2, -1, 0, 1, 2})
	m, err := ridge.Fit(context.Background(), x, y, &ridge.Options{Kernel: kernel.Linear{}, Ridge: 1e-12, NoCalibration: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := rkhs.Save(filepath.Join(dir, "model.rkhs"), m); err != nil {
		fmt.Println(err)
		return
	}
	if err := os.WriteFile(filepath.Join(dir, "new.csv"), []byte("0.5,0\n1.5,0\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}

	p, s := beam.NewPipelineWithRoot()
	if err := steps(s, dir); err != nil {
		fmt.Println(err)
		return
	}
	if _, err := prism.Execute(context.Background(), p); err != nil {
		fmt.Println(err)
		return
	}
	predicted, err := os.ReadFile(filepath.Join(dir, "predicted.csv"))
	fmt.Println(strings.Count(string(predicted), "\n"), strings.HasPrefix(string(predicted), "source,line,prediction\n"), err)
	// Output: 3 true <nil>
}

// steps adds the steps of the pipeline.
func steps(s beam.Scope, dir string) error {
	batches, malformed, err := rows.Read(s, filepath.Join(dir, "new*.csv"), rows.Options{})
	if err != nil {
		return err
	}
	predictions, failed, err := score.File(s, batches, filepath.Join(dir, "model.rkhs"), score.Options{})
	if err != nil {
		return err
	}
	rows.WriteRejected(s, filepath.Join(dir, "rejected.jsonl"), beam.Flatten(s, malformed, failed))
	return score.Write(s, predictions, score.Output{Path: filepath.Join(dir, "predicted.csv")})
}

// Another step of the pipeline fits the model.
func ExampleModel() {
	_, s := beam.NewPipelineWithRoot()
	batches := beam.Create(s, rows.Batch{Rows: 1, Cols: 1, Values: []float64{2}})
	model := beam.Create(s, []byte("what MarshalBinary of a model gives"))
	predictions, _, err := score.Model(s, batches, model, score.Options{Coverage: .9})
	fmt.Println(predictions.IsValid(), err)
	// Output: true <nil>
}
