package polk

import (
	"gonum.org/v1/gonum/floats"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// insert makes the new points that are left points of the dictionary.
func (p *komp) insert(x, w compute.Matrix) {
	if len(p.alive) == 0 {
		return
	}
	reshape(&p.crossAlive, len(p.alive), p.order())
	reshape(&p.gramAlive, len(p.alive), len(p.alive))
	for n, i := range p.alive {
		to, from := row(p.crossAlive, n), row(p.k, i)
		for j, c := range p.columns {
			to[j] = from[c]
		}
		for m, j := range p.alive {
			row(p.gramAlive, n)[m] = row(p.kk, i)[j]
		}
	}
	if len(p.alive) > 1 && p.factor.AppendBatch(p.crossAlive, p.gramAlive, 0, p.eval.Workers) {
		for _, i := range p.alive {
			p.append(row(x, i), row(w, i))
		}
		return
	}
	p.insertSingly(x, w)
}

// insertSingly is for one point, and for several of which rounding leaves one in
// the span of the others after all, as can be with kernels that are not positive
// semidefinite: such a point is folded.
func (p *komp) insertSingly(x, w compute.Matrix) {
	old := p.crossAlive.Cols
	for n, i := range p.alive {
		p.entry = append(p.entry[:0], row(p.crossAlive, n)...)
		for m := range p.order() - old {
			p.entry = append(p.entry, row(p.gramAlive, n)[m])
		}
		if _, ok := p.factor.Append(p.entry, row(p.gramAlive, n)[n], 0); ok {
			p.append(row(x, i), row(w, i))
			continue
		}
		p.factor.SolveVecTo(p.entry, p.entry)
		for j, v := range p.entry {
			floats.AddScaled(p.weight(j), v, row(w, i))
		}
	}
}
