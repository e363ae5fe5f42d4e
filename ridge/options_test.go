package ridge

import (
	"context"
	"testing"
)

// TestSolverOf expects landmarks if conjugate gradients on all rows would need more than about 90 s, unless
// MaxPoints requests all rows.
func TestSolverOf(t *testing.T) {
	for _, c := range []struct {
		n, d int
		opts Options
		want solver
	}{
		{8000, 784, Options{}, factorising},
		{25000, 784, Options{}, iterating}, // half of K fits
		{60000, 20, Options{}, iterating},
		{60000, 784, Options{}, onPoints}, // the size of MNIST
		{60000, 784, Options{MaxPoints: 60000}, iterating},
		{100000, 20, Options{}, iterating},
		{100001, 2, Options{}, onPoints},
	} {
		o, err := c.opts.checked(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if got := o.solverOf(c.n, c.d, 1); got != c.want {
			t.Errorf("%d rows of %d columns, MaxPoints %d: solver %d, want %d", c.n, c.d, c.opts.MaxPoints, got, c.want)
		}
	}
}
