package search

import (
	"math"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// TestCompareAgainstFits compares predictions of the last rows with fits to the rows before.
func TestCompareAgainstFits(t *testing.T) {
	const n, held = 60, 7
	x, y := wave(n, 2, 0.1)
	k := kernel.Gaussian{Sigma: 1.5}
	got := Compare([]kernel.Trial{{Kernel: k, Noise: 0.01}, {Kernel: k, Noise: 10}}, x, y, nil, held, Options{})
	want := 0.0
	z := standardised(y)
	for i := n - held; i < n; i++ {
		others := compute.Indices(n - held)
		d := z.Data[i] - predicted(k, 0.01, compute.Pick(x, others), compute.Pick(z, others), compute.Row(x, i))
		want += d * d / held
	}
	if math.Abs(got[0].Error-want) > 1e-9*want || got[0].Rows != held || got[0].StandardError != 0 {
		t.Errorf("%+v, want the error %v", got[0], want)
	}
	if !(got[1].Error > got[0].Error) || !(got[1].StandardError > 0) {
		t.Errorf("%+v with more noise, %+v with less", got[1], got[0])
	}
}

// predicted solves the bordered system of kernel ridge regression with a constant by elimination.
func predicted(k kernel.Kernel, noise float64, x, y compute.Matrix, at []float64) float64 {
	n := x.Rows
	a := make([][]float64, n+1)
	for i := range a {
		a[i] = make([]float64, n+2)
		for j := range n {
			if i < n {
				a[i][j] = k.Eval(compute.Row(x, i), compute.Row(x, j))
			} else {
				a[i][j] = 1
			}
		}
		if i < n {
			a[i][i] += noise
			a[i][n], a[i][n+1] = 1, y.Data[i]
		}
	}
	for i := range a {
		pivot := i
		for r := i; r <= n; r++ {
			if math.Abs(a[r][i]) > math.Abs(a[pivot][i]) {
				pivot = r
			}
		}
		a[i], a[pivot] = a[pivot], a[i]
		for r := range a {
			if f := a[r][i] / a[i][i]; r != i {
				for c := i; c < n+2; c++ {
					a[r][c] -= f * a[i][c]
				}
			}
		}
	}
	f := a[n][n+1] / a[n][n]
	for i := range n {
		f += a[i][n+1] / a[i][i] * k.Eval(compute.Row(x, i), at)
	}
	return f
}

// TestCompareFindsTheNoise expects a smaller noise for data with little noise.
func TestCompareFindsTheNoise(t *testing.T) {
	k := kernel.Gaussian{Sigma: 1.5}
	var found []float64
	for _, noise := range []float64{0.01, 1} {
		x, y := wave(200, 2, noise)
		got := Compare([]kernel.Trial{{Kernel: k}}, x, y, nil, 100, Options{})
		found = append(found, got[0].Noise)
	}
	if !(found[0] < found[1]/10) {
		t.Errorf("noises %v", found)
	}
}
