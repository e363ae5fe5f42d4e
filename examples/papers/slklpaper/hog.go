package slklpaper

import "math"

// Histograms of oriented gradients of 28×28 digits, the preprocessing of the paper. The gradient
// at each pixel votes for its direction, weighted by its length, in cells of several sizes.
// Source: Maji and Malik, "Fast and accurate digit classification", 2009. Their cells overlap and
// give 2172 numbers. Here the cells of a size tile the image.
const (
	pixels     = 28
	directions = 12
)

// cellSizes are the cell sizes in pixels, all divisors of pixels.
var cellSizes = []int{14, 7, 4}

// hogLength returns the length of a descriptor, 12·(4 + 16 + 49) = 828.
func hogLength() int {
	n := 0
	for _, size := range cellSizes {
		n += directions * (pixels / size) * (pixels / size)
	}
	return n
}

// hog sets dst, of length hogLength(), to the descriptor of an image in row-major order. The
// histograms of each cell size have norm 1/√3, so dst has norm 1. An image without contrast gives
// 0.
func hog(dst, image []float64) {
	clear(dst)
	var votes [pixels * pixels]vote
	for i := range votes {
		votes[i] = voteAt(image, i/pixels, i%pixels)
	}
	for _, size := range cellSizes {
		side := pixels / size
		level := dst[:directions*side*side]
		dst = dst[len(level):]
		for i, v := range votes {
			cell := i/pixels/size*side + i%pixels/size
			v.add(level[cell*directions : (cell+1)*directions])
		}
		normalise(level, 1/math.Sqrt(float64(len(cellSizes))))
	}
}

// vote is a gradient: its length, and its direction in units of 2π/directions.
type vote struct{ length, direction float64 }

// voteAt uses central differences. Pixels outside the image are 0.
func voteAt(image []float64, row, column int) vote {
	at := func(r, c int) float64 {
		if r < 0 || r >= pixels || c < 0 || c >= pixels {
			return 0
		}
		return image[r*pixels+c]
	}
	x := at(row, column+1) - at(row, column-1)
	y := at(row+1, column) - at(row-1, column)
	angle := math.Atan2(y, x) / (2 * math.Pi)
	return vote{math.Hypot(x, y), directions * (angle - math.Floor(angle))}
}

// add distributes the vote between the two nearest directions.
func (v vote) add(histogram []float64) {
	low := math.Floor(v.direction)
	part := v.direction - low
	k := int(low) % directions
	histogram[k] += v.length * (1 - part)
	histogram[(k+1)%directions] += v.length * part
}

func normalise(v []float64, norm float64) {
	s := 0.0
	for _, x := range v {
		s += x * x
	}
	if s == 0 {
		return
	}
	for i := range v {
		v[i] *= norm / math.Sqrt(s)
	}
}
