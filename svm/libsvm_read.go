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
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/expansion"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/model"
	engine "github.com/rkhs-go/rkhs/internal/svm"
	"github.com/rkhs-go/rkhs/kernel"
)

// ReadLIBSVM reads a LIBSVM model file for rows with cols columns; 0 means the largest index of a
// support vector. It returns a *Classifier for svm_type c_svc and nu_svc, a *Model for epsilon_svr
// and nu_svr and a *Novelty for one_class. Predictions are those of svm-predict up to rounding.
//
// It supports the kernels linear, polynomial with coef0 ≥ 0, rbf and precomputed, and returns
// rkhs.ErrOption for others. For a precomputed kernel cols is the number of training rows. It
// ignores probabilities. Other errors wrap rkhs.ErrFormat, rkhs.ErrShape for an index above cols,
// and rkhs.ErrLabels.
func ReadLIBSVM(r io.Reader, cols int) (rkhs.Model, error) {
	if cols < 0 || cols > math.MaxInt32 {
		return nil, fmt.Errorf("svm: cols = %d is out of range: %w", cols, rkhs.ErrOption)
	}
	if door.IsNil(r) {
		return nil, fmt.Errorf("svm: the reader is nil: %w", rkhs.ErrEmpty)
	}
	f := &libsvmFile{lines: bufio.NewReader(r), texts: map[string]string{}, ints: map[string][]int{}, floats: map[string][]float64{}}
	m, err := f.read(cols)
	if err != nil {
		return nil, fmt.Errorf("svm: LIBSVM model, line %d: %w", f.line, err)
	}
	return m, nil
}

// libsvmFile is the content of a file.
type libsvmFile struct {
	lines *bufio.Reader
	line  int

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
	if err := f.header(); err != nil {
		return nil, err
	}
	if err := f.machines(); err != nil {
		return nil, err
	}
	if err := f.setKernel(); err != nil {
		return nil, err
	}
	if err := f.supportVectors(cols); err != nil {
		return nil, err
	}
	kind := f.texts["svm_type"]
	if strings.HasSuffix(kind, "_svc") {
		return f.classifier()
	}
	m, err := f.model(f.coefficients, -f.rho[0])
	if err != nil || kind != "one_class" {
		return m, err
	}
	return &Novelty{model: m}, nil
}

// next returns the words of the next line.
func (f *libsvmFile) next() ([]string, error) {
	f.line++
	text, err := f.lines.ReadString('\n')
	if err == io.EOF && text == "" {
		return nil, bad("the file ends early")
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	return strings.Fields(text), nil
}

// header reads the lines up to the support vectors.
func (f *libsvmFile) header() error {
	for {
		words, err := f.next()
		switch {
		case err != nil:
			return err
		case len(words) == 1 && words[0] == "SV":
			return nil
		case len(words) < 2:
			return bad("a line without a field and a value")
		}
		name, values := words[0], words[1:]
		switch name {
		case "svm_type", "kernel_type":
			f.texts[name] = values[0]
		case "degree", "nr_class", "total_sv", "label", "nr_sv":
			f.ints[name], err = parse(values, strconv.Atoi)
		case "gamma", "coef0", "rho":
			f.floats[name], err = parse(values, parseFloat)
		case "probA", "probB", "prob_density_marks":
		default:
			err = bad("unknown field %q", name)
		}
		if err != nil {
			return err
		}
	}
}

func parse[T any](texts []string, number func(string) (T, error)) ([]T, error) {
	values := make([]T, len(texts))
	for i, text := range texts {
		v, err := number(text)
		if err != nil {
			return nil, bad("%q is not a valid number", text)
		}
		values[i] = v
	}
	return values, nil
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

func bad(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), rkhs.ErrFormat)
}

// machines sets the numbers of classes, support vectors and machines, and rho.
func (f *libsvmFile) machines() error {
	f.classes, f.total, f.rho = 2, single(f.ints["total_sv"], 0), f.floats["rho"]
	switch kind := f.texts["svm_type"]; kind {
	case "c_svc", "nu_svc":
		f.classes = single(f.ints["nr_class"], 0)
		labels, counts, sum := f.ints["label"], f.ints["nr_sv"], 0
		for _, n := range counts {
			sum += n
		}
		if f.classes < 2 || len(labels) != f.classes || len(counts) != f.classes || slices.Min(counts) < 0 || sum != f.total {
			return bad("%d classes and %d support vectors with label %v and nr_sv %v", f.classes, f.total, labels, counts)
		}
	case "epsilon_svr", "nu_svr", "one_class":
	default:
		return bad("unknown svm_type %q", kind)
	}
	if pairs := f.classes * (f.classes - 1) / 2; len(f.rho) != pairs || f.total < 0 {
		return bad("%d values of rho for %d machines on %d support vectors", len(f.rho), pairs, f.total)
	}
	return nil
}

// setKernel sets the kernel: (gamma·<x, z> + coef0)^degree, exp(−gamma·‖x − z‖²), or one without
// parameters.
func (f *libsvmFile) setKernel() error {
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
		return fmt.Errorf("a kernel of type %q with gamma = %v is not supported: %w", name, gamma, rkhs.ErrOption)
	}
	if err := gram.Validate(f.kernel); err != nil {
		return fmt.Errorf("%w: %w", err, rkhs.ErrOption)
	}
	return nil
}

// supportVectors reads a line for each support vector.
func (f *libsvmFile) supportVectors(cols int) error {
	f.points = compute.NewSparse(cols, 0, 0)
	for range f.total {
		words, err := f.next()
		if err != nil {
			return err
		}
		if len(words) < f.classes-1 {
			return bad("%d coefficients, want %d", len(words), f.classes-1)
		}
		values, err := parse(words[:f.classes-1], parseFloat)
		if err != nil {
			return err
		}
		f.coefficients = append(f.coefficients, values...)
		if err := f.point(words[f.classes-1:], cols); err != nil {
			return err
		}
	}
	f.points.Cols = max(1, f.points.Cols)
	return nil
}

// point reads the columns of a support vector, index:value. If the kernel is precomputed, the line
// has the number of the row, 0:number, which becomes a unit vector.
func (f *libsvmFile) point(words []string, cols int) error {
	if f.precomputed {
		if len(words) != 1 || !strings.HasPrefix(words[0], "0:") {
			return bad("%q is not the number of a row for a precomputed kernel", words)
		}
		words = []string{words[0][len("0:"):] + ":1"}
	}
	last := 0
	for _, text := range words {
		left, right, _ := strings.Cut(text, ":")
		index, err := strconv.Atoi(left)
		value, wrong := parseFloat(right)
		if err != nil || wrong != nil {
			return bad("%q is not index:value", text)
		}
		if index <= last || index > math.MaxInt32 {
			return bad("index %d after %d", index, last)
		}
		if cols > 0 && index > cols {
			return fmt.Errorf("index %d for %d columns: %w", index, cols, rkhs.ErrShape)
		}
		last = index
		f.points.Cols = max(f.points.Cols, index)
		f.points.Append(int32(index-1), value)
	}
	f.points.EndRow()
	return nil
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
	labels, err := door.Announced(pkg, f.ints["label"])
	if err != nil {
		return nil, err
	}
	c := &Classifier{labels: labels}
	for _, label := range f.ints["label"] {
		c.order = append(c.order, slices.Index(labels, label))
	}
	pairs := engine.PairsOf(f.classes)
	size := fmt.Sprintf("%d support vectors of %d pairs of labels", f.total, len(pairs))
	if err := door.Memory(pkg, size, 8*float64(f.total)*float64(len(pairs)), door.DefaultMemory); err != nil {
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
