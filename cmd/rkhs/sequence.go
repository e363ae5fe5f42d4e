package main

import (
	"context"
	"iter"
)

// each yields what do makes of the elements of a sequence, up to the first error.
func each[T, U any](of iter.Seq2[T, error], do func(T) (U, error), yield func(U, error) bool) {
	for v, err := range of {
		var u U
		if err == nil {
			u, err = do(v)
		}
		if !yield(u, err) || err != nil {
			return
		}
	}
}

// until gives the elements of a sequence, which is read ahead by one, and ends with an error when
// ctx is done, also while the sequence waits for its next.
func until[T any](ctx context.Context, of iter.Seq2[T, error]) iter.Seq2[T, error] {
	type element struct {
		v   T
		err error
	}
	return func(yield func(T, error) bool) {
		elements, enough := make(chan element), make(chan struct{})
		defer close(enough)
		go func() {
			defer close(elements)
			for v, err := range of {
				select {
				case elements <- element{v, err}:
				case <-enough:
					return
				}
			}
		}()
		for {
			select {
			case <-ctx.Done():
				yield(*new(T), context.Cause(ctx))
				return
			case e, more := <-elements:
				if !more || !yield(e.v, e.err) {
					return
				}
			}
		}
	}
}
