package features

// An atomic family draws features in atoms, columns of its own for each of which
//
//	E[φ_j(x)·φ_j(z)] = gain·k(x, z)/m,  m the number of atoms:
//
// pairs of a cosine in column j and a sine in column m+j, or single columns.
// Atoms of several families multiply into atoms of the product of their kernels.
type atomic interface {
	paired() bool
	draw(atoms int, gain float64, s *source, workers int) Block
}

// columnsFor returns how many columns so many atoms take.
func columnsFor(atoms int, paired bool) int {
	if paired {
		return 2 * atoms
	}
	return atoms
}

// atomsIn returns how many atoms so many columns hold.
func atomsIn(columns int, paired bool) int {
	if paired {
		return columns / 2
	}
	return columns
}
