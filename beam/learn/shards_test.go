package learn

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/rows"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/slkl"
)

// cut returns the rows in batches of a different size and order.
func cut(batches []rows.Batch, size int) (list []rows.Batch) {
	for _, b := range batches {
		for from := 0; from < b.Rows; from += size {
			list = append(list, b.Slice(from, min(from+size, b.Rows)))
		}
	}
	slices.Reverse(list)
	return list
}

// TestShards fits shards of large, tiny and empty files, with a given kernel and with a kernel
// selected on the sample. The bits must not depend on batches and order, and predictions must be
// close to the targets without their noise of .1.
func TestShards(t *testing.T) {
	batches := table(1, 1500, 1, 0, 900, 2)
	k, huber := kernel.Gaussian{Sigma: 0.7}, loss.Huber{Delta: 1}
	of := func(m *Method, err error) *Method {
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for name, c := range map[string]struct {
		method *Method
		model  interface {
			rkhs.Model
			UnmarshalBinary([]byte) error
		}
	}{
		"polk":                 {of(Polk(PolkOptions{Shards: 3, Options: polk.Options{Metric: kernel.NoMetric, MaxPoints: 60, Seed: 2}})), new(polk.Model)},
		"polk, given":          {of(Polk(PolkOptions{Shards: 40, Options: polk.Options{Kernel: k, Ridge: 1e-6, MaxPoints: 50}})), new(polk.Model)},
		"doublysgd":            {of(DoublySGD(DoublySGDOptions{Shards: 3, Options: doublysgd.Options{Metric: kernel.NoMetric}})), new(doublysgd.Model)},
		"doublysgd, of a loss": {of(DoublySGD(DoublySGDOptions{Shards: 4, Options: doublysgd.Options{Kernel: k, Ridge: 1e-5, Features: 200, Loss: huber}})), new(doublysgd.Model)},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := learnedBy(t, batches, c.method, nil)
			if err != nil {
				t.Fatal(err)
			}
			again, err := learnedBy(t, cut(batches, 170), c.method, nil)
			if err != nil || !slices.Equal(again, file) {
				t.Errorf("other batches make another model, %v", err)
			}
			if err := c.model.UnmarshalBinary(file); err != nil {
				t.Fatal(err)
			}
			all := join(batches)
			f, err := c.model.Predict(all.Inputs())
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for i := range all.Rows {
				u, v := all.Values[2*i], all.Values[2*i+1]
				d := f.At(i, 0) - math.Sin(2*u)*v
				sum += d * d
			}
			if rms := math.Sqrt(sum / float64(all.Rows)); !(rms < 0.1) {
				t.Errorf("off by %.3f in the mean", rms)
			}
			switch m := c.model.(type) {
			case *polk.Model:
				if n := m.ModelOrder(); n > 60 {
					t.Errorf("%d points", n)
				}
			case *doublysgd.Model:
				if r := m.Report(); r.Rows != all.Rows {
					t.Errorf("%d rows of %d", r.Rows, all.Rows)
				}
			}
		})
	}
}

// TestShardsAreMeans assigns rows by hand: without rounds the model is the mean over shards, weighted by rows.
func TestShardsAreMeans(t *testing.T) {
	batches := table(2, 500, 300)
	o := DoublySGDOptions{Shards: 3, NoRounds: true, Options: doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 0.7}, Ridge: 1e-4, Features: 64, Loss: loss.Squared{}, Tolerance: 1e-10, Seed: 5, Paper: doublysgd.Paper{Columns: 64, Precision: doublysgd.Double}}}
	method, err := DoublySGD(o)
	file, err := learnedBy(t, batches, method, err)
	if err != nil {
		t.Fatal(err)
	}
	var m doublysgd.Model
	if err := m.UnmarshalBinary(file); err != nil {
		t.Fatal(err)
	}
	pieces, want := make([][]dealt, 3), new(mat.Dense)
	f := &deal{Shards: 3, Seed: 5}
	emit := func(k int, d dealt) {
		d, err := decodeDealt(encodeDealt(d))
		if err != nil {
			t.Fatal(err)
		}
		pieces[k] = append(pieces[k], d)
	}
	for _, b := range batches {
		if err := f.ProcessElement(context.Background(), b, emit); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.FinishBundle(context.Background(), emit); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, p := range pieces {
		b := sorted(p)
		total += b.Rows
		s, err := doublysgd.Fit(context.Background(), b.X(), b.Y(), &o.Options)
		if err != nil {
			t.Fatal(err)
		}
		g := predictions(t, s, batches)
		g.Scale(float64(b.Rows)/800, g)
		if want.IsEmpty() {
			want.CloneFrom(g)
		} else {
			want.Add(want, g)
		}
	}
	if d := apart(predictions(t, &m, batches), want); total != 800 || !(d < 1e-9) {
		t.Errorf("%d rows; predictions differ by %v", total, d)
	}
}

// TestShardsOfRowsGivenTwice fits files given twice, where copies are in one shard, and copied
// files, where copies may be in different shards. Copies count twice. With ridge and kernel given,
// the minimum must stay the same. polk does not reach a minimum and must predict equally well.
func TestShardsOfRowsGivenTwice(t *testing.T) {
	batches := table(1, 700, 1, 500)
	twice, copies := slices.Concat(batches, batches), slices.Clone(batches)
	for _, b := range batches {
		b.Source += ", a copy"
		copies = append(copies, b)
	}
	k := kernel.Gaussian{Sigma: 0.7}
	all := join(batches)
	d, err := DoublySGD(DoublySGDOptions{Shards: 3, Options: doublysgd.Options{Kernel: k, Ridge: 1e-4, Features: 64, Tolerance: 1e-10, Paper: doublysgd.Paper{Precision: doublysgd.Double}}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Polk(PolkOptions{Shards: 3, Options: polk.Options{Kernel: k, Ridge: 1e-6, MaxPoints: 60}})
	if err != nil {
		t.Fatal(err)
	}
	learn := func(batches []rows.Batch, m *Method, of interface {
		rkhs.Model
		UnmarshalBinary([]byte) error
	}) *mat.Dense {
		t.Helper()
		file, err := learnedBy(t, batches, m, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := of.UnmarshalBinary(file); err != nil {
			t.Fatal(err)
		}
		f, err := of.Predict(all.Inputs())
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	var one, two, other doublysgd.Model
	once := learn(batches, d, &one)
	if off := apart(learn(twice, d, &two), once); !(off < 1e-7) {
		t.Errorf("doublysgd predicts otherwise by %v where files are given twice", off)
	}
	if off := apart(learn(copies, d, &other), once); !(off < 0.1) {
		t.Errorf("doublysgd predicts otherwise by %v with copies", off)
	}
	if a, b, c := one.Report().Rows, two.Report().Rows, other.Report().Rows; a != 1201 || b != 2*a || c != 2*a {
		t.Errorf("%d, %d and %d rows", a, b, c)
	}
	truth := mat.NewDense(all.Rows, 1, nil)
	for i := range all.Rows {
		truth.Set(i, 0, math.Sin(2*all.Values[2*i])*all.Values[2*i+1])
	}
	for name, b := range map[string][]rows.Batch{"once": batches, "twice": twice, "with copies": copies} {
		var m polk.Model
		f := learn(b, p, &m)
		f.Sub(f, truth)
		if rms := mat.Norm(f, 2) / math.Sqrt(float64(all.Rows)); !(rms < 0.1) {
			t.Errorf("polk is off by %.3f of rows %s", rms, name)
		}
	}
}

func TestShardsRefuse(t *testing.T) {
	for name, err := range map[string]error{
		"shards":   second(Polk(PolkOptions{Shards: -1})),
		"many":     second(DoublySGD(DoublySGDOptions{Shards: 1025})),
		"metric":   second(DoublySGD(DoublySGDOptions{Options: doublysgd.Options{Kernel: kernel.Gaussian{Sigma: 1}, Metric: kernel.NoMetric}})),
		"of polk":  second(Polk(PolkOptions{Options: polk.Options{Kernel: kernel.Gaussian{Sigma: 1}, Metric: kernel.NoMetric}})),
		"quantile": second(DoublySGD(DoublySGDOptions{Options: doublysgd.Options{Quantiles: []float64{.5}}})),
		"recorder": second(DoublySGD(DoublySGDOptions{Options: doublysgd.Options{Recorder: rkhs.RecorderFunc(func(rkhs.Progress) error { return nil })}})),
		"mode":     second(DoublySGDClassifier(DoublySGDOptions{Options: doublysgd.Options{Paper: doublysgd.Paper{Mode: doublysgd.Plain}}})),
		"warmup":   second(PolkClassifier(PolkOptions{Options: polk.Options{Warmup: 100}})),
		"merged":   second(Polk(PolkOptions{MergedPoints: -1})),
		"passes":   second(PolkClassifier(PolkOptions{Options: polk.Options{Passes: -1}})),
		"of reals": second(Polk(PolkOptions{Options: polk.Options{Loss: loss.Hinge{}}})),
		"batch":    second(DoublySGD(DoublySGDOptions{Options: doublysgd.Options{Paper: doublysgd.Paper{Batch: 8}}})),
		"revisit":  second(DoublySGDClassifier(DoublySGDOptions{Options: doublysgd.Options{Loss: loss.MulticlassHinge{}}})),
		"rounds":   second(DoublySGD(DoublySGDOptions{Rounds: -1})),
		"both":     second(DoublySGD(DoublySGDOptions{Rounds: 1, NoRounds: true})),
		"kinks":    second(DoublySGD(DoublySGDOptions{Rounds: 1, Options: doublysgd.Options{Loss: loss.Absolute{}}})),
		"wide":     second(DoublySGD(DoublySGDOptions{Rounds: 1, Options: doublysgd.Options{Features: 8193}})),
		"folds":    second(SLKLClassifier(&slkl.Options{Paper: slkl.Paper{Folds: 1}})),
		"number":   second(PolkClassifier(PolkOptions{Options: polk.Options{Ridge: math.NaN()}})),
	} {
		if !errors.Is(err, rkhs.ErrOption) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestShardsWithoutALabel puts one label in a single shard. With two labels in total, the
// remaining shards have one label. With three they have classifiers, which polk merges and
// doublysgd rejects.
func TestShardsWithoutALabel(t *testing.T) {
	k := kernel.Gaussian{Sigma: 1}
	polk := func() (*Method, error) {
		return PolkClassifier(PolkOptions{Options: polk.Options{Kernel: k, Ridge: 1e-3}})
	}
	doublysgd := func() (*Method, error) {
		return DoublySGDClassifier(DoublySGDOptions{Options: doublysgd.Options{Kernel: k, Ridge: 1e-3, Features: 16}})
	}
	for _, c := range []struct {
		name   string
		of     func() (*Method, error)
		others int
		fails  bool
	}{{"polk", polk, 1, true}, {"polk", polk, 2, false}, {"doublysgd", doublysgd, 1, true}, {"doublysgd", doublysgd, 2, true}} {
		few := table(1, 400)
		for i := range few[0].Targets {
			few[0].Targets[i] = float64(i % c.others)
		}
		few[0].Targets[399] = 9
		method, err := c.of()
		_, err = learnedBy(t, few, method, err)
		if failed := err != nil && strings.Contains(err.Error(), rkhs.ErrLabels.Error()); failed != c.fails || err != nil && !failed {
			t.Errorf("%s, a label with %d others in one of eight shards: %v", c.name, c.others, err)
		}
	}
}

func second(_ *Method, err error) error { return err }

// TestMNISTByShards compares models of shards with one learner of all rows: 8 shards of MNIST
// (with RKHS_PAPERS), which must agree within half a point, otherwise 3 shards of 6000 rows. polk
// gets four times the points of the single learner.
func TestMNISTByShards(t *testing.T) {
	x, labels := digits(t, "train")
	test, truth := digits(t, "t10k")
	count, features, points, most := 8, 4096, 1000, .5
	if !full() {
		count, features, points, most = 3, 512, 200, 3.
		x, labels, test, truth = slice(x, 6000), slice(labels, 6000), slice(test, 1000), slice(truth, 1000)
	}
	batches := shards(x, labels, 60, 250)
	all := join(batches)
	compare := func(t *testing.T, method *Method, err error, c, one rkhs.Model) {
		t.Helper()
		file, err := plannedBy(t, batches, method, err)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.(interface{ UnmarshalBinary([]byte) error }).UnmarshalBinary(file); err != nil {
			t.Fatal(err)
		}
		sharded, alone := wrongOf(t, c, test, truth), wrongOf(t, one, test, truth)
		t.Logf("%.2f %% wrong in %d shards, %.2f %% alone", sharded, count, alone)
		if sharded > alone+most {
			t.Errorf("%v %% wrong in shards, %v %% alone", sharded, alone)
		}
	}
	var k kernel.Kernel = kernel.Gaussian{Sigma: 5}
	ridge := 0.01 / float64(all.Rows)
	t.Run("doublysgd", func(t *testing.T) {
		o := doublysgd.Options{Kernel: k, Ridge: ridge, Features: features, Loss: loss.Squared{}, NoCalibration: true}
		alone, err := doublysgd.FitClassifier(context.Background(), all.X(), all.Y(), &o)
		if err != nil {
			t.Fatal(err)
		}
		method, err := DoublySGDClassifier(DoublySGDOptions{Options: o, Shards: count})
		compare(t, method, err, new(doublysgd.Classifier), alone)
	})
	t.Run("polk", func(t *testing.T) {
		o := polk.Options{Kernel: k, Ridge: ridge, MaxPoints: points, NoCalibration: true}
		alone, err := polk.FitClassifier(context.Background(), all.X(), all.Y(), &o)
		if err != nil {
			t.Fatal(err)
		}
		method, err := PolkClassifier(PolkOptions{Options: o, Shards: count, MergedPoints: 4 * points})
		compare(t, method, err, new(polk.Classifier), alone)
	})
}

// FuzzDealt expects no panic for any bytes.
func FuzzDealt(f *testing.F) {
	b := table(1, 3)[0]
	f.Add(encodeDealt(dealt{numbers(&b), b}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := decodeDealt(data); err != nil && !errors.Is(err, rkhs.ErrFormat) {
			t.Error(err)
		}
	})
}
