package compute

// Indices returns the integers 0 … n−1.
func Indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
