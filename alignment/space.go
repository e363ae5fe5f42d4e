package alignment

import "github.com/rkhs-go/rkhs/kernel"

// space is a family of kernels on the rows of a search, with its members: the
// kernels that have been admitted so far. All matrices are centred ones, and T is
// the matrix of the targets.
type space interface {
	// steepest returns the kernel of the family with the largest <P, K>.
	steepest(p direction) candidate
	// admit makes k the last member.
	admit(k kernel.Kernel) products
	// fallback is the kernel of a family of which none agrees with the targets.
	fallback() kernel.Kernel
}

// direction is P = T/‖T‖ − Σ_t weights_t·K_t − identity·C over the members K_t,
// with C = I − 1·1ᵀ/n: the gradient (3) of the alignment times the norm of the
// kernel.
type direction struct {
	weights  []float64
	identity float64
}

// candidate is a kernel and <P, K>, less a penalty where there is one.
type candidate struct {
	kernel      kernel.Kernel
	value       float64
	evaluations int
}

// products are the inner products of a member with T, with C and with all
// members up to itself.
type products struct {
	target, trace float64
	members       []float64
}
