package svm

import (
	"cmp"
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// The names of kernels in LIBSVM files.
const (
	linearName      = "linear"
	polynomialName  = "polynomial"
	rbfName         = "rbf"
	precomputedName = "precomputed"
)

// libsvmKernel is a kernel of a LIBSVM file: (gamma·<x, z> + coef0)^degree, exp(−gamma·‖x − z‖²), or
// one without parameters.
type libsvmKernel struct {
	name         string
	degree       int
	gamma, coef0 float64
}

// kernel returns the kernel of this library.
func (k libsvmKernel) kernel() (kernel.Kernel, error) {
	switch k.name {
	case linearName, precomputedName:
		return kernel.Linear{}, nil
	case polynomialName:
		if !(k.gamma > 0) { // kernel.Polynomial reads a Scale of 0 as 1
			return nil, fmt.Errorf("polynomial kernel with gamma = %v", k.gamma)
		}
		return kernel.Polynomial{Degree: k.degree, Scale: k.gamma, Offset: k.coef0}, nil
	case rbfName:
		return kernel.Gaussian{Sigma: 1 / math.Sqrt(2*k.gamma)}, nil
	case "sigmoid":
		return nil, fmt.Errorf("kernel sigmoid is not positive semidefinite and not supported")
	}
	return nil, fmt.Errorf("unknown kernel_type %q", k.name)
}

// libsvmKernelOf returns the LIBSVM kernel for k on rows with the given number of columns, and the
// factor of the coefficients.
func libsvmKernelOf(k kernel.Kernel, inputs int) (of libsvmKernel, factor float64, err error) {
	k, factor = kernel.Clone(k), 1
	for s, ok := k.(kernel.Scale); ok; s, ok = k.(kernel.Scale) {
		factor *= s.By
		k = kernel.Clone(s.Of)
	}
	// A type that embeds a kernel is represented by that kernel.
	if r, err := gram.RepresentationOf(k, inputs); err == nil {
		k = r.Of
	}
	switch k := k.(type) {
	case kernel.Linear:
		return libsvmKernel{name: linearName}, factor, nil
	case kernel.Polynomial:
		return libsvmKernel{name: polynomialName, degree: k.Degree, gamma: cmp.Or(k.Scale, 1), coef0: k.Offset}, factor, nil
	case kernel.Gaussian:
		return libsvmKernel{name: rbfName, gamma: gram.Describe(k).Precision}, factor, nil
	}
	return of, 0, fmt.Errorf("svm: LIBSVM files support Linear, Polynomial and Gaussian kernels of unchanged rows and multiples of these, not %v: %w", k, rkhs.ErrOption)
}
