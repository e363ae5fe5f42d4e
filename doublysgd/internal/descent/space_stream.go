package descent

import (
	"math"

	"github.com/rkhs-go/rkhs"
)

// StreamedFunction returns the average of the iterates of a stream, a function without centres,
// and what is known of it.
func StreamedFunction(s *Stream) (*SpaceFunction, SpaceReport) {
	nan := math.NaN()
	return Uncentred(s.Stepper.Result()), SpaceReport{Status: rkhs.Converged, Rows: s.Seen, Iterations: s.Stepper.Steps, Ridge: s.Stepper.Ridge, Rest: nan, Error: nan}
}
