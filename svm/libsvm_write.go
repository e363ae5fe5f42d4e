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

// WriteLIBSVM writes c as a LIBSVM model file of svm_type c_svc. Numbers have all digits, so
// svm-predict predicts the same labels, also in ties. The kernel must be Linear, Polynomial,
// Gaussian, a multiple of these, or precomputed; others return rkhs.ErrOption. The file has no
// probabilities.
func (c *Classifier) WriteLIBSVM(w io.Writer) error {
	f, err := newLIBSVMWriter(w, "c_svc", c.Model())
	if err != nil {
		return err
	}
	points, err := c.pointsByClass()
	if err != nil {
		return err
	}
	var rho, labels, counts []any
	for _, pair := range engine.PairsOf(len(c.labels)) {
		p := c.order.pair(pair[0], pair[1])
		rho = append(rho, -p.sign*c.model.sum.Intercept[p.column])
	}
	for _, class := range c.order {
		labels, counts = append(labels, c.labels[class]), append(counts, len(points[class]))
	}
	f.line("nr_class", len(c.labels))
	f.line("total_sv", c.model.ModelOrder())
	f.line("rho", rho...)
	f.line("label", labels...)
	f.line("nr_sv", counts...)
	f.line("SV")
	for rank, class := range c.order {
		for _, i := range points[class] {
			f.point(i, c.order.others(rank))
		}
	}
	return f.to.Flush()
}

// others returns the scores of the pairs of a rank with each other rank, signed for the lower rank
// of the pair.
func (r ranking) others(rank int) (list []signed) {
	for other := range r {
		if other != rank {
			list = append(list, r.pair(rank, other))
		}
	}
	return list
}

// pointsByClass returns the support vectors of each class.
func (c *Classifier) pointsByClass() ([][]int, error) {
	points, pairs := make([][]int, len(c.labels)), engine.PairsOf(len(c.labels))
	for i := range c.model.ModelOrder() {
		class := classOf(c.model.function().Term().Weights.RawRowView(i), pairs)
		if class < 0 {
			return nil, fmt.Errorf("svm: the coefficients of point %d belong to different labels: %w", i, rkhs.ErrFormat)
		}
		points[class] = append(points[class], i)
	}
	return points, nil
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
func (m *Model) WriteLIBSVM(w io.Writer) error { return m.writeLIBSVM(w, "epsilon_svr") }

// WriteLIBSVM writes m as a LIBSVM model file of svm_type one_class. See Classifier.WriteLIBSVM.
func (m *Novelty) WriteLIBSVM(w io.Writer) error { return m.Model().writeLIBSVM(w, "one_class") }

func (m *Model) writeLIBSVM(w io.Writer, kind string) error {
	if _, q := m.Dims(); q > 1 {
		return fmt.Errorf("svm: LIBSVM files support one output, the model has %d: %w", q, rkhs.ErrOption)
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
		f.point(i, []signed{{column: 0, sign: 1}})
	}
	return f.to.Flush()
}

// libsvmWriter writes the lines of a file. Flush returns the first error.
type libsvmWriter struct {
	to          *bufio.Writer
	points      *compute.Sparse
	weights     compute.Matrix
	factor      float64 // of the weights
	precomputed bool
}

// newLIBSVMWriter writes the kind and the kernel of a fitted model.
func newLIBSVMWriter(w io.Writer, kind string, m *Model) (*libsvmWriter, error) {
	if err := model.Fitted(pkg, "WriteLIBSVM", m.function()); err != nil {
		return nil, err
	}
	term := m.sum.Term()
	k, factor := libsvmKernel{name: precomputedName}, 1.0
	if !m.precomputed {
		var err error
		if k, factor, err = libsvmKernelOf(term.Kernel, m.sum.Inputs); err != nil {
			return nil, err
		}
	}
	f := &libsvmWriter{to: bufio.NewWriter(w), points: expansion.Points(term).Thin(),
		weights: expansion.Weights(term), factor: factor, precomputed: m.precomputed}
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

// line writes a name and values. Numbers have all digits.
func (f *libsvmWriter) line(name string, values ...any) {
	fmt.Fprintln(f.to, append([]any{name}, values...)...)
}

// point writes the signed coefficients of a support vector and its non-zero columns.
func (f *libsvmWriter) point(i int, pairs []signed) {
	for _, p := range pairs {
		fmt.Fprintf(f.to, "%v ", p.sign*f.factor*compute.Row(f.weights, i)[p.column])
	}
	columns, values := f.points.Row(i)
	for k, j := range columns {
		if f.precomputed {
			fmt.Fprintf(f.to, "0:%d ", j+1)
		} else if values[k] != 0 {
			fmt.Fprintf(f.to, "%d:%v ", j+1, values[k])
		}
	}
	f.to.WriteByte('\n')
}
