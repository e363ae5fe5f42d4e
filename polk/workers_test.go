package polk_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
)

// Where the work is enough for several goroutines, any number of them gives the
// same bits.
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
		c := newClassLearner(t, polk.Options{Loss: loss.Softmax{}, MaxPoints: 250, Lossless: true, Workers: workers})
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
