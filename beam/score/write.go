package score

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/parquet-go/parquet-go"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/beam/rows"
)

func init() {
	register.DoFn1x2[Predictions, int, Predictions](&shardFn{})
	register.DoFn3x1[context.Context, int, func(*Predictions) bool, error](&writeFn{})
	register.Iter1[Predictions]()
}

// Output configures Write.
type Output struct {
	// Path is the file, on any registered file system of Beam: Parquet if it ends in .parquet or
	// .pq, otherwise CSV. An existing file is overwritten.
	Path string
	// Shards is the number of files, each written by one worker: for predicted.csv
	// predicted-00000-of-00008.csv and so on. Files without rows are not written. Default: 1, under
	// the name Path.
	Shards int
	// Inputs also writes the columns of the rows: the cells of a table, or x1, x2 and so on and the
	// targets of dense rows. Sparse rows fail the pipeline.
	Inputs bool
}

// Write writes a line for each row, with its source and line, the inputs if requested, and the
// columns of Predictions. Source and line identify the row, because the order of batches is
// arbitrary. The prediction is the text of the class for a recipe of classes. An input with one of
// these names is written as "name (input)".
//
// A retry writes the same rows again. Errors wrap rkhs.ErrOption.
func Write(s beam.Scope, predictions beam.PCollection, out Output) error {
	if out.Shards == 0 {
		out.Shards = 1
	}
	if out.Path == "" || out.Shards < 0 || out.Shards > 99999 {
		return fmt.Errorf("score: options Path = %q and Shards = %d, want a path and 1 … 99999: %w", out.Path, out.Shards, rkhs.ErrOption)
	}
	s = s.Scope("score.Write")
	keyed := beam.ParDo(s, &shardFn{out.Shards, out.Inputs}, predictions)
	beam.ParDo0(s, &writeFn{out}, beam.GroupByKey(s, keyed))
	return nil
}

// shardFn assigns batches to files, by the hash of their origin.
type shardFn struct {
	Shards int
	Inputs bool
}

// ProcessElement implements a DoFn.
func (f *shardFn) ProcessElement(p Predictions) (int, Predictions) {
	if !f.Inputs {
		b := p.Rows
		p.Rows = rows.Batch{Rows: b.Rows, Source: b.Source, First: b.First, Lines: b.Lines}
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%d", p.Rows.Source, p.Rows.First)
	return int(h.Sum64() % uint64(f.Shards)), p
}

// writeFn writes a file.
type writeFn struct{ Output }

// ProcessElement implements a DoFn.
func (f *writeFn) ProcessElement(ctx context.Context, shard int, next func(*Predictions) bool) error {
	name := f.name(shard)
	if err := f.file(ctx, name, next); err != nil {
		return fmt.Errorf("score: %s: %w", name, err)
	}
	return nil
}

// name returns the path of a shard.
func (o *Output) name(shard int) string {
	if o.Shards == 1 {
		return o.Path
	}
	ext := path.Ext(o.Path)
	return fmt.Sprintf("%s-%05d-of-%05d%s", strings.TrimSuffix(o.Path, ext), shard, o.Shards, ext)
}

func (o *Output) file(ctx context.Context, name string, next func(*Predictions) bool) (err error) {
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer fs.Close()
	file, err := fs.OpenWrite(ctx, name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	var w recordWriter
	var names []string
	for p := (Predictions{}); next(&p); p = (Predictions{}) {
		if err := ctx.Err(); err != nil {
			return err
		}
		columns, err := o.columns(&p)
		if err != nil {
			return err
		}
		if w == nil {
			names = namesOf(columns)
			if w, err = newWriter(name, file, columns); err != nil {
				return err
			}
		}
		if other := namesOf(columns); !slices.Equal(names, other) {
			return fmt.Errorf("rows of %s have the columns %q, others have %q: %w", p.Rows.Source, other, names, rkhs.ErrShape)
		}
		for i := range p.Rows.Rows {
			if err := w.write(columns, i); err != nil {
				return err
			}
		}
	}
	if w == nil {
		return nil
	}
	return w.close()
}

// column is a column of the output.
type column struct {
	name  string
	node  parquet.Node
	value func(row int) parquet.Value
}

func textColumn(name string, text func(row int) string) column {
	return column{name, parquet.String(), func(i int) parquet.Value { return parquet.ValueOf(text(i)) }}
}

func numberColumn(name string, value func(row int) float64) column {
	return column{name, parquet.Leaf(parquet.DoubleType), func(i int) parquet.Value { return parquet.DoubleValue(value(i)) }}
}

func namesOf(columns []column) []string {
	names := make([]string, len(columns))
	for j, c := range columns {
		names[j] = c.name
	}
	return names
}

// columns returns the columns of predictions.
func (o *Output) columns(p *Predictions) ([]column, error) {
	b := &p.Rows
	columns := []column{
		textColumn("source", func(int) string { return b.Source }),
		{"line", parquet.Int(64), func(i int) parquet.Value { return parquet.Int64Value(b.Row(i)) }},
	}
	if o.Inputs {
		inputs, err := inputColumns(b)
		if err != nil {
			return nil, err
		}
		for _, c := range inputs {
			if c.name == "source" || c.name == "line" || slices.Contains(p.Columns, c.name) {
				c.name += " (input)"
			}
			columns = append(columns, c)
		}
	}
	width := len(p.Columns)
	for j, name := range p.Columns {
		if name == "prediction" && p.Classes != nil {
			columns = append(columns, textColumn(name, func(i int) string { return p.Classes[i] }))
			continue
		}
		columns = append(columns, numberColumn(name, func(i int) float64 { return p.Values[i*width+j] }))
	}
	return columns, nil
}

// inputColumns returns the columns of the rows themselves.
func inputColumns(b *rows.Batch) (columns []column, err error) {
	if b.Offsets != nil {
		return nil, fmt.Errorf("option Inputs with sparse rows: %w", rkhs.ErrOption)
	}
	for j, name := range b.Names {
		columns = append(columns, textColumn(name, func(i int) string { return b.Cells[i*len(b.Names)+j] }))
	}
	for j := range b.Cols {
		columns = append(columns, numberColumn(fmt.Sprintf("x%d", j+1), func(i int) float64 { return b.Values[i*b.Cols+j] }))
	}
	for j, name := range numbered("target", b.Outputs) {
		columns = append(columns, numberColumn(name, func(i int) float64 { return b.Targets[i*b.Outputs+j] }))
	}
	return columns, nil
}

// recordWriter writes rows of columns to a file.
type recordWriter interface {
	write(columns []column, row int) error
	close() error
}

// newWriter returns a writer of the format of a name.
func newWriter(name string, to io.Writer, columns []column) (recordWriter, error) {
	if ext := strings.ToLower(path.Ext(name)); ext == ".parquet" || ext == ".pq" {
		return newParquetWriter(to, columns)
	}
	w := csv.NewWriter(bufio.NewWriterSize(to, 1<<20))
	return &csvWriter{w, make([]string, len(columns))}, w.Write(namesOf(columns))
}

type csvWriter struct {
	csv    *csv.Writer
	record []string
}

func (w *csvWriter) write(columns []column, row int) error {
	for j, c := range columns {
		switch v := c.value(row); v.Kind() {
		case parquet.Double:
			w.record[j] = strconv.FormatFloat(v.Double(), 'g', -1, 64)
		case parquet.Int64:
			w.record[j] = strconv.FormatInt(v.Int64(), 10)
		default:
			w.record[j] = string(v.ByteArray())
		}
	}
	return w.csv.Write(w.record)
}

func (w *csvWriter) close() error {
	w.csv.Flush()
	return w.csv.Error()
}

type parquetWriter struct {
	writer *parquet.GenericWriter[any]
	at     []int // index in the file of each column; the file sorts columns by name
	row    parquet.Row
}

func newParquetWriter(to io.Writer, columns []column) (*parquetWriter, error) {
	group := parquet.Group{}
	for _, c := range columns {
		group[c.name] = c.node
	}
	if len(group) < len(columns) {
		return nil, fmt.Errorf("two columns of one name among %q: %w", namesOf(columns), rkhs.ErrShape)
	}
	schema := parquet.NewSchema("predictions", group)
	w := &parquetWriter{parquet.NewGenericWriter[any](to, schema), nil, make(parquet.Row, len(columns))}
	for _, c := range columns {
		leaf, _ := schema.Lookup(c.name)
		w.at = append(w.at, leaf.ColumnIndex)
	}
	return w, nil
}

func (w *parquetWriter) write(columns []column, row int) error {
	for j, c := range columns {
		w.row[w.at[j]] = c.value(row).Level(0, 0, w.at[j])
	}
	_, err := w.writer.WriteRows([]parquet.Row{w.row})
	return err
}

func (w *parquetWriter) close() error { return w.writer.Close() }
