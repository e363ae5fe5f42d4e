package baseline

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// SGDOptions configures stochastic gradient descent on a budget. All fields are required.
type SGDOptions struct {
	Kernel      kernel.Gaussian
	Loss        loss.Multiclass
	Step        float64 // eta, constant
	Lambda      float64 // of the penalty Lambda/2·‖f‖²
	Budget      int     // maximum number of points
	Maintenance Maintenance
}

// SGD trains a classifier on one row at a time by
//
//	f ← (1 − eta·lam)·f − eta·l'(f(x), y)·k(x, ·).
//
// Maintenance enforces the budget. DropOldest gives NORMA (Kivinen, Smola and Williamson, "Online
// Learning with Kernels", 2004). DropSmallest and Merge give BSGD (Wang, Crammer and Vucetic,
// "Breaking the curse of kernelization: Budgeted stochastic gradient descent for large-scale SVM
// training", 2012). The steps are constant, as in the comparison of the POLK paper.
type SGD struct {
	opts  SGDOptions
	f     *Expansion
	score []float64
}

// NewSGD returns an untrained learner.
func NewSGD(inputs, classes int, o SGDOptions) *SGD {
	return &SGD{opts: o, f: newExpansion(o.Kernel, inputs, classes), score: make([]float64, classes)}
}

// Update trains on one row.
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

// Function returns the current function. The next Update changes it.
func (l *SGD) Function() *Expansion { return l.f }

// Maintenance reduces the number of points by one when it exceeds the budget.
type Maintenance interface {
	reduce(f *Expansion, k kernel.Gaussian)
}

// DropOldest removes the oldest point.
type DropOldest struct{}

func (DropOldest) reduce(f *Expansion, _ kernel.Gaussian) { f.remove(0) }

// DropSmallest removes the point with the smallest weight.
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
