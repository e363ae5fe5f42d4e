package recipe

import (
	"maps"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// Averaged reports averaged predictions. They are for rows with a missing cell or unknown level in a
// column that fewer than 64 training rows lack.
type Averaged struct {
	// Rows is the number of averaged rows.
	Rows int `json:"rows"`
	// Columns are the names of the columns of these cells.
	Columns []string `json:"columns"`
	// Over is the largest number of similar training rows in an average.
	Over int `json:"over"`
}

// gaps are the cells to substitute.
type gaps struct {
	rows    map[int][]span
	columns []string
}

func gapsOf(parts []part) gaps {
	g := gaps{rows: map[int][]span{}}
	for i := range parts {
		p := &parts[i]
		if len(p.gaps) > 0 {
			g.columns = append(g.columns, p.name)
		}
		for _, row := range p.gaps {
			g.rows[row] = append(g.rows[row], span{p.offset, p.offset + p.width(), p.flag && !p.hashed()})
		}
	}
	return g
}

// predict predicts encoded rows and averages the rows with gaps.
func (m *Model) predict(x mat.Matrix, g gaps, level float64) (*Predictions, error) {
	p, err := PredictionsOf(m.model, x, level)
	if err != nil || len(g.rows) == 0 || len(m.recipe.donors) == 0 {
		return p, err
	}
	scales := m.recipe.scales()
	batch := max(1, min(64, (1<<20)/(donorCount*m.recipe.Width()))) // about 2^20 elements in memory
	if m.recipe.sparse {
		batch = 1
	}
	for rows := range slices.Chunk(slices.Sorted(maps.Keys(g.rows)), batch) {
		var filled []elements
		ends := []int{0}
		for _, row := range rows {
			e := elementsOf(x, row)
			for _, donor := range m.recipe.similar(e, g.rows[row], scales) {
				filled = append(filled, substitute(e, m.recipe.donors[donor], g.rows[row]))
			}
			ends = append(ends, len(filled))
		}
		of, err := PredictionsOf(m.model, m.recipe.matrixOf(filled), level)
		if err != nil {
			return nil, err
		}
		for i, row := range rows {
			m.average(p, row, of, ends[i], ends[i+1], level)
		}
	}
	p.Averaged = &Averaged{Rows: len(g.rows), Columns: g.columns, Over: min(donorCount, len(m.recipe.donors))}
	return p, nil
}

// average replaces the prediction of a row by the average of the predictions from … to−1.
func (m *Model) average(p *Predictions, row int, of *Predictions, from, to int, level float64) {
	c, classifier := m.model.(rkhs.Classifier)
	switch {
	case classifier && p.Proba != nil && of.Proba != nil:
		mean := p.Proba.RawRowView(row)
		clear(mean)
		for k := range mean {
			for i := from; i < to; i++ {
				mean[k] += of.Proba.At(i, k) / float64(to-from)
			}
		}
		p.Values[row] = float64(c.Labels()[floats.MaxIdx(mean)])
	case classifier:
		p.Values[row] = majority(of.Values[from:to])
	default:
		p.Values[row] = 0
		for _, v := range of.Values[from:to] {
			p.Values[row] += v / float64(to-from)
		}
	}
	if p.Lower != nil && of.Lower != nil {
		lower, upper := mixture(of.Lower[from:to], of.Upper[from:to], level)
		p.Lower[row], p.Upper[row] = min(lower, p.Values[row]), max(upper, p.Values[row])
	}
}

// mixture combines m intervals by the rule of CV+ (Barber, Candès, Ramdas and Tibshirani 2021): the
// k-th smallest lower and k-th largest upper bound with k = ⌊(1−level)/2·(m+1)⌋, at least 1.
func mixture(lower, upper []float64, level float64) (low, high float64) {
	lower, upper = slices.Sorted(slices.Values(lower)), slices.Sorted(slices.Values(upper))
	k := max(1, int((1-level)/2*float64(len(lower)+1)))
	return lower[k-1], upper[len(upper)-k]
}

// majority returns the most frequent value, the smallest on a tie.
func majority(values []float64) (most float64) {
	count := map[float64]int{}
	for _, v := range values {
		count[v]++
	}
	for i, v := range slices.Sorted(maps.Keys(count)) {
		if i == 0 || count[v] > count[most] {
			most = v
		}
	}
	return most
}
