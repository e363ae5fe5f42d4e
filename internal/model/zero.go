package model

// OrZero returns p, or a new zero value if p is nil, so that a nil model behaves like the zero one.
func OrZero[T any](p *T) *T {
	if p == nil {
		return new(T)
	}
	return p
}
