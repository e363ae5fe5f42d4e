package alignment

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/kernel"
)

// isotropic is a family with one parameter of kernels that are functions of a
// distance. Its matrices are never formed: all that is asked of them follows from
// histograms of the distances, and the sums of their rows.
type isotropic struct {
	shape
	*histograms
	norm      float64 // ‖T‖
	low, high float64 // of the logarithm of the parameter
	points    int     // of the grid
	start     kernel.Kernel
	workers   int
	members   []profile
}

// shape is a family as functions of a distance.
type shape struct {
	kernel func(theta float64) kernel.Kernel
	// values sets dst_b = k(s_b) − k(0). The constant is lost in centring, and
	// without it no digits cancel where k is nearly one.
	values func(dst, s []float64, k kernel.Kernel)
}

// profile is a member less its value at distance 0.
type profile struct {
	values []float64 // in the nodes
	sums   []float64 // of the rows
	spread []float64 // Σ_i sums_i over the pairs of row i, in the nodes
	mean   float64   // of all elements
}

func (f *isotropic) steepest(p direction) candidate {
	w := f.weights(p)
	values := make([]float64, len(f.at))
	m := maximise(func(u float64) float64 {
		f.values(values, f.at, f.kernel(math.Exp(u)))
		return blas64.Dot(vector(w), vector(values))
	}, f.low, f.high, f.points, 5e-4)
	return candidate{f.kernel(math.Exp(m.at)), m.value, m.evaluations}
}

// weights gathers P_ij over i ≠ j in the nodes.
func (f *isotropic) weights(p direction) []float64 {
	n := float64(f.rows.Rows)
	w := make([]float64, len(f.at))
	constant := p.identity / n
	for t, c := range p.weights {
		constant -= c * f.members[t].mean
	}
	for b := range w {
		w[b] = f.targets[b]/f.norm + constant*f.count[b]
		for t, c := range p.weights {
			w[b] -= c * (f.members[t].values[b]*f.count[b] - 2/n*f.members[t].spread[b])
		}
	}
	return w
}

func (f *isotropic) admit(k kernel.Kernel) products {
	n := float64(f.rows.Rows)
	m := profile{values: make([]float64, len(f.at)), sums: make([]float64, f.rows.Rows), spread: make([]float64, len(f.at))}
	f.values(m.values, f.at, k)
	compute.MulNN(column(m.sums), f.rows, column(m.values), f.workers)
	compute.MulTN(column(m.spread), f.rows, column(m.sums), f.workers)
	for _, s := range m.sums {
		m.mean += s / (n * n)
	}
	f.members = append(f.members, m)
	p := products{target: blas64.Dot(vector(m.values), vector(f.targets)), trace: -n * m.mean}
	for _, o := range f.members {
		p.members = append(p.members, f.inner(m, o))
	}
	return p
}

// inner returns the inner product of two members. Both are taken less their
// means, so that where all distances are alike no digits cancel.
func (f *isotropic) inner(a, b profile) float64 {
	n := float64(f.rows.Rows)
	pairs, rows := n*a.mean*b.mean, 0.0
	for k, c := range f.count {
		pairs += c * (a.values[k] - a.mean) * (b.values[k] - b.mean)
	}
	for i, s := range a.sums {
		rows += (s - n*a.mean) * (b.sums[i] - n*b.mean)
	}
	return pairs - 2/n*rows
}

func (f *isotropic) fallback() kernel.Kernel { return f.start }

func vector(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Data: v, Inc: 1} }

func column(v []float64) compute.Matrix {
	return compute.Matrix{Rows: len(v), Cols: 1, Stride: 1, Data: v}
}
