package recipe

import (
	"errors"
	"maps"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
)

// Averaged reports predictions that are averages: a cell was missing, or its level was
// unknown, in a column in which fewer than 64 training rows lack a value.
type Averaged struct {
	// Rows is the number of such rows.
	Rows int `json:"rows"`
	// Columns are the names of the columns of these cells.
	Columns []string `json:"columns"`
	// Over is the number of similar training rows that the values came from, at most.
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
			g.columns = append(g.columns, p.column.name)
		}
		for _, row := range p.gaps {
			g.rows[row] = append(g.rows[row], span{p.offset, p.offset + p.width(), p.flag && p.use != hashed && p.use != words})
		}
	}
	return g
}

// predict predicts encoded rows. Rows with gaps get the average over similar training rows.
func (m *Model) predict(x mat.Matrix, g gaps, level float64) (*Predictions, error) {
	p, err := PredictionsOf(m.model, x, level)
	if err != nil || len(g.rows) == 0 || len(m.recipe.donors) == 0 {
		return p, err
	}
	scales := m.recipe.scales()
	// Rows of some 2^20 elements are in memory at a time.
	batch := max(1, min(64, (1<<20)/(substitutes*m.recipe.Width())))
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
	p.Averaged = &Averaged{Rows: len(g.rows), Columns: g.columns, Over: min(substitutes, len(m.recipe.donors))}
	return p, nil
}

// average replaces the prediction of a row by the average of predictions from to to−1.
func (m *Model) average(p *Predictions, row int, of *Predictions, from, to int, level float64) {
	c, classifier := m.model.(rkhs.Classifier)
	switch {
	case classifier && p.Proba != nil && of.Proba != nil:
		mean := p.Proba.RawRowView(row)
		for k := range mean {
			mean[k] = 0
			for i := from; i < to; i++ {
				mean[k] += of.Proba.At(i, k) / float64(to-from)
			}
		}
		p.Values[row] = float64(c.Labels()[largest(mean)])
	case classifier:
		p.Values[row] = majority(of.Values[from:to])
	default:
		p.Values[row] = meanOf(of.Values[from:to])
	}
	if p.Lower != nil && of.Lower != nil {
		lower, upper := mixture(of.Lower[from:to], of.Upper[from:to], level)
		p.Lower[row], p.Upper[row] = min(lower, p.Values[row]), max(upper, p.Values[row])
	}
}

// mixture returns the bounds of m intervals together: the k-th least lower and the k-th largest upper
// bound, where k = ⌊(1−level)/2·(m+1)⌋, and at least 1. This is the rule of CV+ (Barber, Candès, Ramdas
// and Tibshirani 2021).
func mixture(lower, upper []float64, level float64) (low, high float64) {
	lower, upper = slices.Sorted(slices.Values(lower)), slices.Sorted(slices.Values(upper))
	k := max(1, int((1-level)/2*float64(len(lower)+1)))
	return lower[k-1], upper[len(upper)-k]
}

func meanOf(values []float64) (mean float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	return mean
}

// largest returns the index of the largest value, the first of equal ones.
func largest(values []float64) int {
	best := 0
	for i, v := range values {
		if v > values[best] {
			best = i
		}
	}
	return best
}

// majority returns the most frequent value, the least of equally frequent ones.
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

// answered is a regression that answers with predictions that were made before, for ScoreOf.
type answered struct {
	rkhs.Model
	p *Predictions
}

func (a answered) Predict(mat.Matrix) (*mat.Dense, error) { return a.p.column(), nil }

// Interval returns the bounds of the level that the predictions were made for.
func (a answered) Interval(mat.Matrix, float64) (lower, upper *mat.Dense, err error) {
	if a.p.Lower == nil {
		return nil, nil, rkhs.ErrUncalibrated
	}
	n := len(a.p.Lower)
	return mat.NewDense(n, 1, a.p.Lower), mat.NewDense(n, 1, a.p.Upper), nil
}

// answeredClasses is answered of a classifier.
type answeredClasses struct {
	rkhs.Classifier
	p *Predictions
}

func (a answeredClasses) Predict(mat.Matrix) (*mat.Dense, error) { return a.p.column(), nil }

func (a answeredClasses) Proba(mat.Matrix) (*mat.Dense, error) {
	if a.p.Proba == nil {
		return nil, rkhs.ErrUncalibrated
	}
	return a.p.Proba, nil
}

// column returns the values as a matrix.
func (p *Predictions) column() *mat.Dense { return mat.NewDense(len(p.Values), 1, p.Values) }

// answering returns the model with averages for the rows with gaps, to score it by rows x.
func (m *Model) answering(x mat.Matrix, g gaps) (rkhs.Model, *Averaged, error) {
	if len(g.rows) == 0 {
		return m.model, nil, nil
	}
	if w, ok := x.(rkhs.Weighted); ok {
		x = w.Matrix
	}
	p, err := m.predict(x, g, 0.9)
	if errors.Is(err, rkhs.ErrOption) { // too few rows for intervals of this level
		p, err = m.predict(x, g, 0)
	}
	if err != nil {
		return nil, nil, err
	}
	if c, ok := m.model.(rkhs.Classifier); ok {
		return answeredClasses{c, p}, p.Averaged, nil
	}
	return answered{m.model, p}, p.Averaged, nil
}
