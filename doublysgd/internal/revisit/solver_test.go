package revisit

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/doublysgd/internal/blocks"
	"github.com/rkhs-go/rkhs/doublysgd/internal/descent"
	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/features"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/loss"
)

// gaussians returns an r×c matrix of standard normals.
func gaussians(r, c int, seed uint64) compute.Matrix {
	s := rand.New(rand.NewPCG(seed, 0))
	m := compute.NewMatrix(r, c)
	for i := range m.Data {
		m.Data[i] = s.NormFloat64()
	}
	return m
}

// waves returns n rows of two columns and two waves over them, the first with noise.
func waves(n int, noise float64, seed uint64) (x, y compute.Matrix) {
	r := gaussians(n, 3, seed)
	x, y = compute.NewMatrix(n, 2), compute.NewMatrix(n, 2)
	for i := range n {
		a, b := 2*r.Data[3*i], 2*r.Data[3*i+1]
		copy(compute.Row(x, i), []float64{a, b})
		copy(compute.Row(y, i), []float64{math.Sin(a) + math.Cos(a-b) + noise*r.Data[3*i+2], math.Cos(b)})
	}
	return x, y
}

// firstColumn returns the first of the columns of m.
func firstColumn(m compute.Matrix) compute.Matrix {
	c := compute.NewMatrix(m.Rows, 1)
	for i := range c.Data {
		c.Data[i] = compute.Row(m, i)[0]
	}
	return c
}

// classesOf cuts the values of a wave into three classes.
func classesOf(y compute.Matrix) []int {
	class := make([]int, y.Rows)
	for i := range class {
		class[i] = min(2, int(max(0, compute.Row(y, i)[0]+1)))
	}
	return class
}

// signsOf returns targets ±1.
func signsOf(y compute.Matrix) compute.Matrix {
	s := compute.NewMatrix(y.Rows, 1)
	for i := range s.Data {
		s.Data[i] = math.Copysign(1, compute.Row(y, i)[0])
	}
	return s
}

// sparse returns rows that list all of their elements.
func sparse(x compute.Matrix) compute.Points {
	s := compute.NewSparse(x.Cols, x.Rows, len(x.Data))
	for i := range x.Rows {
		for j, v := range compute.Row(x, i) {
			s.Append(int32(j), v)
		}
		s.EndRow()
	}
	return compute.SparsePoints(s)
}

func always(yes bool) func() bool { return func() bool { return yes } }

// problem returns the problem of all rows in blocks of the given number of features, with a ridge of
// 1e-3.
func problem(t *testing.T, x compute.Matrix, k *descent.Risk, columns int) Problem {
	t.Helper()
	q := k.Y.Cols
	if k.Multi != nil {
		q = 3
	}
	f, err := blocks.Zero(kernel.Gaussian{Sigma: 1.5}, x.Cols, q, features.Options{Columns: columns}, blocks.DefaultCache)
	if err != nil {
		t.Fatal(err)
	}
	order := make([]int, x.Rows)
	for i := range order {
		order[i] = i
	}
	return Problem{Package: "revisit", X: compute.DensePoints(x), Risk: k, Order: order, Train: x.Rows, Function: f, Ridge: 1e-3,
		Converge: true, CacheSize: blocks.DefaultCache, MemoryLimit: 1 << 32, Stopped: always(false)}
}

// solver returns the solver of a problem with the given number of blocks.
func solver(t *testing.T, p Problem, count int) *Solver {
	t.Helper()
	s, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	s.Grow(count)
	return s
}

// converge performs passes until the gradient is within a tolerance, and returns their number.
func converge(t *testing.T, s *Solver, tolerance float64) int {
	t.Helper()
	start := s.GradientAtZero()
	for n := range 5000 {
		if s.Within(tolerance, s.Pass(n, func(int) {}), start) {
			s.FitConstant()
			return n + 1
		}
	}
	t.Fatalf("the gradient is not within %v of that at zero", tolerance)
	return 0
}

// squared returns the squared loss of targets.
func squared(y compute.Matrix) *descent.Risk { return &descent.Risk{Scalar: loss.Squared{}, Y: y} }

// ridgeScores returns the scores of the solution of the joint normal equations of all features and an
// unpenalised constant.
func ridgeScores(t *testing.T, p Problem, count int) *mat.Dense {
	t.Helper()
	n, columns := p.X.Rows, p.Function.Map.Columns()
	z := mat.NewDense(n, columns*count+1, nil)
	for i := range n {
		z.Set(i, columns*count, 1)
	}
	for b := range count {
		p.Function.Block(b).TransformTo(z.Slice(0, n, b*columns, (b+1)*columns).(*mat.Dense).RawMatrix(), p.X.Matrix)
	}
	var gram, right, a, f mat.Dense
	gram.Mul(z.T(), z)
	for i := range columns * count {
		gram.Set(i, i, gram.At(i, i)+p.Ridge*float64(n*count))
	}
	right.Mul(z.T(), mat.NewDense(n, p.Risk.Y.Cols, p.Risk.Y.Data))
	if err := a.Solve(&gram, &right); err != nil {
		t.Fatal(err)
	}
	f.Mul(z, &a)
	return &f
}

// distance returns the distance between scores and want, relative to the norm of want.
func distance(scores compute.Matrix, want *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(mat.NewDense(scores.Rows, scores.Cols, scores.Data), want)
	return mat.Norm(&d, 2) / mat.Norm(want, 2)
}

// keepNothing sets a memory limit without space for optional caches of a solver.
func keepNothing(p *Problem) {
	p.CacheSize = 1
	for spare, _ := p.spare(false); spare > 0; spare, _ = p.spare(false) {
		p.MemoryLimit -= spare
	}
}

// TestNormalEquations compares with the solution of the normal equations of all features. It covers
// packed and unpacked equations, equations that exceed the memory, both precisions, joint steps, and
// additional rows.
func TestNormalEquations(t *testing.T) {
	const columns, count = 16, 4
	x, y := waves(300, 0.1, 1)
	all := problem(t, x, squared(y), columns)
	want := ridgeScores(t, all, count)
	for _, c := range []struct {
		name            string
		change          func(p *Problem)
		tolerance, want float64
	}{
		{"double", func(*Problem) {}, 1e-10, 1e-8},
		{"nothing kept", keepNothing, 1e-10, 1e-8},
		{"single", func(p *Problem) { p.Single = true }, 1e-5, 1e-4},
		{"joint", func(p *Problem) { p.Joint = true }, 1e-10, 1e-8},
		{"sparse", func(p *Problem) { p.X, p.Train = sparse(x), 200 }, 1e-10, 1e-8},
		{"sparse, nothing kept", func(p *Problem) { p.X = sparse(x); keepNothing(p) }, 1e-10, 1e-8},
		{"sparse, single", func(p *Problem) { p.X, p.Train, p.Single = sparse(x), 200, true }, 1e-5, 1e-4},
		{"rows included later", func(p *Problem) { p.Train = 200 }, 1e-10, 1e-8},
	} {
		p := problem(t, x, squared(y), columns)
		c.change(&p)
		s := solver(t, p, count)
		passes := converge(t, s, c.tolerance)
		if p.Train < s.Rows() {
			s.Include(s.Rows())
			passes += converge(t, s, c.tolerance)
		}
		if d := distance(s.scores, want); !(d < c.want) {
			t.Errorf("%s: off by %.2g after %d passes", c.name, d, passes)
		}
	}
	few := all
	few.Order, few.Train = all.Order[:100], 100
	from := solver(t, few, count)
	converge(t, from, 1e-10)
	s, err := New(problem(t, x, squared(y), columns))
	if err != nil {
		t.Fatal(err)
	}
	if !s.Continue(from) {
		t.Fatal("stopped")
	}
	converge(t, s, 1e-10)
	if d := distance(s.scores, want); !(d < 1e-8) {
		t.Errorf("continued from fewer rows: off by %.2g", d)
	}
}

// TestGap runs increasing numbers of passes for every smooth loss. No pass increases the objective,
// and its excess over the minimum is at most the gap.
func TestGap(t *testing.T) {
	x, y := waves(300, 0.3, 2)
	y = firstColumn(y)
	for _, k := range []*descent.Risk{
		squared(y),
		{Scalar: loss.Huber{Delta: 0.5}, Y: y},
		{Scalar: loss.Logistic{}, Y: signsOf(y)},
		{Scalar: loss.SquaredHinge{}, Y: signsOf(y)},
		{Multi: loss.Softmax{}, Class: classesOf(y)},
	} {
		p := problem(t, x, k, 32)
		s := solver(t, p, 4)
		converge(t, s, 1e-9)
		least, last := s.Objective(), math.Inf(1)
		p = problem(t, x, k, 32)
		p.Converge = false
		s = solver(t, p, 4)
		for n := range 8 {
			s.Pass(n, func(int) {})
			s.FitConstant()
			now := s.Objective()
			_, gap := s.Certificate()
			if excess := now - least; !(now <= last+1e-12) || !(excess <= gap+1e-12) || excess < -1e-9 {
				t.Errorf("%v, %d passes: objective %.12g after %.12g, minimum %.12g, gap %.3g", k.Loss(), n+1, now, last, least, gap)
			}
			last = now
		}
	}
}

// TestStopped stops visits and joint steps at each call of Stopped. Scores and coefficients must
// belong to the same function.
func TestStopped(t *testing.T) {
	x, y := waves(2500, 0.1, 3)
	for _, joint := range []bool{false, true} {
		for after := range 40 {
			p := problem(t, x, squared(y), 32) // with normal equations of some of the rows
			p.Train, p.Joint, p.Converge = 2200, joint, false
			if joint {
				p.Order, p.Train = p.Order[:150], 120
			}
			s := solver(t, p, 2)
			s.Visit(0)
			asked := 0
			s.stopped = func() bool { asked++; return asked > after }
			s.Pass(0, func(int) {})
			scores := compute.Clone(s.scores)
			s.stopped = always(false)
			s.refresh()
			if e := distance(scores, mat.NewDense(scores.Rows, scores.Cols, s.scores.Data)); !(e < 1e-9) {
				t.Errorf("joint %v, stopped after %d questions: scores are off by %v", joint, after, e)
			}
		}
	}
}

// TestStoppedBetweenSteps stops at each call of Stopped that precedes no change of
// coefficients. The scores must match the function, and there must be no certificate.
func TestStoppedBetweenSteps(t *testing.T) {
	x, y := waves(2500, 0.1, 5)
	s := solver(t, problem(t, x, squared(y), 32), 3)
	s.Visit(0)
	s.FitConstant()
	for name, do := range map[string]func() bool{
		"refresh":     s.refresh,
		"within":      func() bool { return s.Within(1, 0, 1) },
		"certificate": func() bool { gradient, gap := s.Certificate(); return !math.IsNaN(gradient) || !math.IsNaN(gap) },
	} {
		for after := range 6 { // of two chunks and three blocks
			asked := 0
			s.stopped = func() bool { asked++; return asked > after }
			if do() {
				t.Errorf("%s, stopped after %d questions, says that it is done", name, after)
			}
			f := compute.NewMatrix(x.Rows, 2)
			compute.AddRow(f, s.Constant)
			s.Function.AddTo(f, compute.DensePoints(x))
			if e := distance(s.scores, mat.NewDense(f.Rows, f.Cols, f.Data)); !(e < 1e-9) {
				t.Fatalf("%s, stopped after %d questions: scores are off by %v", name, after, e)
			}
		}
	}
}

// TestSnapshot restores a snapshot. Passes from there must repeat the same results.
func TestSnapshot(t *testing.T) {
	x, y := waves(200, 0.1, 4)
	s := solver(t, problem(t, x, squared(y), 32), 3)
	s.Visit(0)
	here := s.Snapshot()
	s.Visit(1)
	want := s.Objective()
	s.Restore(here)
	if s.Objective() == want {
		t.Error("the snapshot is where the next visit leads")
	}
	s.Visit(1)
	if got := s.Objective(); got != want {
		t.Errorf("objective %v, was %v", got, want)
	}
}
