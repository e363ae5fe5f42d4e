package rows

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/dataset/parquet"
)

// table reads cells of text.
func (r *reader) table(ctx context.Context, text *bufio.Reader) error {
	kept := &keeper{r: text, first: 1}
	opts := r.Cells
	opts.Skip = func(err error) {
		number := lineOf(err)
		r.reject(number, reason(err), kept.line(number))
	}
	for t, err := range dataset.TableBatches(kept, r.Rows, opts) {
		if err == nil {
			err = ctx.Err()
		}
		if errors.Is(err, rkhs.ErrEmpty) {
			return nil // no line, or only a header
		}
		if err != nil {
			return err
		}
		b := r.cells(t)
		kept.forget(b.Row(b.Rows - 1))
		r.emit(b)
	}
	return nil
}

// lineOf returns the line number in an error of package dataset, or 0.
func lineOf(err error) (number int64) {
	if _, after, ok := strings.Cut(err.Error(), "line "); ok {
		fmt.Sscan(strings.TrimRight(after[:min(len(after), 20)], ":"), &number)
	}
	return number
}

// cells returns a table as a batch. Missing cells are empty.
func (r *reader) cells(t *dataset.Table) Batch {
	n, d := t.Dims()
	b := Batch{Source: r.path, Rows: n, Names: make([]string, d), Cells: make([]string, n*d)}
	lines := make([]int64, n)
	for i := range lines {
		lines[i] = int64(t.Line(i))
	}
	b.setLines(lines)
	for j, c := range t.Columns() {
		b.Names[j] = c.Name()
		for i := range n {
			b.Cells[i*d+j], _ = c.Text(i)
		}
	}
	return b
}

// keeper keeps the lines that it reads, for messages about malformed lines,
// until forget drops them.
type keeper struct {
	r     io.Reader
	text  []byte
	first int64 // number of the first line of text
}

// Read implements io.Reader.
func (k *keeper) Read(p []byte) (int, error) {
	n, err := k.r.Read(p)
	k.text = append(k.text, p[:n]...)
	return n, err
}

// line returns the text of a line, or "". It forgets the lines before.
func (k *keeper) line(number int64) string {
	k.forget(number - 1)
	if k.first != number {
		return ""
	}
	text, _, _ := strings.Cut(string(k.text[:min(len(k.text), maxText)]), "\n")
	return strings.TrimRight(text, "\r")
}

// forget drops the lines up to one.
func (k *keeper) forget(number int64) {
	at := 0
	for ; k.first <= number; k.first++ {
		end := bytes.IndexByte(k.text[at:], '\n')
		if end < 0 {
			break
		}
		at += end + 1
	}
	k.text = append(k.text[:0], k.text[at:]...)
}

// parquet reads cells, or the numbers in them.
func (r *reader) parquet(ctx context.Context, file fileio.ReadableFile) error {
	local, remove, err := localCopy(ctx, file)
	if err != nil {
		return err
	}
	defer remove()
	next := int64(1)
	for t, err := range parquet.Batches(local, r.Rows, r.Cells) {
		if err == nil {
			err = ctx.Err()
		}
		if errors.Is(err, rkhs.ErrEmpty) {
			return nil
		}
		if err != nil {
			return err
		}
		b := r.cells(t)
		b.First, b.Lines = next, nil // such a table numbers its own rows
		next += int64(b.Rows)
		if r.Table {
			r.emit(b)
		} else if err := r.emitNumbers(&b); err != nil {
			return err
		}
	}
	return nil
}

// localCopy returns the path of a local file, or of a copy of a remote one.
func localCopy(ctx context.Context, file fileio.ReadableFile) (path string, remove func(), err error) {
	if path = file.Metadata.Path; !strings.Contains(path, "://") {
		return path, func() {}, nil
	}
	from, err := file.Open(ctx)
	if err != nil {
		return "", nil, err
	}
	defer from.Close()
	to, err := os.CreateTemp("", "rkhs-*.parquet")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.Remove(to.Name()) }
	_, err = io.Copy(to, from)
	if err = errors.Join(err, to.Close()); err != nil {
		remove()
		return "", nil, err
	}
	return to.Name(), remove, nil
}

// emitNumbers parses cells as CSV and emits the numbers.
func (r *reader) emitNumbers(b *Batch) error {
	r.header = csvLine(b.Names)
	lines := make([]line, b.Rows)
	for i := range lines {
		lines[i] = line{csvLine(b.Cells[i*len(b.Names):][:len(b.Names)]), b.Row(i)}
	}
	return r.emitLines(lines)
}

// csvLine returns cells as a line of CSV.
func csvLine(cells []string) []byte {
	var text []byte
	for _, cell := range cells {
		text = append(text, '"')
		text = append(text, inQuotes.Replace(cell)...)
		text = append(text, '"', ',')
	}
	return bytes.TrimSuffix(text, []byte{','})
}

// inQuotes quotes a cell. No number contains a line break.
var inQuotes = strings.NewReplacer(`"`, `""`, "\n", " ", "\r", " ")
