package svm

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// threeClasses are sectors of the plane.
func threeClasses(n int) (x blas64.General, class []int) {
	x, _ = problem(n, 2, 21)
	class = make([]int, n)
	for i := range class {
		class[i] = int((math.Atan2(x.Data[2*i], x.Data[2*i+1])+math.Pi)/(2*math.Pi/3)) % 3
	}
	return x, class
}

func TestClasses(t *testing.T) {
	x, class := threeClasses(300)
	z, want := threeClasses(200)
	k := kernel.Gaussian{Sigma: 1}
	weights := make([]float64, 300)
	for i := range weights {
		weights[i] = 1 + float64(i%2)
	}
	o := Options{C: 10, Weights: weights}
	c, err := FitClasses(context.Background(), k, compute.DensePoints(x), class, 3, o)
	if err != nil {
		t.Fatal(err)
	}
	scores := compute.NewMatrix(200, 3)
	c.Scores(scores, k, compute.DensePoints(x), compute.DensePoints(z), 2)
	comparePairs(t, scores, k, x, class, z, o)

	got := make([]int, 200)
	c.Predict(got, scores)
	wrong := 0
	for i, a := range got {
		if a != want[i] {
			wrong++
		}
	}
	if wrong > 10 {
		t.Errorf("%d of 200 are wrong", wrong)
	}
}

// comparePairs checks scores against binary fits on the rows of each pair.
func comparePairs(t *testing.T, scores blas64.General, k kernel.Kernel, x blas64.General, class []int, z blas64.General, o Options) {
	t.Helper()
	for p, pair := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
		var rows []int
		for _, a := range pair {
			for i, b := range class {
				if a == b {
					rows = append(rows, i)
				}
			}
		}
		y := make([]float64, len(rows))
		for s, i := range rows {
			y[s] = 1
			if class[i] == pair[1] {
				y[s] = -1
			}
		}
		s, err := Fit(context.Background(), k, compute.DensePoints(compute.Pick(x, rows)), y, o.part(rows, 1))
		if err != nil {
			t.Fatal(err)
		}
		dst := make([]float64, z.Rows)
		s.Decision(dst, k, compute.DensePoints(compute.Pick(x, rows)), compute.DensePoints(z), 1)
		for j, f := range dst {
			if math.Abs(f-scores.Data[j*scores.Stride+p]) > 1e-9 {
				t.Fatalf("pair %v: score %v, want %v", pair, scores.Data[j*scores.Stride+p], f)
			}
		}
	}
}

func TestVotes(t *testing.T) {
	c := &Classes{Count: 3}
	scores := blas64.General{Rows: 4, Cols: 3, Stride: 3, Data: []float64{
		1, -1, 1, // 0 beats 1, 2 beats 0, 1 beats 2: all have one vote
		-1, 1, 1, // 1 has two
		1, -1, -1, // 2 has two
		0, 0, 0, // a score of 0 is a vote for the higher class: 2 has two
	}}
	got := make([]int, 4)
	c.Predict(got, scores)
	if !slices.Equal(got, []int{0, 1, 2, 2}) {
		t.Errorf("%v", got)
	}
}

func TestClassesRefused(t *testing.T) {
	x, class := threeClasses(30)
	k := kernel.Gaussian{Sigma: 1}
	for name, c := range map[string]struct {
		class []int
		count int
		want  error
	}{
		"one class":      {make([]int, 30), 1, rkhs.ErrLabels},
		"empty class":    {class, 4, rkhs.ErrLabels},
		"class too high": {class, 2, rkhs.ErrLabels},
		"too few":        {class[:20], 3, rkhs.ErrShape},
	} {
		if _, err := FitClasses(context.Background(), k, compute.DensePoints(x), c.class, c.count, Options{}); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
	if _, err := FitClasses(context.Background(), k, compute.DensePoints(x), class, 3, Options{C: -1}); !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("error %v", err)
	}
	list, err := PathClasses(context.Background(), k, compute.DensePoints(x), class, 3, []float64{0.1, 1, 10}, Options{})
	if err != nil || len(list) != 3 || list[2].Pairs[1].C != 10 {
		t.Errorf("path %v, error %v", list, err)
	}
}

// Sparse and dense rows give the same machines, for stored and for computed Gram matrices, with the same
// scores at rows of both forms.
func TestSparseRows(t *testing.T) {
	dense, y := problem(300, 5, 9)
	for i := range dense.Data {
		if i%3 > 0 {
			dense.Data[i] = 0
		}
	}
	x, class := compute.DensePoints(dense), make([]int, len(y))
	for i, v := range y {
		class[i] = int(v+1)/2 + i%2
	}
	sparse := compute.SparsePoints(x.Thin())
	for name, bytes := range map[string]int64{"stored": 0, "computed": 8 * 300 * 64} {
		o := Options{C: 3, Tolerance: 1e-8, CacheBytes: bytes}
		var scores []compute.Matrix
		for _, points := range []compute.Points{x, sparse} {
			c, err := FitClasses(context.Background(), kernel.Gaussian{Sigma: 1}, points, class, 3, o)
			if err != nil {
				t.Fatal(name, err)
			}
			for _, z := range []compute.Points{x, sparse} {
				dst := compute.NewMatrix(300, 3)
				c.Scores(dst, kernel.Gaussian{Sigma: 1}, points, z, 2)
				scores = append(scores, dst)
			}
		}
		for _, other := range scores[1:] {
			for i, v := range other.Data {
				if d := math.Abs(v - scores[0].Data[i]); d > 1e-7 {
					t.Fatalf("%s: score %d differs by %.2g", name, i, d)
				}
			}
		}
	}
}
