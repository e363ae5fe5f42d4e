package slklpaper

import (
	"math"
	"testing"
)

// ramp is an image with a constant gradient in direction angle.
func ramp(angle float64) []float64 {
	image := make([]float64, pixels*pixels)
	for i := range image {
		image[i] = float64(i%pixels)*math.Cos(angle) + float64(i/pixels)*math.Sin(angle)
	}
	return image
}

// A ramp has the same gradient at all inner pixels. It votes for one direction or two.
func TestVotesOfARamp(t *testing.T) {
	for step := range 2 * directions {
		angle := math.Pi * float64(step) / directions
		v := voteAt(ramp(angle), 10, 17)
		if math.Abs(v.length-2) > 1e-12 {
			t.Errorf("angle %v: length %v, want 2", angle, v.length)
		}
		var h [directions]float64
		v.add(h[:])
		want := [directions]float64{}
		want[step/2] += 2 - float64(step%2)
		want[(step/2+1)%directions] += float64(step % 2)
		for k := range h {
			if math.Abs(h[k]-want[k]) > 1e-10 {
				t.Errorf("angle %v: histogram %v, want %v", angle, h, want)
				break
			}
		}
	}
}

func TestDescriptor(t *testing.T) {
	if hogLength() != 828 {
		t.Fatalf("length %d, want 828", hogLength())
	}
	image := make([]float64, pixels*pixels)
	dst := make([]float64, hogLength())
	dst[5] = 3
	hog(dst, image)
	for i, v := range dst {
		if v != 0 {
			t.Fatalf("element %d of the descriptor of a blank image is %v", i, v)
		}
	}
	image[3*pixels+25] = 200 // only in the cells of the upper right corner
	hog(dst, image)
	norm := 0.0
	for i, v := range dst {
		norm += v * v
		inside := i/directions == 1 || i/directions == 4+3 || i/directions >= 4+16 && cellNear(i/directions-20, 3, 25)
		if v != 0 && !inside {
			t.Errorf("element %d is %v, far from the only bright pixel", i, v)
		}
	}
	if math.Abs(norm-1) > 1e-12 {
		t.Errorf("squared norm %v, want 1", norm)
	}
}

// cellNear reports whether a cell of 4×4 pixels contains a neighbour of a pixel.
func cellNear(cell, row, column int) bool {
	const side = pixels / 4
	for _, d := range [][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
		if cell == (row+d[0])/4*side+(column+d[1])/4 {
			return true
		}
	}
	return false
}

// The descriptor does not depend on the contrast.
func TestDescriptorIgnoresScale(t *testing.T) {
	image := ramp(1)
	a, b := make([]float64, hogLength()), make([]float64, hogLength())
	hog(a, image)
	for i := range image {
		image[i] *= 0.25
	}
	hog(b, image)
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-14 {
			t.Fatalf("element %d: %v, %v at a quarter of the contrast", i, a[i], b[i])
		}
	}
}
