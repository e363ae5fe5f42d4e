package svm

import (
	"bufio"
	"fmt"
	"io"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/model"
	engine "github.com/rkhs-go/rkhs/internal/svm"
)

// WriteLIBSVM writes c as a model file of LIBSVM, svm_type c_svc, that svm-predict reads: with
// all digits, so that it predicts the same labels, of equal votes too. It has the kernels
// Linear, Polynomial, Gaussian, multiples of these, and Precomputed values; others, as any of a
// metric, are rkhs.ErrOption. The file has no probabilities.
func (c *Classifier) WriteLIBSVM(w io.Writer) error {
	if err := model.Fitted(pkg, "WriteLIBSVM", c.Model().function()); err != nil {
		return err
	}
	f, err := newLIBSVMWriter(w, "c_svc", c.model)
	if err != nil {
		return err
	}
	classes, err := c.classesOfPoints()
	if err != nil {
		return err
	}
	k := len(c.labels)
	var rho, label, support []any
	for _, pair := range engine.PairsOf(k) {
		p, sign := c.pair(c.order[pair[0]], c.order[pair[1]])
		rho = append(rho, -sign*c.model.sum.Intercept[p])
	}
	for _, class := range c.order {
		label, support = append(label, c.labels[class]), append(support, len(classes[class]))
	}
	f.line("nr_class", k)
	f.line("total_sv", c.model.ModelOrder())
	f.line("rho", rho...)
	f.line("label", label...)
	f.line("nr_sv", support...)
	f.line("SV")
	for _, class := range c.order {
		for _, point := range classes[class] {
			f.point(point, func(yield func(pair int, sign float64)) {
				for _, other := range c.order {
					if other != class {
						yield(c.pair(class, other))
					}
				}
			})
		}
	}
	return f.to.Flush()
}

// pair returns the number of the pair of two classes, and the sign by which coefficients,
// positive for the larger class, are those of a file, positive for the class that comes first
// there.
func (c *Classifier) pair(a, b int) (pair int, sign float64) {
	if c.before(b, a) {
		a, b = b, a
	}
	sign = -1
	if a > b {
		a, b, sign = b, a, 1
	}
	return a*(2*len(c.labels)-a-1)/2 + b - a - 1, sign
}

// before reports whether a class comes before another in the order of the file.
func (c *Classifier) before(class, other int) bool {
	for _, o := range c.order {
		if o == class || o == other {
			return o == class
		}
	}
	return false
}

// classesOfPoints returns the points of each class.
func (c *Classifier) classesOfPoints() ([][]int, error) {
	points := make([][]int, len(c.labels))
	for i := range c.model.ModelOrder() {
		class := c.classOf(c.model.function().Term().Weights.RawRowView(i))
		if class < 0 {
			return nil, fmt.Errorf("svm: point %d has coefficients in pairs without a label in common: %w", i, rkhs.ErrFormat)
		}
		points[class] = append(points[class], i)
	}
	return points, nil
}

// classOf returns the class that all pairs have in which a point has a coefficient, of two such
// the one that the sign tells; −1 if there is none.
func (c *Classifier) classOf(weights []float64) int {
	common, single, all := -1, -1, 0
	in := make([]int, len(c.labels))
	for p, pair := range engine.PairsOf(len(c.labels)) {
		if w := weights[p]; w != 0 {
			all++
			in[pair[0]]++
			in[pair[1]]++
			single = pair[0]
			if w > 0 {
				single = pair[1]
			}
		}
	}
	if all <= 1 {
		return max(single, 0)
	}
	for class, n := range in {
		if n == all {
			common = class
		}
	}
	return common
}

// WriteLIBSVM writes a model of one output as a model file of LIBSVM, svm_type epsilon_svr; see
// Classifier.WriteLIBSVM. Several outputs are rkhs.ErrOption.
func (m *Model) WriteLIBSVM(w io.Writer) error { return m.writeLIBSVM(w, "epsilon_svr") }

// WriteLIBSVM writes m as a model file of LIBSVM, svm_type one_class; see
// Classifier.WriteLIBSVM.
func (m *Novelty) WriteLIBSVM(w io.Writer) error { return m.Model().writeLIBSVM(w, "one_class") }

func (m *Model) writeLIBSVM(w io.Writer, kind string) error {
	if err := model.Fitted(pkg, "WriteLIBSVM", m.function()); err != nil {
		return err
	}
	if _, q := m.Dims(); q != 1 {
		return fmt.Errorf("svm: files of LIBSVM have models of one output, this has %d: %w", q, rkhs.ErrOption)
	}
	f, err := newLIBSVMWriter(w, kind, m)
	if err != nil {
		return err
	}
	f.line("nr_class", 2)
	f.line("total_sv", m.ModelOrder())
	f.line("rho", -m.sum.Intercept[0])
	f.line("SV")
	for i := range m.ModelOrder() {
		f.point(i, func(yield func(pair int, sign float64)) { yield(0, 1) })
	}
	return f.to.Flush()
}

// libsvmWriter writes the lines of a file; what goes wrong the last Flush tells.
type libsvmWriter struct {
	to      *bufio.Writer
	points  *compute.Sparse
	weights compute.Matrix
	factor  float64
	serial  bool // points are the numbers of rows
}

// newLIBSVMWriter writes the kind and the kernel.
func newLIBSVMWriter(w io.Writer, kind string, m *Model) (*libsvmWriter, error) {
	term := m.sum.Term()
	k, factor := libsvmKernel{name: precomputedName}, 1.0
	if !m.precomputed {
		var err error
		if k, factor, err = libsvmKernelOf(term.Kernel, m.sum.Inputs); err != nil {
			return nil, err
		}
	}
	f := &libsvmWriter{to: bufio.NewWriter(w), points: expansion.Points(term).Thin(), factor: factor, serial: m.precomputed}
	if term.Weights != nil {
		f.weights = term.Weights.RawMatrix()
	}
	f.line("svm_type", kind)
	f.line("kernel_type", k.name)
	if k.name == polynomialName {
		f.line("degree", k.degree)
	}
	if k.gamma > 0 {
		f.line("gamma", k.gamma)
	}
	if k.name == polynomialName {
		f.line("coef0", k.coef0)
	}
	return f, nil
}

// line writes a name and values, which of numbers are all digits.
func (f *libsvmWriter) line(name string, values ...any) {
	f.to.WriteString(name)
	for _, v := range values {
		fmt.Fprintf(f.to, " %v", v)
	}
	f.to.WriteByte('\n')
}

// point writes the coefficients of a point in the pairs that are listed, with their signs, and
// what it has that is not zero.
func (f *libsvmWriter) point(i int, pairs func(yield func(pair int, sign float64))) {
	pairs(func(pair int, sign float64) {
		fmt.Fprintf(f.to, "%v ", sign*f.factor*compute.Row(f.weights, i)[pair])
	})
	columns, values := f.points.Row(i)
	for k, j := range columns {
		if f.serial {
			fmt.Fprintf(f.to, "0:%d ", j+1)
		} else if values[k] != 0 {
			fmt.Fprintf(f.to, "%d:%v ", j+1, values[k])
		}
	}
	f.to.WriteByte('\n')
}
