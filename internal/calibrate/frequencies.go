package calibrate

import "math"

// frequencyLosses returns the log loss of each row by the frequencies of the classes in the other parts.
func (c *Classes) frequencyLosses(s Sample) []float64 {
	losses := make([]float64, s.Rows())
	parts := s.parts()
	for _, rows := range parts {
		learn := rows
		if len(parts) > 1 {
			learn = Others(s.Rows(), rows)
		}
		p := s.pick(learn).frequencies(c.count)
		for _, i := range rows {
			losses[i] = -math.Log(p[s.Class[i]])
		}
	}
	return losses
}

// frequencies returns (w_k + 1)/(Σ w + K) for the weights w_k of K classes (Laplace's rule of succession).
func (s Sample) frequencies(classes int) []float64 {
	p := make([]float64, classes)
	total := float64(classes)
	for i, k := range s.Class {
		p[k] += s.Weights.At(i)
		total += s.Weights.At(i)
	}
	for k := range p {
		p[k] = (p[k] + 1) / total
	}
	return p
}

// fitFrequencies makes the probabilities of any scores the frequencies of the classes.
func (c *Classes) fitFrequencies(s Sample) {
	p := s.frequencies(c.count)
	switch {
	case c.layout == OfPairs && c.count > 2:
		c.by = sigmoid
		for i := range c.count {
			for j := i + 1; j < c.count; j++ {
				c.curves = append(c.curves, curve{b: math.Log(p[j] / p[i])})
			}
		}
	case c.perClass(s.Scores.Cols):
		c.by, c.soft = scaled, softmax{shift: make([]float64, c.count)}
		for k, v := range p {
			c.soft.shift[k] = math.Log(v)
		}
	default:
		c.by, c.curves = sigmoid, []curve{{b: math.Log(p[1] / p[0])}}
	}
}
