package dataset

import (
	"bytes"
	"io"
)

// rowsOf returns a reader of the rows of a text: ARFF, JSON, or lines of cells.
func rowsOf(r io.Reader, opts TableOptions) (reader[*Table], error) {
	b, err := inflate(r)
	if err != nil {
		return nil, err
	}
	head, _ := firstLine(b) // the first read returns the error again
	if mayBeARFF(head) {
		head, _ = b.Peek(b.Size())
	}
	switch {
	case isARFF(head):
		a, err := newARFFReader(b, opts)
		if err != nil {
			return nil, err
		}
		return a.read, nil
	case isJSON(head):
		j, err := newJSONReader(b, head, opts)
		if err != nil {
			return nil, err
		}
		return j.read, nil
	}
	t, err := newTableReader(b, opts)
	if err != nil {
		return nil, err
	}
	return t.read, nil
}

// mayBeARFF reports whether a text starts with a comment of ARFF, which a relation may follow. The
// reader does not read ahead for other texts, because a stream may deliver its lines one by one.
func mayBeARFF(head []byte) bool {
	return bytes.HasPrefix(trimSpace(bytes.TrimPrefix(head, byteOrderMark)), []byte{'%'})
}
