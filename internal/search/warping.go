package search

import (
	"math"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
	"github.com/rkhs-go/rkhs/internal/quantile"
)

// Few rows dominate the distances between values of a skewed or heavy-tailed column. The
// search scores two monotone functions of the columns as additional scales: normal scores and
// a signed logarithm.
const (
	// knots is the maximum number of knots of a function.
	knots = 65
	// sameShape is the correlation with a column from which a function of it has no effect.
	sameShape = 0.98
)

// warpings returns the functions that change the shape of at least one column of x, and that
// differ from each other. It omits columns of two values, which have no shape.
func warpings(x compute.Matrix) []columnMap {
	scores := columnMap{from: make([][]float64, x.Cols), to: make([][]float64, x.Cols)}
	logarithms := columnMap{from: scores.from, to: make([][]float64, x.Cols)}
	sorted := make([][]float64, x.Cols)
	for j := range x.Cols {
		sorted[j] = sortedColumn(x, j)
		if v := sorted[j]; !twoValued(v) {
			scores.from[j], scores.to[j] = fewer(normalScores(v))
			logarithms.to[j] = signedLogarithms(v, scores.from[j])
		}
	}
	var all []columnMap
	known := [][][]float64{sorted}
	for _, w := range []columnMap{scores, logarithms} {
		images := w.applySorted(sorted)
		if !slices.ContainsFunc(known, func(other [][]float64) bool { return sameShapes(images, other) }) {
			all, known = append(all, w), append(known, images)
		}
	}
	return all
}

// applySorted returns the images of sorted columns, which are sorted as well.
func (m columnMap) applySorted(columns [][]float64) (images [][]float64) {
	for j, v := range columns {
		one := columnMap{from: m.from[j : j+1], to: m.to[j : j+1]}
		images = append(images, one.apply(compute.ColumnOf(v), 1).Data)
	}
	return images
}

// normalScores returns the distinct values of a sorted list and their normal scores Φ⁻¹(r/n),
// where r is the middle of the ranks of a value (van der Waerden, 1952).
func normalScores(sorted []float64) (values, scores []float64) {
	n := len(sorted)
	for from := 0; from < n; {
		to := from + 1
		for to < n && sorted[to] == sorted[from] {
			to++
		}
		values = append(values, sorted[from])
		scores = append(scores, float64(from+to)/float64(2*n))
		from = to
	}
	quantile.Normal(scores)
	return values, scores
}

// fewer returns at most knots of the values with their scores: the extremes, and values in
// nearly equal steps of the score.
func fewer(values, scores []float64) (from, to []float64) {
	last := len(values) - 1
	if last < knots {
		return values, scores
	}
	step := (scores[last] - scores[0]) / (knots - 1)
	for i, s := range scores {
		if i == last || s >= scores[0]+float64(step*float64(len(from))) {
			from, to = append(from, values[i]), append(to, s)
		}
	}
	return from, to
}

// signedLogarithms returns sign(u)·log(1 + |u|) for the knots, where u is the distance from
// the median in units of the robust deviation.
func signedLogarithms(sorted, knots []float64) []float64 {
	scores := make([]float64, len(knots))
	centre, spread := sorted[len(sorted)/2], positive(robust(sorted))
	for i, v := range knots {
		scores[i] = math.Abs(v-centre)/spread + 1
	}
	compute.Log(scores, scores)
	for i, v := range knots {
		scores[i] = math.Copysign(scores[i], v-centre)
	}
	return scores
}

// sameShapes reports whether all columns are nearly linear functions of the other columns. All are
// sorted.
func sameShapes(columns, others [][]float64) bool {
	for j, v := range columns {
		if !(correlation(v, others[j]) >= sameShape) {
			return false
		}
	}
	return true
}

// correlation returns the correlation of sorted lists, and 1 if one of them is constant.
func correlation(a, b []float64) float64 {
	unitA, unitB, n := deviation(a), deviation(b), float64(len(a))
	if unitA == 0 || unitB == 0 {
		return 1
	}
	meanA, meanB, product := 0.0, 0.0, 0.0
	for i, v := range a {
		u, w := (v-a[0])/unitA, (b[i]-b[0])/unitB
		meanA += u / n
		meanB += w / n
		product += float64(u*w) / n
	}
	return product - float64(meanA*meanB)
}
