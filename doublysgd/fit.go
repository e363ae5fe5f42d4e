package doublysgd

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/internal/batches"
	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/target"
	"github.com/rkhs-go/rkhs/internal/choose"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// Fit learns from rows x (n×d) and targets y (n×q), one function for each column
// of y. Nil options mean the defaults.
//
// In Revisit mode with D features in blocks of m the first pass takes
// O(n·D·(d + m + q)) time, later ones O(n·D·(d + q)), and the memory is
// O(n·(d + q) + D·(m + q)). A fit that is cancelled, stopped by the Recorder or
// not converged returns its best model together with the error; data and options
// at fault return no model.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	s, err := opts.settings(0, false)
	if err != nil {
		return nil, err
	}
	if err := door.Context(pkg, ctx); err != nil {
		return nil, err
	}
	rows, targets, err := door.Pair(pkg, x, y)
	if err != nil {
		return nil, err
	}
	t, err := newTask(s, rows, targets, nil)
	if err != nil {
		return nil, err
	}
	return t.fit(ctx)
}

// task is one fit to data that has passed the door.
type task struct {
	options *settings
	x       compute.Matrix
	risk    *batches.Risk
	loss    loss.Loss // that is minimised now
	units   target.Units
	kernel  kernel.Kernel
	monitor *monitor.Monitor

	columns, batch int
	visits         int // of blocks
}

// newTask takes as many rows as there are targets and, of a classification, the class
// indices that these stand for.
func newTask(s *settings, x, y compute.Matrix, class []int) (*task, error) {
	k, err := choose.Kernel(pkg, s.Kernel, x, 1, s.Seed)
	if err != nil {
		return nil, err
	}
	t := &task{options: s, x: x, loss: s.Loss, units: s.units(y), kernel: k}
	t.risk = s.risk(y, class, t.units)
	if err := checkTargets(t.risk); err != nil {
		return nil, err
	}
	t.columns, t.batch = s.sizes(x.Rows)
	// The kernel, or its size, may be one without features.
	_, err = t.zero(k, t.columns)
	return t, err
}

func (t *task) fit(ctx context.Context) (*Model, error) {
	t.monitor = monitor.New(ctx, t.options.Recorder, pkg)
	defer t.monitor.Close()
	if t.options.Mode == Revisit {
		return t.revisit()
	}
	return t.step()
}

// sizes returns the number of features of a block and the rows of a batch for n
// rows.
func (s *settings) sizes(n int) (columns, batch int) {
	c := s.steps()
	if s.Mode == Revisit {
		return c.Width(min(s.revisitColumns(n), batches.RoundUp(2*n, 64))), 0
	}
	return c.Sizes(n)
}

// revisitColumns returns how many features are solved for at a time: the more, the
// fewer passes it takes, and the more products of features go into normal equations.
func (s *settings) revisitColumns(n int) int {
	most := 1 << 24
	if s.Precision == Single {
		most = 1 << 26
	}
	columns := 1024
	for columns < 2048 && 2*columns*n <= most {
		columns *= 2
	}
	return columns
}

// outputs returns q.
func (t *task) outputs() int { return len(t.units.Offset) }

// zero returns f = 0 in blocks of so many features of a kernel.
func (t *task) zero(k kernel.Kernel, columns int) (*blocks.Function, error) {
	c := t.options.steps()
	return c.Zero(k, t.x.Cols, t.outputs(), columns)
}

// model returns the model of a function, or rkhs.ErrDiverged.
func (t *task) model(f *blocks.Function, report Report) (*Model, error) {
	report.Mode, report.Status = t.options.Mode, t.monitor.Status()
	m, err := newModel(f, t.units, report)
	if err != nil {
		return nil, err
	}
	return m, t.monitor.Err()
}

// unknown is a report of which nothing is known.
func unknown() Report {
	nan := math.NaN()
	return Report{Ridge: nan, HeldOutLoss: nan, Objective: nan, Gradient: nan, Gap: nan}
}

// permutation returns all rows in random order.
func (t *task) permutation(pass int) []int {
	return rng.New(t.options.Seed, "doublysgd order", uint64(pass)).Perm(t.x.Rows)
}
