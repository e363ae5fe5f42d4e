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

// Save writes a model, the single element of a collection of this package, to a path on any
// registered Beam file system, including the local one. It overwrites existing files, and
// retries write the same bytes.
func Save(s beam.Scope, model beam.PCollection, path string) {
	beam.ParDo0(s.Scope("learn.Save"), &saveFn{path}, model)
}

type saveFn struct{ Path string }

// ProcessElement implements the DoFn.
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
