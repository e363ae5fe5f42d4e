package alignment

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/gram"
	"github.com/rkhs-go/rkhs/kernel"
)

// isotropic is a family of kernels of a distance with one parameter. It needs only
// histograms of the distances and row sums of the Gram matrices, never the matrices.
type isotropic struct {
	*data
	of        gram.Description // of any member of the family
	pairs     *histograms
	low, high float64 // of the logarithm of the parameter
	start     kernel.Kernel
	members   []profile
}

// profile is a member minus its value at distance 0.
type profile struct {
	values []float64 // at the nodes
	sums   []float64 // of the rows
	spread []float64 // Σ_i sums_i over the pairs of row i, at the nodes
	mean   float64   // of all elements
}

// kernel returns the member with the given parameter.
func (f *isotropic) kernel(theta float64) kernel.Kernel {
	return f.of.WithParameters([]float64{theta})
}

// values sets dst_b = k(s_b) − k(0) at the nodes s_b. Centring removes the constant k(0);
// without it no digits cancel where k is close to k(0).
func (f *isotropic) values(dst []float64, k kernel.Kernel) {
	if less := gram.Describe(k).LessDiagonal; less != nil {
		less(dst, f.pairs.at)
		return
	}
	copy(dst, f.pairs.at)
	k.(kernel.Radial).OfSquaredDistance(dst)
	floats.AddConst(-dst[0], dst) // the first node is 0
}

func (f *isotropic) steepest(p direction) candidate {
	w := f.weights(p)
	values := make([]float64, len(w))
	m := maximise(func(u float64) float64 {
		f.values(values, f.kernel(math.Exp(u)))
		return floats.Dot(w, values)
	}, f.low, f.high, gridPoints(f.low, f.high), 5e-4)
	return candidate{f.kernel(math.Exp(m.at)), m.value, m.evaluations}
}

// weights gathers P_ij over i ≠ j in the nodes.
func (f *isotropic) weights(p direction) []float64 {
	n := float64(f.x.Rows)
	w := make([]float64, len(f.pairs.at))
	constant := p.identity / n
	for t, c := range p.weights {
		constant -= c * f.members[t].mean
	}
	for b, count := range f.pairs.count {
		w[b] = f.pairs.targets[b]/f.norm + constant*count
		for t, c := range p.weights {
			w[b] -= c * (f.members[t].values[b]*count - 2/n*f.members[t].spread[b])
		}
	}
	return w
}

func (f *isotropic) admit(k kernel.Kernel) products {
	rows := f.pairs.rows
	n := float64(rows.Rows)
	m := profile{values: make([]float64, rows.Cols), sums: make([]float64, rows.Rows), spread: make([]float64, rows.Cols)}
	f.values(m.values, k)
	compute.MulNN(compute.ColumnOf(m.sums), rows, compute.ColumnOf(m.values), f.workers)
	compute.MulTN(compute.ColumnOf(m.spread), rows, compute.ColumnOf(m.sums), f.workers)
	for _, s := range m.sums {
		m.mean += s / (n * n)
	}
	f.members = append(f.members, m)
	p := products{target: floats.Dot(m.values, f.pairs.targets), trace: -n * m.mean}
	for _, o := range f.members {
		p.members = append(p.members, f.inner(m, o))
	}
	return p
}

// inner returns the inner product of two centred members. Subtracting the means first
// avoids cancellation where all distances are similar.
func (f *isotropic) inner(a, b profile) float64 {
	n := float64(f.x.Rows)
	pairs, rows := n*a.mean*b.mean, 0.0
	for k, c := range f.pairs.count {
		pairs += c * (a.values[k] - a.mean) * (b.values[k] - b.mean)
	}
	for i, s := range a.sums {
		rows += (s - n*a.mean) * (b.sums[i] - n*b.mean)
	}
	return pairs - 2/n*rows
}

func (f *isotropic) fallback() kernel.Kernel { return f.start }
