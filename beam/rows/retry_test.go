package rows

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
)

// A runner may read half of a file, discard the result and read the file again. The second read
// must give the rows and rejections of a single read with the same identities, and the first half
// must be a part of them. Prism never retries a bundle, so the test calls the function like a
// runner.
func TestReadRetried(t *testing.T) {
	dir := files(t, map[string]string{"a.csv": strings.Repeat("1,2,3\n4,x,5\n6,7,8\n", 40)})
	attempt := func(ctx context.Context, each func()) (batches []Batch, rejected []Rejected, err error) {
		f := newReadFn(Options{Format: CSV, Rows: 7})
		err = f.ProcessElement(ctx, fileio.ReadableFile{Metadata: fileio.FileMetadata{Path: filepath.Join(dir, "a.csv")}},
			func(b Batch) { batches = append(batches, b); each() }, func(r Rejected) { rejected = append(rejected, r) })
		return batches, rejected, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	left := 5
	half, _, err := attempt(ctx, func() {
		if left--; left == 0 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || len(half) < 5 {
		t.Fatalf("%d batches, %v", len(half), err)
	}
	once, rejected, err := attempt(context.Background(), func() {})
	if err != nil || len(rejected) != 40 {
		t.Fatal(len(rejected), err)
	}
	again, rejectedAgain, err := attempt(context.Background(), func() {})
	if err != nil || !reflect.DeepEqual(again, once) || !reflect.DeepEqual(rejectedAgain, rejected) {
		t.Error("a second attempt gives other rows")
	}
	if !reflect.DeepEqual(half[:5], once[:5]) {
		t.Error("a first attempt gives other rows than the second")
	}
}
