package polkpaper

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/rng"
)

const (
	patchRadius = 2
	patchSize   = (2*patchRadius + 1) * (2*patchRadius + 1)
)

// textons are cluster centres of image patches, one per row (Leung and Malik, 1999).
type textons struct{ centres *mat.Dense }

// patch sets dst to the patch around pixel (r, c) minus its mean.
func patch(dst []float64, t texture, r, c int) {
	k := 0
	for i := r - patchRadius; i <= r+patchRadius; i++ {
		k += copy(dst[k:], t[i*textureSize+c-patchRadius:i*textureSize+c+patchRadius+1])
	}
	floats.AddConst(-floats.Sum(dst)/patchSize, dst)
}

// findTextons clusters patches from the left halves of all images by Lloyd's method.
func findTextons(images []texture, seed uint64) textons {
	const samples, rounds = 4000, 15
	r := rng.New(seed, "textons", 0)
	x := mat.NewDense(samples, patchSize, nil)
	for i := range samples {
		row := patchRadius + r.IntN(textureSize-2*patchRadius)
		column := patchRadius + r.IntN(textureSize/2-2*patchRadius)
		patch(x.RawRowView(i), images[r.IntN(len(images))], row, column)
	}
	t := textons{mat.NewDense(textonCount, patchSize, nil)}
	for j, i := range r.Sample(samples, textonCount) {
		t.centres.SetRow(j, x.RawRowView(i))
	}
	for range rounds {
		t.improve(x)
	}
	return t
}

// improve sets each centre to the mean of its nearest rows. A centre without rows does not change.
func (t textons) improve(x *mat.Dense) {
	sums, counts := mat.NewDense(textonCount, patchSize, nil), make([]float64, textonCount)
	n, _ := x.Dims()
	for i := range n {
		j := t.nearest(x.RawRowView(i))
		floats.Add(sums.RawRowView(j), x.RawRowView(i))
		counts[j]++
	}
	for j, n := range counts {
		if n > 0 {
			floats.ScaleTo(t.centres.RawRowView(j), 1/n, sums.RawRowView(j))
		}
	}
}

func (t textons) nearest(v []float64) (best int) {
	least := squaredDistance(t.centres.RawRowView(0), v)
	for j := 1; j < textonCount; j++ {
		if d := squaredDistance(t.centres.RawRowView(j), v); d < least {
			best, least = j, d
		}
	}
	return best
}

func squaredDistance(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += (v - b[i]) * (v - b[i])
	}
	return sum
}

// assign returns the texton of each pixel. Pixels near the edge, with an incomplete patch, get 0.
func (t textons) assign(image texture) []int {
	out, p := make([]int, len(image)), make([]float64, patchSize)
	for r := patchRadius; r < textureSize-patchRadius; r++ {
		for c := patchRadius; c < textureSize-patchRadius; c++ {
			patch(p, image, r, c)
			out[r*textureSize+c] = t.nearest(p)
		}
	}
	return out
}
