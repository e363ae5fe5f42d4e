package descent

import (
	"context"
	"fmt"
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/search"
	"github.com/rkhs-go/rkhs/kernel"
)

// Stream is the part that all stream learners share.
type Stream struct {
	Config         Config
	Columns, Batch int // features of a block, rows of a step
	Outputs        int
	Seen           int      // rows so far
	Inputs         int      // 0 before the first rows
	Stepper        *Stepper // nil before the first step

	warm int // rows that the first step waits for
}

// NewStream returns a stream with the given number of outputs, 0 if unknown. Its first step waits
// for at least warm rows. It returns an error if the options are invalid for any rows, such as
// rkhs.ErrMemory.
func NewStream(c Config, outputs, warm int) (Stream, error) {
	s := Stream{Config: c, Outputs: outputs, warm: warm}
	s.Columns, s.Batch = c.Sizes(math.MaxInt32)
	// Every sampler there is draws for a Gaussian.
	if _, err := features.New(kernel.Gaussian{Sigma: 1}, 1, features.Options{Columns: s.Columns, Sampler: c.Sampler}); err != nil {
		return s, fmt.Errorf("%s: %w", c.Package, err)
	}
	if c.Kernel != nil {
		if err := gram.Check(c.Kernel, compute.Points{}); err != nil { // for rows of any length
			return s, fmt.Errorf("%s: %w", c.Package, err)
		}
	}
	return s, s.CheckMemory()
}

// CheckMemory returns rkhs.ErrMemory if the stream could exceed the limit.
func (s *Stream) CheckMemory() error {
	c := &s.Config
	return c.CheckMemory(Needs{Columns: s.Columns, Batch: s.Batch, Blocks: float64(c.Blocks(s.Columns)),
		Outputs: max(s.Outputs, 1), Rows: 2 * s.Batch, Stream: true})
}

// Admit returns an error if the stream does not accept the rows.
func (s *Stream) Admit(name string, rows compute.Points) error {
	if s.Inputs > 0 && rows.Cols != s.Inputs {
		return fmt.Errorf("%s: %s has %d columns, want %d: %w", s.Config.Package, name, rows.Cols, s.Inputs, rkhs.ErrShape)
	}
	k := s.Config.Kernel
	if s.Stepper != nil {
		k = s.Stepper.Function.Map.Kernel()
	}
	if k == nil {
		return nil
	}
	if err := gram.Check(k, rows); err != nil {
		return fmt.Errorf("%s: %w", s.Config.Package, err)
	}
	if s.Inputs == 0 {
		_, err := s.Config.Zero(k, rows.Cols, 1, s.Columns)
		return err
	}
	return nil
}

// Apply counts admitted rows.
func (s *Stream) Count(rows compute.Points) {
	s.Inputs = rows.Cols
	s.Seen += rows.Rows
}

// Prepare returns the kernel, by default from the first rows, and f = 0.
func (s *Stream) Prepare(x compute.Points) (kernel.Kernel, *blocks.Function, error) {
	k, err := search.Kernel(s.Config.Package, s.Config.Kernel, x, 1, s.Config.Seed)
	if err != nil {
		return nil, nil, err
	}
	f, err := s.Zero(k)
	return k, f, err
}

// Zero returns f = 0.
func (s *Stream) Zero(k kernel.Kernel) (*blocks.Function, error) {
	return s.Config.Zero(k, s.Inputs, s.Outputs, s.Columns)
}

// Wanted returns the number of waiting rows for a step.
func (s *Stream) Wanted() int {
	n := s.Batch
	if s.Config.Newton {
		n = 2 * s.Batch
	}
	if s.Stepper == nil {
		n = max(n, s.warm)
	}
	return n
}

// Steps performs all steps with sufficient rows, each on at most Batch rows of each queue. It copies
// shared memory first, because s and the queues may be copies of a learner.
func (s *Stream) Steps(step func(most int) error, queues ...*Waiting) error {
	if fewest(queues) < s.Wanted() {
		return nil
	}
	s.Detach(queues...)
	for fewest(queues) >= s.Wanted() {
		if err := step(s.Batch); err != nil {
			return err
		}
	}
	for _, w := range queues {
		*w = w.Clone()
	}
	return nil
}

// Drain performs steps until a queue is empty. The last step uses all waiting rows.
func (s *Stream) Drain(ctx context.Context, step func(most int) error, queues ...*Waiting) error {
	for s.Detach(queues...); fewest(queues) > 0; {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%s: %w", s.Config.Package, err)
		}
		most := s.Batch
		if fewest(queues) <= most {
			most = math.MaxInt
		}
		if err := step(most); err != nil {
			return err
		}
	}
	return nil
}

// Detach copies the memory that steps modify.
func (s *Stream) Detach(queues ...*Waiting) {
	s.Stepper = s.Stepper.Clone()
	for _, w := range queues {
		w.Scores = compute.Clone(w.Scores)
	}
}

// fewest returns the length of the shortest queue.
func fewest(queues []*Waiting) int {
	n := math.MaxInt
	for _, w := range queues {
		n = min(n, w.X.Rows)
	}
	return n
}

// First returns the waiting rows for the first step, which do not depend on the batches.
func (s *Stream) First(x compute.Points) compute.Points {
	return x.Between(0, min(x.Rows, s.Wanted()))
}

// Score computes the scores of the first n rows of w. It returns rkhs.ErrDiverged if one is not
// finite.
func (s *Stream) Score(w *Waiting, n int) error {
	if have := w.Scores.Rows; have < n {
		f := compute.NewMatrix(n-have, s.Outputs)
		compute.AddRow(f, s.Stepper.Constant.Now)
		s.Stepper.Function.AddTo(f, w.X.Between(have, n))
		w.Scores = compute.AppendRows(compute.Clone(w.Scores), f)
	}
	return s.Check(w.Scores)
}

// Check returns rkhs.ErrDiverged if a score is not finite.
func (s *Stream) Check(scores compute.Matrix) error {
	for _, v := range scores.Data {
		if !compute.Finite(v) {
			return fmt.Errorf("%s: a score is %v: %w", s.Config.Package, v, rkhs.ErrDiverged)
		}
	}
	return nil
}

// Apply performs a step.
func (s *Stream) Apply(m Update) error {
	if err := s.Stepper.Apply(m); err != nil {
		return fmt.Errorf("%s: %w", s.Config.Package, err)
	}
	return nil
}

// Encode writes s.
func (s *Stream) Encode(e *codec.Encoder) error {
	if err := s.Config.Encode(e); err != nil {
		return err
	}
	for _, v := range []int{s.Outputs, s.Seen, s.Inputs} {
		e.Int(v)
	}
	e.Bool(s.Stepper != nil)
	if s.Stepper == nil {
		return nil
	}
	return s.Stepper.encode(e)
}

// DecodeStream reads a stream for a package with the given number of warm rows. check, if not nil,
// validates the Config.
func DecodeStream(d *codec.Decoder, pkg string, warm int, check func(Config) error) Stream {
	config, outputs := decodeConfig(d), d.Int()
	config.Package = pkg
	if d.Err() != nil {
		return Stream{}
	}
	err := config.Check()
	if err == nil && check != nil {
		err = check(config)
	}
	if err != nil {
		d.Fail("%v", err)
		return Stream{}
	}
	s, err := NewStream(config, outputs, warm)
	if err != nil {
		d.Fail("%v", err)
		return Stream{}
	}
	s.Seen, s.Inputs = d.Int(), d.Int()
	if s.Seen < 0 || (s.Seen > 0) != (s.Inputs > 0) || outputs < 0 || s.Seen > 0 && outputs < 1 {
		d.Fail("%d rows of %d columns and %d outputs", s.Seen, s.Inputs, outputs)
	}
	if d.Bool() {
		s.Stepper = decodeStepper(d, &s)
	}
	return s
}

// DecodeWaiting reads waiting rows without targets and checks them against the stream.
func (s *Stream) DecodeWaiting(d *codec.Decoder) (w Waiting) {
	x := d.Points()
	if d.Err() != nil {
		return w
	}
	if x.Rows > s.Seen || x.Rows > 0 && x.Cols != s.Inputs {
		d.Fail("%d×%d rows wait of %d×%d", x.Rows, x.Cols, s.Seen, s.Inputs)
		return w
	}
	if s.Stepper != nil && x.Rows > 0 {
		if err := gram.Check(s.Stepper.Function.Map.Kernel(), x); err != nil {
			d.Fail("rows that wait: %v", err)
		}
	}
	return Waiting{X: x}
}

// CheckAveraged fails unless the stream has one output and averaged gradient steps.
func (s *Stream) CheckAveraged(d *codec.Decoder) {
	if d.Err() != nil {
		return
	}
	if s.Outputs != 1 || !s.Config.averages() || s.Stepper != nil && !(s.Stepper.Function.Average.Weight > 0 && s.Stepper.First > 0) {
		d.Fail("%d outputs, or no average of steps", s.Outputs)
	}
}
