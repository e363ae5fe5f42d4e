package alignmentpaper

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// split is the data of one run, with labels −1 and 1.
type split struct{ train, check, test *dataset.Set }

func (s split) rows() (train, check, test blas64.General) {
	return s.train.X.RawMatrix(), s.check.X.RawMatrix(), s.test.X.RawMatrix()
}

func labels(s *dataset.Set) *mat.Dense { return mat.NewDense(len(s.Y), 1, slices.Clone(s.Y)) }

// sizes are the numbers of training, validation and test rows.
type sizes struct{ train, check, test int }

// draw splits the rows at random. It uses only rows with class −1 or 1, and skips class 0. The
// test set may have fewer rows than requested.
func draw(all *dataset.Set, class func(label float64) float64, n sizes, seed uint64) split {
	var list []int
	for _, i := range rng.New(seed, "alignment paper: split", 0).Perm(len(all.Y)) {
		if class(all.Y[i]) != 0 {
			list = append(list, i)
		}
	}
	part := func(count int) *dataset.Set {
		count = min(count, len(list))
		p := all.Select(list[:count])
		list = list[count:]
		for i, l := range p.Y {
			p.Y[i] = class(l)
		}
		return p
	}
	return split{part(n.train), part(n.check), part(n.test)}
}

// frequencies are the frequencies of the sum of sines.
var frequencies = []float64{math.Sqrt2, math.Sqrt(12), math.Sqrt(60)}

// sines draws points in [−10, 10] with the sign of the sum of sines as label.
func sines(seed uint64) split {
	s := rng.New(seed, "alignment paper: sines", 0)
	part := func(n int) *dataset.Set {
		d := &dataset.Set{X: mat.NewDense(n, 1, nil), Y: make([]float64, n)}
		for i := range d.Y {
			x := 20*s.Float64() - 10
			d.X.Set(i, 0, x)
			d.Y[i] = math.Copysign(1, sumOfSines(x))
		}
		return d
	}
	return split{part(500), part(500), part(1000)}
}

func sumOfSines(x float64) (f float64) {
	for _, w := range frequencies {
		f += math.Sin(w * x)
	}
	return f
}

// relevance draws two normal classes in 50 dimensions. A larger gamma concentrates the difference
// of the means in the last columns.
func relevance(gamma float64, seed uint64) split {
	const d = 50
	s := rng.New(seed, "alignment paper: relevance", uint64(gamma))
	mean := make([]float64, d)
	norm := 0.0
	for j := range mean {
		mean[j] = math.Pow(float64(j+1)/d, gamma)
		norm = math.Hypot(norm, mean[j])
	}
	part := func(n int) *dataset.Set {
		p := &dataset.Set{X: mat.NewDense(n, d, nil), Y: make([]float64, n)}
		for i := range p.Y {
			p.Y[i] = float64(2*s.IntN(2) - 1)
			for j, m := range mean {
				p.X.Set(i, j, s.NormFloat64()+1.75*p.Y[i]*m/norm)
			}
		}
		return p
	}
	return split{part(50), part(1000), part(1000)}
}
