package calibrate

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/rkhs-go/rkhs/internal/compute"
)

const (
	// prior is the number of errors of mean size that smooth each bin of a spread.
	prior = 5
	// columnRows is the number of rows in the rank test of columns.
	columnRows = 2000
	// columnBins is the number of groups of rows in that test.
	columnBins = 8
	// significance is the probability that the test selects a column by chance.
	significance = 0.01
)

// spread is the mean size of errors as a function of the prediction or of a column. It interpolates the
// points (f, s), and is 1 without points.
type spread struct{ f, s []float64 }

func (v spread) at(f float64) float64 {
	if len(v.f) == 0 {
		return 1
	}
	return interpolate(v.f, v.s, f)
}

// spread returns the smoothed mean errors in bins of equal numbers of rows. It has no points if bins is
// 0, or all errors or all arguments are equal.
func (r residuals) spread(bins int) (v spread) {
	if bins == 0 {
		return v
	}
	mean := 0.0
	for i, e := range r.size {
		mean += float64(r.weights.At(i)*e) / r.weights.Total(len(r.size))
	}
	if !(mean > 0) {
		return v
	}
	order := ascending(r.at)
	for b := range bins {
		rows := order[b*len(order)/bins : (b+1)*len(order)/bins]
		if len(rows) == 0 {
			continue
		}
		weight, at, size := 0.0, 0.0, prior*mean
		for _, i := range rows {
			w := r.weights.At(i)
			weight, at, size = weight+w, at+float64(w*r.at[i]), size+float64(w*r.size[i])
		}
		if at /= weight; len(v.f) == 0 || at > v.f[len(v.f)-1] {
			v.f, v.s = append(v.f, at), append(v.s, size/(weight+prior))
		}
	}
	return v
}

// column returns the column, from 1, along which the sizes of errors differ most by the test of Kruskal
// and Wallis, or 0 if the difference is not significant (Bonferroni). Source: Kruskal and Wallis, "Use
// of ranks in one-criterion variance analysis", 1952.
func (r residuals) column() int {
	n := min(len(r.size), columnRows)
	if !r.sample.hasColumns() || n < 25*columnBins/2 {
		return 0
	}
	ranks := make([]float64, n)
	for rank, i := range ascending(r.size[:n]) {
		ranks[i] = float64(rank + 1)
	}
	best, most := 0, 0.0
	for c := range r.sample.X.Cols {
		if v := r.statistic(ranks, c); v > most {
			best, most = c+1, v
		}
	}
	coverage := significance / float64(r.sample.X.Cols)
	if most <= (distuv.ChiSquared{K: columnBins - 1}).Quantile(1-coverage) {
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
