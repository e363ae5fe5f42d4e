package alignmentpaper

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"

	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/examples/papers/report"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/internal/svm"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/kernel"
)

func testGrid() (*grid, split) {
	d := relevance(5, 3)
	x, _, _ := d.rows()
	return newGrid(geometric(1, 2, 6), x), d
}

func TestRank(t *testing.T) {
	if got := rank([]float64{5, 1, 3, 1}); !slices.Equal(got, []float64{4, 1.5, 3, 1.5}) {
		t.Errorf("ranks %v", got)
	}
	if m := median([]float64{4, 1, 3, 2}); m != 2.5 {
		t.Errorf("median %v", m)
	}
}

// The weights of DA maximise the alignment: no change of a weight increases it.
func TestAlignedWeights(t *testing.T) {
	g, d := testGrid()
	v := g.alignedWeights(d.train.Y)
	alignment := func(v []float64) float64 {
		k := compute.NewMatrix(len(d.train.Y), len(d.train.Y))
		g.combine(k, v)
		c, sum := centre(k), 0.0
		for i, a := range d.train.Y {
			for j, b := range d.train.Y {
				sum += a * b * c[i*k.Cols+j]
			}
		}
		return sum / floats.Norm(c, 2)
	}
	best := alignment(v)
	for k := range v {
		for _, factor := range []float64{0, 0.9, 1.1} {
			w := slices.Clone(v)
			w[k] = factor*w[k] + max(0, factor-1)*floats.Max(v)
			if a := alignment(w); a > best*(1+1e-6) {
				t.Errorf("weight %d times %v: alignment %v, above %v", k, factor, a, best)
			}
		}
	}
}

// The weights of D1 and D2 minimise the dual maximum within the unit ball of their norm.
func TestMultipleKernelWeights(t *testing.T) {
	g, d := testGrid()
	y := d.train.Y
	value := func(weights []float64) float64 {
		k := compute.NewMatrix(len(y), len(y))
		g.combine(k, weights)
		s, err := svm.Fit(context.Background(), table{k}, compute.DensePoints(numbers(len(y))), y, svm.Options{Tolerance: 1e-8})
		if err != nil {
			t.Fatal(err)
		}
		return s.Objective
	}
	for _, p := range []float64{1, 2} {
		weights, _, err := g.alternate(context.Background(), p, 1, y)
		if err != nil {
			t.Fatal(err)
		}
		if n := floats.Norm(weights, p); math.Abs(n-1) > 1e-12 {
			t.Errorf("p = %v: norm %v", p, n)
		}
		best := value(weights)
		for k := range weights {
			w := slices.Clone(weights)
			w[k] += 0.1
			floats.Scale(1/floats.Norm(w, p), w)
			if v := value(w); v < best*(1-2e-4) {
				t.Errorf("p = %v: more of kernel %d gives %v, below %v", p, k, v, best)
			}
		}
	}
}

// Each kernel added by CR lowers the risk. At the end no member of the family would lower it by
// much.
func TestRiskFalls(t *testing.T) {
	d := relevance(5, 3)
	task := relevanceTask(5)
	r := newRisk(task, d, 0.1)
	r.c = r.y
	last := math.Inf(1)
	for range 5 {
		sigma, _ := r.family.search(r.gain)
		if err := r.mix(sigma); err != nil {
			t.Fatal(err)
		}
		risk := r.mu * floats.Dot(r.y, r.c)
		if risk > last*(1+1e-9) {
			t.Errorf("the risk rose from %v to %v", last, risk)
		}
		last = risk
	}
	share := 0.0
	for _, k := range r.sum {
		share += k.(kernel.Scale).By
	}
	if math.Abs(share-1) > 1e-12 {
		t.Errorf("the shares add up to %v", share)
	}
	f := r.predict(d.train.X.RawMatrix())
	for i, v := range f {
		if want := r.y[i] - r.mu*r.c[i]; math.Abs(v-want) > 1e-9 {
			t.Fatalf("f at row %d is %v, want %v", i, v, want)
		}
	}
}

func TestQuadraticFormWithoutTheMatrix(t *testing.T) {
	d := sines(1)
	r := newRisk(sinesTask(), split{d.train.Select([]int{0, 1, 2, 3, 4, 5}), d.check, d.test}, 1)
	r.c = []float64{1, -2, 0.5, 3, 0, -1}
	for _, w := range []float64{0.1, 1, 7.7} {
		if got, want := r.gain(w), quadratic(r.gram(w), r.c); math.Abs(got-want) > 1e-12*want {
			t.Errorf("frequency %v: %v, want %v", w, got, want)
		}
	}
}

func TestSearchFindsTheTop(t *testing.T) {
	f := gaussians(1e-2, 1e3)
	sigma, v := f.search(func(s float64) float64 { return -math.Abs(math.Log(s / 7.5)) })
	if math.Abs(sigma-7.5) > 0.01 || v < -1e-3 {
		t.Errorf("sigma %v, value %v", sigma, v)
	}
}

// Methods that search the frequencies outperform a grid without the true frequencies.
func TestSines(t *testing.T) {
	if os.Getenv("RKHS_PAPERS") == "" {
		t.Skip("set RKHS_PAPERS=1 for this test, which takes long")
	}
	s := &settings{Settings: report.Settings{Runs: 2, Seed: 1}}
	methods := one()
	results, err := compare(context.Background(), s, sinesTask(), methods)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range methods {
		e := results[i].errors.Mean()
		if search := m.name == "CA-1D" || m.name == "CR"; search && e > 8 || !search && e < 35 {
			t.Errorf("%s: %.1f %% errors", m.name, e)
		}
	}
}

func TestFigure2(t *testing.T) {
	testutil.Long(t, "takes seconds")
	var b bytes.Buffer
	dir := t.TempDir()
	if err := Run(context.Background(), []string{"-data", dir, "-out", dir, "-runs", "1", "-only", "relevance", "-tasks", "1"}, &b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"CA-1D", "CA-nD", "CR", "DA", "D1", "D2", "DU", "alignment-figure2.png", "alignment-figure2-seconds.png", "alignment-figure4.png"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s is missing in:\n%s", want, b.String())
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "alignment-figure2.png")); err != nil || info.Size() == 0 {
		t.Errorf("figure: %v", err)
	}
}

func TestBadArguments(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-only", "horses"}, "horses"},
		{[]string{"-only", "sines,e"}, `no "e"`},
		{[]string{"-tasks", "-1"}, "-tasks"},
		{[]string{"-only", "letter"}, "letter.csv.gz"},
		{[]string{"more"}, "more"},
	} {
		err := Run(context.Background(), append([]string{"-data", dir, "-out", dir}, c.args...), new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want one about %s", c.args, err, c.want)
		}
	}
}

// The objective is minus the derivative of the alignment towards a kernel, times the norm of the
// current Gram matrix. The minimum is at the next kernel of package alignment.
func TestObjectiveOfAnIteration(t *testing.T) {
	d := relevance(5, 3)
	x, _, _ := d.rows()
	for after := range 3 {
		sofar, err := kernelAfter(context.Background(), d, after)
		if err != nil {
			t.Fatal(err)
		}
		o := newObjective(sofar, x, d.train.Y)
		if after > 0 {
			const step, sigma = 1e-5, 4
			mixed := func(weight float64) float64 {
				return aligning(kernel.Sum{kernel.Scale{By: 1, Of: sofar}, kernel.Scale{By: weight, Of: gaussian(sigma)}}, d.train)
			}
			values := compute.NewMatrix(x.Rows, x.Rows)
			gram.Evaluator{Kernel: sofar}.Gram(values, x)
			want := -(mixed(step) - mixed(0)) / step * floats.Norm(centre(values), 2)
			if got := o.at(sigma); math.Abs(got-want) > 1e-3*math.Abs(want) {
				t.Errorf("after %d: %v, by differences %v", after, got, want)
			}
		}
		next, err := kernelAfter(context.Background(), d, after+1)
		if err != nil {
			t.Fatal(err)
		}
		terms := next.(kernel.Sum)
		if len(terms) != after+1 {
			t.Logf("the search ends after %d kernels", len(terms))
			return
		}
		added := terms[after].(kernel.Scale).Of.(kernel.Gaussian).Sigma * math.Sqrt2
		median := medianOf(x)
		if low := lowest(o.curve(median)) * median; math.Abs(math.Log(low/added)) > 0.03 {
			t.Errorf("after %d: least at %v, taken in is %v", after, low, added)
		}
	}
}

func TestMinima(t *testing.T) {
	var points plotter.XYs
	for i, v := range []float64{3, 1, 1, 2, 0, 5, 4} {
		points = append(points, plotter.XY{X: float64(i), Y: v})
	}
	if got := minima(points); got != 2 {
		t.Errorf("%d minima in %v, want 2", got, points)
	}
}

// The kernel yyᵀ has alignment 1. A kernel that is constant off the diagonal has the alignment of
// C, 1/√(n−1).
func TestAligning(t *testing.T) {
	d := relevance(0, 1).train
	labelled := &dataset.Set{X: mat.NewDense(len(d.Y), 1, slices.Clone(d.Y)), Y: d.Y}
	if got := aligning(kernel.Linear{}, labelled); math.Abs(got-1) > 1e-12 {
		t.Errorf("alignment %v of the labels", got)
	}
	if got, want := aligning(gaussian(1e-3), d), 1/math.Sqrt(float64(len(d.Y)-1)); math.Abs(got-want) > 1e-12 {
		t.Errorf("alignment %v of the identity, want %v", got, want)
	}
}

// TestComparison adds a method outside the paper. The ranks must not change.
func TestComparison(t *testing.T) {
	var w bytes.Buffer
	s := &settings{Settings: report.Settings{W: &w, Out: t.TempDir(), Runs: 1, Seed: 1}}
	b := benchmark{title: "fifty columns", tasks: []task{relevanceTask(2)}, methods: []named{ca1D}, published: []named{learned}}
	if err := b.run(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(w.String(), "\n") {
		if rank, ok := strings.CutPrefix(line, "median rank"); ok && strings.TrimSpace(rank) == "1" {
			return
		}
	}
	t.Errorf("no rank of one method in:\n%s", w.String())
}
