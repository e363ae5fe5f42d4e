package alignment

import "math"

// line holds the inner products of Proposition 2 of the centred matrices K, K'
// and the target T: along K + eta·K' the alignment with T is
//
//	g(eta)/‖T‖,  g(eta) = (a + b·eta)/√(c + 2d·eta + e·eta²).
type line struct {
	a, b float64 // <K,T>, <K',T>
	c    float64 // <K,K>
	d    float64 // <K,K'>
	e    float64 // <K',K'>
}

// at returns g(eta), and 0 for the zero matrix.
func (l line) at(eta float64) float64 {
	q := l.c + eta*(2*l.d+eta*l.e)
	if !(q > 0) {
		return 0
	}
	return (l.a + l.b*eta) / math.Sqrt(q)
}

// best returns the eta in [0, limit] at which g is largest. The sign of g' is
// that of (bc − ad) + (bd − ae)·eta: its root is a maximum only where bd − ae is
// negative, and without a root g is monotone.
func (l line) best(limit float64) float64 {
	if slope := l.b*l.d - l.a*l.e; slope < 0 {
		return min(max((l.a*l.d-l.b*l.c)/slope, 0), limit)
	}
	if l.at(limit) > l.at(0) {
		return limit
	}
	return 0
}
