package polkpaper

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/testutil"
)

func TestTextureMoments(t *testing.T) {
	image := newTexture(3, 1)
	mean, std := stat.PopMeanStdDev(image, nil)
	if math.Abs(mean) > 1e-12 || math.Abs(std-1) > 1e-12 {
		t.Errorf("mean %v, deviation %v", mean, std)
	}
}

// A filter with one central tap keeps an image, and an off-centre tap shifts it.
func TestFilter(t *testing.T) {
	image := newTexture(0, 1)
	f := filter{radius: 1, taps: []float64{0, 0, 0, 0, 1, 0, 0, 0, 0}}
	if !floats.EqualApprox(f.apply(image), image, 1e-12) {
		t.Error("the middle tap changes the image")
	}
	f.taps = []float64{0, 1, 0, 0, 0, 0, 0, 0, 0}
	if moved := f.apply(image); math.Abs(moved.at(5, 7)-image.at(4, 7)) > 1e-12 || math.Abs(moved.at(0, 7)-image.at(textureSize-1, 7)) > 1e-12 {
		t.Error("the upper tap does not take the pixel above")
	}
}

func TestPatch(t *testing.T) {
	image := newTexture(0, 1)
	p := make([]float64, patchSize)
	patch(p, image, 10, 20)
	if math.Abs(floats.Sum(p)) > 1e-12 || math.Abs((p[0]-p[patchSize-1])-(image.at(8, 18)-image.at(12, 22))) > 1e-12 {
		t.Errorf("patch %v", p)
	}
}

// Each round of Lloyd's method reduces the distances to the centres.
func TestTextonsImprove(t *testing.T) {
	image := newTexture(2, 1)
	x := mat.NewDense(600, patchSize, nil)
	for i := range 600 {
		patch(x.RawRowView(i), image, 5+i/20, 5+4*(i%20))
	}
	c := textons{mat.DenseCopyOf(x.Slice(0, textonCount, 0, patchSize))}
	before := math.Inf(1)
	for range 10 {
		total := 0.0
		for i := range 600 {
			v := x.RawRowView(i)
			total += squaredDistance(v, c.centres.RawRowView(c.nearest(v)))
		}
		if total > before*(1+1e-12) {
			t.Fatalf("distance rises from %v to %v", before, total)
		}
		before = total
		c.improve(x)
	}
}

// Rows are histograms, and the same seed gives the same rows.
func TestTextures(t *testing.T) {
	testutil.Long(t, "takes seconds")
	train, test := textures(200, 100, 1)
	again, _ := textures(200, 100, 1)
	if !mat.Equal(train.X, again.X) {
		t.Error("the same seed draws other rows")
	}
	seen := make(map[float64]bool)
	for i, y := range test.Y {
		seen[y] = true
		if s := floats.Sum(test.X.RawRowView(i)); math.Abs(s-1) > 1e-12 {
			t.Fatalf("row %d sums to %v", i, s)
		}
	}
	if len(seen) != textureClasses {
		t.Errorf("%d classes among the rows", len(seen))
	}
}

// All patches of a window are in its half of the image, so training and test rows share no pixel.
func TestWindowsKeepToTheirHalf(t *testing.T) {
	for _, left := range []int{0, textureSize / 2} {
		inside := make([]int, textureSize*textureSize)
		for i := range inside {
			if c := i % textureSize; c-patchRadius < left || c+patchRadius >= left+textureSize/2 {
				inside[i] = 1
			}
		}
		s := drawWindows([][]int{inside}, 500, left, rng.New(1, "test", 0))
		for i := range s.Y {
			if s.X.At(i, 1) != 0 {
				t.Fatalf("a window of the half from column %d leaves it", left)
			}
		}
	}
}
