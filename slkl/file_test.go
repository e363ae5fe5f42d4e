package slkl_test

import (
	"bytes"
	"context"
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/slkl"
)

// saved is a small file and an empty value to load it into.
type saved struct {
	name, kind string
	data       []byte
	empty      func() testutil.File
}

// files returns a file of each kind.
func files(t testing.TB) []saved {
	t.Helper()
	x, y := sample(40, 2, 2, 1)
	m := fit(t, x, y, slkl.Options{Penalty: 5, Kernels: mixture()[:2], MaxPoints: 4, Seed: 9})
	labels := mat.NewDense(40, 1, nil)
	labels.Apply(func(i, _ int, _ float64) float64 { return float64(i%3 - 1) }, labels)
	c, err := slkl.FitClassifier(context.Background(), x, labels, &slkl.Options{Penalty: 1, MaxPoints: 3, Kernels: mixture()[:1]})
	if err != nil {
		t.Fatal(err)
	}
	a := learner(t, slkl.Options{Points: x.Slice(0, 3, 0, 2), Paper: slkl.Paper{Folds: 2, PenaltyGrid: []float64{0.1, 0.01}}})
	add(t, a, x, y.ColView(0))
	ca, err := slkl.NewClassLearner([]int{1, -1, 0}, &slkl.Options{Points: x.Slice(0, 3, 0, 2), Penalty: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := ca.Update(x, labels); err != nil {
		t.Fatal(err)
	}
	return []saved{
		{"model", slkl.ModelKind, marshal(t, m), func() testutil.File { return new(slkl.Model) }},
		{"classifier", slkl.ClassifierKind, marshal(t, c), func() testutil.File { return new(slkl.Classifier) }},
		{"learner", slkl.LearnerKind, marshal(t, a), func() testutil.File { return new(slkl.Learner) }},
		{"class learner", slkl.ClassLearnerKind, marshal(t, ca), func() testutil.File { return new(slkl.ClassLearner) }},
	}
}

// payload returns the content inside the frame of a file.
func (s saved) payload(t testing.TB) []byte {
	t.Helper()
	_, p, err := codec.Unmarshal(s.data, s.kind)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// version is the current version of the file.
func (s saved) version(t testing.TB) uint16 {
	t.Helper()
	v, _, err := codec.Unmarshal(s.data, s.kind)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// refused checks that loading bad bytes returns an error and does not change the value.
func (s saved) refused(t *testing.T, bad []byte, names ...string) {
	t.Helper()
	v := s.empty()
	if err := v.UnmarshalBinary(s.data); err != nil {
		t.Fatal(err)
	}
	before := marshal(t, v)
	checkError(t, v.UnmarshalBinary(bad), rkhs.ErrFormat, names...)
	if !unchanged(t, v, before) {
		t.Error("an invalid file changed its receiver")
	}
}

func TestEveryTruncationIsRefused(t *testing.T) {
	for _, s := range files(t) {
		t.Run(s.name, func(t *testing.T) {
			for n := range s.data {
				if s.refused(t, s.data[:n]); t.Failed() {
					t.Fatalf("at %d bytes of %d", n, len(s.data))
				}
			}
		})
	}
}

func TestEveryFlippedByteIsRefused(t *testing.T) {
	for _, s := range files(t) {
		t.Run(s.name, func(t *testing.T) {
			for i := range s.data {
				bad := bytes.Clone(s.data)
				bad[i] ^= byte(1 + i%255)
				if s.refused(t, bad); t.Failed() {
					t.Fatalf("at byte %d of %d", i, len(s.data))
				}
			}
		})
	}
}

// TestWrongKindAndVersion checks that errors name both kinds.
func TestWrongKindAndVersion(t *testing.T) {
	list := files(t)
	for i, s := range list {
		other := list[(i+1)%len(list)]
		s.refused(t, other.data, other.kind, s.kind)
		s.refused(t, codec.Marshal(s.kind, s.version(t)+1, s.payload(t)), fmt.Sprintf("version %d", s.version(t)+1), fmt.Sprintf("reads %d", s.version(t)))
		s.refused(t, codec.Marshal(s.kind, 0, s.payload(t)), "version 0")
		s.refused(t, codec.Marshal(s.kind, s.version(t), append(bytes.Clone(s.payload(t)), 0)), "1 bytes too many")
		s.refused(t, codec.Marshal(s.kind, s.version(t), nil), "truncated")
	}
}

// TestEveryChangedWord replaces each 8-byte word of the payload, with a valid checksum. A value that
// loads must work, though it may be wrong, and save again.
func TestEveryChangedWord(t *testing.T) {
	words := []uint64{0, 1, 1 << 32, 1 << 62, math.MaxUint64, math.Float64bits(math.NaN()), math.Float64bits(math.Inf(1)), math.Float64bits(-1)}
	for _, s := range files(t) {
		t.Run(s.name, func(t *testing.T) {
			p := s.payload(t)
			for at := range len(p) - 7 {
				for _, w := range words {
					bad := bytes.Clone(p)
					binary.LittleEndian.PutUint64(bad[at:], w)
					survivesLoading(t, s, bad)
					if t.Failed() {
						t.Fatalf("%x at byte %d of %d", w, at, len(p))
					}
				}
			}
		})
	}
}

// survivesLoading loads a payload and, if it is valid, uses the value. It
// must cost no more memory than a small multiple of the payload.
func survivesLoading(t *testing.T, s saved, payload []byte) {
	t.Helper()
	file, v := codec.Marshal(s.kind, s.version(t), payload), s.empty()
	var err error
	if n := testutil.Allocated(func() { err = v.UnmarshalBinary(file) }); n > uint64(32*len(file))+1<<20 {
		t.Errorf("%d bytes were allocated for a file of %d", n, len(file))
	}
	if err != nil {
		if !errors.Is(err, rkhs.ErrFormat) {
			t.Errorf("error %v does not wrap %v", err, rkhs.ErrFormat)
		}
		return
	}
	again := s.empty()
	if err := again.UnmarshalBinary(marshal(t, v)); err != nil {
		t.Errorf("what was loaded saves a file that does not load: %v", err)
	}
	switch v := v.(type) {
	case *slkl.Model:
		useModel(t, v)
	case *slkl.Classifier:
		useModel(t, v.Model())
		if l := v.Labels(); len(l) < 2 || !slices.IsSorted(l) || len(slices.Compact(l)) < len(v.Labels()) {
			t.Errorf("labels %v", v.Labels())
		}
	case *slkl.Learner:
		useLearner(v)
	case *slkl.ClassLearner:
		useLearner(slkl.Inner(v))
	}
}

func useModel(t *testing.T, m *slkl.Model) {
	d, q := m.Dims()
	if d > 1000 {
		return
	}
	x := mat.NewDense(2, d, nil)
	p, err := m.Predict(x)
	if err == nil {
		if r, c := p.Dims(); r != 2 || c != q {
			t.Errorf("prediction is %d×%d, want 2×%d", r, c, q)
		}
	}
	for o := range q {
		k := m.Kernel(o)
		if err := kernel.Check(k, x); err != nil {
			t.Errorf("the learned kernel: %v", err)
		}
		k.Eval(x.RawRowView(0), x.RawRowView(1))
	}
	m.Report()
	m.Intercept()
}

// useLearner adds a row of matching shape, if the first guess is right, and solves only briefly, since
// no data has such moments.
func useLearner(a *slkl.Learner) {
	a.Update(mat.NewDense(1, 2, nil), mat.NewDense(1, 1, nil))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a.Model(ctx)
}

// TestModelOfOtherKernels saves composite kernels, and expects an error that names the kernel that
// cannot be saved.
func TestModelOfOtherKernels(t *testing.T) {
	x, y := sample(60, 2, 1, 1)
	for _, k := range []kernel.Kernel{
		kernel.Sum{kernel.Gaussian{Sigma: 1}, kernel.Scale{By: 0.5, Of: kernel.Linear{}}},
		kernel.ARD{Scales: []float64{1, 3}, Of: kernel.Matern{Nu: 1.5, Length: 1}},
		fit(t, x, y, slkl.Options{Penalty: 0.1}).Kernel(0),
	} {
		m := fit(t, x, y, slkl.Options{Penalty: 0.1, Kernels: []kernel.Kernel{k}})
		if far(predict(t, roundTrip(t, m), x), predict(t, m, x)) != 0 {
			t.Errorf("%v: the loaded model predicts other bits", k)
		}
	}
	own := fit(t, x, y, slkl.Options{Penalty: 0.1, Kernels: []kernel.Kernel{unregistered{}}})
	for _, v := range []encoding.BinaryMarshaler{own} {
		if data, err := v.MarshalBinary(); data != nil || !errors.Is(err, rkhs.ErrFormat) || !strings.Contains(err.Error(), "unregistered") {
			t.Errorf("%d bytes, error %v", len(data), err)
		}
	}
}

// unregistered is a user-defined kernel that is not registered.
type unregistered struct{}

func (unregistered) Eval(x, y []float64) float64 { return 1 + x[0]*y[0] }

// TestReportsAreSaved compares every number of the certificate.
func TestReportsAreSaved(t *testing.T) {
	x, y := sample(60, 2, 3, 1)
	for _, o := range []slkl.Options{{Penalty: 0.1}, {Paper: slkl.Paper{Shared: true}}, {Penalty: 1e-4, Paper: slkl.Paper{Epsilon: 1e-5, Order: slkl.UniformRandom}}} {
		m := fit(t, x, y, o)
		got := roundTrip(t, m)
		if fmt.Sprintf("%#v", got.Report().Outputs) != fmt.Sprintf("%#v", m.Report().Outputs) || got.Seed() != m.Seed() || got.ModelOrder() != m.ModelOrder() {
			t.Errorf("got %+v, want %+v", got.Report().Outputs, m.Report().Outputs)
		}
		if fmt.Sprint(got.Intercept()) != fmt.Sprint(m.Intercept()) || fmt.Sprintf("%#v", got.Kernel(1)) == "" {
			t.Errorf("got intercept %v, want %v", got.Intercept(), m.Intercept())
		}
		for o := range 3 {
			for i := range 5 {
				x1, x2 := x.RawRowView(i), x.RawRowView(i+1)
				if g, w := got.Kernel(o).Eval(x1, x2), m.Kernel(o).Eval(x1, x2); g != w {
					t.Errorf("learned kernel %v, want %v", g, w)
				}
			}
		}
	}
}
