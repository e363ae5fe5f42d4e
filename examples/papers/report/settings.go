package report

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rkhs-go/rkhs/dataset"
)

// Settings are the settings common to all papers.
type Settings struct {
	Data string    // folder of the data sets
	Out  string    // folder for the figures
	Runs int       // repetitions of each experiment
	Seed uint64    // seed of the first run; run r has Seed + r
	W    io.Writer // output of the tables
}

// Register adds the flags of s with their defaults.
func (s *Settings) Register(f *flag.FlagSet) {
	data := os.Getenv("RKHS_DATA")
	if data == "" {
		data = filepath.Join("..", "shared", "data")
	}
	f.StringVar(&s.Data, "data", data, "`folder` of the data sets, RKHS_DATA if that is set")
	f.StringVar(&s.Out, "out", ".", "`folder` for the figures, made if it is missing")
	f.IntVar(&s.Runs, "runs", 3, "`number` of repetitions of each experiment")
	f.Uint64Var(&s.Seed, "seed", 1, "seed of the first repetition")
}

// Check validates s and creates the folder for the figures. It returns an error if the folder of
// the data sets is missing.
func (s *Settings) Check() error {
	if info, err := os.Stat(s.Data); err != nil || !info.IsDir() {
		return fmt.Errorf("no folder %s of data sets: name it by -data or RKHS_DATA", s.Data)
	}
	return s.CheckWithoutData()
}

// CheckWithoutData is Check for experiments without data sets.
func (s *Settings) CheckWithoutData() error {
	if s.Runs < 1 {
		return fmt.Errorf("-runs %d, want 1 or more", s.Runs)
	}
	return os.MkdirAll(s.Out, 0o777)
}

// Load reads a data set from the folder.
func (s *Settings) Load(name string) (*dataset.Set, error) {
	return dataset.Load(filepath.Join(s.Data, name), dataset.Options{})
}

// Figure saves a chart in the folder for figures and prints its path.
func (s *Settings) Figure(name string, c Chart) error { return s.draw(name, c.Title, c.Save) }

// Map is Figure for a surface.
func (s *Settings) Map(name string, f Surface) error { return s.draw(name, f.Title, f.Save) }

func (s *Settings) draw(name, title string, save func(path string) error) error {
	path := filepath.Join(s.Out, name)
	if err := save(path); err != nil {
		return err
	}
	_, err := fmt.Fprintf(s.W, "\nwrote %s: %s\n", path, title)
	return err
}

// Each calls run once per repetition with its seed, until run fails or ctx is done.
func (s *Settings) Each(ctx context.Context, run func(seed uint64) error) error {
	for r := range s.Runs {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := run(s.Seed + uint64(r)); err != nil {
			return err
		}
	}
	return nil
}
