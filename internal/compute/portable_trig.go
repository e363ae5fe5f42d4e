package compute

func cosineGo[T float](dst, src, phase []T, scale T) int {
	for i, v := range src {
		dst[i] = scale * cosOf(v+phase[i])
	}
	return len(src)
}

func sineGo[T float](dst, src, phase []T, scale T) int {
	for i, v := range src {
		dst[i] = scale * sinOf(v+phase[i])
	}
	return len(src)
}

func wavePairGo[T float](cos, sin, src []T, scale T) int {
	for i, v := range src {
		s, c := sincosOf(v)
		cos[i], sin[i] = scale*c, scale*s
	}
	return len(src)
}
