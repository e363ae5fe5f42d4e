package metric_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/metric"
)

// TestMemoryLimit: a sufficient limit has no effect. A lower limit reduces the sample, by the
// same amount for any number of workers. A limit below the smallest search is an error that
// reports the required bytes.
func TestMemoryLimit(t *testing.T) {
	x, y := columns(150, 5)
	ctx := context.Background()
	learn := func(limit int64, workers int) *metric.Result {
		r, err := metric.Learn(ctx, x, y, &metric.Options{MemoryLimit: limit, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	all := learn(0, 2)
	if ample := learn(64<<20, 2); !reflect.DeepEqual(all, ample) {
		t.Errorf("with room for all %+v, without a limit %+v", ample, all)
	}
	few := learn(2<<20, 1)
	if few.Rows >= all.Rows || few.Rows < 60 {
		t.Errorf("%d rows of %d", few.Rows, all.Rows)
	}
	if more := learn(2<<20, 3); !reflect.DeepEqual(few, more) {
		t.Errorf("by one worker %+v, by three %+v", few, more)
	}
	r, err := metric.Learn(ctx, x, y, &metric.Options{MemoryLimit: 10000})
	if r != nil || !errors.Is(err, rkhs.ErrMemory) || !strings.Contains(err.Error(), "60 rows of 5 columns") {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := metric.Learn(ctx, x, y, &metric.Options{MemoryLimit: -1}); r != nil || !errors.Is(err, rkhs.ErrOption) {
		t.Errorf("%+v, %v", r, err)
	}
}
