package picturetest

import (
	"image/color"
	"math"
)

// Deficiencies simulate colour vision without cones for red (protanopia) and without cones
// for green (deuteranopia). The matrices are from Machado, Oliveira and Fernandes, "A
// physiologically-based model for simulation of color vision deficiency", IEEE
// Transactions on Visualization and Computer Graphics 15, 2009, table 1 at severity 1.
var Deficiencies = map[string]func(color.Color) color.Color{
	"protanopia": seen([3][3]float64{
		{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}),
	"deuteranopia": seen([3][3]float64{
		{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}),
}

func seen(m [3][3]float64) func(color.Color) color.Color {
	return func(c color.Color) color.Color {
		in, out := linear(c), [3]uint8{}
		for i, row := range m {
			v := row[0]*in[0] + row[1]*in[1] + row[2]*in[2]
			out[i] = uint8(math.Round(255 * encoded(min(1, max(0, v)))))
		}
		return color.RGBA{R: out[0], G: out[1], B: out[2], A: 255}
	}
}

// linear returns the intensities of red, green and blue of an sRGB colour, 0 to 1.
func linear(c color.Color) (out [3]float64) {
	r, g, b, _ := c.RGBA()
	for i, v := range []uint32{r, g, b} {
		s := float64(v) / 0xffff
		if out[i] = s / 12.92; s > 0.04045 {
			out[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	return out
}

// encoded is the inverse of linear for one channel.
func encoded(v float64) float64 {
	if v <= 0.0031308 {
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}

// Distance returns the distance of two colours in CIELAB. A distance of about 2 is visible
// side by side, and a distance of 10 at a glance.
func Distance(a, b color.Color) float64 {
	p, q := lab(a), lab(b)
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

// lab returns the CIELAB coordinates of a colour for the white point D65.
func lab(c color.Color) [3]float64 {
	v := linear(c)
	x := f((0.4124564*v[0] + 0.3575761*v[1] + 0.1804375*v[2]) / 0.95047)
	y := f(0.2126729*v[0] + 0.7151522*v[1] + 0.0721750*v[2])
	z := f((0.0193339*v[0] + 0.1191920*v[1] + 0.9503041*v[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func f(t float64) float64 {
	if t > 216.0/24389 {
		return math.Cbrt(t)
	}
	return (24389.0/27*t + 16) / 116
}
