package doublysgd

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/monitor"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// Fit learns from rows x (n×d) and targets y (n×q), one function for each column
// of y. Nil options mean the defaults.
//
// In Revisit mode with D features in blocks of m the first sweep takes
// O(n·D·(d + m + q)) time, later ones O(n·D·(d + q)), and the memory is
// O(n·(d + q) + D·(m + q)). A fit that is cancelled, stopped by the Recorder or
// not converged returns its best model together with the error; data and options
// at fault return no model.
func Fit(ctx context.Context, x, y mat.Matrix, opts *Options) (*Model, error) {
	s, err := opts.settings(0, false)
	if err != nil {
		return nil, err
	}
	if err := door.Check("doublysgd", "x", x); err != nil {
		return nil, err
	}
	targets, err := door.Rows("doublysgd", "y", y)
	if err != nil {
		return nil, err
	}
	return s.fit(ctx, x, targets, nil)
}

// fit takes rows that have not passed the door, and targets that have with the
// class indices that they stand for.
func (s *settings) fit(ctx context.Context, x mat.Matrix, y compute.Matrix, class []int) (*Model, error) {
	rows, err := door.View("doublysgd", "x", x)
	if err != nil {
		return nil, err
	}
	if rows.Rows != y.Rows {
		return nil, fmt.Errorf("doublysgd: x has %d rows, y has %d: %w", rows.Rows, y.Rows, rkhs.ErrShape)
	}
	k, err := s.kernel(rows)
	if err != nil {
		return nil, err
	}
	j := &job{settings: s, x: rows, u: s.unitsOf(y), kernel: k}
	j.risk = s.risk(y, class, j.u)
	if err := checkTargets(j.risk); err != nil {
		return nil, err
	}
	j.columns, j.batch = s.sizes(rows.Rows)
	// The kernel, or its size, may be one without features.
	if _, err := j.newMap(k, j.columns, s.Seed); err != nil {
		return nil, err
	}
	j.r = monitor.New(ctx, s.Recorder, "doublysgd")
	defer j.r.Close()
	switch s.Mode {
	case Revisit:
		return j.fitRevisit()
	case Preconditioned:
		return j.fitPreconditioned()
	}
	return j.fitOnce()
}

// kernel returns the kernel of the options, or the Gaussian of the median
// distance.
func (s *settings) kernel(x compute.Matrix) (kernel.Kernel, error) {
	if s.Kernel == nil {
		sigma, err := kernel.MedianDistance(mat.NewDense(x.Rows, x.Cols, contiguous(x)), s.Seed)
		if err != nil {
			return nil, fmt.Errorf("doublysgd: bandwidth: %w", err)
		}
		return kernel.Gaussian{Sigma: sigma}, nil
	}
	if err := kernel.Check(s.Kernel, x); err != nil {
		return nil, fmt.Errorf("doublysgd: %w", err)
	}
	return s.Kernel, nil
}

// job is one fit to data that has passed the door.
type job struct {
	*settings
	x      compute.Matrix
	risk   *risk
	u      units
	kernel kernel.Kernel
	r      *monitor.Monitor

	columns, batch int
	visits         int
	size           float64 // mean of k(x, x), the unit of ridges; Revisit mode
}

// sizes returns the number of features of a block and the rows of a batch for n
// rows.
func (s *settings) sizes(n int) (columns, batch int) {
	var def int
	switch s.Mode {
	case Revisit:
		def = min(s.revisitColumns(n), roundUp(2*n, 64))
	case Preconditioned:
		def = min(1024, roundUp(2*n, 64))
	case Newton:
		def = min(512, max(roundUp(n/16, 64), 64))
	default:
		def = min(256, roundUp(2*n, 64))
	}
	columns = cmp.Or(s.Columns, def)
	if s.Columns == 0 && s.Features > 0 {
		columns = min(columns, roundUp(s.Features, 2))
	}
	batch = s.Batch
	if batch == 0 && s.Mode == Newton {
		batch = 4 * columns
	} else if batch == 0 {
		batch = 256
	}
	return columns, min(batch, max(n/2, 1))
}

// revisitColumns returns how many features are solved for at a time: the more, the
// fewer sweeps it takes, and the more products of features go into normal equations.
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

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// outputs returns q.
func (j *job) outputs() int { return len(j.u.offset) }

// newMap returns the features of a kernel.
func (j *job) newMap(k kernel.Kernel, columns int, seed uint64) (*expansion, error) {
	o := features.Options{Seed: seed, Columns: columns, Sampler: j.Sampler, Workers: j.Workers}
	m, err := features.New(k, j.x.Cols, o)
	if err != nil {
		return nil, fmt.Errorf("doublysgd: %w", err)
	}
	return newExpansion(m, o, j.outputs(), j.CacheSize), nil
}

// model returns the model of an expansion, or rkhs.ErrDiverged.
func (j *job) model(e *expansion, report Report) (*Model, error) {
	report.Mode, report.Blocks, report.Features = j.Mode, e.count(), e.count()*e.m.Columns()
	report.Status = j.r.Status()
	m := &Model{composite: uncentred(e), u: j.u, report: report}
	if err := m.check(); err != nil {
		return nil, err
	}
	return m, j.r.Err()
}

// unknown is a report of which nothing is known.
func unknown() Report {
	nan := math.NaN()
	return Report{Ridge: nan, HeldOut: nan, Objective: nan, Gradient: nan, Gap: nan}
}

// permutation returns all rows in random order.
func (j *job) permutation(pass int) []int {
	return rng.New(j.Seed, "doublysgd order", uint64(pass)).Perm(j.x.Rows)
}

// contiguous returns the elements of m without gaps, copied if there are any.
func contiguous(m compute.Matrix) []float64 {
	if m.Stride == m.Cols {
		return m.Data[:m.Rows*m.Cols]
	}
	return cloneRows(m).Data
}

func cloneRows(m compute.Matrix) compute.Matrix {
	c := compute.NewMatrix(m.Rows, m.Cols)
	for i := range m.Rows {
		copy(row(c, i), row(m, i))
	}
	return c
}

// subtractFrom sets m to x − m.
func subtractFrom(m, x compute.Matrix) {
	for i, v := range x.Data {
		m.Data[i] = v - m.Data[i]
	}
}
