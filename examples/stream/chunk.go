package main

import (
	"context"
	"io"
)

// chunk is some rows on their way from the reader to the learner.
type chunk struct {
	x, y  []float64
	bad   int // lines before its end, in all
	notes []string
	err   error // what ends the stream, other than its end
}

// chunkRows is about how many rows go over at a time.
const chunkRows = 256

// chunks reads rows beside the learner, which so can be told to end while none
// comes. Two chunks take turns: the caller puts each back into free. A chunk holds a
// multiple of batch rows, except for the last, and does not wait to become full.
func chunks(ctx context.Context, r *rowReader, batch int) (full <-chan *chunk, free chan<- *chunk) {
	out, back := make(chan *chunk), make(chan *chunk, 2)
	back <- new(chunk)
	back <- new(chunk)
	go func() {
		defer close(out)
		for c := range back {
			err := c.fill(r, batch)
			select {
			case out <- c:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return out, back
}

// fill takes rows from r. The error ends the stream.
func (c *chunk) fill(r *rowReader, batch int) error {
	size := (chunkRows + batch - 1) / batch * batch
	c.x, c.y, c.err = c.x[:0], c.y[:0], nil
	var err error
	for len(c.y) < size && (len(c.y) == 0 || len(c.y)%batch != 0 || !r.waiting()) {
		var x []float64
		var y float64
		if x, y, err = r.next(); err != nil {
			break
		}
		c.x, c.y = append(c.x, x...), append(c.y, y)
	}
	c.bad, c.notes, r.notes = r.bad, r.notes, nil
	if err != io.EOF {
		c.err = err
	}
	return err
}
