package svm

import (
	"bufio"
	"cmp"
	"fmt"
	"io"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/model"
	engine "github.com/rkhs-go/rkhs/internal/svm"
	"github.com/rkhs-go/rkhs/kernel"
)

// WriteLIBSVM writes c as a LIBSVM model file of svm_type c_svc. Numbers have all digits, so
// svm-predict predicts the same labels, also in ties. The kernel must be Linear, Polynomial,
// Gaussian, a multiple of these, or precomputed. Another kernel is rkhs.ErrOption. The file
// has no probabilities.
func (c *Classifier) WriteLIBSVM(w io.Writer) error {
	if err := model.Fitted(pkg, "WriteLIBSVM", c.Model().function()); err != nil {
		return err
	}
	points := make([][]int, len(c.labels))
	pairs := engine.PairsOf(len(c.labels))
	for i := range c.model.ModelOrder() {
		class := classOf(c.model.sum.Term().Weights.RawRowView(i), pairs)
		if class < 0 {
			return fmt.Errorf("svm: the coefficients of point %d belong to different labels: %w", i, rkhs.ErrFormat)
		}
		points[class] = append(points[class], i)
	}
	rho, labels, counts := []any{"rho"}, []any{"label"}, []any{"nr_sv"}
	for _, pair := range pairs {
		p := c.order.pair(pair[0], pair[1])
		rho = append(rho, -p.sign*c.model.sum.Intercept[p.column])
	}
	var groups []group
	for rank, class := range c.order {
		labels, counts = append(labels, c.labels[class]), append(counts, len(points[class]))
		groups = append(groups, group{points[class], c.order.others(rank)})
	}
	return c.model.writeLIBSVM(w, "c_svc", groups, rho, labels, counts)
}

// classOf returns the class of a support vector by the signs of its coefficients, or −1 if they
// contradict each other. The coefficient is positive for the larger class of a pair.
func classOf(coefficients []float64, pairs [][2]int) int {
	class := -1
	for column, v := range coefficients {
		if v == 0 {
			continue
		}
		of := pairs[column][0]
		if v > 0 {
			of = pairs[column][1]
		}
		if class >= 0 && of != class {
			return -1
		}
		class = of
	}
	return max(class, 0)
}

// WriteLIBSVM writes m as a LIBSVM model file of svm_type epsilon_svr. Several outputs return
// rkhs.ErrOption. See Classifier.WriteLIBSVM.
func (m *Model) WriteLIBSVM(w io.Writer) error { return m.writeSingle(w, "epsilon_svr") }

// WriteLIBSVM writes m as a LIBSVM model file of svm_type one_class. See Classifier.WriteLIBSVM.
func (m *Novelty) WriteLIBSVM(w io.Writer) error { return m.Model().writeSingle(w, "one_class") }

// writeSingle writes a model with one output.
func (m *Model) writeSingle(w io.Writer, kind string) error {
	if err := model.Fitted(pkg, "WriteLIBSVM", m.function()); err != nil {
		return err
	}
	if _, q := m.Dims(); q != 1 {
		return fmt.Errorf("svm: LIBSVM files support one output, the model has %d: %w", q, rkhs.ErrOption)
	}
	all := group{compute.Indices(m.ModelOrder()), []signed{{column: 0, sign: 1}}}
	return m.writeLIBSVM(w, kind, []group{all}, []any{"rho", -m.sum.Intercept[0]})
}

// group holds the support vectors of a class, and the scores with their coefficients.
type group struct {
	points []int
	scores []signed
}

// writeLIBSVM writes the kernel, other lines of the header, and the support vectors of the groups.
// Numbers have all digits.
func (m *Model) writeLIBSVM(w io.Writer, kind string, groups []group, header ...[]any) error {
	term := m.sum.Term()
	k, factor := "precomputed", 1.0
	if !m.precomputed {
		var err error
		if k, factor, err = libsvmKernel(term.Kernel, m.sum.Inputs); err != nil {
			return err
		}
	}
	to := bufio.NewWriter(w) // Flush returns the first error
	classes := max(2, len(groups))
	fmt.Fprintf(to, "svm_type %s\nkernel_type %s\nnr_class %d\ntotal_sv %d\n", kind, k, classes, m.ModelOrder())
	for _, line := range header {
		fmt.Fprintln(to, line...)
	}
	fmt.Fprintln(to, "SV")
	points, weights := expansion.Points(term).Thin(), expansion.Weights(term)
	for _, g := range groups {
		for _, i := range g.points {
			for _, s := range g.scores {
				fmt.Fprintf(to, "%v ", s.sign*factor*compute.Row(weights, i)[s.column])
			}
			columns, values := points.Row(i)
			for k, j := range columns {
				if m.precomputed {
					fmt.Fprintf(to, "0:%d ", j+1)
				} else if values[k] != 0 {
					fmt.Fprintf(to, "%d:%v ", j+1, values[k])
				}
			}
			to.WriteByte('\n')
		}
	}
	return to.Flush()
}

// libsvmKernel returns the kernel_type of k on rows with the given number of columns, its
// parameters in lines below, and the factor of the coefficients.
func libsvmKernel(k kernel.Kernel, inputs int) (text string, factor float64, err error) {
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
		return "linear", factor, nil
	case kernel.Polynomial:
		return fmt.Sprintf("polynomial\ndegree %d\ngamma %v\ncoef0 %v", k.Degree, cmp.Or(k.Scale, 1), k.Offset), factor, nil
	case kernel.Gaussian:
		return fmt.Sprintf("rbf\ngamma %v", gram.Describe(k).Precision), factor, nil
	}
	return "", 0, fmt.Errorf("svm: LIBSVM files have Linear, Polynomial and Gaussian kernels and multiples of these, not %v: %w", k, rkhs.ErrOption)
}
