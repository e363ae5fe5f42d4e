package polk_test

import (
	"context"
	"errors"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/polk"
)

// Model fits waiting rows on request, as far as the context permits.
func TestModelOfWaitingRowsStops(t *testing.T) {
	x, y := sample(50, 1)
	l := newLearner(t, polk.Options{})
	update(t, l, x, y)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, err := l.Model(ctx)
	if !errors.Is(err, context.Canceled) || m == nil || m.Report().Status != rkhs.Cancelled || m.ModelOrder() != 0 {
		t.Errorf("model %v, error %v", m, err)
	}
	if m, err = l.Model(context.Background()); err != nil || m.Report().Rows != 50 || l.Report().Rows != 0 || l.Rows() != 50 {
		t.Errorf("model of %d rows, %d learned, error %v", m.Report().Rows, l.Report().Rows, err)
	}
}
