package centres

// noiseOf returns the noise of row i, s²/w_i for weights of mean one, or s² without
// weights. An observation of weight w is as good as the mean of w of weight one, the
// variance of which is s²/w: rows of whole weights are rows repeated.
func noiseOf(noise float64, weights []float64, i int) float64 {
	if weights == nil {
		return noise
	}
	return noise / weights[i]
}
