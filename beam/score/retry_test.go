package score

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rkhs-go/rkhs/beam/rows"
)

// A retry replaces a half-written file by a complete one. Prism never retries a bundle, so the test
// calls the function like a runner.
func TestWriteRetried(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.csv")
	attempt := func(ctx context.Context, each func(k int)) error {
		k := 0
		return (&writeFn{Output{Path: path, Shards: 1}}).ProcessElement(ctx, 0, func(p *Predictions) bool {
			each(k)
			if k++; k > 400 {
				return false
			}
			*p = Predictions{Rows: rows.Batch{Rows: 2, Source: "a.csv", First: int64(2 * k)}, Columns: []string{"prediction"}, Values: []float64{float64(k), 1. / 3}}
			return true
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	err := attempt(ctx, func(k int) {
		if k == 200 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err := attempt(context.Background(), func(int) {}); err != nil {
		t.Fatal(err)
	}
	want := "source,line,prediction\n"
	for k := 1; k <= 400; k++ {
		want += fmt.Sprintf("a.csv,%d,%d\na.csv,%d,0.3333333333333333\n", 2*k, k, 2*k+1)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%d bytes, want %d, %v", len(got), len(want), err)
	}
}
