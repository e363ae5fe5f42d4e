package learn

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/ridge"
)

// ridgeBy runs a pipeline.
func ridgeBy(t *testing.T, batches []rows.Batch, o RidgeOptions) []byte {
	t.Helper()
	method, err := Ridge(o)
	file, err := learnedBy(t, batches, method, err)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestRidgeIsThatOfAllRows uses all rows as centres and small tiles. The result must equal exact
// weighted kernel ridge regression with a constant by package ridge.
func TestRidgeIsThatOfAllRows(t *testing.T) {
	batches := table(2, 150, 1, 0, 70, 2)
	r := rand.New(rand.NewPCG(3, 4))
	for k := range batches {
		for range batches[k].Rows {
			batches[k].Weights = append(batches[k].Weights, 0.5+3*r.Float64())
		}
		for i := range batches[k].Targets {
			batches[k].Targets[i] += 1000
		}
	}
	o := RidgeOptions{Kernel: kernel.Matern{Nu: 1.5, Length: 0.8}, Ridge: 1e-4, MaxPoints: 300, Tile: 50}
	var m ridge.Model
	if err := m.UnmarshalBinary(ridgeBy(t, batches, o)); err != nil {
		t.Fatal(err)
	}
	all := join(batches)
	want, err := ridge.Fit(context.Background(), all.X(), all.Y(), &ridge.Options{Kernel: o.Kernel, Ridge: o.Ridge, Tolerance: 1e-13})
	if err != nil {
		t.Fatal(err)
	}
	if d := apart(predictions(t, &m, batches), predictions(t, want, batches)); !(d < 1e-8) {
		t.Errorf("predictions differ by %v", d)
	}
	if r := m.Report(); r.Rows != 223 || m.ModelOrder() != 223 || math.Abs(r.Ridge/o.Ridge-1) > 1e-12 || slices.Max(r.Residual) > 1e-10 || math.Abs(r.Norm[0]/want.Report().Norm[0]-1) > 1e-6 {
		t.Errorf("report %+v, want %+v", r, want.Report())
	}
}

// TestFeaturesAreThoseOfRevisit compares with the iterative solution of package doublysgd, for
// one block and for two, where the ridge counts twice.
func TestFeaturesAreThoseOfRevisit(t *testing.T) {
	batches := table(1, 400, 1, 200)
	for _, count := range []int{64, 2 * featureBlock} {
		o := RidgeOptions{Kernel: kernel.Gaussian{Sigma: 0.7}, Ridge: 1e-3, Features: count, Tile: 517, Seed: 11}
		var m doublysgd.Model
		if err := m.UnmarshalBinary(ridgeBy(t, batches, o)); err != nil {
			t.Fatal(err)
		}
		all := join(batches)
		want, err := doublysgd.Fit(context.Background(), all.X(), all.Y(), &doublysgd.Options{Kernel: o.Kernel, Ridge: o.Ridge, Features: count, Seed: 11, Loss: loss.Squared{}, Tolerance: 1e-12, Paper: doublysgd.Paper{Columns: min(count, featureBlock), Precision: doublysgd.Double}})
		if err != nil {
			t.Fatal(err)
		}
		if d := apart(predictions(t, &m, batches), predictions(t, want, batches)); !(d < 1e-9) {
			t.Errorf("%d features: predictions differ by %v", count, d)
		}
		if r := m.Report(); r.Rows != 601 || r.Features != count || !(r.Gradient < 1e-10) || math.Abs(r.Ridge-o.Ridge) > 1e-15 {
			t.Errorf("report %+v", r)
		}
	}
}

// TestRidgeClassifierByDefault selects all options on the sample but the number of centres.
func TestRidgeClassifierByDefault(t *testing.T) {
	batches := table(1, 600, 500, 300)
	for k := range batches {
		for i, v := range batches[k].Targets {
			batches[k].Targets[i] = 3
			if v > 0 {
				batches[k].Targets[i] = 8
			}
		}
	}
	for name, o := range map[string]RidgeOptions{"centres": {MaxPoints: 80, Seed: 1}, "features": {Features: 100, Seed: 1}} {
		method, err := RidgeClassifier(o)
		file, err := learnedBy(t, batches, method, err)
		if err != nil {
			t.Fatal(err)
		}
		var c interface {
			Predict(mat.Matrix) (*mat.Dense, error)
			UnmarshalBinary([]byte) error
		} = new(ridge.Classifier)
		if o.Features > 0 {
			c = new(doublysgd.Classifier)
		}
		if err := c.UnmarshalBinary(file); err != nil {
			t.Fatal(err)
		}
		all := join(batches)
		if wrong := wrongOf(t, c, all.Inputs().(*mat.Dense), mat.NewDense(all.Rows, 1, all.Targets)); wrong > 8 { // the noise of the targets changes some signs
			t.Errorf("%s: %v %% are wrong", name, wrong)
		}
	}
}

// TestTiles splits sums, merges the parts in a different order and joins them. The result must
// be the moments of all rows, which are far from zero.
func TestTiles(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	rowsOf := func(n int) *mat.Dense {
		v := mat.NewDense(n, 10, nil)
		for i := range v.RawMatrix().Data {
			v.RawMatrix().Data[i] = 1e6 + r.NormFloat64()
		}
		return v
	}
	parts := []*mat.Dense{rowsOf(100), rowsOf(1), rowsOf(37)}
	merged := map[int]tile{}
	for _, p := range parts {
		s := newSums(10)
		s.add(mat.DenseCopyOf(p).RawMatrix(), nil)
		s.tiles(4, func(number int, u tile) {
			u, err := decodeTile(encodeTile(u))
			if err != nil {
				t.Fatal(err)
			}
			if merged[number], err = u.merge(merged[number]); err != nil {
				t.Fatal(err)
			}
		})
	}
	got := newSums(10)
	for number, u := range merged {
		if err := got.put(number, 4, u); err != nil {
			t.Fatal(err)
		}
	}
	var all, next mat.Dense
	all.Stack(parts[0], parts[1])
	next.Stack(&all, parts[2])
	n, _ := next.Dims()
	for i := range 10 {
		for j := i; j < 10; j++ {
			a, b, want := mat.Col(nil, i, &next), mat.Col(nil, j, &next), 0.0
			for k := range a {
				want += (a[k] - mean(a)) * (b[k] - mean(b))
			}
			if v := got.moment.Data[i*got.moment.Stride+j]; math.Abs(v-want) > 1e-8*float64(n) {
				t.Errorf("moment %d, %d is %v, want %v", i, j, v, want)
			}
		}
		if m := mean(mat.Col(nil, i, &next)); math.Abs(got.mean[i]-m) > 1e-9 {
			t.Errorf("mean %d is %v, want %v", i, got.mean[i], m)
		}
	}
	if got.rows != 138 || got.weight != 138 || len(merged) != 6 {
		t.Errorf("%d rows of weight %v in %d tiles", got.rows, got.weight, len(merged))
	}
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x - v[0]
	}
	return v[0] + sum/float64(len(v))
}

func TestRidgeOptions(t *testing.T) {
	for name, c := range map[string]struct {
		o    RidgeOptions
		want error
	}{
		"ridge":  {RidgeOptions{Ridge: -1}, rkhs.ErrOption},
		"nan":    {RidgeOptions{Ridge: math.NaN()}, rkhs.ErrOption},
		"points": {RidgeOptions{MaxPoints: -1}, rkhs.ErrOption},
		"both":   {RidgeOptions{MaxPoints: 1, Features: 2}, rkhs.ErrOption},
		"memory": {RidgeOptions{Features: 65536}, rkhs.ErrMemory},
	} {
		if _, err := Ridge(c.o); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzTile expects no panic for any bytes, and a round trip for valid bytes.
func FuzzTile(f *testing.F) {
	s := newSums(3)
	s.add(mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 7}).RawMatrix(), nil)
	s.tiles(2, func(_ int, t tile) { f.Add(encodeTile(t)) })
	f.Fuzz(func(t *testing.T, data []byte) {
		u, err := decodeTile(data)
		if err == nil && !slices.Equal(encodeTile(u), data) || err != nil && !errors.Is(err, rkhs.ErrFormat) {
			t.Error(err)
		}
	})
}
