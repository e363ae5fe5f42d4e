package slkl_test

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/slkl"
)

func TestSparseMemory(t *testing.T) {
	testutil.AllocatesLittle(t, func(ctx context.Context, x, labels mat.Matrix) error {
		_, err := slkl.FitClassifier(ctx, x, labels, nil)
		return err
	})
}
