package calibrate

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/rkhs-go/rkhs/internal/compute"
)

const (
	// columnRows is the number of rows by which a column is chosen.
	columnRows = 2000
	// columnBins is the number of groups of rows along a column.
	columnBins = 8
	// chance is the probability with which some column is taken of which the sizes of errors do not depend.
	chance = 0.01
)

// column returns the number, from 1 on, of the column along which the sizes of errors differ most, or 0 where they may
// differ by chance: by the test of Kruskal and Wallis ("Use of ranks in one-criterion variance analysis", 1952) for
// groups of rows of neighbouring values, at a level shared by all columns.
func (r residuals) column() int {
	n := min(len(r.size), columnRows)
	if !r.sample.columned() || n < 25*columnBins/2 {
		return 0
	}
	ranks := ranksOf(r.size[:n])
	best, most := 0, 0.0
	for c := range r.sample.X.Cols {
		if v := r.statistic(ranks, c); v > most {
			best, most = c+1, v
		}
	}
	if level := chance / float64(r.sample.X.Cols); most <= (distuv.ChiSquared{K: columnBins - 1}).Quantile(1-level) {
		return 0
	}
	return best
}

// statistic returns 12/(n(n + 1))·Σ_g n_g·(R_g − (n + 1)/2)² for the mean ranks R_g of groups along a column.
func (r residuals) statistic(ranks []float64, column int) (sum float64) {
	n := len(ranks)
	value := func(i int) float64 { return compute.Row(r.sample.X.Matrix, i)[column] }
	order := compute.Indices(n)
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(value(i), value(j)) })
	for g := range columnBins {
		rows := order[g*n/columnBins : (g+1)*n/columnBins]
		mean := 0.0
		for _, i := range rows {
			mean += ranks[i] / float64(len(rows))
		}
		off := mean - float64(n+1)/2
		sum += float64(float64(len(rows)) * off * off)
	}
	return 12 / float64(n*(n+1)) * sum
}

// ranksOf returns the places of values in ascending order, from 1 on.
func ranksOf(v []float64) []float64 {
	order, ranks := compute.Indices(len(v)), make([]float64, len(v))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(v[i], v[j]) })
	for place, i := range order {
		ranks[i] = float64(place + 1)
	}
	return ranks
}
