package polk

import (
	"path/filepath"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/input"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/loss"
)

// clock adds up the time spent in the parts of a step.
type clock struct {
	kernel, solves, removals, insertions, rest time.Duration
	last                                       time.Time
}

func (c *clock) lap(part *time.Duration) {
	now := time.Now()
	*part += now.Sub(c.last)
	c.last = now
}

// timedStep is step with timers.
func timedStep(b *testing.B, c *descent, data batch, t *clock) {
	t.last = time.Now()
	s := Step{Rows: data.x.Rows, Rate: c.rate(data.x.Rows)}
	c.predict(data)
	t.lap(&t.kernel)
	if err := c.gather(data, s.Rate); err != nil {
		b.Fatal(err)
	}
	c.f.shrink(1 - s.Rate*c.from.ridge)
	p := c.f
	p.k = c.kActive
	t.lap(&t.rest)
	if s.Active = len(c.active); s.Active > 0 {
		p.complement(s.Active)
		p.pivoted.run(p.s, p.limits())
		p.pivoted.fold(p.dictionary, p.s, p.t, c.w)
		p.begin()
		p.diagonal()
		t.lap(&t.solves)
		var done change
		p.prune(c.w, c.budget(s.Rate, c.orthogonalNorm()), c.set.MaxPoints, &done)
		t.lap(&t.removals)
		p.insert(c.x, c.w)
		t.lap(&t.insertions)
	}
	c.totals.add(s, 0)
	t.lap(&t.rest)
}

// BenchmarkMNIST fits ten classes of digits in batches of 32 with 1000 dictionary points. One
// operation is the second half of a pass over 60000 rows, after the first half has filled the
// dictionary. It reports the share of time in kernel values and scores, triangular solves for rows
// with a gradient, removals, and insertions.
func BenchmarkMNIST(b *testing.B) {
	train := mnist(b)
	for _, l := range []loss.Loss{loss.MulticlassHinge{}, loss.Softmax{}} {
		b.Run(l.String(), func(b *testing.B) {
			var t clock
			rows := 0
			for b.Loop() {
				b.StopTimer()
				c, order := halfway(b, train, l)
				b.StartTimer()
				for len(order) >= 32 {
					timedStep(b, c, train.pick(batch{}, order[:32]), &t)
					order = order[32:]
					rows += 32
				}
				b.ReportMetric(float64(c.f.order()), "order")
			}
			total := t.kernel + t.solves + t.removals + t.insertions + t.rest
			for name, part := range map[string]time.Duration{"kernel": t.kernel, "solves": t.solves, "removals": t.removals, "insertions": t.insertions} {
				b.ReportMetric(100*part.Seconds()/total.Seconds(), name+"-%")
			}
			b.ReportMetric(float64(rows)/total.Seconds(), "samples/s")
		})
	}
}

// halfway returns a descent trained on half of the rows with default options, and the remaining
// rows.
func halfway(b *testing.B, train batch, l loss.Loss) (*descent, []int) {
	s, err := classification(&Options{Loss: l, Passes: 1})
	if err != nil {
		b.Fatal(err)
	}
	n := train.x.Rows
	if err := s.forRows(n); err != nil {
		b.Fatal(err)
	}
	c, err := newDescent(s, train.pick(batch{}, rng.New(1, "sample", 0).Sample(n, sampleRows)), n, quiet(b))
	if err != nil {
		b.Fatal(err)
	}
	order := rng.New(1, "order", 0).Perm(n)
	for len(order) > n/2 {
		if _, err := c.step(train.pick(batch{}, order[:32])); err != nil {
			b.Fatal(err)
		}
		order = order[32:]
	}
	return c, order
}

func mnist(b *testing.B) batch {
	dir, ok := testutil.DataDir()
	if !ok {
		b.Skip("RKHS_DATA does not name the folder of the data sets")
	}
	s, err := dataset.LoadIDXPair(filepath.Join(dir, "train-images-idx3-ubyte.gz"), filepath.Join(dir, "train-labels-idx1-ubyte.gz"))
	if err != nil {
		b.Fatal(err)
	}
	s.X.Scale(1./255, s.X)
	labels, index, err := input.Labels("polk", mat.NewDense(len(s.Y), 1, s.Y).RawMatrix())
	if err != nil {
		b.Fatal(err)
	}
	return batch{x: compute.DensePoints(s.X.RawMatrix()), class: index, outputs: len(labels)}
}
