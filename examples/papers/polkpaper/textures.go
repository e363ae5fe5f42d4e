package polkpaper

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/rng"
)

// Synthetic textures replace the photographs of brodatz, which are not free. As in the paper, a
// row is the histogram of textons in a window of an image, and the label is the number of the
// image.
const (
	textureClasses = 10
	textureSize    = 192 // pixels per side
	textureWindow  = 24  // pixels per side
	textonCount    = 40  // inputs of a row
)

// texture is an image in row-major order.
type texture []float64

func (t texture) at(r, c int) float64 { return t[r*textureSize+c] }

// newTexture draws an image of a class. It adds white noise through two oriented filters of the
// class, the first saturated, and independent noise. Pixels have mean 0 and variance 1.
func newTexture(class int, seed uint64) texture {
	noise := rng.New(seed, "texture noise", uint64(class))
	shape := rng.New(seed, "texture shape", uint64(class))
	image := make(texture, textureSize*textureSize)
	for part := range 2 {
		filtered := randomFilter(shape).apply(whiteNoise(noise))
		for i, v := range filtered {
			if part == 0 {
				v = math.Tanh(2 * v)
			}
			image[i] += v
		}
	}
	for i := range image {
		image[i] += 1.3 * noise.NormFloat64()
	}
	standardize(image)
	return image
}

func whiteNoise(r *rng.Stream) texture {
	t := make(texture, textureSize*textureSize)
	for i := range t {
		t[i] = r.NormFloat64()
	}
	return t
}

func standardize(v []float64) {
	mean, std := stat.PopMeanStdDev(v, nil)
	floats.AddConst(-mean, v)
	floats.Scale(1/std, v)
}

// filter is a square filter with an odd number of taps per side.
type filter struct {
	radius int
	taps   []float64
}

// randomFilter draws a Gabor filter, a plane wave of random direction and length with a Gaussian
// envelope.
func randomFilter(r *rng.Stream) filter {
	uniform := func(low, high float64) float64 { return low + (high-low)*float64(r.IntN(1<<20))/(1<<20) }
	angle, wave := uniform(0, math.Pi), uniform(3, 9)
	along, across := uniform(1.2, 3.5), uniform(1.2, 3.5)
	f := filter{radius: 6}
	sin, cos := math.Sincos(angle)
	for y := -f.radius; y <= f.radius; y++ {
		for x := -f.radius; x <= f.radius; x++ {
			u, v := cos*float64(x)+sin*float64(y), cos*float64(y)-sin*float64(x)
			f.taps = append(f.taps, math.Exp(-u*u/(2*along*along)-v*v/(2*across*across))*math.Cos(2*math.Pi*u/wave))
		}
	}
	return f
}

// apply filters an image with periodic boundaries and standardises the result.
func (f filter) apply(t texture) texture {
	out := make(texture, len(t))
	side := 2*f.radius + 1
	for r := range textureSize {
		for c := range textureSize {
			sum := 0.0
			for i := range side {
				row := (r + i - f.radius + textureSize) % textureSize
				for j := range side {
					sum += f.taps[i*side+j] * t.at(row, (c+j-f.radius+textureSize)%textureSize)
				}
			}
			out[r*textureSize+c] = sum
		}
	}
	standardize(out)
	return out
}

// textures draws training and test rows. Training rows and textons come from the left halves of
// the images, test rows from the right halves.
func textures(trainRows, testRows int, seed uint64) (train, test *dataset.Set) {
	images := make([]texture, textureClasses)
	for c := range images {
		images[c] = newTexture(c, seed)
	}
	centres := findTextons(images, seed)
	maps := make([][]int, len(images))
	for c, image := range images {
		maps[c] = centres.assign(image)
	}
	r := rng.New(seed, "texture windows", 0)
	return drawWindows(maps, trainRows, 0, r), drawWindows(maps, testRows, textureSize/2, r)
}

// drawWindows draws windows with all patches in the half that starts at column left.
func drawWindows(maps [][]int, rows, left int, r *rng.Stream) *dataset.Set {
	s := &dataset.Set{X: mat.NewDense(rows, textonCount, nil), Y: make([]float64, rows)}
	for i := range rows {
		class := r.IntN(len(maps))
		top := patchRadius + r.IntN(textureSize-2*patchRadius-textureWindow+1)
		from := left + patchRadius + r.IntN(textureSize/2-2*patchRadius-textureWindow+1)
		s.Y[i] = float64(class)
		histogram(s.X.RawRowView(i), maps[class], top, from)
	}
	return s
}

// histogram sets dst to the frequencies of textons in a window.
func histogram(dst []float64, textons []int, top, left int) {
	for r := top; r < top+textureWindow; r++ {
		for c := left; c < left+textureWindow; c++ {
			dst[textons[r*textureSize+c]] += 1. / (textureWindow * textureWindow)
		}
	}
}
