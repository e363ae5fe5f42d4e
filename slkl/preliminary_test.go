package slkl

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/kernel"
)

// waveIn returns rows of a function that is flat on nine tenths of the interval and a wave on the rest.
func waveIn(n int) task {
	random := rand.New(rand.NewPCG(1, 2))
	k := task{x: compute.DensePoints(compute.NewMatrix(n, 1)), y: compute.NewMatrix(n, 1)}
	for i := range n {
		x := random.Float64()
		k.x.Data[i] = x
		if x > .9 {
			k.y.Data[i] = math.Sin(200 * x)
		}
	}
	return k
}

// Landmarks are denser than rows where the function varies, exclude rows without weight, and are distinct. A
// third is drawn uniformly from the rows, or all of them with an explicit option.
func TestDrawnAnew(t *testing.T) {
	const n, count = 2000, 30
	k := waveIn(n)
	k.weights = make(compute.Weights, n)
	for i := range k.weights {
		if k.x.Data[i] < .95 {
			k.weights[i] = 1
		}
	}
	r := progress.New(context.Background(), nil, pkg)
	defer r.Close()
	found := kernel.SearchResult{Trial: kernel.Trial{Kernel: kernel.Gaussian{Sigma: .02}, Noise: 1e-3}}
	points := func(o Options) (drawn, anew landmarks) {
		s, err := o.settings()
		if err != nil {
			t.Fatal(err)
		}
		drawn, err = drawnPoints(s, k.x)
		if err != nil {
			t.Fatal(err)
		}
		return drawn, s.redrawn(k, drawn, found, r)
	}
	drawn, anew := points(Options{MaxPoints: count})
	if anew.points.Rows != count {
		t.Fatalf("%d landmarks of %d", anew.points.Rows, count)
	}
	inWave := 0
	for i, x := range anew.points.Data {
		if x != k.x.Data[anew.rows[i]] {
			t.Errorf("landmark %d is not row %d", i, anew.rows[i])
		}
		if i < count/keptShare && x != drawn.points.Data[i] {
			t.Errorf("landmark %d is %v, the one drawn was %v", i, x, drawn.points.Data[i])
		}
		if i >= count/keptShare && x > .95 {
			t.Errorf("landmark %d, %v, has no weight", i, x)
		}
		if x > .9 {
			inWave++
		}
	}
	if inWave < 3*count/10 { // a tenth of the rows, half of which have no weight
		t.Errorf("%d landmarks of %d are where all of the function is", inWave, count)
	}
	if _, again := points(Options{MaxPoints: count, Workers: 3}); !again.points.Equal(anew.points) {
		t.Error("other landmarks with three workers")
	}
	for _, o := range []Options{{Paper: Paper{PointRows: []int{3, 5, 8, 13}}}, {MaxPoints: 2}, {MaxPoints: n}, {MaxPoints: 1 << 62}} {
		if drawn, anew := points(o); !anew.points.Equal(drawn.points) {
			t.Errorf("%+v: other landmarks", o)
		}
	}
}

// The units of the outputs do not affect the scores.
func TestScoresOfOutputs(t *testing.T) {
	k := waveIn(300)
	both := compute.NewMatrix(300, 2)
	for i, v := range k.y.Data {
		compute.Row(both, i)[0], compute.Row(both, i)[1] = v, 1e6*v
	}
	var list [2][]float64
	for i, y := range []compute.Matrix{k.y, both} {
		s, err := (&Options{}).settings()
		if err != nil {
			t.Fatal(err)
		}
		p := &preliminary{all: task{x: k.x, y: y}, rows: compute.Indices(300), kernel: kernel.Gaussian{Sigma: .02}, set: s, noise: 1e-3}
		if list[i] = p.residuals(compute.Indices(20), 300, 0, 300); list[i] == nil {
			t.Fatal("no scores")
		}
	}
	for i, v := range list[0] {
		if math.Abs(list[1][i]-2*v) > 1e-9*(1+v) {
			t.Fatalf("row %d: %v of one output, %v of two alike", i, v, list[1][i])
		}
	}
}

// If targets are only noise, the drawn landmarks are kept: residuals follow the noise.
func TestDrawnOnce(t *testing.T) {
	const n = 1500
	k, random := waveIn(n), rand.New(rand.NewPCG(7, 7))
	for i := range k.y.Data {
		k.y.Data[i] = random.NormFloat64()
	}
	r := progress.New(context.Background(), nil, pkg)
	defer r.Close()
	kept := 0
	for seed := range uint64(20) {
		s, err := (&Options{MaxPoints: 60, Seed: seed}).settings()
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := drawnPoints(s, k.x)
		if err != nil {
			t.Fatal(err)
		}
		found := kernel.SearchResult{Trial: kernel.Trial{Kernel: kernel.Gaussian{Sigma: .01}, Noise: .1}}
		if s.redrawn(k, drawn, found, r).points.Equal(drawn.points) {
			kept++
		}
	}
	if kept < 14 { // 17 of 20 by chance if both were equally good
		t.Errorf("landmarks were drawn anew for noise in %d of 20 cases", 20-kept)
	}
}

// If most rows are equal, the redrawn landmarks do not exceed the initial number, for which memory was reserved.
func TestDrawnAnewOfCopies(t *testing.T) {
	k := waveIn(2000)
	for i := range 1800 {
		k.x.Data[i], k.y.Data[i] = .95, 0
	}
	r := progress.New(context.Background(), nil, pkg)
	defer r.Close()
	s, err := (&Options{MaxPoints: 300}).settings()
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := drawnPoints(s, k.x)
	if err != nil {
		t.Fatal(err)
	}
	found := kernel.SearchResult{Trial: kernel.Trial{Kernel: kernel.Gaussian{Sigma: .01}, Noise: 1e-3}}
	if anew := s.redrawn(k, drawn, found, r); anew.points.Rows > drawn.points.Rows || anew.points.Rows != len(anew.rows) {
		t.Errorf("%d landmarks, and %d rows, after %d", anew.points.Rows, len(anew.rows), drawn.points.Rows)
	}
}
