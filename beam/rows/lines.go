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

// line is a line of text that holds data.
type line struct {
	text   []byte
	number int64
}

// lines reads lines as package dataset does: it skips empty ones and comments.
type lines struct {
	r      *bufio.Reader
	number int64
}

// next returns the next line in memory of its own, or io.EOF. A line that is too long is an
// error with what it begins with, behind which the next can be read.
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

// errLong says that a line is too long.
var errLong = fmt.Errorf("longer than %d bytes: %w", maxLine, rkhs.ErrFormat)

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

// numbers reads CSV or svmlight: package dataset reads some lines at a time.
func (r *reader) numbers(ctx context.Context, text *bufio.Reader) error {
	in, p := &lines{r: text}, &parser{source: r.source}
	var pending []line
	for {
		l, err := in.next()
		switch {
		case errors.Is(err, errLong):
			r.reject(l.number, err.Error(), string(l.text))
			continue
		case err != nil || ctx.Err() != nil:
			if flushed := r.give(p, pending); flushed != nil || err == io.EOF {
				return flushed
			}
			return cmp.Or(ctx.Err(), err)
		}
		keep, err := p.begin(l)
		if err = r.rejected(l, err); err != nil {
			return err
		}
		if !keep {
			continue
		}
		if pending = append(pending, l); len(pending) == r.Rows {
			if err := r.give(p, pending); err != nil {
				return err
			}
			pending = pending[:0]
		}
	}
}

// give emits what lines hold.
func (r *reader) give(p *parser, lines []line) error {
	b := Batch{Source: r.path}
	if err := r.gather(&b, p, lines); err != nil || b.Rows == 0 {
		return err
	}
	b.First, b.Lines = b.Lines[0], consecutive(b.Lines)
	r.emit(b)
	return nil
}

// gather appends the rows of lines to b. Where one of many is at fault, the halves tell which.
func (r *reader) gather(b *Batch, p *parser, lines []line) error {
	if len(lines) == 0 {
		return nil
	}
	err := p.appendTo(b, lines)
	if err == nil {
		return nil
	}
	if half := len(lines) / 2; half > 0 && isRowFault(err) {
		if err := r.gather(b, p, lines[:half]); err != nil {
			return err
		}
		return r.gather(b, p, lines[half:])
	}
	return r.rejected(lines[0], err)
}

// rejected rejects a line that is at fault, and returns any other error.
func (r *reader) rejected(l line, err error) error {
	if err == nil || !isRowFault(err) {
		return err
	}
	r.reject(l.number, reason(err), string(l.text))
	return nil
}

// isRowFault tells the errors of a row from those of options.
func isRowFault(err error) bool {
	for _, fault := range []error{rkhs.ErrFormat, rkhs.ErrNotFinite, rkhs.ErrDomain, rkhs.ErrShape, rkhs.ErrEmpty} {
		if errors.Is(err, fault) {
			return true
		}
	}
	return false
}

// reason returns an error of package dataset without the place, which is one of a few lines.
func reason(err error) string {
	text := strings.TrimPrefix(err.Error(), "dataset: ")
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		return strings.TrimLeft(strings.TrimLeft(rest, "0123456789"), ", :")
	}
	return text
}

// parser has package dataset read lines of a file.
type parser struct {
	source
	begun bool
	first []byte // of CSV: the line that tells separator and columns; nil before there is one
}

// begin takes every line before it is read, and reports whether it may hold a row: the first
// of CSV may be a header. A first row at fault is an error, and the next one tells the columns.
func (p *parser) begin(l line) (row bool, err error) {
	if p.Format == SVM || p.first != nil {
		return true, nil
	}
	opts := p.Numbers
	opts.Header = opts.Header && !p.begun
	_, err = dataset.ReadCSV(bytes.NewReader(l.text), opts)
	header := errors.Is(err, rkhs.ErrEmpty)
	if header && p.begun {
		return false, fmt.Errorf("not one number: %w", rkhs.ErrFormat)
	}
	p.begun = true
	if err != nil && !header {
		return false, err
	}
	p.first = l.text
	return !header, nil
}

// appendTo appends the rows of lines to b, all or none.
func (p *parser) appendTo(b *Batch, lines []line) error {
	var text bytes.Buffer
	if p.first != nil {
		text.Write(p.first)
		text.WriteByte('\n')
	}
	for _, l := range lines {
		text.Write(l.text)
		text.WriteByte('\n')
	}
	if err := p.read(b, &text); err != nil {
		return err
	}
	for _, l := range lines {
		b.Lines = append(b.Lines, l.number)
	}
	return nil
}

func (p *parser) read(b *Batch, text *bytes.Buffer) error {
	opts := p.Numbers
	if p.Format == SVM {
		set, err := dataset.ReadSparse(text, opts)
		if err != nil {
			return err
		}
		b.appendSparse(set.X)
		b.Outputs, b.Targets = 1, append(b.Targets, set.Y...)
		return nil
	}
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

// appendSparse appends the rows of x.
func (b *Batch) appendSparse(x *rkhs.Sparse) {
	if b.Offsets == nil {
		b.Offsets = []int{0}
	}
	before := len(b.Values)
	b.Rows, b.Cols = b.Rows+x.Rows, x.Cols
	b.Columns, b.Values = append(b.Columns, x.Columns...), append(b.Values, x.Values...)
	for _, end := range x.Offsets[1:] {
		b.Offsets = append(b.Offsets, before+end)
	}
}
