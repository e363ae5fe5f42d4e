package rows

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
)

// maxLine limits the length of a line in bytes, as package dataset does.
const maxLine = 64 << 20

// errLong reports a line that is too long.
var errLong = fmt.Errorf("longer than %d bytes: %w", maxLine, rkhs.ErrFormat)

// line is a line of data.
type line struct {
	text   []byte
	number int64
}

// lines reads lines as package dataset does: it skips empty lines and comments.
type lines struct {
	r      *bufio.Reader
	number int64
}

// next returns the next line in its own memory, or io.EOF. For a line that is too long it returns
// errLong with the beginning of the line; reading can go on.
func (l *lines) next() (line, error) {
	for {
		text, err := l.read()
		if err == io.EOF {
			return line{}, err
		}
		l.number++
		if l.number == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		text = bytes.TrimRight(text, "\r\n")
		if data := bytes.TrimLeft(text, " \t"); err != nil || len(data) > 0 && data[0] != '#' {
			return line{text, l.number}, err
		}
	}
}

func (l *lines) read() (text []byte, err error) {
	tooLong := false
	for more := true; more; {
		var part []byte
		part, err = l.r.ReadSlice('\n')
		if more = err == bufio.ErrBufferFull; more || err == nil || err == io.EOF {
			if tooLong = tooLong || len(text)+len(part) > maxLine; !tooLong {
				text = append(text, part...)
			}
		}
	}
	switch {
	case err == io.EOF && len(text) > 0 && !tooLong:
		return text, nil
	case err != nil:
		return nil, err
	case tooLong:
		return text[:min(len(text), maxText)], errLong
	}
	return text, nil
}

// numbers reads CSV or svmlight. Package dataset parses a batch of lines at a time.
func (r *reader) numbers(ctx context.Context, text *bufio.Reader) error {
	in := &lines{r: text}
	var pending []line
	for {
		l, err := in.next()
		switch {
		case errors.Is(err, errLong):
			r.reject(l.number, err.Error(), string(l.text))
			continue
		case err != nil || ctx.Err() != nil:
			if flushed := r.emitLines(pending); flushed != nil || err == io.EOF {
				return flushed
			}
			return cmp.Or(ctx.Err(), err)
		}
		isRow, err := r.begin(l)
		if err = r.rejectRow(l, err); err != nil {
			return err
		}
		if !isRow {
			continue
		}
		if pending = append(pending, l); len(pending) == r.Rows {
			if err := r.emitLines(pending); err != nil {
				return err
			}
			pending = pending[:0]
		}
	}
}

// begin reports whether a line may be a row: the first line of CSV may be a header. If the first row
// is malformed, the next one determines the columns.
func (r *reader) begin(l line) (isRow bool, err error) {
	if r.Format == SVM || r.header != nil {
		return true, nil
	}
	opts := r.Numbers
	opts.Header = opts.Header && !r.begun
	_, err = dataset.ReadCSV(bytes.NewReader(l.text), opts)
	isHeader := errors.Is(err, rkhs.ErrEmpty)
	if isHeader && r.begun {
		return false, fmt.Errorf("not one number: %w", rkhs.ErrFormat)
	}
	r.begun = true
	if err != nil && !isHeader {
		return false, err
	}
	r.header = l.text
	return !isHeader, nil
}

// emitLines emits the rows of lines as a batch.
func (r *reader) emitLines(lines []line) error {
	b := Batch{Source: r.path}
	if err := r.parse(&b, lines); err != nil || b.Rows == 0 {
		return err
	}
	b.setLines(b.Lines)
	r.emit(b)
	return nil
}

// parse appends the rows of lines to b. If parsing fails, it parses both halves to find the malformed rows.
func (r *reader) parse(b *Batch, lines []line) error {
	if len(lines) == 0 {
		return nil
	}
	err := r.appendRows(b, lines)
	if half := len(lines) / 2; half > 0 && isRowFault(err) {
		if err := r.parse(b, lines[:half]); err != nil {
			return err
		}
		return r.parse(b, lines[half:])
	}
	return r.rejectRow(lines[0], err)
}

// rejectRow rejects a malformed line, and returns any other error.
func (r *reader) rejectRow(l line, err error) error {
	if err == nil || !isRowFault(err) {
		return err
	}
	r.reject(l.number, reason(err), string(l.text))
	return nil
}

// isRowFault distinguishes errors of a row from errors of options.
func isRowFault(err error) bool {
	return isAny(err, rkhs.ErrFormat, rkhs.ErrNotFinite, rkhs.ErrDomain, rkhs.ErrShape, rkhs.ErrEmpty)
}

// reason returns the text of an error of package dataset without its line number, which counts
// within a batch.
func reason(err error) string {
	text := strings.TrimPrefix(err.Error(), "dataset: ")
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		return strings.TrimLeft(strings.TrimLeft(rest, "0123456789"), ", :")
	}
	return text
}

// appendRows appends the rows of all lines to b. It leaves b unchanged on an error.
func (r *reader) appendRows(b *Batch, lines []line) error {
	var text bytes.Buffer
	if r.header != nil {
		text.Write(r.header)
		text.WriteByte('\n')
	}
	for _, l := range lines {
		text.Write(l.text)
		text.WriteByte('\n')
	}
	appendTo := b.appendCSV
	if r.Format == SVM {
		appendTo = b.appendSVM
	}
	if err := appendTo(&text, r.Numbers); err != nil {
		return err
	}
	for _, l := range lines {
		b.Lines = append(b.Lines, l.number)
	}
	return nil
}

// appendCSV appends rows of CSV with a header.
func (b *Batch) appendCSV(text io.Reader, opts dataset.Options) error {
	opts.Header = true
	set, err := dataset.ReadCSV(text, opts)
	if err != nil {
		return err
	}
	x := set.X.RawMatrix()
	b.Rows, b.Cols, b.Values = b.Rows+x.Rows, x.Cols, append(b.Values, x.Data...)
	b.Weights = append(b.Weights, set.Weights...)
	if b.Targets = append(b.Targets, set.Y...); b.Targets != nil {
		b.Outputs = 1
	}
	return nil
}

// appendSVM appends rows of svmlight.
func (b *Batch) appendSVM(text io.Reader, opts dataset.Options) error {
	set, err := dataset.ReadSparse(text, opts)
	if err != nil {
		return err
	}
	if b.Offsets == nil {
		b.Offsets = []int{0}
	}
	before := len(b.Values)
	b.Rows, b.Cols = b.Rows+set.X.Rows, set.X.Cols
	b.Columns, b.Values = append(b.Columns, set.X.Columns...), append(b.Values, set.X.Values...)
	for _, end := range set.X.Offsets[1:] {
		b.Offsets = append(b.Offsets, before+end)
	}
	b.Outputs, b.Targets = 1, append(b.Targets, set.Y...)
	return nil
}
