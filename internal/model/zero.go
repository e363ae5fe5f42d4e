package model

// OrZero returns p, or a new zero value for nil: accessors of a nil model are those of
// the zero one.
func OrZero[T any](p *T) *T {
	if p == nil {
		return new(T)
	}
	return p
}
