package doublysgd_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

// streamed is what can be written to a stream and read from one.
type streamed interface {
	testutil.File
	io.WriterTo
	io.ReaderFrom
}

// cut describes a learner that takes in batches, of models M, and the rows of its task.
type cut[S streamed, M testutil.Model] struct {
	start func(workers int) (S, error)
	empty func() S
	// update hands rows [from, to) of the task over, held as of makes them.
	update func(s S, from, to int, of func(*mat.Dense) mat.Matrix) error
	model  func(s S) (M, error)
	rows   int
	test   *mat.Dense
}

func asIs(m *mat.Dense) mat.Matrix { return m }

// after returns a learner that has seen all rows in batches of so many.
func (u cut[S, M]) after(t *testing.T, batch, workers int, of func(*mat.Dense) mat.Matrix) S {
	t.Helper()
	s, err := u.start(workers)
	if err != nil {
		t.Fatal(err)
	}
	for from := 0; from < u.rows; from += batch {
		if err := u.update(s, from, min(from+batch, u.rows), of); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func file(t *testing.T, f testutil.File) []byte {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (u cut[S, M]) predict(t *testing.T, s S) (M, *mat.Dense) {
	t.Helper()
	m, err := u.model(s)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(u.test)
	if err != nil {
		t.Fatal(err)
	}
	return m, p
}

// check asks for the same bits however the rows are cut and held, for any number of
// workers, from a file and with models in between.
func (u cut[S, M]) check(t *testing.T) {
	whole := u.after(t, u.rows, 1, asIs)
	want := file(t, whole)
	_, predicted := u.predict(t, whole)
	columns := func(m *mat.Dense) mat.Matrix { return mat.DenseCopyOf(m.T()).T() }
	for _, c := range []struct {
		name           string
		batch, workers int
		of             func(*mat.Dense) mat.Matrix
	}{{"rows one by one", 1, 2, asIs}, {"batches of 37", 37, 8, asIs}, {"batches of 100 by columns", 100, 3, columns}} {
		s := u.after(t, c.batch, c.workers, c.of)
		if _, p := u.predict(t, s); !bytes.Equal(file(t, s), want) || !mat.Equal(p, predicted) {
			t.Errorf("%s and %d workers give other bits than all rows at once", c.name, c.workers)
		}
	}
	if _, p := u.predict(t, u.resumed(t)); !mat.Equal(p, predicted) {
		t.Error("a model from files in between predicts other bits")
	}
}

// resumed returns a learner that was saved and loaded, and asked for a model, between any
// two batches.
func (u cut[S, M]) resumed(t *testing.T) S {
	t.Helper()
	s := u.after(t, u.rows, 2, asIs)
	want := file(t, s)
	s, err := u.start(2)
	if err != nil {
		t.Fatal(err)
	}
	var models []M
	var early []*mat.Dense
	for from := 0; from < u.rows; from += 131 {
		if err := u.update(s, from, min(from+131, u.rows), asIs); err != nil {
			t.Fatal(err)
		}
		m, p := u.predict(t, s)
		models, early = append(models, m), append(early, p)
		loaded := u.empty()
		var stored bytes.Buffer
		if _, err := s.WriteTo(&stored); err != nil {
			t.Fatal(err)
		}
		if _, err := loaded.ReadFrom(&stored); err != nil {
			t.Fatal(err)
		}
		s = loaded
	}
	if !bytes.Equal(file(t, s), want) {
		t.Error("with files and models in between, the learner has other bits")
	}
	for i, m := range models {
		if p, err := m.Predict(u.test); err != nil || !mat.Equal(p, early[i]) {
			t.Errorf("model %d changes with the batches after it, %v", i, err)
		}
	}
	return s
}

// hand returns a copy of rows [from, to) that is overwritten after use.
func hand(m *mat.Dense, from, to int, of func(*mat.Dense) mat.Matrix, use func(mat.Matrix) error) error {
	_, d := m.Dims()
	c := mat.DenseCopyOf(m.Slice(from, to, 0, d))
	defer c.Apply(func(int, int, float64) float64 { return math.NaN() }, c)
	return use(of(c))
}

func handBoth(x, y *mat.Dense, from, to int, of func(*mat.Dense) mat.Matrix, use func(x, y mat.Matrix) error) error {
	return hand(x, from, to, of, func(x mat.Matrix) error {
		return hand(y, from, to, of, func(y mat.Matrix) error { return use(x, y) })
	})
}

// TestLearnerCuts asks of regressions and classifications, too, that it does not matter how
// rows are cut into batches.
func TestLearnerCuts(t *testing.T) {
	x, y := sine(400)
	signs := mat.DenseCopyOf(y)
	signs.Apply(func(_, _ int, v float64) float64 { return math.Copysign(1, v) }, signs)
	for _, mode := range []doublysgd.Mode{doublysgd.Newton, doublysgd.Plain} {
		o := doublysgd.Options{Mode: mode, Columns: 16, Batch: 30, Features: 64, Seed: 5}
		cut[*doublysgd.Learner, *doublysgd.Model]{
			start: func(workers int) (*doublysgd.Learner, error) {
				o := o
				o.Workers = workers
				return doublysgd.NewLearner(1, &o)
			},
			empty: func() *doublysgd.Learner { return new(doublysgd.Learner) },
			update: func(l *doublysgd.Learner, from, to int, of func(*mat.Dense) mat.Matrix) error {
				return handBoth(x, y, from, to, of, l.Update)
			},
			model: (*doublysgd.Learner).Model, rows: 400, test: x,
		}.check(t)
		cut[*doublysgd.ClassLearner, *doublysgd.Classifier]{
			start: func(workers int) (*doublysgd.ClassLearner, error) {
				o := o
				o.Workers = workers
				return doublysgd.NewClassLearner([]int{-1, 1}, &o)
			},
			empty: func() *doublysgd.ClassLearner { return new(doublysgd.ClassLearner) },
			update: func(l *doublysgd.ClassLearner, from, to int, of func(*mat.Dense) mat.Matrix) error {
				return handBoth(x, signs, from, to, of, l.Update)
			},
			model: (*doublysgd.ClassLearner).Model, rows: 400, test: x,
		}.check(t)
	}
}

func TestNoveltyLearnerContract(t *testing.T) {
	x := cloud(460, 2, 1)
	for name, o := range map[string]doublysgd.NoveltyOptions{
		"default": {}, "small blocks": {Batch: 7, Columns: 32, Features: 96, Nu: 0.3}, "single rows": {Batch: 1, Columns: 2, Features: 8},
	} {
		t.Run(name, func(t *testing.T) {
			cut[*doublysgd.NoveltyLearner, *doublysgd.Novelty]{
				start: func(workers int) (*doublysgd.NoveltyLearner, error) {
					o := o
					o.Seed, o.Workers = 5, workers
					return doublysgd.NewNoveltyLearner(&o)
				},
				empty: func() *doublysgd.NoveltyLearner { return new(doublysgd.NoveltyLearner) },
				update: func(l *doublysgd.NoveltyLearner, from, to int, of func(*mat.Dense) mat.Matrix) error {
					return hand(x, from, to, of, l.Update)
				},
				model: (*doublysgd.NoveltyLearner).Model, rows: 460, test: cloud(50, 2, 2),
			}.check(t)
		})
	}
}

func TestRatioLearnerContract(t *testing.T) {
	x, y := normals(620, 2, 0.5, 0.8, 1), normals(620, 2, 0, 1, 2)
	for name, o := range map[string]doublysgd.RatioOptions{
		"chosen": {Features: 1024}, "small blocks": {Batch: 7, Columns: 32, Features: 96, Form: doublysgd.PlainRatio, Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 0.1},
		"single rows": {Batch: 1, Columns: 2, Features: 8, Kernel: kernel.Gaussian{Sigma: 1}, Ridge: 0.1},
	} {
		t.Run(name, func(t *testing.T) {
			cut[*doublysgd.RatioLearner, *doublysgd.Ratio]{
				start: func(workers int) (*doublysgd.RatioLearner, error) {
					o := o
					o.Seed, o.Workers = 5, workers
					return doublysgd.NewRatioLearner(&o)
				},
				empty: func() *doublysgd.RatioLearner { return new(doublysgd.RatioLearner) },
				update: func(l *doublysgd.RatioLearner, from, to int, of func(*mat.Dense) mat.Matrix) error {
					return handBoth(x, y, from, to, of, l.Update)
				},
				model: (*doublysgd.RatioLearner).Model, rows: 620, test: normals(50, 2, 0, 1, 3),
			}.check(t)
		})
	}
}

// Rows of p and of q may come in batches of their own, and only wait for one another.
func TestRatioLearnerPairs(t *testing.T) {
	x, y := normals(620, 2, 0.5, 0.8, 1), normals(620, 2, 0, 1, 2)
	after := func(update func(l *doublysgd.RatioLearner) error) (*doublysgd.RatioLearner, []byte) {
		l, err := doublysgd.NewRatioLearner(&doublysgd.RatioOptions{Batch: 20, Columns: 32, Features: 128})
		if err != nil {
			t.Fatal(err)
		}
		if err := update(l); err != nil {
			t.Fatal(err)
		}
		return l, file(t, l)
	}
	_, want := after(func(l *doublysgd.RatioLearner) error { return l.Update(x, y) })
	l, got := after(func(l *doublysgd.RatioLearner) error {
		err := l.Update(x.Slice(0, 11, 0, 2), nil)
		for from := 0; from < 620; from += 155 {
			err = errors.Join(err, l.Update(nil, y.Slice(from, from+155, 0, 2)))
		}
		return errors.Join(err, l.Update(x.Slice(11, 620, 0, 2), nil))
	})
	if !bytes.Equal(got, want) || l.Rows() != 1240 {
		t.Errorf("rows that come one kind after the other give other bits; %d rows", l.Rows())
	}
	l, err := doublysgd.NewRatioLearner(&doublysgd.RatioOptions{MemoryLimit: 4000})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Update(x.Slice(0, 250, 0, 2), nil); err != nil {
		t.Error(err)
	}
	_, err = l.Model()
	says(t, err, rkhs.ErrEmpty, "250 rows of x and 0 of y")
	says(t, l.Update(x.Slice(0, 1, 0, 2), nil), rkhs.ErrMemory, "251 rows", "MiB")
	if err := l.Update(x.Slice(0, 1, 0, 2), y.Slice(0, 1, 0, 2)); err != nil {
		t.Error(err)
	}
}

// The state of a stream, which its file is, does not grow with the rows.
func TestUnlabelledStreamsDoNotGrow(t *testing.T) {
	x, y := normals(640, 3, 0, 1, 1), normals(640, 3, 0.5, 1, 2)
	n, err1 := doublysgd.NewNoveltyLearner(&doublysgd.NoveltyOptions{Features: 512, Columns: 128})
	r, err2 := doublysgd.NewRatioLearner(&doublysgd.RatioOptions{Features: 512, Columns: 128})
	if err := errors.Join(err1, err2, n.Update(x), r.Update(x, y)); err != nil {
		t.Fatal(err)
	}
	first, second := len(file(t, n)), len(file(t, r))
	for range 10 {
		if err := errors.Join(n.Update(x), r.Update(x, y)); err != nil {
			t.Fatal(err)
		}
	}
	if len(file(t, n)) != first || len(file(t, r)) != second {
		t.Errorf("files of %d and %d bytes grow to %d and %d", first, second, len(file(t, n)), len(file(t, r)))
	}
}

// A batch that is refused leaves no trace, before the first step and after.
func TestUnlabelledStreamsRefuse(t *testing.T) {
	good := normals(600, 2, 0, 1, 1)
	bad := mat.DenseCopyOf(good)
	bad.Set(3, 1, math.Inf(1))
	far := mat.DenseCopyOf(good)
	far.Set(10, 1, 1e308)
	linear := kernel.Linear{}
	n, err1 := doublysgd.NewNoveltyLearner(&doublysgd.NoveltyOptions{Kernel: linear, Features: 64, Columns: 64})
	r, err2 := doublysgd.NewRatioLearner(&doublysgd.RatioOptions{Kernel: linear, Ridge: 0.1, Features: 64, Columns: 64})
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	_, err := n.Model()
	says(t, err, rkhs.ErrEmpty)
	_, err = r.Model()
	says(t, err, rkhs.ErrEmpty)
	type refusal struct {
		x     mat.Matrix
		want  error
		names []string
	}
	always := []refusal{{bad, rkhs.ErrNotFinite, []string{"row 3", "column 1"}}, {&mat.Dense{}, rkhs.ErrEmpty, nil}}
	for _, more := range []refusal{
		{far, rkhs.ErrDiverged, nil}, // the sizes of steps are out of range
		{mat.NewDense(2, 3, nil), rkhs.ErrShape, []string{"3 columns"}},
	} {
		for _, c := range append(always, more) {
			before, other := file(t, n), file(t, r)
			says(t, n.Update(c.x), c.want, c.names...)
			says(t, r.Update(c.x, good), c.want, c.names...)
			says(t, r.Update(good, c.x), c.want, c.names...)
			if !bytes.Equal(file(t, n), before) || !bytes.Equal(file(t, r), other) {
				t.Fatalf("a batch refused by %v left its trace", c.want)
			}
		}
		says(t, n.Update(nil), rkhs.ErrEmpty, "x")
		says(t, r.Update(nil, nil), rkhs.ErrEmpty)
		says(t, r.Update(good, mat.NewDense(3, 1, nil)), rkhs.ErrShape, "y")
		if err := errors.Join(n.Update(good), r.Update(good, good)); err != nil {
			t.Fatal(err)
		}
	}
	zero, err := doublysgd.NewNoveltyLearner(&doublysgd.NoveltyOptions{Kernel: linear})
	if err != nil {
		t.Fatal(err)
	}
	says(t, zero.Update(mat.NewDense(256, 1, nil)), rkhs.ErrDiverged)
}

// What the options have out of range is refused at once, and what only shows with rows at
// the first of them.
func TestUnlabelledStreamsRefuseOptions(t *testing.T) {
	good := normals(600, 2, 0, 1, 1)
	for _, o := range []doublysgd.NoveltyOptions{{Nu: 1}, {Nu: -1}, {Batch: -1}, {Columns: 3}, {Features: -1}, {Workers: -1}, {Kernel: kernel.Gaussian{Sigma: -1}}, {Kernel: kernel.RationalQuadratic{}}, {Sampler: 99}} {
		l, err := doublysgd.NewNoveltyLearner(&o)
		if err == nil {
			err = l.Update(good)
		}
		says(t, err, rkhs.ErrOption)
	}
	for _, o := range []doublysgd.RatioOptions{{Form: 2}, {Ridge: math.NaN()}, {Batch: -1}, {Columns: 3}, {MemoryLimit: -1}, {Kernel: kernel.Gaussian{Sigma: -1}}} {
		l, err := doublysgd.NewRatioLearner(&o)
		if err == nil {
			err = l.Update(good, good)
		}
		says(t, err, rkhs.ErrOption)
	}
}
