package polk

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// The metric equals its definition while the test adds and removes points: mu·(C + mu)⁻¹ on the
// span of the dictionary and 1 on its complement.
func TestMetricAgainstDefinition(t *testing.T) {
	random := newRand(8)
	e := gram.Evaluator{Kernel: kernel.Gaussian{Sigma: 1.5}, Workers: 1}
	p := newPursuit(newDictionary(e, points{inputs: 2}, 1, 1, 1))
	p.metric = newMetric(compute.DensePoints(normals(random, 50, 2)), 1, 1e-6, 50)
	for range 6 {
		// With a budget, old and new points are removed.
		extendBy(p, normals(random, 8, 2), normals(random, 8, 1), 0.5, 30)
		p.metric.measure(p.dictionary)
	}
	p.metric.changes = p.order()
	p.metric.measure(p.dictionary)
	m := p.metric
	if p.order() < 5 || m.factor.Len() != p.order() {
		t.Fatalf("%d points, %d in the metric", p.order(), m.factor.Len())
	}
	// Use coordinates that are orthonormal in the span of the dictionary and the new rows.
	k := func(a, b compute.Matrix) *mat.Dense {
		g := mat.NewDense(a.Rows, b.Rows, nil)
		e.Cross(g.RawMatrix(), a, b)
		return g
	}
	d := compute.NewMatrix(p.order(), 2)
	for j, slot := range p.slot {
		copy(compute.Row(d, j), pointAt(p.dictionary, slot))
	}
	kdd, kds, kfd := k(d, d), k(d, m.sample.Matrix), k(m.fresh.Matrix, d)
	var h, inverse, hInverse, part, want mat.Dense
	h.Mul(kds, kds.T())
	h.Scale(1/float64(m.sample.Rows), &h)
	part.Scale(m.mu, kdd)
	h.Add(&h, &part)
	if err := inverse.Inverse(kdd); err != nil {
		t.Log(err)
	}
	if err := hInverse.Inverse(&h); err != nil {
		t.Log(err)
	}
	hInverse.Scale(m.mu, &hInverse)
	part.Sub(&hInverse, &inverse)
	want.Product(kfd, &part, kfd.T())
	want.Add(&want, k(m.fresh.Matrix, m.fresh.Matrix))
	var eigen mat.EigenSym
	n := m.fresh.Rows
	symmetric := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			symmetric.SetSym(i, j, want.At(i, j)/float64(n))
		}
	}
	eigen.Factorize(symmetric, false)
	if top := eigen.Values(nil)[n-1]; math.Abs(m.top/top-1) > 0.02 || math.Abs(m.kappa/mat.Trace(symmetric)-1) > 1e-4 {
		t.Errorf("lam_1 %v and kappa %v, want %v and %v", m.top, m.kappa, top, mat.Trace(symmetric))
	}
	// ‖P·k‖² = k(x, x) − kᵀ·K⁻¹·k + (mu·H⁻¹·k)ᵀ·K·(mu·H⁻¹·k).
	var squared mat.Dense
	squared.Product(&hInverse, kdd, &hInverse)
	squared.Sub(&squared, &inverse)
	want.Product(kfd, &squared, kfd.T())
	if length := 1 + mat.Trace(&want)/float64(n); math.Abs(m.length/length-1) > 1e-3 {
		t.Errorf("mean squared norm of P·k %v, want %v", m.length, length)
	}
	// The corrected step equals the step in the metric: w + P·(step) for new rows.
	x := compute.Rows(m.fresh.Matrix, 0, 4)
	kx := compute.NewMatrix(4, p.order())
	p.cross(kx, compute.DensePoints(x))
	p.eval.Gram(compute.Reshape(&p.kk, 4, 4), x)
	p.prepare(kx)
	w := compute.ColumnOf([]float64{1, -2, 0.5, 3})
	before := append([]float64(nil), p.weights...)
	m.correct(p.dictionary, w, p.t, 0.25)
	dense := mat.NewDense(4, p.order(), kx.Data)
	var step, shrunk mat.Dense
	step.Product(&part, dense.T(), mat.NewDense(4, 1, w.Data))
	shrunk.Product(&hInverse, kdd, mat.NewDense(p.order(), 1, before)) // P·f
	for j := range p.order() {
		if want := before[j] - 0.25*shrunk.At(j, 0) + step.At(j, 0); math.Abs(p.weights[j]-want) > 1e-4*(1+math.Abs(want)) {
			t.Errorf("weight %d is %v, want %v", j, p.weights[j], want)
		}
	}
}

// TestMetricGrows: memory of the metric grows up to the maximum number of points and no further. A
// descent without corrected steps keeps only the data of its report.
func TestMetricGrows(t *testing.T) {
	const most, batch = 40, 8
	random := newRand(9)
	e := gram.Evaluator{Kernel: kernel.Gaussian{Sigma: .2}, Workers: 1}
	p := newPursuit(newDictionary(e, points{inputs: 2}, 1, 1, 1))
	p.metric = newMetric(compute.DensePoints(normals(random, 50, 2)), 1, 1e-6, most)
	for range 12 {
		extendBy(p, normals(random, batch, 2), normals(random, batch, 1), 0, most)
	}
	if s := p.metric.sample.Rows; p.order() != most || len(p.metric.cross) != most*s || cap(p.metric.cross) > (most+batch)*s {
		t.Errorf("%d points, memory for %d", p.order(), cap(p.metric.cross)/s)
	}
	d := &descent{set: &settings{}, from: &defaults{}, f: p}
	top, kappa := d.spectrum()
	d.forgetSteps()
	if p.metric.cross != nil || p.metric.factor != nil {
		t.Error("what steps take is still there")
	}
	if a, b := d.spectrum(); a != top || b != kappa || d.f.order() != most {
		t.Errorf("lam_1 = %v, kappa = %v, %d points, want %v, %v, %d", a, b, d.f.order(), top, kappa, most)
	}
}
