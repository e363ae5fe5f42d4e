package polk_test

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/polk"
)

func TestSparseMemory(t *testing.T) {
	testutil.AllocatesLittle(t, func(ctx context.Context, x, labels mat.Matrix) error {
		_, err := polk.FitClassifier(ctx, x, labels, nil)
		return err
	})
}
