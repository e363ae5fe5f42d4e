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
	f := &libsvmFile{lines: bufio.NewReader(r), libsvmKernel: libsvmKernel{degree: 3}}
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

	libsvmKernel
	kind           string
	classes, total int
	rho            []float64
	labels, counts []int // of the classes
	points         *compute.Sparse
	coefficients   []float64 // of the points, classes−1 each
}

func (f *libsvmFile) read(cols int) (rkhs.Model, error) {
	if err := f.header(); err != nil {
		return nil, err
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	if err := f.supportVectors(cols); err != nil {
		return nil, err
	}
	if f.labels != nil {
		return f.classifier()
	}
	m, err := f.model(f.coefficients, -f.rho[0])
	if err != nil || f.kind != "one_class" {
		return m, err
	}
	return &Novelty{model: m}, nil
}

// next returns the next line.
func (f *libsvmFile) next() (string, error) {
	f.line++
	text, err := f.lines.ReadString('\n')
	if err == io.EOF && text == "" {
		return "", bad("the file ends early")
	}
	if err != nil && err != io.EOF {
		return "", err
	}
	return text, nil
}

// header reads the lines up to the support vectors.
func (f *libsvmFile) header() error {
	fields := map[string]any{
		"svm_type": &f.kind, "kernel_type": &f.name, "degree": &f.degree, "gamma": &f.gamma, "coef0": &f.coef0,
		"nr_class": &f.classes, "total_sv": &f.total, "rho": &f.rho, "label": &f.labels, "nr_sv": &f.counts,
		"probA": nil, "probB": nil, "prob_density_marks": nil,
	}
	for {
		text, err := f.next()
		if err != nil {
			return err
		}
		words := strings.Fields(text)
		if len(words) == 0 {
			return bad("an empty line")
		}
		if words[0] == "SV" {
			return nil
		}
		to, known := fields[words[0]]
		if !known {
			return bad("unknown field %q", words[0])
		}
		if err := scan(to, words[1:]); err != nil {
			return err
		}
	}
}

// scan stores the values of a line of the header.
func scan(to any, values []string) (err error) {
	if len(values) == 0 {
		return bad("a field without a value")
	}
	switch to := to.(type) {
	case *string:
		*to = values[0]
	case *int:
		*to, err = parse(values[0], strconv.Atoi)
	case *float64:
		*to, err = parse(values[0], finite)
	case *[]int:
		*to, err = parseAll(values, strconv.Atoi)
	case *[]float64:
		*to, err = parseAll(values, finite)
	}
	return err
}

func parse[T any](text string, number func(string) (T, error)) (T, error) {
	v, err := number(text)
	if err != nil {
		return v, bad("%q is not a valid number", text)
	}
	return v, nil
}

func parseAll[T any](texts []string, number func(string) (T, error)) (values []T, err error) {
	for _, text := range texts {
		v, err := parse(text, number)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

func finite(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err == nil && !compute.Finite(v) {
		err = rkhs.ErrNotFinite
	}
	return v, err
}

func bad(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), rkhs.ErrFormat)
}

// check returns an error if the header is inconsistent.
func (f *libsvmFile) check() error {
	pairs := 1
	switch f.kind {
	case "c_svc", "nu_svc":
		sum := 0
		for _, n := range f.counts {
			sum += n
		}
		if f.classes < 2 || len(f.labels) != f.classes || len(f.counts) != f.classes || slices.Min(f.counts) < 0 || sum != f.total {
			return bad("%d classes and %d support vectors with label %v and nr_sv %v", f.classes, f.total, f.labels, f.counts)
		}
		pairs = f.classes * (f.classes - 1) / 2
	case "epsilon_svr", "nu_svr", "one_class":
		f.classes, f.labels = 2, nil
	default:
		return bad("unknown svm_type %q", f.kind)
	}
	if len(f.rho) != pairs || f.total < 0 {
		return bad("%d values of rho for %d machines on %d support vectors", len(f.rho), pairs, f.total)
	}
	k, err := f.kernel()
	if err == nil {
		err = gram.Validate(k)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", err, rkhs.ErrOption)
	}
	return nil
}

// supportVectors reads a line for each support vector.
func (f *libsvmFile) supportVectors(cols int) error {
	f.points = compute.NewSparse(cols, 0, 0)
	for range f.total {
		text, err := f.next()
		if err != nil {
			return err
		}
		words := strings.Fields(text)
		if len(words) < f.classes-1 {
			return bad("%d coefficients, want %d", len(words), f.classes-1)
		}
		values, err := parseAll(words[:f.classes-1], finite)
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

// point reads the columns of a support vector, index:value, or its number, 0:number, if the kernel
// is precomputed.
func (f *libsvmFile) point(words []string, cols int) error {
	last := 0
	for _, text := range words {
		left, right, ok := strings.Cut(text, ":")
		index, err := strconv.Atoi(left)
		value, wrong := finite(right)
		if !ok || err != nil || wrong != nil {
			return bad("%q is not index:value", text)
		}
		if f.name == precomputedName {
			if index != 0 || len(words) != 1 || value != math.Trunc(value) || !(value >= 1 && value <= math.MaxInt32) {
				return bad("%q is not the number of a row for a precomputed kernel", text)
			}
			index, value = int(value), 1
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
	if f.name == precomputedName && last == 0 {
		return bad("a support vector without its number for a precomputed kernel")
	}
	f.points.EndRow()
	return nil
}

// model returns the function with the given weights of the points and constants.
func (f *libsvmFile) model(weights []float64, intercept ...float64) (*Model, error) {
	k, err := f.kernel()
	if err != nil {
		return nil, err
	}
	q := len(intercept)
	m := &Model{precomputed: f.name == precomputedName}
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
	term := expansion.Of(k, points, compute.Matrix{Rows: f.total, Cols: q, Stride: q, Data: weights})
	m.sum = model.NewSum(f.points.Cols, intercept, []kernel.Expansion{term}, 0)
	if err := m.sum.Check(); err != nil {
		return nil, errors.Join(rkhs.ErrFormat, err)
	}
	return m, nil
}

// classifier changes the signs of coefficients and constants. In the file a score is positive for
// the label that is first in the file, in a Classifier for the larger label.
func (f *libsvmFile) classifier() (*Classifier, error) {
	labels, err := door.Announced(pkg, f.labels)
	if err != nil {
		return nil, err
	}
	c := &Classifier{labels: labels}
	for _, label := range f.labels {
		class, _ := slices.BinarySearch(labels, label)
		c.order = append(c.order, class)
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
	for rank, count := range f.counts {
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
