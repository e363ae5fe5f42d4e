package linalg

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
)

func TestCholeskySolve(t *testing.T) {
	for _, n := range sizes {
		rng := newRand(3)
		c, points := newStream(t, n, 1e-6)
		a := gram(points, 1e-6)
		for _, q := range []int{1, 2, 7, 33} {
			b := random(rng, n, q)
			x := general(n, q)
			c.SolveTo(compute.Dense(x), compute.Dense(b), nil, 1)
			checkSolution(t, "SolveTo", a, toDense(x), toDense(b))

			cols := []int{q - 1, 0, q / 2, 0}
			part := general(n, len(cols))
			c.SolveTo(compute.Dense(part), compute.Dense(b), cols, 1)
			for r, j := range cols {
				rhs := mat.Col(nil, j, toDense(b))
				checkSolution(t, "SolveTo of a column", a, toDense(part).ColView(r), column(rhs))
				c.SolveVecTo(rhs, rhs)
				checkSolution(t, "SolveVecTo in place", a, column(rhs), toDense(b).ColView(j))
			}

			c.SolveTo(compute.Dense(b), compute.Dense(b), nil, 1)
			if !mat.Equal(toDense(b), toDense(x)) {
				t.Errorf("n = %d, q = %d: solving in place differs", n, q)
			}
		}
		for _, j := range []int{0, n / 2, n - 1} {
			g, unit := make([]float64, n), make([]float64, n)
			unit[j] = 1
			c.inverseColumn(g, j)
			checkSolution(t, "inverse column", a, column(g), column(unit))
		}
	}
}

// ForwardRows and BackwardRows are the two halves of the solution, and the first
// gives the Schur complement of new points.
func TestCholeskyRows(t *testing.T) {
	for _, n := range sizes {
		c, points := newStream(t, n, 1e-6)
		l := factor(c)
		b := random(newRand(4), 9, n)
		v := general(9, n)
		copy(v.Data, b.Data)
		c.ForwardRows(compute.Dense(v), 1)
		checkSolution(t, "ForwardRows", l, toDense(v).T(), toDense(b).T())
		half := toDense(v)
		c.BackwardRows(compute.Dense(v), 1)
		checkSolution(t, "BackwardRows", l.T(), toDense(v).T(), half.T())
		checkSolution(t, "both", gram(points, 1e-6), toDense(v).T(), toDense(b).T())
		if v.Data[n] != b.Data[n] {
			t.Error("numbers between the rows were written")
		}
	}
}

func TestCholeskySolveEmpty(t *testing.T) {
	c := NewCholesky(1)
	c.SolveVecTo(nil, nil)
	c.SolveTo(compute.Dense(general(0, 3)), compute.Dense(general(0, 3)), nil, 1)
	c.ForwardRows(compute.Dense(general(2, 0)), 1)
	c.BackwardRows(compute.Dense(general(2, 0)), 1)
	c, _ = newStream(t, 5, 1)
	c.SolveTo(compute.Dense(general(5, 0)), compute.Dense(general(5, 4)), []int{}, 1)
	c.ForwardRows(compute.Dense(general(0, 5)), 1)
	c.BackwardRows(compute.Dense(general(0, 5)), 1)
}

// The bits do not depend on the number of workers.
func TestCholeskyWorkers(t *testing.T) {
	c, points := newStream(t, 150, 1e-6)
	b := random(newRand(5), 150, 20)
	rng := newRand(6)
	more := make([]point, 40)
	for i := range more {
		more[i] = uniform(rng, 4)
	}
	run := func(workers int) ([]float64, []float64, []float64) {
		x, d := general(150, 20), cloneOf(c)
		d.SolveTo(compute.Dense(x), compute.Dense(b), nil, workers)
		d.AppendBatch(compute.Dense(kernelMatrix(more, points)), compute.Dense(kernelMatrix(more, more)), 0, workers)
		_, rows, diag := d.State()
		return x.Data, rows, diag
	}
	x1, rows1, diag1 := run(1)
	for _, workers := range []int{2, 8} {
		x, rows, diag := run(workers)
		if !slices.Equal(x, x1) || !slices.Equal(rows, rows1) || !slices.Equal(diag, diag1) {
			t.Errorf("%d workers give other bits than one", workers)
		}
	}
}
