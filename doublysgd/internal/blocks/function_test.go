package blocks

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/kernel"
)

// gaussians returns an r×c matrix of standard normals.
func gaussians(r, c int, seed uint64) compute.Matrix {
	s := rand.New(rand.NewPCG(seed, 0))
	m := compute.NewMatrix(r, c)
	for i := range m.Data {
		m.Data[i] = s.NormFloat64()
	}
	return m
}

func testFunction(t testing.TB, budget int64) *Function {
	t.Helper()
	o := features.Options{Seed: 9, Columns: 16}
	m, err := features.New(kernel.Gaussian{Sigma: 2}, 3, o)
	if err != nil {
		t.Fatal(err)
	}
	e := New(NewCache(m, budget), o, 2)
	e.Average = new(Average)
	return e
}

// steps performs n steps of decay and growth, some of them at an old block. It returns the iterates
// as plain lists of coefficients.
func steps(e *Function, n int, factor float64) (iterates [][]compute.Matrix) {
	var plain []compute.Matrix
	for t := range n {
		b := t
		if t%3 == 2 {
			b = t / 2
		}
		if b > len(plain) {
			b = len(plain)
		}
		step := gaussians(16, 2, uint64(t))
		e.Decay(factor)
		e.Add(b, step)
		e.Average.Tick(e)
		if b == len(plain) {
			plain = append(plain, compute.NewMatrix(16, 2))
		}
		next := make([]compute.Matrix, len(plain))
		for i, a := range plain {
			next[i] = compute.Clone(a)
			for j := range next[i].Data {
				next[i].Data[j] *= factor
				if i == b {
					next[i].Data[j] += step.Data[j]
				}
			}
		}
		plain = next
		iterates = append(iterates, plain)
	}
	return iterates
}

func sumOfTerms(m features.Map, blocks []compute.Matrix, x compute.Matrix) compute.Matrix {
	f := compute.NewMatrix(x.Rows, blocks[0].Cols)
	z := compute.NewMatrix(x.Rows, m.Columns())
	for b, a := range blocks {
		m.Block(uint64(b)).TransformTo(z, x)
		for i := range f.Rows {
			for o := range f.Cols {
				for j := range z.Cols {
					f.Data[i*f.Cols+o] += z.Data[i*z.Cols+j] * a.Data[j*a.Cols+o]
				}
			}
		}
	}
	return f
}

func farthest(a, b compute.Matrix) float64 {
	d := 0.0
	for i, v := range a.Data {
		d = max(d, math.Abs(v-b.Data[i]))
	}
	return d
}

// TestFunction compares the running scale, its folding and the averaged iterate
// with separately decayed coefficients. The factors fold the scale never, every
// few steps, and at each step.
func TestFunction(t *testing.T) {
	x := gaussians(2100, 3, 77)
	for _, factor := range []float64{1, 0.9, 1e-2, 1e-9, 0} {
		for _, budget := range []int64{0, 500, DefaultCache} {
			e := testFunction(t, budget)
			iterates := steps(e, 40, factor)
			last := iterates[len(iterates)-1]
			f := compute.NewMatrix(x.Rows, 2)
			e.AddTo(f, compute.DensePoints(x))
			if d := farthest(f, sumOfTerms(e.Map, last, x)); !(d < 1e-12) {
				t.Errorf("factor %v, budget %d: f is off by %.2g", factor, budget, d)
			}
			average := make([]compute.Matrix, len(last))
			weight := 0.0
			for i, it := range iterates {
				weight += float64(i + 1)
				for b, a := range it {
					if average[b].Data == nil {
						average[b] = compute.NewMatrix(16, 2)
					}
					for j, v := range a.Data {
						average[b].Data[j] += float64(i+1) * v
					}
				}
			}
			for b, a := range e.Averaged().Blocks {
				for j := range average[b].Data {
					average[b].Data[j] /= weight
				}
				// A small scale loses digits.
				if d := farthest(a, average[b]); !(d < 0x1p-52/smallestScale) {
					t.Errorf("factor %v, budget %d: averaged block %d is off by %.2g", factor, budget, b, d)
				}
			}
		}
	}
}

// TestFunctionFile saves between any two steps.
func TestFunctionFile(t *testing.T) {
	e, again := testFunction(t, DefaultCache), testFunction(t, 0)
	for i := range 12 {
		for _, f := range []*Function{e, again} {
			f.Decay(0.01)
			f.Add(i, gaussians(16, 2, uint64(i)))
			f.Average.Tick(f)
		}
		var c codec.Encoder
		if err := again.Encode(&c); err != nil {
			t.Fatal(err)
		}
		d := codec.NewDecoder(c.Payload())
		again = Decode(d, 0)
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	x := gaussians(5, 3, 1)
	for _, pair := range [][2]*Function{{e, again}, {e.Averaged(), again.Averaged()}} {
		f, g := compute.NewMatrix(5, 2), compute.NewMatrix(5, 2)
		pair[0].AddTo(f, compute.DensePoints(x))
		pair[1].AddTo(g, compute.DensePoints(x))
		if farthest(f, g) != 0 {
			t.Error("with saving and loading in between, f has other bits")
		}
	}
}
