package learn

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local" // paths without a scheme
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() { register.DoFn2x1[context.Context, []byte, error](&saveFn{}) }

// Save writes the file of a model, the one element of a collection of this package, to a path of
// any of Beam's file systems that are registered, the local one among them. What was there is
// overwritten, and a second attempt writes the same.
func Save(s beam.Scope, model beam.PCollection, path string) {
	beam.ParDo0(s.Scope("learn.Save"), &saveFn{path}, model)
}

type saveFn struct{ Path string }

// ProcessElement is the method that Beam calls.
func (f *saveFn) ProcessElement(ctx context.Context, file []byte) (err error) {
	fs, err := filesystem.New(ctx, f.Path)
	if err != nil {
		return fmt.Errorf("learn: %s: %w", f.Path, err)
	}
	defer func() { err = errors.Join(err, fs.Close()) }()
	if err := filesystem.Write(ctx, fs, f.Path, file); err != nil {
		return fmt.Errorf("learn: %s: %w", f.Path, err)
	}
	return nil
}
