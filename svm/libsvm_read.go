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

// ReadLIBSVM reads a model file of LIBSVM, as svm-train writes it, for rows of so many columns,
// or for cols = 0 of as many as the largest index of a support vector: it is a *Classifier for
// svm_type c_svc and nu_svc, a *Model for epsilon_svr and nu_svr and a *Novelty for one_class.
// Labels are those that svm-predict predicts, in ties of votes too, but where rounding decides.
//
// Kernels are linear, polynomial with coef0 ≥ 0, rbf and precomputed; a sigmoid is none of
// package kernel, and rkhs.ErrOption. Of a precomputed kernel cols is the number of rows that
// were trained on. Probabilities (probA, probB, prob_density_marks) are left out. Other errors
// wrap rkhs.ErrFormat, rkhs.ErrShape for an index beyond cols, and rkhs.ErrLabels.
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

// libsvmFile is what a file holds.
type libsvmFile struct {
	libsvmKernel
	lines *bufio.Reader
	line  int

	kind         string
	classes      int
	total        int
	rho          []float64
	label, perSV []int
	points       *compute.Sparse
	coefficients []float64 // total rows
}

func bad(format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), rkhs.ErrFormat)
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
	switch f.kind {
	case "c_svc", "nu_svc":
		return f.classifier()
	case "epsilon_svr", "nu_svr":
		return f.model(f.coefficients, -f.rho[0])
	}
	m, err := f.model(f.coefficients, -f.rho[0])
	if err != nil {
		return nil, err
	}
	return &Novelty{model: m}, nil
}

// next returns the next line without its end.
func (f *libsvmFile) next() (string, error) {
	f.line++
	text, err := f.lines.ReadString('\n')
	if err == io.EOF && text == "" {
		return "", bad("the file ends early")
	}
	if err != nil && err != io.EOF {
		return "", err
	}
	return strings.TrimRight(text, "\r\n"), nil
}

// header reads up to the support vectors.
func (f *libsvmFile) header() error {
	for {
		text, err := f.next()
		if err != nil {
			return err
		}
		fields := strings.Fields(text)
		if len(fields) == 0 {
			return bad("an empty line")
		}
		if fields[0] == "SV" {
			return nil
		}
		if err := f.field(fields[0], fields[1:]); err != nil {
			return err
		}
	}
}

// field takes a line of the header.
func (f *libsvmFile) field(name string, values []string) (err error) {
	if len(values) == 0 {
		return bad("%s without a value", name)
	}
	switch name {
	case "svm_type":
		f.kind = values[0]
	case "kernel_type":
		f.libsvmKernel.name = values[0]
	case "degree":
		f.degree, err = number(values[0], strconv.Atoi)
	case "gamma":
		f.gamma, err = number(values[0], finite)
	case "coef0":
		f.coef0, err = number(values[0], finite)
	case "nr_class":
		f.classes, err = number(values[0], strconv.Atoi)
	case "total_sv":
		f.total, err = number(values[0], strconv.Atoi)
	case "rho":
		f.rho, err = list(values, finite)
	case "label":
		f.label, err = list(values, strconv.Atoi)
	case "nr_sv":
		f.perSV, err = list(values, strconv.Atoi)
	case "probA", "probB", "prob_density_marks":
	default:
		return bad("%q is not known", name)
	}
	return err
}

func number[T any](text string, parse func(string) (T, error)) (T, error) {
	v, err := parse(text)
	if err != nil {
		return v, bad("%q is not a number that can be used", text)
	}
	return v, nil
}

func list[T any](texts []string, parse func(string) (T, error)) (values []T, err error) {
	for _, t := range texts {
		v, err := number(t, parse)
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

// check refuses a header that does not fit together.
func (f *libsvmFile) check() error {
	pairs := 1
	switch f.kind {
	case "c_svc", "nu_svc":
		if f.classes < 2 || len(f.label) != f.classes || len(f.perSV) != f.classes {
			return bad("%d classes with %d values of label and %d of nr_sv", f.classes, len(f.label), len(f.perSV))
		}
		pairs = f.classes * (f.classes - 1) / 2
		sum := 0
		for _, n := range f.perSV {
			if n < 0 || n > f.total-sum {
				return bad("nr_sv %v of %d support vectors", f.perSV, f.total)
			}
			sum += n
		}
		if sum != f.total {
			return bad("nr_sv %v of %d support vectors", f.perSV, f.total)
		}
	case "epsilon_svr", "nu_svr", "one_class":
		f.classes = 2
	default:
		return bad("svm_type %q is not known", f.kind)
	}
	if len(f.rho) != pairs || f.total < 0 {
		return bad("%d values of rho for %d machines on %d support vectors", len(f.rho), pairs, f.total)
	}
	k, err := f.kernel()
	if err == nil {
		err = gram.Check(k, compute.DensePoints(compute.NewMatrix(1, 1)))
	}
	if err != nil {
		return fmt.Errorf("%w: %w", err, rkhs.ErrOption)
	}
	return nil
}

// supportVectors reads as many lines as there are of these.
func (f *libsvmFile) supportVectors(cols int) error {
	f.points = compute.NewSparse(cols, 0, 0)
	for range f.total {
		text, err := f.next()
		if err != nil {
			return err
		}
		fields := strings.Fields(text)
		if len(fields) < f.classes-1 {
			return bad("%d coefficients, want %d", len(fields), f.classes-1)
		}
		values, err := list(fields[:f.classes-1], finite)
		if err != nil {
			return err
		}
		f.coefficients = append(f.coefficients, values...)
		if err := f.point(fields[f.classes-1:], cols); err != nil {
			return err
		}
	}
	f.points.Cols = max(1, f.points.Cols)
	return nil
}

// point reads index:value of a support vector.
func (f *libsvmFile) point(fields []string, cols int) error {
	last := 0
	for _, text := range fields {
		left, right, ok := strings.Cut(text, ":")
		index, err := strconv.Atoi(left)
		value, wrong := finite(right)
		if !ok || err != nil || wrong != nil {
			return bad("%q is not index:value", text)
		}
		if f.libsvmKernel.name == precomputedName {
			if index != 0 || len(fields) != 1 || value != math.Trunc(value) || !(value >= 1 && value <= math.MaxInt32) {
				return bad("%q is not the number of a row that a precomputed kernel has", text)
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
	if f.libsvmKernel.name == precomputedName && last == 0 {
		return bad("a support vector of a precomputed kernel without number")
	}
	f.points.EndRow()
	return nil
}

// model returns that of weights of the points, a row each, and constants.
func (f *libsvmFile) model(weights []float64, intercept ...float64) (*Model, error) {
	k, err := f.kernel()
	if err != nil {
		return nil, err
	}
	q := len(intercept)
	m := &Model{precomputed: f.libsvmKernel.name == precomputedName}
	points := compute.SparsePoints(f.points)
	if n := f.points.Rows; n > 0 && f.points.Listed() > n*f.points.Cols/2 && !m.precomputed {
		points = compute.DensePoints(points.Dense())
	}
	if m.precomputed {
		for _, j := range f.points.Columns {
			m.support = append(m.support, int(j))
		}
	}
	m.report.ModelOrder = f.total
	m.report.SupportVectors = make([]int, q)
	for i, w := range weights {
		if w != 0 {
			m.report.SupportVectors[i%q]++
		}
	}
	m.sum = model.NewSum(f.points.Cols, intercept, []kernel.Expansion{expansion.Of(k, points, compute.Matrix{Rows: f.total, Cols: q, Stride: q, Data: weights})}, 0)
	if err := m.sum.Check(); err != nil {
		return nil, errors.Join(rkhs.ErrFormat, err)
	}
	return m, nil
}

// classifier puts coefficients and constants, which are positive for the class of a pair that
// comes first in the file, where ours are positive for the larger label.
func (f *libsvmFile) classifier() (*Classifier, error) {
	names := slices.Sorted(slices.Values(f.label))
	if len(slices.Compact(slices.Clone(names))) < f.classes {
		return nil, fmt.Errorf("labels %v are not all different: %w", f.label, rkhs.ErrLabels)
	}
	c := &Classifier{labels: names}
	for _, l := range f.label {
		place, _ := slices.BinarySearch(names, l)
		c.order = append(c.order, place)
	}
	pairs := engine.PairsOf(f.classes)
	if err := door.Memory(pkg, fmt.Sprintf("%d support vectors of %d pairs of labels", f.total, len(pairs)), 8*float64(f.total)*float64(len(pairs)), door.DefaultMemory); err != nil {
		return nil, err
	}
	weights, intercept := compute.NewMatrix(f.total, len(pairs)), make([]float64, len(pairs))
	for t, pair := range pairs {
		p, sign := c.pair(c.order[pair[0]], c.order[pair[1]])
		intercept[p] = -sign * f.rho[t]
	}
	point := 0
	for a, count := range f.perSV {
		for range count {
			f.place(c, compute.Row(weights, point), a, point)
			point++
		}
	}
	m, err := f.model(weights.Data, intercept...)
	c.model = m
	return c, err
}

// place sets the weights of a point of the class that is number a in the file: its coefficients
// are those with the other classes, in order.
func (f *libsvmFile) place(c *Classifier, row []float64, a, point int) {
	at := point * (f.classes - 1)
	for b := range f.classes {
		if b != a {
			p, sign := c.pair(c.order[a], c.order[b])
			row[p] = sign * f.coefficients[at]
			at++
		}
	}
}
