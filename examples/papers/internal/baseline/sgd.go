package baseline

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// SGDOptions configures stochastic gradient descent on a budget. All are needed.
type SGDOptions struct {
	Kernel      kernel.Gaussian
	Loss        loss.Multiclass
	Step        float64 // eta, constant
	Lambda      float64 // of the penalty Lambda/2·‖f‖²
	Budget      int     // most points
	Maintenance Maintenance
}

// SGD learns to classify one row at a time, by
//
//	f ← (1 − eta·lam)·f − eta·l'(f(x), y)·k(x, ·),
//
// and keeps to its budget as Maintenance says. With DropOldest it is NORMA
// (Kivinen, Smola and Williamson, "Online Learning with Kernels", 2004), with
// DropSmallest and Merge it is BSGD (Wang, Crammer and Vucetic, "Breaking the
// curse of kernelization: Budgeted stochastic gradient descent for large-scale
// SVM training", 2012), with constant steps as in the comparison of the paper
// behind package polk.
type SGD struct {
	opts  SGDOptions
	f     *Expansion
	score []float64
}

// NewSGD returns a learner that has seen nothing.
func NewSGD(inputs, classes int, o SGDOptions) *SGD {
	return &SGD{opts: o, f: newExpansion(o.Kernel, inputs, classes), score: make([]float64, classes)}
}

// Update learns from one row.
func (l *SGD) Update(x []float64, class int) {
	l.f.at(l.score, x)
	l.opts.Loss.Gradient(l.score, l.score, class)
	floats.Scale(1-l.opts.Step*l.opts.Lambda, l.f.weights)
	if floats.Norm(l.score, 2) == 0 {
		return
	}
	floats.Scale(-l.opts.Step, l.score)
	l.f.append(x, l.score)
	if l.f.Order() > l.opts.Budget {
		l.opts.Maintenance.reduce(l.f, l.opts.Kernel)
	}
}

// Function returns the function so far. It changes with the next Update.
func (l *SGD) Function() *Expansion { return l.f }

// Maintenance takes away one point when there is one too many.
type Maintenance interface {
	reduce(f *Expansion, k kernel.Gaussian)
}

// DropOldest removes the point that has been there for longest.
type DropOldest struct{}

func (DropOldest) reduce(f *Expansion, _ kernel.Gaussian) { f.remove(0) }

// DropSmallest removes the point of the smallest weight.
type DropSmallest struct{}

func (DropSmallest) reduce(f *Expansion, _ kernel.Gaussian) { f.remove(smallest(f)) }

func smallest(f *Expansion) (best int) {
	least := floats.Norm(f.weight(0), 2)
	for j := range f.Order() {
		if n := floats.Norm(f.weight(j), 2); n < least {
			best, least = j, n
		}
	}
	return best
}
