package doublysgd

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/features"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/kernel"
)

// stream is what the learners that take in batches have in common.
type stream struct {
	s       *settings
	outputs int
	rows    int // taken in so far

	// Known from the first rows on.
	inputs         int
	columns, batch int
	warm           int // rows that the first step waits for

	p *stepper // nil before the first step
}

// newStream returns a stream whose first step waits for at least so many rows, from which
// steps take their sizes, and what the options leave open.
func newStream(s *settings, outputs, warm int) stream {
	l := stream{s: s, outputs: outputs, warm: warm}
	l.columns, l.batch = s.sizes(math.MaxInt32)
	return l
}

// largestOutputs is the largest number of outputs of a stream.
const largestOutputs = 1 << 20

// check returns an error for what is at fault whatever the rows to come.
func (l *stream) check() error {
	if l.outputs < 1 || l.outputs > largestOutputs {
		return fmt.Errorf("doublysgd: outputs = %d, want 1 to %d: %w", l.outputs, largestOutputs, rkhs.ErrOption)
	}
	// Every sampler there is draws for a Gaussian.
	if _, err := features.New(kernel.Gaussian{Sigma: 1}, 1, l.features()); err != nil {
		return fmt.Errorf("doublysgd: %w", err)
	}
	if l.s.Kernel == nil {
		return nil
	}
	if err := kernel.Check(l.s.Kernel, compute.Matrix{}); err != nil { // for rows of any length
		return fmt.Errorf("doublysgd: %w", err)
	}
	return nil
}

// Rows returns the number of rows taken in.
func (l *stream) Rows() int { return l.rows }

// admit returns the rows of x if the stream can take them in.
func (l *stream) admit(name string, x mat.Matrix) (compute.Matrix, error) {
	rows, err := door.View("doublysgd", name, x)
	if err != nil {
		return rows, err
	}
	if l.inputs > 0 && rows.Cols != l.inputs {
		return rows, fmt.Errorf("doublysgd: %s has %d columns, want %d: %w", name, rows.Cols, l.inputs, rkhs.ErrShape)
	}
	k := l.s.Kernel
	if l.p != nil {
		k = l.p.e.m.Kernel()
	}
	if k == nil {
		return rows, nil
	}
	if err := kernel.Check(k, rows); err != nil {
		return rows, fmt.Errorf("doublysgd: %w", err)
	}
	if l.inputs == 0 {
		_, err = l.newExpansion(k, rows.Cols)
	}
	return rows, err
}

// take counts rows that were admitted.
func (l *stream) take(rows compute.Matrix) {
	l.inputs = rows.Cols
	l.rows += rows.Rows
}

// prepare returns the kernel, chosen on the first rows if it is not given, and f = 0.
func (l *stream) prepare(x compute.Matrix) (kernel.Kernel, *expansion, error) {
	k, err := l.s.kernel(x)
	if err != nil {
		return nil, nil, err
	}
	e, err := l.newExpansion(k, l.inputs)
	return k, e, err
}

// newExpansion returns f = 0 for rows of so many columns.
func (l *stream) newExpansion(k kernel.Kernel, inputs int) (*expansion, error) {
	o := l.features()
	m, err := features.New(k, inputs, o)
	if err != nil {
		return nil, fmt.Errorf("doublysgd: %w", err)
	}
	return newExpansion(m, o, l.outputs, l.s.CacheSize), nil
}

func (l *stream) features() features.Options {
	return features.Options{Seed: l.s.Seed, Columns: l.columns, Sampler: l.s.Sampler, Workers: l.s.Workers}
}

// wanted returns how many rows must wait for a step.
func (l *stream) wanted() int {
	n := l.batch
	if l.s.Mode == Newton {
		n = 2 * l.batch
	}
	if l.p == nil {
		n = max(n, l.warm)
	}
	return n
}

// first returns those of the rows that wait for the first step which are there however
// the stream is cut into batches.
func (l *stream) first(x compute.Matrix) compute.Matrix {
	return compute.Rows(x, 0, min(x.Rows, l.wanted()))
}

// score fills in the scores of the first n rows of w.
func (l *stream) score(w *waiting, n int) {
	have := w.scores.Rows
	if have >= n {
		return
	}
	f := compute.NewMatrix(n-have, l.outputs)
	l.p.e.addTo(f, compute.Rows(w.x, have, n))
	w.scores = appendRows(cloneRows(w.scores), f)
}

// solution returns the average of the iterates, a function without centres, and what a
// stream knows of it.
func (l *stream) solution() centred {
	nan := math.NaN()
	return centred{uncentred(l.p.result()), PreconditionReport{Status: rkhs.Converged, Rows: l.rows, Steps: l.p.steps, Ridge: l.p.ridge, Rest: nan, Error: nan}}
}
