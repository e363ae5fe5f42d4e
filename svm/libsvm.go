package svm

import (
	"cmp"
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// What files of LIBSVM call their kernels.
const (
	linearName      = "linear"
	polynomialName  = "polynomial"
	rbfName         = "rbf"
	precomputedName = "precomputed"
)

// libsvmKernel is a kernel as a file of LIBSVM has it: (gamma·<x, z> + coef0)^degree,
// exp(−gamma·‖x − z‖²), or one without parameters.
type libsvmKernel struct {
	name         string
	degree       int
	gamma, coef0 float64
}

// kernel returns the kernel, or what is wrong with it.
func (k libsvmKernel) kernel() (kernel.Kernel, error) {
	switch k.name {
	case linearName, precomputedName:
		return kernel.Linear{}, nil
	case polynomialName:
		if !(k.gamma > 0) { // a Scale of 0 stands for 1
			return nil, fmt.Errorf("polynomial kernel of gamma = %v", k.gamma)
		}
		return kernel.Polynomial{Degree: k.degree, Scale: k.gamma, Offset: k.coef0}, nil
	case rbfName:
		return kernel.Gaussian{Sigma: 1 / math.Sqrt(2*k.gamma)}, nil
	case "sigmoid":
		return nil, fmt.Errorf("kernel sigmoid, which is not positive semidefinite, is none of package kernel")
	}
	return nil, fmt.Errorf("unknown kernel_type %q", k.name)
}

// libsvmKernelOf returns the kernel that a file of LIBSVM has for k on rows of so many columns,
// and the factor by which coefficients are multiplied. A type that embeds one of the kernels is
// that one, as its representation says.
func libsvmKernelOf(k kernel.Kernel, inputs int) (of libsvmKernel, factor float64, err error) {
	k, factor = kernel.Clone(k), 1
	for s, ok := k.(kernel.Scale); ok; s, ok = k.(kernel.Scale) {
		factor *= s.By
		k = kernel.Clone(s.Of)
	}
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
	return of, 0, fmt.Errorf("svm: files of LIBSVM have no kernel %v; they have Linear, Polynomial, Gaussian and multiples of these, of rows as they are: %w", k, rkhs.ErrOption)
}
