package compute

func productGo[T float](c []T, stride int, a, b []T, k, panels int, add bool) {
	for p := range panels {
		var s [8]T
		for i := range k {
			x, y := a[2*i:2*i+2], b[4*(p*k+i):4*(p*k+i)+4]
			s[0] = fma(x[0], y[0], s[0])
			s[1] = fma(x[0], y[1], s[1])
			s[2] = fma(x[0], y[2], s[2])
			s[3] = fma(x[0], y[3], s[3])
			s[4] = fma(x[1], y[0], s[4])
			s[5] = fma(x[1], y[1], s[5])
			s[6] = fma(x[1], y[2], s[6])
			s[7] = fma(x[1], y[3], s[7])
		}
		storeTile(c[4*p:], stride, &s, add)
	}
}

func productRowGo[T float](c []T, stride int, a, b []T, k, panels int, add bool) {
	for p := range panels {
		var s [4]T
		for i := range k {
			for q, y := range b[4*(p*k+i) : 4*(p*k+i)+4] {
				s[q] = fma(a[2*i], y, s[q])
			}
		}
		for q, v := range s {
			if add {
				v += c[4*p+q]
			}
			c[4*p+q] = v
		}
	}
}

func differenceGo[T float](c []T, stride int, a, b []T, k, panels int, add bool) {
	for p := range panels {
		var s [8]T
		for i := range k {
			for r, x := range a[2*i : 2*i+2] {
				for q, y := range b[4*(p*k+i) : 4*(p*k+i)+4] {
					s[4*r+q] = fma(x-y, x-y, s[4*r+q])
				}
			}
		}
		storeTile(c[4*p:], stride, &s, add)
	}
}

func streamedGo[T float](c []T, stride int, a, b []T, step, k, panels int) {
	for j := range 4 * panels {
		var s [2]T
		for i := range k {
			y := b[i*step+j]
			s[0] = fma(a[2*i], y, s[0])
			s[1] = fma(a[2*i+1], y, s[1])
		}
		c[j], c[stride+j] = s[0], s[1]
	}
}

func narrowGo[T float](c, a []T, step int, b []T, k int) {
	for i := range c[:narrowRows] {
		s := T(0)
		for j, x := range a[i*step : i*step+k] {
			s = fma(x, b[j], s)
		}
		c[i] = s
	}
}

func storeTile[T float](c []T, stride int, s *[8]T, add bool) {
	for r := range 2 {
		row := c[r*stride : r*stride+4]
		for q := range row {
			if add {
				row[q] += s[4*r+q]
			} else {
				row[q] = s[4*r+q]
			}
		}
	}
}

func transposeGo[T float](dst []T, width int, src []T, stride int, centre []T, n int) {
	for i := range 4 {
		for j, v := range src[i*stride : i*stride+n] {
			dst[j*width+i] = v - centre[j]
		}
	}
}

func squaresGo[T float](dst, panel []T, k int) {
	clear(dst)
	for range k {
		for i := range dst {
			dst[i] = fma(panel[i], panel[i], dst[i])
		}
		panel = panel[len(dst):]
	}
}
