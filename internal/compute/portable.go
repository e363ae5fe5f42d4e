package compute

// portable64 and portable32 return the engines in Go. They are the definition
// of every result: the assembly has to give the same bits.
func portable64() *engine[float64] {
	return &engine[float64]{
		name: "go", rows: 2, cols: 4,
		product: productGo[float64], productRow: productRowGo[float64], difference: differenceGo[float64],
		streamed: streamedGo[float64], narrow: narrowGo[float64],
		transpose: transposeGo[float64], squares: squaresGo[float64],
		distances: distancesGo[float64], lanes: 1, weigh: weighGo[float64],
		exp: expMapGo[float64], matern12: matern12Go[float64], matern32: matern32Go[float64], matern52: matern52Go[float64],
		rational: rationalGo[float64], polynomial: polynomialGo[float64],
		cosine: cosineGo[float64], sine: sineGo[float64], wavePair: wavePairGo[float64],
		uniforms: uniformsGo, normals: normalsGo, eliminate: eliminateGo,
	}
}

func portable32() *engine[float32] {
	return &engine[float32]{
		name: "go", rows: 2, cols: 4,
		product: productGo[float32], productRow: productRowGo[float32], difference: differenceGo[float32],
		streamed: streamedGo[float32], narrow: narrowGo[float32],
		transpose: transposeGo[float32], squares: squaresGo[float32],
		distances: distancesGo[float32], lanes: 1, weigh: weighGo[float32],
		exp: expMapGo[float32], matern12: matern12Go[float32], matern32: matern32Go[float32], matern52: matern52Go[float32],
		rational: rationalGo[float32], polynomial: polynomialGo[float32],
		cosine: cosineGo[float32], sine: sineGo[float32], wavePair: wavePairGo[float32],
	}
}
