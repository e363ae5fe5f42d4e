package main

import (
	"math"
	"math/rand/v2"
	"path/filepath"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
)

const (
	side   = 28
	pixels = side * side
	// The largest shift along each axis in pixels, and the largest rotation. Both are uniform.
	maxShift = 2
	maxTurn  = math.Pi / 18
)

// digits are images as bytes, with their labels.
type digits struct {
	images []byte
	labels []float64
}

// load reads a part of MNIST, a few rows at a time.
func load(dir, part string) (*digits, error) {
	d := new(digits)
	for batch, err := range dataset.Batches(filepath.Join(dir, part+"-images-idx3-ubyte.gz"), 1000, dataset.Options{}) {
		if err != nil {
			return nil, err
		}
		for _, v := range batch.X.RawMatrix().Data {
			d.images = append(d.images, byte(v))
		}
		d.labels = append(d.labels, batch.Y...)
	}
	return d, nil
}

func (d *digits) image(i int) []byte { return d.images[i*pixels : (i+1)*pixels] }

// distorted returns random distorted images as rows of norm 1, with their labels. They
// depend only on the number of the chunk.
func (d *digits) distorted(rows int, chunk uint64) (x, y *mat.Dense) {
	r := rand.New(rand.NewPCG(seed, chunk))
	x, y = mat.NewDense(rows, pixels, nil), mat.NewDense(rows, 1, nil)
	uniform := func(bound float64) float64 { return bound * (2*r.Float64() - 1) }
	for i := range rows {
		k := r.IntN(len(d.labels))
		distort(x.RawRowView(i), d.image(k), uniform(maxShift), uniform(maxShift), uniform(maxTurn))
		unit(x.RawRowView(i))
		y.Set(i, 0, d.labels[k])
	}
	return x, y
}

// plain returns all undistorted images as rows of norm 1.
func (d *digits) plain() *mat.Dense {
	x := mat.NewDense(len(d.labels), pixels, nil)
	for i := range d.labels {
		distort(x.RawRowView(i), d.image(i), 0, 0, 0)
		unit(x.RawRowView(i))
	}
	return x
}

func unit(row []float64) {
	if norm := floats.Norm(row, 2); norm > 0 {
		floats.Scale(1/norm, row)
	}
}

// distort sets dst to an image rotated about its middle and then shifted, by bilinear
// interpolation. Pixels outside the image are 0.
func distort(dst []float64, image []byte, right, down, turn float64) {
	const middle = (side - 1) / 2.0
	sin, cos := math.Sincos(turn)
	for i := range side {
		for j := range side {
			v, u := float64(i)-middle-down, float64(j)-middle-right
			dst[i*side+j] = at(image, middle-sin*u+cos*v, middle+cos*u+sin*v)
		}
	}
}

// at interpolates the image between its pixels.
func at(image []byte, row, column float64) float64 {
	i, j := math.Floor(row), math.Floor(column)
	a, b := row-i, column-j
	p := func(i, j int) float64 {
		if i < 0 || i >= side || j < 0 || j >= side {
			return 0
		}
		return float64(image[i*side+j])
	}
	r, c := int(i), int(j)
	return (1-a)*((1-b)*p(r, c)+b*p(r, c+1)) + a*((1-b)*p(r+1, c)+b*p(r+1, c+1))
}
