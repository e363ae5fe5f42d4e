package polk_test

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/polk"
)

func TestIntervalOfFewLevels(t *testing.T) {
	testutil.IntervalsOfFewLevels(t, func(x, y *mat.Dense) (testutil.Intervals, error) {
		return polk.Fit(context.Background(), x, y, nil)
	})
}
