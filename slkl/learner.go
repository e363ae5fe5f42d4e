package slkl

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/calibrate"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/model"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/kernel"
)

// Learner takes in rows batch by batch and keeps only what the problem needs: CᵀC,
// CᵀY and ‖Y‖² about their means, in O(M²) memory for any number of rows. Batches
// of any size in any order, and parts merged from learners of their own, give the
// same solution up to rounding. It is not safe for concurrent use.
type Learner struct {
	settings *settings
	columns  *columns
	parts    []*moments // one a fold, a single one when Penalty is given; empty before the first row
	count    int        // of the parts that there are to be
	rows     int
	choice   kernel.Choice
	kept     reservoir
	once     bool // whether a single fit is all that the learner is for, which may overwrite the parts
}

// NewLearner returns a learner that has seen nothing. The landmarks are opts.Points,
// which must be given; the default kernel takes its bandwidth from them. The first
// Update decides how many outputs there are. Errors wrap rkhs.ErrOption, and what
// is wrong with the points.
func NewLearner(opts *Options) (*Learner, error) {
	s, err := opts.settings()
	if err != nil {
		return nil, err
	}
	if s.Points == nil {
		return nil, fmt.Errorf("slkl: a learner needs Points: %w", rkhs.ErrOption)
	}
	if s.LowMemory {
		return nil, fmt.Errorf("slkl: a learner has no LowMemory mode: %w", rkhs.ErrOption)
	}
	points, err := door.Points(pkg, "Points", s.Points)
	if err != nil {
		return nil, err
	}
	if len(s.Kernels) == 0 {
		k, err := learnerKernel(points, s.Seed)
		if err != nil {
			return nil, err
		}
		s.Kernels = []kernel.Kernel{k}
	}
	c, err := newColumns(s, ownKernels(s.Kernels), distinct(points))
	if err != nil {
		return nil, err
	}
	return &Learner{settings: s, columns: c}, nil
}

// made refuses a learner that no constructor and no file has made.
func (l *Learner) made(method string) error {
	return door.Fitted(pkg, method, l != nil && l.columns != nil)
}

// Rows returns the number of rows taken in.
func (l *Learner) Rows() int { return model.OrZero(l).rows }

// outputs is the number of outputs, 0 before the first row.
func (l *Learner) outputs() int {
	if len(l.parts) == 0 {
		return 0
	}
	return len(l.parts[0].meanY)
}

// Update takes in a batch: x is n×d and y n×q. A row of weight w, rkhs.Weighted, is taken in
// as w rows. On an error, which wraps
// rkhs.ErrEmpty, rkhs.ErrNotFinite, rkhs.ErrShape, rkhs.ErrDomain or, from the first
// batch, rkhs.ErrMemory, nothing is taken in. O(n·M·(d + M)).
func (l *Learner) Update(x, y mat.Matrix) error {
	if err := l.made("Update"); err != nil {
		return err
	}
	w, err := door.WeighedPair(pkg, door.Points, x, y)
	if err != nil {
		return err
	}
	return l.update(task{x: w.X, y: w.Y, weights: w.Weights})
}

// UpdateNumbered is Update for rows that have numbers of their own, all different: these, in
// place of the order in which rows come, say to which fold of the cross-validation a row
// belongs, and whether models are calibrated by it. Learners on several machines that give a
// row the same number thus make, merged, the model of one, up to rounding. A number for each
// row is wanted, else the error is rkhs.ErrShape; the others are those of Update.
func (l *Learner) UpdateNumbered(numbers []uint64, x, y mat.Matrix) error {
	if err := l.made("UpdateNumbered"); err != nil {
		return err
	}
	w, err := door.WeighedPair(pkg, door.Points, x, y)
	if err != nil {
		return err
	}
	if numbers, err = numbersOf(numbers, x, w); err != nil {
		return err
	}
	return l.update(task{x: w.X, y: w.Y, weights: w.Weights, numbers: numbers})
}

// numbersOf returns the numbers of the rows of x that the door let in.
func numbersOf(numbers []uint64, x mat.Matrix, w door.Weighed) ([]uint64, error) {
	if n, _ := x.Dims(); len(numbers) != n {
		return nil, fmt.Errorf("slkl: %d numbers of %d rows: %w", len(numbers), n, rkhs.ErrShape)
	}
	if w.Kept != nil {
		return compute.PickOf(numbers, w.Kept), nil
	}
	return slices.Clone(numbers), nil
}

// update is Update for rows that have passed the door.
func (l *Learner) update(k task) error {
	x, y := k.x, k.y
	if d := l.columns.points.Cols; x.Cols != d {
		return fmt.Errorf("slkl: x has %d columns, want %d: %w", x.Cols, d, rkhs.ErrShape)
	}
	if q := l.outputs(); q > 0 && y.Cols != q {
		return fmt.Errorf("slkl: y has %d columns, want %d: %w", y.Cols, q, rkhs.ErrShape)
	}
	if err := checkKernels(l.columns.kernels, x); err != nil {
		return err
	}
	if err := l.begin(y.Cols); err != nil {
		return err
	}
	r := monitor.New(context.Background(), nil, pkg)
	defer r.Close()
	if !l.settings.Uncalibrated {
		l.kept.add(k, l.rows, l.settings.Seed)
	}
	l.take(k, r)
	return nil
}

// begin makes room for the moments unless there is some already.
func (l *Learner) begin(outputs int) error {
	if len(l.parts) > 0 {
		return nil
	}
	m := l.columns.count()
	if l.count == 0 {
		l.count = l.settings.folds()
	}
	if err := l.settings.room(m, need{l.count, l.columns.points.Sparse != nil, !l.once}); err != nil {
		return err
	}
	l.columns.normalise()
	for range l.count {
		l.parts = append(l.parts, newMoments(m, outputs))
	}
	return nil
}

// Merge takes in all rows of other, which must have the same landmarks, kernels,
// outputs, folds, seed and precision, else the error wraps rkhs.ErrShape or
// rkhs.ErrOption. other is left as it is.
func (l *Learner) Merge(other *Learner) error {
	if err := l.made("Merge"); err != nil {
		return err
	}
	if err := other.made("Merge"); err != nil {
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

// mergeable returns why the rows of other cannot be taken in.
func (l *Learner) mergeable(other *Learner) error {
	s, t := l.settings, other.settings
	if s.folds() != t.folds() || s.Seed != t.Seed || s.SinglePrecision != t.SinglePrecision ||
		!slices.EqualFunc(l.columns.kernels, other.columns.kernels, kernel.Equal) {
		return fmt.Errorf("slkl: learners of different options cannot merge: %w", rkhs.ErrOption)
	}
	p, q := l.columns.points, other.columns.points
	if !p.Equal(q) {
		return fmt.Errorf("slkl: learners of different landmarks cannot merge: %w", rkhs.ErrShape)
	}
	if a, b := l.outputs(), other.outputs(); a > 0 && b > 0 && a != b {
		return fmt.Errorf("slkl: learners of %d and of %d outputs cannot merge: %w", a, b, rkhs.ErrShape)
	}
	return nil
}

// Model fits a model to the rows taken in so far, which stay. Without rows the
// error wraps rkhs.ErrEmpty. A cancelled or unconverged fit returns its best
// model together with the error.
func (l *Learner) Model(ctx context.Context) (*Model, error) {
	m, sample, err := l.calibrated(ctx)
	return m.with(sample), err
}

// calibrated returns the model, and what it is calibrated by.
func (l *Learner) calibrated(ctx context.Context) (m *Model, sample calibrate.Sample, err error) {
	_, err = solve(ctx, l, "Model", func(f *fit) (_ struct{}, err error) {
		m, sample, err = f.calibrated(l.kept.rows)
		return struct{}{}, err
	})
	return m, sample.OfMeanOne(), err
}

// Path fits a model for each penalty, which must be positive and falling, each fit
// starting from the one before: cheaper than as many learners. They have no intervals. On an error it
// returns the models so far.
func (l *Learner) Path(ctx context.Context, penalties []float64) ([]*Model, error) {
	return solve(ctx, l, "Path", func(f *fit) ([]*Model, error) { return f.path(penalties) })
}
