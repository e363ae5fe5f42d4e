package svm

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
	engine "github.com/rkhs-go/rkhs/internal/svm"
	"github.com/rkhs-go/rkhs/kernel"
)

// ReadLIBSVM reads a LIBSVM model file for rows with cols columns; 0 means the largest index of a
// support vector. It returns a *Classifier for svm_type c_svc and nu_svc, a *Model for epsilon_svr
// and nu_svr and a *Novelty for one_class. Predictions equal the predictions of svm-predict up to
// rounding.
//
// It supports the kernels linear, polynomial with coef0 ≥ 0, rbf and precomputed. Another kernel
// is rkhs.ErrOption. For a precomputed kernel cols is the number of training rows. It ignores
// probabilities. Other errors wrap rkhs.ErrFormat, rkhs.ErrShape for an index above cols, and
// rkhs.ErrLabels.
func ReadLIBSVM(r io.Reader, cols int) (rkhs.Model, error) {
	if cols < 0 || cols > math.MaxInt32 {
		return nil, fmt.Errorf("svm: cols = %d is out of range: %w", cols, rkhs.ErrOption)
	}
	if input.IsNil(r) {
		return nil, fmt.Errorf("svm: the reader is nil: %w", rkhs.ErrEmpty)
	}
	f := &libsvmFile{lines: bufio.NewReader(r), texts: map[string]string{}, ints: map[string][]int{}, floats: map[string][]float64{}}
	m, err := f.read(cols)
	if err != nil {
		return nil, fmt.Errorf("svm: LIBSVM model, line %d: %w", f.line, err)
	}
	return m, nil
}

// libsvmFile is the content of a file. The first error ends the reading.
type libsvmFile struct {
	lines *bufio.Reader
	line  int
	err   error

	texts  map[string]string // fields of the header
	ints   map[string][]int
	floats map[string][]float64

	kernel         kernel.Kernel
	precomputed    bool
	classes, total int
	rho            []float64
	points         *compute.Sparse
	coefficients   []float64 // of the points, classes−1 each
}

func (f *libsvmFile) read(cols int) (rkhs.Model, error) {
	f.header()
	f.machines()
	f.setKernel()
	f.supportVectors(cols)
	if f.err != nil {
		return nil, f.err
	}
	kind := f.texts["svm_type"]
	if strings.HasSuffix(kind, "_svc") {
		return f.classifier()
	}
	m, err := f.model(f.coefficients, -f.rho[0])
	if kind == "one_class" {
		return &Novelty{model: m}, err
	}
	return m, err
}

// fail records the first error.
func (f *libsvmFile) fail(kind error, format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), kind)
	}
}

// next returns the words of the next line.
func (f *libsvmFile) next() []string {
	f.line++
	text, err := f.lines.ReadString('\n')
	if err == io.EOF && text == "" {
		f.fail(rkhs.ErrFormat, "the file ends early")
	} else if err != nil && err != io.EOF {
		f.fail(err, "the reader fails")
	}
	return strings.Fields(text)
}

// header reads the lines up to the support vectors.
func (f *libsvmFile) header() {
	for f.err == nil {
		words := f.next()
		if len(words) == 1 && words[0] == "SV" {
			return
		}
		if len(words) < 2 {
			f.fail(rkhs.ErrFormat, "a line without a field and a value")
			return
		}
		switch name, values := words[0], words[1:]; name {
		case "svm_type", "kernel_type":
			f.texts[name] = values[0]
		case "degree", "nr_class", "total_sv", "label", "nr_sv":
			f.ints[name] = parse(f, values, strconv.Atoi)
		case "gamma", "coef0", "rho":
			f.floats[name] = parse(f, values, parseFloat)
		case "probA", "probB", "prob_density_marks":
		default:
			f.fail(rkhs.ErrFormat, "unknown field %q", name)
		}
	}
}

func parse[T any](f *libsvmFile, texts []string, number func(string) (T, error)) []T {
	values := make([]T, len(texts))
	for i, text := range texts {
		v, err := number(text)
		if err != nil {
			f.fail(rkhs.ErrFormat, "%q is not a valid number", text)
		}
		values[i] = v
	}
	return values
}

// parseFloat returns an error for numbers that are not finite.
func parseFloat(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err == nil && !compute.Finite(v) {
		err = rkhs.ErrNotFinite
	}
	return v, err
}

// single returns the first value, or a default.
func single[T any](values []T, missing T) T {
	if len(values) == 0 {
		return missing
	}
	return values[0]
}

// machines sets the numbers of classes, support vectors and machines, and rho.
func (f *libsvmFile) machines() {
	f.classes, f.total, f.rho = 2, single(f.ints["total_sv"], 0), f.floats["rho"]
	switch kind := f.texts["svm_type"]; kind {
	case "c_svc", "nu_svc":
		f.classes = single(f.ints["nr_class"], 0)
		labels, counts, sum := f.ints["label"], f.ints["nr_sv"], 0
		for _, n := range counts {
			sum += n
		}
		if f.classes < 2 || len(labels) != f.classes || len(counts) != f.classes || slices.Min(counts) < 0 || sum != f.total {
			f.fail(rkhs.ErrFormat, "%d classes and %d support vectors with label %v and nr_sv %v", f.classes, f.total, labels, counts)
		}
	case "epsilon_svr", "nu_svr", "one_class":
	default:
		f.fail(rkhs.ErrFormat, "unknown svm_type %q", kind)
	}
	if pairs := f.classes * (f.classes - 1) / 2; len(f.rho) != pairs || f.total < 0 {
		f.fail(rkhs.ErrFormat, "%d values of rho for %d machines on %d support vectors", len(f.rho), pairs, f.total)
	}
}

// setKernel sets the kernel: (gamma·<x, z> + coef0)^degree, exp(−gamma·‖x − z‖²), or one without
// parameters.
func (f *libsvmFile) setKernel() {
	name, gamma := f.texts["kernel_type"], single(f.floats["gamma"], 0)
	f.precomputed = name == "precomputed"
	switch {
	case name == "linear" || f.precomputed:
		f.kernel = kernel.Linear{}
	case name == "polynomial" && gamma > 0: // kernel.Polynomial reads a Scale of 0 as 1
		f.kernel = kernel.Polynomial{Degree: single(f.ints["degree"], 3), Scale: gamma, Offset: single(f.floats["coef0"], 0)}
	case name == "rbf":
		f.kernel = kernel.Gaussian{Sigma: 1 / math.Sqrt(2*gamma)}
	default:
		f.fail(rkhs.ErrOption, "a kernel of type %q with gamma = %v is not supported", name, gamma)
		return
	}
	if err := gram.Validate(f.kernel); err != nil {
		f.fail(rkhs.ErrOption, "%v", err)
	}
}

// supportVectors reads a line for each support vector.
func (f *libsvmFile) supportVectors(cols int) {
	f.points = compute.NewSparse(cols, 0, 0)
	for i := 0; i < f.total && f.err == nil; i++ {
		words := f.next()
		if len(words) < f.classes-1 {
			f.fail(rkhs.ErrFormat, "%d coefficients, want %d", len(words), f.classes-1)
			return
		}
		f.coefficients = append(f.coefficients, parse(f, words[:f.classes-1], parseFloat)...)
		f.point(words[f.classes-1:], cols)
	}
	f.points.Cols = max(1, f.points.Cols)
}

// point reads the columns of a support vector, index:value. If the kernel is precomputed, the line
// has the number of the row, 0:number, which becomes a unit vector.
func (f *libsvmFile) point(words []string, cols int) {
	if f.precomputed {
		if len(words) != 1 || !strings.HasPrefix(words[0], "0:") {
			f.fail(rkhs.ErrFormat, "%q is not the number of a row for a precomputed kernel", words)
			return
		}
		words = []string{words[0][len("0:"):] + ":1"}
	}
	last := 0
	for _, text := range words {
		left, right, _ := strings.Cut(text, ":")
		index, err := strconv.Atoi(left)
		value, wrong := parseFloat(right)
		if err != nil || wrong != nil || index <= last || index > math.MaxInt32 {
			f.fail(rkhs.ErrFormat, "%q is not index:value with an index above %d", text, last)
			return
		}
		if cols > 0 && index > cols {
			f.fail(rkhs.ErrShape, "index %d for %d columns", index, cols)
		}
		last = index
		f.points.Cols = max(f.points.Cols, index)
		f.points.Append(int32(index-1), value)
	}
	f.points.EndRow()
}

// model returns the function with the given weights of the points and constants.
func (f *libsvmFile) model(weights []float64, intercept ...float64) (*Model, error) {
	q := len(intercept)
	m := &Model{precomputed: f.precomputed}
	points := compute.SparsePoints(f.points)
	if m.precomputed {
		for _, j := range f.points.Columns {
			m.support = append(m.support, int(j))
		}
	} else if n := f.points.Rows; n > 0 && f.points.Listed() > n*f.points.Cols/2 {
		points = compute.DensePoints(points.Dense())
	}
	m.report.ModelOrder = f.total
	m.report.SupportVectors = make([]int, q)
	for i, w := range weights {
		if w != 0 {
			m.report.SupportVectors[i%q]++
		}
	}
	term := expansion.Of(f.kernel, points, compute.Matrix{Rows: f.total, Cols: q, Stride: q, Data: weights})
	m.sum = model.NewSum(f.points.Cols, intercept, []kernel.Expansion{term}, 0)
	if err := m.sum.Check(); err != nil {
		return nil, errors.Join(rkhs.ErrFormat, err)
	}
	return m, nil
}

// classifier changes the signs of coefficients and constants. In the file a score is positive for
// the label that is first in the file, in a Classifier for the larger label.
func (f *libsvmFile) classifier() (*Classifier, error) {
	labels, err := input.Announced(pkg, f.ints["label"])
	if err != nil {
		return nil, err
	}
	c := &Classifier{labels: labels}
	for _, label := range f.ints["label"] {
		c.order = append(c.order, slices.Index(labels, label))
	}
	pairs := engine.PairsOf(f.classes)
	size := fmt.Sprintf("%d support vectors of %d pairs of labels", f.total, len(pairs))
	if err := input.Memory(pkg, size, 8*float64(f.total)*float64(len(pairs)), input.DefaultMemory); err != nil {
		return nil, err
	}
	weights, intercept := compute.NewMatrix(f.total, len(pairs)), make([]float64, len(pairs))
	for t, pair := range pairs {
		p := c.order.pair(pair[0], pair[1])
		intercept[p.column] = -p.sign * f.rho[t]
	}
	i := 0
	for rank, count := range f.ints["nr_sv"] {
		others := c.order.others(rank)
		for range count {
			for t, p := range others {
				compute.Row(weights, i)[p.column] = p.sign * f.coefficients[i*len(others)+t]
			}
			i++
		}
	}
	c.model, err = f.model(weights.Data, intercept...)
	return c, err
}
