package linalg_test

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/linalg"
)

// A dictionary rejects points in the span of its points, and removes the point with the
// smallest effect on a function.
func ExampleCholesky() {
	kernel := func(x, z float64) float64 { return math.Exp(-(x - z) * (x - z) / 2) }
	c := linalg.NewCholesky(1e-8)
	c.TrackInverseDiag()
	var points []float64
	for _, x := range []float64{0, 1, 3, 1 + 1e-9} {
		k := make([]float64, len(points))
		for i, z := range points {
			k[i] = kernel(x, z)
		}
		s, ok := c.Append(k, 1, 1e-7)
		fmt.Printf("%v: squared distance %.3f, admitted %v\n", x, s, ok)
		if ok {
			points = append(points, x)
		}
	}

	// f(x) = Σ w_j k(x, points_j)
	w := []float64{1, 0.1, -2}
	least, cost := 0, math.Inf(1)
	for j, g := range c.InverseDiag() {
		if e := w[j] * w[j] / g; e < cost {
			least, cost = j, e
		}
	}
	g := make([]float64, len(points))
	c.Delete(least, g)
	fmt.Printf("without %v the squared error is %.4f\n", points[least], cost)
	for j := range w {
		if j != least {
			fmt.Printf("weight of %v: %.4f\n", points[j], w[j]-g[j]*w[least]/g[least])
		}
	}
	// Output:
	// 0: squared distance 1.000, admitted true
	// 1: squared distance 0.632, admitted true
	// 3: squared distance 0.974, admitted true
	// 1.000000001: squared distance 0.000, admitted false
	// without 1 the squared error is 0.0062
	// weight of 0: 1.0605
	// weight of 3: -1.9871
}

// The columns are orthogonal, with squared norms 4 and 1. A weight mu on a column gives 1/(1/mu +
// norm²/lam).
func ExampleWoodbury() {
	w := linalg.NewWoodbury(1)
	w.Set(7, 1, nil, 4)
	w.Set(3, 0.5, []float64{0}, 1)
	dst := make([]float64, w.Len())
	w.MulVecTo(dst, []float64{1, 1})
	fmt.Printf("%v %.4f\n", w.Active(), dst)

	w.Set(7, 0, nil, 0)
	fmt.Println(w.Active())
	// Output:
	// [7 3] [0.2000 0.3333]
	// [3]
}

// The points 1, 2 and 6 under the linear kernel: their mean is 3.
func ExampleCentreGram() {
	k := mat.NewDense(3, 3, []float64{
		1, 2, 6,
		2, 4, 12,
		6, 12, 36,
	})
	centring := linalg.CentreGram(k, 0)
	fmt.Println(k.RawMatrix().Data)

	test := mat.NewDense(1, 3, []float64{4, 8, 24})
	centring.Cross(test, 0)
	fmt.Println(test.RawRowView(0))
	// Output:
	// [4 2 -6 2 1 -3 -6 -3 9]
	// [-2 -1 3]
}

// CentreColumns subtracts the means of the columns.
func ExampleCentreColumns() {
	x := mat.NewDense(3, 2, []float64{
		1, 10,
		2, 20,
		6, 30,
	})
	fmt.Println(linalg.CentreColumns(x), x.RawMatrix().Data)
	// Output: [3 20] [-2 -10 -1 0 3 10]
}

// A saved factor is restored and continues.
func ExampleRestoreCholesky() {
	c := linalg.NewCholesky(0)
	c.Append(nil, 4, 0)
	n, rows, diag := c.State()
	again, err := linalg.RestoreCholesky(c.Jitter(), n, rows, diag)
	if err != nil {
		fmt.Println(err)
		return
	}
	again.Append([]float64{2}, 5, 0)
	x := make([]float64, 2)
	again.SolveVecTo(x, []float64{8, 8})
	fmt.Println(again.Len(), x)
	// Output: 2 [1.5 1]
}

// The example appends several points, solves several right-hand sides and applies a change of rank
// one.
func ExampleCholesky_AppendBatch() {
	c := linalg.NewCholesky(0)
	fmt.Println(c.AppendBatch(nil, mat.NewDense(2, 2, []float64{4, 2, 2, 5}), 0, 0))
	x := mat.NewDense(2, 1, nil)
	c.SolveTo(x, mat.NewDense(2, 2, []float64{0, 8, 0, 8}), []int{1}, 0)
	fmt.Println(x.RawMatrix().Data)

	values := []float64{8, 8}
	row := mat.NewDense(1, 2, values)
	c.ForwardRows(row, 0)
	fmt.Println(values)
	c.BackwardRows(row, 0)
	fmt.Println(values)

	c.RankOne([]float64{0, 2}) // now 4, 2; 2, 9
	c.SolveVecTo(values, []float64{8, 8})
	fmt.Printf("%.4f\n", values)
	// A third point has the kernel values 6 and 3 with the two points and 6 with itself. The program
	// deletes the first point before it appends the third.
	cross := []float64{6, 3}
	c.ForwardRows(mat.NewDense(1, 2, cross), 0)
	c.Delete(0, nil)
	c.Rotate(cross)
	schur := linalg.NewCholesky(0)
	schur.Append(nil, 6-cross[0]*cross[0], 0)
	c.AppendFactor(mat.NewDense(1, 1, cross[:1]), schur, nil) // now 9, 3; 3, 6
	c.SolveVecTo(values, []float64{12, 9})
	fmt.Printf("%.4f\n", values)
	c.Reset()
	fmt.Println(c.Len())
	// Output:
	// true
	// [1.5 1]
	// [4 2]
	// [1.5 1]
	// [1.7500 0.5000]
	// [1.0000 1.0000]
	// 0
}

// Drift measures the rounding errors of updates, and Refactor removes them.
func ExampleWoodbury_Drift() {
	w := linalg.NewWoodbury(1e-6)
	w.Set(0, 1, nil, 1)
	w.Set(1, 1, []float64{1 - 1e-9}, 1)
	for i := range 1000 {
		w.Set(i%2, 1+float64(i%7), nil, 0)
	}
	fmt.Println(w.Updates(), w.Drift() < 1e-6)
	fmt.Println(w.Refactor(0), w.Updates(), w.Drift() < 1e-6)
	// Output:
	// 1001 true
	// true 0 true
}
