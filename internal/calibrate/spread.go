package calibrate

import (
	"cmp"
	"slices"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// spread is the mean size of errors as a function of the prediction, or of a column: linear between places
// f, constant beyond, and 1 where there are none.
type spread struct{ f, s []float64 }

func (v spread) at(f float64) float64 {
	if len(v.f) == 0 {
		return 1
	}
	i, found := slices.BinarySearch(v.f, f)
	switch {
	case found:
		return v.s[i]
	case i == 0:
		return v.s[0]
	case i == len(v.f):
		return v.s[i-1]
	}
	share := (f - v.f[i-1]) / (v.f[i] - v.f[i-1])
	return v.s[i-1] + float64(share*(v.s[i]-v.s[i-1]))
}

// prior is how many errors of the mean size of all are added to those of a bin.
const prior = 5

// spread returns the mean errors in so many bins of as many places each; none for no
// bins, and where all errors or all places are equal.
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
	order := compute.Indices(len(r.at))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(r.at[i], r.at[j]) })
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
