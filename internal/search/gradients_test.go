package search

import (
	"math"
	"slices"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// TestOuterProducts compares the gradients with finite differences of the function.
func TestOuterProducts(t *testing.T) {
	u, a := normals(12, 3, "u"), normals(12, 2, "a")
	for _, f := range []Family{GaussianFamily, Matern32Family, Matern12Family} {
		value := func(v []float64, q int) float64 {
			total := 0.0
			for j := range u.Rows {
				s := []float64{0}
				for c, w := range compute.Row(u, j) {
					s[0] += (v[c] - w) * (v[c] - w)
				}
				if s[0] < 1e-6 {
					continue // the row itself, where only Matérn 1/2 has a nonzero derivative
				}
				f.profile(s, make([]float64, 1), s)
				total += s[0] * a.Data[j*2+q]
			}
			return total
		}
		want := compute.NewMatrix(3, 3)
		for i := range u.Rows {
			for q := range 2 {
				g := make([]float64, 3)
				for c := range g {
					const h = 1e-5
					up := append([]float64(nil), compute.Row(u, i)...)
					down := append([]float64(nil), up...)
					up[c] += h
					down[c] -= h
					g[c] = (value(up, q) - value(down, q)) / (2 * h)
				}
				for b := range g {
					for c := range g {
						want.Data[3*b+c] += g[b] * g[c] / float64(u.Rows)
					}
				}
			}
		}
		got := outerProducts(u, a, nil, f, 1)
		for i, v := range want.Data {
			if math.Abs(got.Data[i]-v) > 1e-5 {
				t.Errorf("family %d: element %d is %v, by differences %v", f, i, got.Data[i], v)
			}
		}
		parts := compute.NewMatrix(3, 3)
		for from, to := range compute.Chunks(u.Rows, 4) {
			AddOuterProducts(parts, compute.Rows(u, from, to), u, a, nil, f, 1)
		}
		compute.Mirror(parts)
		for i, v := range got.Data {
			if math.Abs(parts.Data[i]/float64(u.Rows)-v) > 1e-12*(1+math.Abs(v)) {
				t.Errorf("family %d: element %d is %v, of parts of the rows %v", f, i, v, parts.Data[i]/float64(u.Rows))
			}
		}
	}
}

// TestFourthRoot compares LᵀL with the root of the matrix.
func TestFourthRoot(t *testing.T) {
	v := normals(9, 4, "v")
	g := compute.NewMatrix(4, 4)
	compute.AddGram(g, v, 1)
	compute.Mirror(g)
	l := FourthRoot(g)
	m, again := compute.NewMatrix(4, 4), compute.NewMatrix(4, 4)
	compute.MulTN(m, l, l, 1)
	compute.MulNN(again, m, m, 1)
	trace := g.Data[0] + g.Data[5] + g.Data[10] + g.Data[15]
	for i, want := range g.Data {
		if math.Abs(again.Data[i]-4*want/trace) > 1e-5 {
			t.Errorf("element %d of the square is %v, want %v", i, again.Data[i], 4*want/trace)
		}
	}
	if l := FourthRoot(compute.NewMatrix(2, 2)); l.Rows != 0 {
		t.Errorf("of zero %v", l)
	}
}

// A narrow kernel gets a second start at the median distance with at least the same noise.
func TestSmoothed(t *testing.T) {
	narrow, wide := candidate{scale: 1, width: -2, noise: -4}, candidate{scale: 2, width: 1, noise: -4}
	if got := smoothed([]candidate{narrow, wide}); !slices.Equal(got, []candidate{narrow, {scale: 1, noise: smoothNoise}, wide}) {
		t.Errorf("of a narrow kernel: %+v", got)
	}
	narrow.noise = 1
	if got := smoothed([]candidate{narrow}); !slices.Equal(got, []candidate{narrow, {scale: 1, noise: 1}}) {
		t.Errorf("of a narrow kernel with much noise: %+v", got)
	}
	if got := smoothed([]candidate{wide, narrow}); len(got) != 2 {
		t.Errorf("of a wide kernel: %+v", got)
	}
}
