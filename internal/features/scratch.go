package features

import (
	"sync"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// scratch keeps memory between calls, of which none holds the same twice.
var scratch sync.Pool // of *[]float64

func borrow(n int) *[]float64 {
	p, _ := scratch.Get().(*[]float64)
	if p == nil || cap(*p) < n {
		s := make([]float64, n)
		return &s
	}
	*p = (*p)[:n]
	return p
}

func giveBack(p *[]float64) { scratch.Put(p) }

// borrowMatrix returns an r×c matrix of any contents and what to give back.
func borrowMatrix(r, c int) (compute.Matrix, *[]float64) {
	p := borrow(r * c)
	return compute.Matrix{Rows: r, Cols: c, Stride: max(c, 1), Data: *p}, p
}

// rowsAtATime is how many rows one goroutine works on between looks at the queue.
const rowsAtATime = 32

// eachRows calls do for consecutive ranges of n rows, in parallel.
func eachRows(n, workers int, do func(from, to int)) {
	compute.Parallel((n+rowsAtATime-1)/rowsAtATime, workers, func(i int) {
		do(i*rowsAtATime, min((i+1)*rowsAtATime, n))
	})
}
