package hybrid

import (
	"math"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd/internal/batches"
)

// Streamed returns the average of the iterates of a stream, a function without centres,
// and what is known of it.
func Streamed(s *batches.Stream) (*Function, Report) {
	nan := math.NaN()
	return Uncentred(s.Stepper.Result()), Report{Status: rkhs.Converged, Rows: s.Seen, Iterations: s.Stepper.Steps, Ridge: s.Stepper.Ridge, Rest: nan, Error: nan}
}
