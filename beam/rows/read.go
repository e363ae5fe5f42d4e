package rows

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local" // paths without a scheme
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/rkhs-go/rkhs"
)

func init() {
	register.DoFn4x1[context.Context, fileio.ReadableFile, func(Batch), func(Rejected), error](&readFn{})
	register.Function1x2(jsonOf)
	register.Emitter1[Batch]()
	register.Emitter1[Rejected]()
	beam.RegisterType(reflect.TypeOf(Rejected{}))
}

// Rejected is an unreadable row, or the remainder of a damaged file.
type Rejected struct {
	Source string
	Line   int64  // as Batch.Row counts; 0 if unknown
	Reason string // the error
	Text   string // of the line, at most 4096 bytes; empty if unknown
}

// maxText limits Rejected.Text.
const maxText = 4096

var (
	readRows     = beam.NewCounter("rkhs", "rows")
	rejectedRows = beam.NewCounter("rkhs", "rejected")
)

// Read reads the files of a pattern, plain or compressed by gzip, on any registered file system of
// Beam; the local one always is. One worker reads a file from beginning to end, because line numbers
// identify rows. Split large files, and add beam.Reshuffle if there are fewer files than workers.
//
// The batches of a file are in its order and hold Options.Rows rows each, except the last, so that a
// retry returns the same batches. Rows that package dataset rejects, and the remainder of a damaged
// file, do not fail the pipeline: rejected receives them. Counters rows and rejected of namespace
// rkhs count them. A pattern without files, missing columns and failures of a file system do fail it.
//
// Errors wrap rkhs.ErrOption. A worker holds one batch; Parquet of a remote file system is copied to
// a temporary file.
func Read(s beam.Scope, pattern string, opts Options) (batches, rejected beam.PCollection, err error) {
	o, err := opts.checked(pattern)
	if err != nil {
		return batches, rejected, err
	}
	s = s.Scope("rows.Read")
	matches := fileio.MatchFiles(s, pattern, fileio.MatchEmptyDisallow())
	files := beam.Reshuffle(s, fileio.ReadMatches(s, matches)) // otherwise one bundle has all files
	batches, rejected = beam.ParDo2(s, newReadFn(o), files)
	return batches, rejected, nil
}

// WriteRejected writes rejected rows to a file of any registered file system of Beam, one JSON
// object per line. It writes no file if there are no rejected rows.
func WriteRejected(s beam.Scope, path string, rejected beam.PCollection) {
	s = s.Scope("rows.WriteRejected")
	textio.Write(s, path, beam.ParDo(s, jsonOf, rejected))
}

func jsonOf(r Rejected) (string, error) {
	text, err := json.Marshal(r)
	return string(text), err
}

// readFn reads a file. Beam encodes it as JSON, which has no function fields; gob ignores them.
type readFn struct{ Options []byte }

func newReadFn(o Options) *readFn {
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(o); err != nil {
		panic(err) // the type is known
	}
	return &readFn{buf.Bytes()}
}

// ProcessElement implements a DoFn.
func (f *readFn) ProcessElement(ctx context.Context, file fileio.ReadableFile, emit func(Batch), reject func(Rejected)) error {
	r := &reader{
		path: file.Metadata.Path,
		emit: func(b Batch) {
			readRows.Inc(ctx, int64(b.Rows))
			emit(b)
		},
		reject: func(line int64, reason, text string) {
			rejectedRows.Inc(ctx, 1)
			text = strings.ToValidUTF8(text[:min(len(text), maxText)], "�")
			reject(Rejected{file.Metadata.Path, line, reason, text})
		}}
	if err := gob.NewDecoder(bytes.NewReader(f.Options)).Decode(&r.Options); err != nil {
		return fmt.Errorf("rows: options: %w", err)
	}
	err := r.file(ctx, file)
	if isAny(err, rkhs.ErrFormat, rkhs.ErrNotFinite, rkhs.ErrShape, gzip.ErrHeader, gzip.ErrChecksum, io.ErrUnexpectedEOF) {
		r.reject(0, "the rest of the file cannot be read: "+err.Error(), "")
		return nil
	}
	if err != nil {
		return fmt.Errorf("rows: %s: %w", r.path, err)
	}
	return nil
}

// isAny reports whether an error wraps any error of a list.
func isAny(err error, others ...error) bool {
	return slices.ContainsFunc(others, func(other error) bool { return errors.Is(err, other) })
}

// reader reads one file.
type reader struct {
	Options
	path   string
	emit   func(Batch)
	reject func(line int64, reason, text string)
	header []byte // of CSV: the first valid line, which determines separator and columns
	begun  bool   // whether a line has been read
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

// inflated returns the contents of a file. Its first bytes, not its name, show whether it is compressed.
func inflated(r io.Reader) (*bufio.Reader, error) {
	const size = 1 << 16
	b := bufio.NewReaderSize(r, size)
	if magic, _ := b.Peek(2); string(magic) != "\x1f\x8b" {
		return b, nil // the first read returns an error of Peek again
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(z, size), nil
}
