package kernel

import (
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/door"
	"github.com/rkhs-go/rkhs/internal/gram"
)

// MedianDistance returns the median of the positive Euclidean distances between
// rows of x, n×d, a bandwidth that fits the scale of the data: over all pairs of
// rows, or of 1000 rows drawn by seed if there are more. If all these rows are
// equal it returns 1. Errors wrap rkhs.ErrEmpty, rkhs.ErrNotFinite, and
// rkhs.ErrDiverged for a median that is out of range for a bandwidth, [1e-150, 1e150].
func MedianDistance(x mat.Matrix, seed uint64) (float64, error) {
	rows, err := door.Points("kernel", "x", x)
	if err != nil {
		return 0, err
	}
	return gram.MedianDistance(rows, seed)
}
