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

// Output says where predictions are written.
type Output struct {
	// Path names the file, on any of Beam's file systems that are registered: CSV, or Parquet
	// if it ends in .parquet or .pq. An existing file is overwritten.
	Path string
	// Shards is the number of files, each written by one worker: of predicted.csv
	// predicted-00000-of-00008.csv and so on. A file without rows is not there. Default 1,
	// under the name Path.
	Shards int
	// Inputs writes the columns of the rows as well: the cells of a table, or x1, x2 and so on
	// and the targets of dense rows. Sparse rows fail the pipeline.
	Inputs bool
}

// Write writes a line for each row: source and line, which say where the row came from, since
// rows keep their order within a batch alone; the inputs, if wanted; and the columns of
// Predictions, of which prediction is the text of the class where there are classes. An
// input under one of these names is written as "name (input)".
//
// A bundle that is tried again writes its files anew, with the same rows. The error wraps rkhs.ErrOption.
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

// shardFn deals batches to files, by where they come from.
type shardFn struct {
	Shards int
	Inputs bool
}

// ProcessElement is the method that Beam calls.
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

// ProcessElement is the method that Beam calls.
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

func (f *writeFn) file(ctx context.Context, name string, next func(*Predictions) bool) (err error) {
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
	var w recordWriter = &csvWriter{csv: csv.NewWriter(bufio.NewWriterSize(file, 1<<20))}
	if ext := strings.ToLower(path.Ext(name)); ext == ".parquet" || ext == ".pq" {
		w = &parquetWriter{to: file}
	}
	var names []string
	for p := (Predictions{}); next(&p); {
		if err := ctx.Err(); err != nil {
			return err
		}
		columns, err := f.columns(&p)
		if err != nil {
			return err
		}
		if names == nil {
			names = namesOf(columns)
			err = w.begin(columns)
		} else if strings.Join(names, "\n") != strings.Join(namesOf(columns), "\n") {
			err = fmt.Errorf("rows of %s have the columns %q, those of others %q: %w", p.Rows.Source, namesOf(columns), names, rkhs.ErrShape)
		}
		for i := 0; i < p.Rows.Rows && err == nil; i++ {
			err = w.write(columns, i)
		}
		if err != nil {
			return err
		}
		p = Predictions{}
	}
	return w.end()
}

// column is a column of the output: its values are of text, or of what node says.
type column struct {
	name  string
	text  func(row int) string
	node  parquet.Node
	value func(row int) parquet.Value
}

func textColumn(name string, text func(row int) string) column {
	return column{name, text, parquet.String(), func(i int) parquet.Value { return parquet.ValueOf(text(i)) }}
}

func numberColumn(name string, value func(row int) float64) column {
	return column{name, func(i int) string { return strconv.FormatFloat(value(i), 'g', -1, 64) },
		parquet.Leaf(parquet.DoubleType), func(i int) parquet.Value { return parquet.DoubleValue(value(i)) }}
}

func namesOf(columns []column) []string {
	names := make([]string, len(columns))
	for j, c := range columns {
		names[j] = c.name
	}
	return names
}

// columns returns what is written of the rows of p.
func (o *Output) columns(p *Predictions) ([]column, error) {
	b := &p.Rows
	columns := []column{
		textColumn("source", func(int) string { return b.Source }),
		{"line", func(i int) string { return strconv.FormatInt(b.Row(i), 10) }, parquet.Int(64), func(i int) parquet.Value { return parquet.Int64Value(b.Row(i)) }},
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
	for j, name := range outputs("target", b.Outputs) {
		columns = append(columns, numberColumn(name, func(i int) float64 { return b.Targets[i*b.Outputs+j] }))
	}
	return columns, nil
}

// recordWriter writes rows of columns to a file.
type recordWriter interface {
	begin(columns []column) error
	write(columns []column, row int) error
	end() error
}

type csvWriter struct {
	csv    *csv.Writer
	record []string
}

func (w *csvWriter) begin(columns []column) error {
	w.record = make([]string, len(columns))
	return w.csv.Write(namesOf(columns))
}

func (w *csvWriter) write(columns []column, row int) error {
	for j, c := range columns {
		w.record[j] = c.text(row)
	}
	return w.csv.Write(w.record)
}

func (w *csvWriter) end() error {
	w.csv.Flush()
	return w.csv.Error()
}

type parquetWriter struct {
	to     io.Writer
	writer *parquet.GenericWriter[any]
	at     []int // of each column in the file, whose columns are in the order of their names
	row    parquet.Row
}

func (w *parquetWriter) begin(columns []column) error {
	group := parquet.Group{}
	for _, c := range columns {
		group[c.name] = c.node
	}
	if len(group) < len(columns) {
		return fmt.Errorf("two columns of one name among %q: %w", namesOf(columns), rkhs.ErrShape)
	}
	schema := parquet.NewSchema("predictions", group)
	for _, c := range columns {
		leaf, _ := schema.Lookup(c.name)
		w.at = append(w.at, leaf.ColumnIndex)
	}
	w.row = make(parquet.Row, len(columns))
	w.writer = parquet.NewGenericWriter[any](w.to, schema)
	return nil
}

func (w *parquetWriter) write(columns []column, row int) error {
	for j, c := range columns {
		w.row[w.at[j]] = c.value(row).Level(0, 0, w.at[j])
	}
	_, err := w.writer.WriteRows([]parquet.Row{w.row})
	return err
}

func (w *parquetWriter) end() error {
	if w.writer == nil {
		return nil
	}
	return w.writer.Close()
}
