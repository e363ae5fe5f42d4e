package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// save puts the learner into the file of -model, in place only when it is whole.
func (s *session) save() error {
	if s.model == "" {
		return nil
	}
	data, err := s.MarshalBinary()
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(s.model), filepath.Base(s.model)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // after the renaming there is nothing to remove
	if _, err := f.Write(data); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), s.model); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.stdout, "saved to %s (%d bytes)\n", s.model, len(data))
	return err
}

// load reads the file of -model into l.
func (c *config) load(l learner) error {
	data, err := os.ReadFile(c.model)
	if err != nil {
		return err
	}
	if err := l.UnmarshalBinary(data); err != nil {
		return fmt.Errorf("%s: %w", c.model, err)
	}
	return nil
}
