package polkpaper

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/examples/papers/internal/curve"
	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// BenchmarkMNISTPass measures one pass over MNIST with default options.
func BenchmarkMNISTPass(b *testing.B) {
	dir, ok := testutil.DataDir()
	if !ok {
		b.Skip("set RKHS_DATA to the folder of MNIST for this benchmark")
	}
	t, err := mnist(&report.Settings{Data: dir}, false)
	if err != nil {
		b.Fatal(err)
	}
	for _, l := range []struct {
		name string
		loss loss.Multiclass
	}{{"hinge", loss.MulticlassHinge{}}, {"softmax", loss.Softmax{}}} {
		b.Run(l.name, func(b *testing.B) {
			var c *polk.Classifier
			for b.Loop() {
				c, err = polk.FitClassifier(context.Background(), t.train.X, mat.NewVecDense(len(t.train.Y), t.train.Y), &polk.Options{Loss: l.loss, Passes: 1})
				if err != nil {
					b.Fatal(err)
				}
			}
			seconds := b.Elapsed().Seconds() / float64(b.N)
			scores, err := curve.Scores(c, t.test.X, t.classes)
			if err != nil {
				b.Fatal(err)
			}
			end := curve.Measure(scores, t.test, l.loss, len(t.train.Y), c.Model().ModelOrder())
			b.ReportMetric(float64(len(t.train.Y))/seconds, "samples/s")
			b.ReportMetric(100*end.Error, "error-%")
			b.ReportMetric(float64(end.Order), "points")
		})
	}
}
