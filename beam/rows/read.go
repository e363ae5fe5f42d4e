package rows

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local" // paths without a scheme
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/rkhs-go/rkhs"
)

func init() {
	register.DoFn4x1[context.Context, fileio.ReadableFile, func(Batch), func(Rejected), error](&readFn{})
	register.Emitter1[Batch]()
	register.Emitter1[Rejected]()
	beam.RegisterType(reflect.TypeOf(Rejected{}))
}

// Rejected is a row that cannot be read, or the rest of a file that is damaged.
type Rejected struct {
	Source string
	Line   int64  // as Batch.Row counts; 0 where it is not known
	Reason string // the error
	Text   string // of the line, up to 4096 bytes of it; empty where it is not known
}

// maxText limits Rejected.Text.
const maxText = 4096

var (
	readRows     = beam.NewCounter("rkhs", "rows")
	rejectedRows = beam.NewCounter("rkhs", "rejected")
)

// Read reads the files of a pattern of any of Beam's file systems that are registered, the local
// one among them, plain or compressed by gzip. Files are read in parallel, each of them by one
// worker from beginning to end, so that a row has its line: split what is large into files,
// and put beam.Reshuffle behind where there are fewer files than workers.
//
// The batches of a file are in its order and hold Options.Rows rows each, but for the last, so
// that a file that is read again gives the same ones. A row that package dataset refuses goes
// to rejected, and so does, in one, what is left of a file that is damaged: neither fails the
// pipeline. Counters rows and rejected of namespace rkhs count them. A pattern without files,
// options of a column that a file does not have, and failures of a file system do fail it.
//
// The error wraps rkhs.ErrOption, for options at fault. Memory of a worker is that of a batch;
// Parquet of other file systems than the local one passes by a temporary file.
func Read(s beam.Scope, pattern string, opts Options) (batches, rejected beam.PCollection, err error) {
	of, err := opts.source(pattern)
	if err != nil {
		return batches, rejected, err
	}
	s = s.Scope("rows.Read")
	matches := fileio.MatchFiles(s, pattern, fileio.MatchEmptyDisallow())
	files := beam.Reshuffle(s, fileio.ReadMatches(s, matches)) // else one bundle has them all
	batches, rejected = beam.ParDo2(s, &readFn{of}, files)
	return batches, rejected, nil
}

// readFn reads a file.
type readFn struct{ Of source }

// ProcessElement is the method that Beam calls.
func (f *readFn) ProcessElement(ctx context.Context, file fileio.ReadableFile, emit func(Batch), reject func(Rejected)) error {
	r := &reader{source: f.Of, path: file.Metadata.Path,
		emit: func(b Batch) {
			readRows.Inc(ctx, int64(b.Rows))
			emit(b)
		},
		reject: func(line int64, reason, text string) {
			rejectedRows.Inc(ctx, 1)
			reject(Rejected{file.Metadata.Path, line, reason, strings.ToValidUTF8(text[:min(len(text), maxText)], "�")})
		}}
	err := r.file(ctx, file)
	if isDamage(err) {
		r.reject(0, "the rest of the file cannot be read: "+err.Error(), "")
		return nil
	}
	if err != nil {
		return fmt.Errorf("rows: %s: %w", r.path, err)
	}
	return nil
}

// isDamage tells what a file holds from why it cannot be reached.
func isDamage(err error) bool {
	for _, damage := range []error{rkhs.ErrFormat, rkhs.ErrNotFinite, rkhs.ErrShape, gzip.ErrHeader, gzip.ErrChecksum, io.ErrUnexpectedEOF} {
		if errors.Is(err, damage) {
			return true
		}
	}
	return false
}

// reader reads one file.
type reader struct {
	source
	path   string
	emit   func(Batch)
	reject func(line int64, reason, text string)
}

func (r *reader) file(ctx context.Context, file fileio.ReadableFile) error {
	if r.Format == Parquet {
		return r.parquet(ctx, file)
	}
	f, err := file.Open(ctx)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := inflated(f)
	if err != nil {
		return err
	}
	if r.Table {
		return r.table(ctx, text)
	}
	return r.numbers(ctx, text)
}

// inflated returns the contents of a file, which may be compressed whatever its name.
func inflated(r io.Reader) (*bufio.Reader, error) {
	const size = 1 << 16
	b := bufio.NewReaderSize(r, size)
	if magic, _ := b.Peek(2); string(magic) != "\x1f\x8b" {
		return b, nil // an error comes again with the first read
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(z, size), nil
}

// consecutive returns lines unless they follow from the first.
func consecutive(lines []int64) []int64 {
	if n := len(lines); n == 0 || lines[n-1]-lines[0] == int64(n-1) {
		return nil
	}
	return lines
}
