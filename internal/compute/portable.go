package compute

// portable returns the Go engine without the routines that exist only in double
// precision. It defines all results: the assembly must produce the same bits.
func portable[T float]() *engine[T] {
	return &engine[T]{
		name: "go", rows: 2, cols: 4,
		product: productGo[T], productRow: productRowGo[T], difference: differenceGo[T],
		streamed: streamedGo[T], narrow: narrowGo[T],
		transpose: transposeGo[T], squares: squaresGo[T],
		distances: distancesGo[T], absolute: absoluteGo[T], lanes: 1, weigh: weighGo[T],
		exp: expMapGo[T], matern12: matern12Go[T], matern32: matern32Go[T], matern52: matern52Go[T],
		rational: rationalGo[T], polynomial: polynomialGo[T],
		cosine: cosineGo[T], sine: sineGo[T], wavePair: wavePairGo[T],
		wavePast: wavePairGo[T], fence: func() {},
	}
}

func portable32() *engine[float32] { return portable[float32]() }

func portable64() *engine[float64] {
	e := portable[float64]()
	e.uniforms, e.normals, e.eliminate = uniformsGo, normalsGo, eliminateGo
	e.gather, e.gathered = gatherGo, quantum
	e.spread = spreadGo
	return e
}

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
