package main

import (
	"fmt"

	"github.com/rkhs-go/rkhs/examples/internal/modelfile"
)

// save puts the learner into the file of -model, in place only when it is whole.
func (s *session) save() error {
	if s.model == "" {
		return nil
	}
	size, err := modelfile.Write(s.model, s)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.stdout, "saved to %s (%d bytes)\n", s.model, size)
	return err
}
