package slkl

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/internal/progress"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
)

// Learner accepts rows in batches. It stores only CᵀC, CᵀY and ‖Y‖² about their means, in O(M²)
// memory for any number of rows. Batches of any size in any order, and merged learners of parts of the
// rows, give the same solution up to rounding. A Learner is not safe for concurrent use.
type Learner struct {
	settings *settings
	columns  *columns
	labels   []int      // of a ClassLearner, ascending
	parts    []*moments // one for each fold; empty before the first row
	rows     int
	found    kernel.SearchResult
	kept     reservoir
}

// NewLearner returns a learner without rows. opts must give the landmarks in Points. The first Update
// determines the number of outputs. Errors wrap rkhs.ErrOption or the sentinel of invalid points.
func NewLearner(opts *Options) (*Learner, error) {
	s, err := opts.settings()
	if err != nil {
		return nil, err
	}
	if s.Points == nil {
		return nil, fmt.Errorf("slkl: a learner needs Points: %w", rkhs.ErrOption)
	}
	if err := s.forLearner(); err != nil {
		return nil, err
	}
	points, err := input.Points(pkg, "Points", s.Points)
	if err != nil {
		return nil, err
	}
	if len(s.Kernels) == 0 {
		if err := s.learnerKernel(points); err != nil {
			return nil, err
		}
	}
	c, err := newColumns(s, s.Kernels, distinct(points))
	if err != nil {
		return nil, err
	}
	return &Learner{settings: s, columns: c}, nil
}

// check returns an error if neither a constructor nor a file made l.
func (l *Learner) check(method string) error {
	return input.Fitted(pkg, method, l != nil && l.columns != nil)
}

// Rows returns the number of rows so far.
func (l *Learner) Rows() int { return model.OrZero(l).rows }

// outputs returns the number of outputs, 0 before the first row.
func (l *Learner) outputs() int {
	if len(l.parts) == 0 {
		return 0
	}
	return len(l.parts[0].meanY)
}

// Update adds the rows x (n×d) and their targets y (n×q). A row of weight w (rkhs.Weighted) counts as w
// rows. On an error the learner is unchanged; errors wrap rkhs.ErrEmpty, rkhs.ErrNotFinite,
// rkhs.ErrShape, rkhs.ErrDomain or, for the first batch, rkhs.ErrMemory. O(n·M·(d + M)).
func (l *Learner) Update(x, y mat.Matrix) error { return l.update("Update", nil, x, y) }

// UpdateNumbered is Update for rows with distinct numbers, one for each row, else the error wraps
// rkhs.ErrShape. The number of a row instead of its position determines its fold in the
// cross-validation and whether it calibrates the model. Learners that divide numbered rows in any way
// merge to the same model, up to rounding.
func (l *Learner) UpdateNumbered(numbers []uint64, x, y mat.Matrix) error {
	return l.update("UpdateNumbered", &numbers, x, y)
}

func (l *Learner) update(method string, numbers *[]uint64, x, y mat.Matrix) error {
	if err := l.check(method); err != nil {
		return err
	}
	k, kept, err := readTask(l.labels, x, y)
	if err != nil {
		return err
	}
	if numbers != nil {
		if n, _ := x.Dims(); len(*numbers) != n {
			return fmt.Errorf("slkl: %d numbers of %d rows: %w", len(*numbers), n, rkhs.ErrShape)
		}
		k.numbers = *numbers
		if kept != nil {
			k.numbers = compute.PickOf(*numbers, kept)
		}
	}
	if d := l.columns.points.Cols; k.x.Cols != d {
		return fmt.Errorf("slkl: x has %d columns, want %d: %w", k.x.Cols, d, rkhs.ErrShape)
	}
	if q := l.outputs(); q > 0 && k.y.Cols != q {
		return fmt.Errorf("slkl: y has %d columns, want %d: %w", k.y.Cols, q, rkhs.ErrShape)
	}
	if err := checkKernels(l.columns.kernels, k.x); err != nil {
		return err
	}
	if err := l.begin(k.y.Cols); err != nil {
		return err
	}
	r := progress.New(context.Background(), nil, pkg)
	defer r.Close()
	if !l.settings.NoCalibration {
		l.kept.add(k, l.rows, l.settings.Seed)
	}
	l.addRows(k, r)
	return nil
}

// begin allocates the moments before the first row.
func (l *Learner) begin(outputs int) error {
	if len(l.parts) > 0 {
		return nil
	}
	need := memory{parts: l.settings.folds(), sparse: l.columns.points.Sparse != nil, kept: true}
	if err := need.check(l.columns.count(), l.settings.MemoryLimit); err != nil {
		return err
	}
	l.allocate(outputs, need.parts)
	return nil
}

func (l *Learner) allocate(outputs, parts int) {
	l.columns.normalise()
	for range parts {
		l.parts = append(l.parts, newMoments(l.columns.count(), outputs))
	}
}

// addRows adds validated rows in blocks. If r stops, it ends after the first block of all.
func (l *Learner) addRows(k task, r *progress.Monitor) {
	size := min(blockRows(l.columns.count(), k.x.Sparse != nil), k.x.Rows)
	c, x := compute.NewMatrix(size, l.columns.count()), new(compute.Points)
	for from, to := range compute.Chunks(k.x.Rows, size) {
		if l.rows > 0 && r.Stopped() {
			break
		}
		l.addBlock(k.between(from, to), compute.Rows(c, 0, to-from), x)
		r.Report(rkhs.Progress{Phase: "rows", Done: to, Total: k.x.Rows, Iteration: l.rows,
			Objective: math.NaN(), Gap: math.NaN()})
	}
}

// addBlock adds rows, with c as the buffer of their columns and x of rows in the order of the folds.
func (l *Learner) addBlock(k task, c compute.Matrix, x *compute.Points) {
	ends := []int{k.x.Rows}
	if len(l.parts) == 1 {
		k.y = compute.Clone(k.y)
	} else {
		var order []int
		order, ends = l.deal(k.x.Rows, k.numbers)
		ends = append(ends[:len(l.parts)-1], k.x.Rows) // the last part holds all other folds
		k = k.pick(x, order)
	}
	l.columns.fill(c, k.x, l.columns.all())
	from := 0
	for i, to := range ends {
		part := k.between(from, to)
		l.parts[i].add(compute.Rows(c, from, to), part.y, part.weights, l.settings.Workers)
		from = to
	}
	l.rows += k.x.Rows
}

// deal groups the next n rows by fold, by their numbers if these are not nil.
func (l *Learner) deal(n int, numbers []uint64) (order, ends []int) {
	folds := search.Folds{K: l.settings.folds(), Seed: l.settings.Seed, Purpose: "slkl folds"}
	if numbers != nil {
		return folds.DealNumbered(numbers)
	}
	return folds.Deal(l.rows, n)
}

// Merge adds all rows of other and leaves other unchanged. Both must have the same landmarks, kernels,
// outputs, folds, seed and precision, else the error wraps rkhs.ErrShape or rkhs.ErrOption.
func (l *Learner) Merge(other *Learner) error {
	if err := l.check("Merge"); err != nil {
		return err
	}
	if err := other.check("Merge"); err != nil {
		return err
	}
	if err := l.mergeable(other); err != nil || other.rows == 0 {
		return err
	}
	if err := l.begin(other.outputs()); err != nil {
		return err
	}
	for i, p := range l.parts {
		p.merge(other.parts[i])
	}
	l.rows += other.rows
	l.kept.merge(other.kept)
	return nil
}

// mergeable returns an error if other cannot be merged into l.
func (l *Learner) mergeable(other *Learner) error {
	s, t := l.settings, other.settings
	if s.folds() != t.folds() || s.Seed != t.Seed || s.SinglePrecision != t.SinglePrecision ||
		!slices.EqualFunc(l.columns.kernels, other.columns.kernels, kernel.Equal) {
		return fmt.Errorf("slkl: learners of different options cannot merge: %w", rkhs.ErrOption)
	}
	if !l.columns.points.Equal(other.columns.points) {
		return fmt.Errorf("slkl: learners of different landmarks cannot merge: %w", rkhs.ErrShape)
	}
	if a, b := l.outputs(), other.outputs(); a > 0 && b > 0 && a != b {
		return fmt.Errorf("slkl: learners of %d and of %d outputs cannot merge: %w", a, b, rkhs.ErrShape)
	}
	return nil
}

// Model fits a model to the rows so far, which the learner keeps. Without rows the error wraps
// rkhs.ErrEmpty. A cancelled or unconverged fit returns its best model and the error.
func (l *Learner) Model(ctx context.Context) (*Model, error) {
	m, sample, err := l.calibrated(ctx)
	return m.with(sample), err
}

// calibrated returns the model and the sample that calibrates it.
func (l *Learner) calibrated(ctx context.Context) (m *Model, sample calibrate.Sample, err error) {
	err = l.fit(ctx, "Model", func(f *fit) (err error) {
		m, sample, err = f.calibrated(l.kept.rows)
		return err
	})
	return m, sample.OfMeanOne(), err
}

// Path fits a model for each of the penalties, positive and falling. Each fit starts from the one
// before, so this is faster than separate fits. The models have no intervals. On an error Path returns
// the models so far.
func (l *Learner) Path(ctx context.Context, penalties []float64) ([]*Model, error) {
	var models []*Model
	err := l.fit(ctx, "Path", func(f *fit) (err error) {
		models, err = f.path(penalties)
		return err
	})
	return models, err
}

// fit calls solve with a fit to the rows so far.
func (l *Learner) fit(ctx context.Context, method string, solve func(*fit) error) error {
	if err := l.check(method); err != nil {
		return err
	}
	if err := input.Context(pkg, ctx); err != nil {
		return err
	}
	if l.rows == 0 {
		return fmt.Errorf("slkl: the learner has seen no rows: %w", rkhs.ErrEmpty)
	}
	r := progress.New(ctx, l.settings.Recorder, pkg)
	defer r.Close()
	f, err := newFit(l, false, r)
	if err != nil {
		return err
	}
	return solve(f)
}
