package dataset

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/rkhs-go/rkhs"
)

// maxLine limits the length of a line in bytes, so that a binary or a
// compressed file of one kind taken for text cannot fill the memory.
const maxLine = 64 << 20

var byteOrderMark = []byte("\ufeff")

// lines reads the lines of a text that hold data: neither empty nor comments,
// which begin with #.
type lines struct {
	r      *bufio.Reader
	number int    // of the last line read, counted from 1
	long   []byte // the last line, if the buffer of r could not hold it
}

// next returns the next line of data without its end, valid until the next call,
// or io.EOF.
func (l *lines) next() ([]byte, error) {
	for {
		line, err := l.read()
		if err == io.EOF {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", l.number+1, damage(err))
		}
		l.number++
		if l.number == 1 {
			line = bytes.TrimPrefix(line, byteOrderMark)
		}
		line = bytes.TrimRight(line, "\r\n")
		if text := trimLeft(line, ' '); len(text) > 0 && text[0] != '#' {
			return line, nil
		}
	}
}

// read returns the next line with its end, if it has one.
func (l *lines) read() ([]byte, error) {
	line, err := l.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = l.long[:0]
		for err == bufio.ErrBufferFull {
			if len(l.long) > maxLine {
				return nil, fmt.Errorf("longer than %d bytes: %w", maxLine, rkhs.ErrFormat)
			}
			l.long = append(l.long, line...)
			line, err = l.r.ReadSlice('\n')
		}
		l.long = append(l.long, line...)
		line = l.long
	}
	if err == io.EOF && len(line) > 0 {
		err = nil
	}
	return line, err
}
