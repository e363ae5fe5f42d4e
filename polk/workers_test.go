package polk_test

import (
	"bytes"
	"cmp"
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// Results are bitwise equal for any number of goroutines.
func TestManyWorkersSameBits(t *testing.T) {
	const n, d = 1500, 60
	r := rand.New(rand.NewPCG(6, 6))
	x, y := mat.NewDense(n, d, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, r.NormFloat64()+2*float64((i%5)*(j%5)))
		}
		y.Set(i, 0, float64(i%5))
	}
	var want []byte
	for _, workers := range []int{1, 2, 5} {
		c := newClassLearner(t, polk.Options{Loss: loss.Softmax{}, MaxPoints: 250, Workers: workers, Paper: polk.Paper{Lossless: true}})
		for from := 0; from < n; from += 50 {
			update(t, c, x.Slice(from, from+50, 0, d).(*mat.Dense), y.Slice(from, from+50, 0, 1).(*mat.Dense))
		}
		got := marshal(t, c)
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%d workers give other bits than one", workers)
		}
	}
}

// The model and its probabilities do not depend on whether other fits run after or concurrently with
// its own fit. Their progress is reported after it, until they end.
func TestOtherFits(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	x, y := mat.NewDense(120, 2, nil), mat.NewDense(120, 1, nil)
	for i := range 120 {
		x.SetRow(i, []float64{r.NormFloat64(), r.NormFloat64()})
		if x.At(i, 0)+x.At(i, 1)+r.NormFloat64()/2 > 0 {
			y.Set(i, 0, 1)
		}
	}
	var want []byte
	var reports int
	for _, workers := range []int{1, 2, 7} {
		var last rkhs.Progress
		calls := 0
		record := func(p rkhs.Progress) error {
			if p.Phase != "other fits" && last.Phase == "other fits" || p.Phase == last.Phase && p.Done < last.Done {
				t.Errorf("%d workers: %s %d after %s %d", workers, p.Phase, p.Done, last.Phase, last.Done)
			}
			last = p
			calls++
			return nil
		}
		m, err := polk.FitClassifier(context.Background(), x, y, &polk.Options{Loss: loss.MulticlassHinge{}, Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 1e-3, Passes: 2, Workers: workers, Recorder: rkhs.RecorderFunc(record)})
		if err != nil {
			t.Fatal(err)
		}
		if last.Phase != "other fits" || last.Done != last.Total || last.Total != 5*2*96 {
			t.Errorf("%d workers: the last report is of %s, %d of %d", workers, last.Phase, last.Done, last.Total)
		}
		if reports = cmp.Or(reports, calls); calls != reports {
			t.Errorf("%d workers: %d reports, %d of one", workers, calls, reports)
		}
		got := marshal(t, m)
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%d workers give other bits than one", workers)
		}
	}
}
