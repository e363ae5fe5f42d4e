package selection

import (
	"cmp"
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/input"
)

const pkg = "selection"

// Rule selects a candidate by the scores.
type Rule uint8

const (
	// BestMean selects the best mean score; the first in the list on a tie.
	BestMean Rule = iota
	// OneStandardError selects the first candidate in the list with a mean within one standard error
	// of the best mean (Breiman et al., "Classification and regression trees", 1984, section 3.4.3).
	// List simple candidates first.
	OneStandardError
)

// String returns the name of the rule.
func (r Rule) String() string {
	switch r {
	case BestMean:
		return "BestMean"
	case OneStandardError:
		return "OneStandardError"
	}
	return "Unknown"
}

// Options configures a search. Nil and zero values select the defaults.
type Options struct {
	// Score compares candidates. Default: Accuracy for classifiers, otherwise RMSE.
	Score Score
	// Rule selects a candidate by the scores. Default: BestMean.
	Rule Rule

	// Folds is the number of folds of the cross-validation. Default: 5.
	Folds int
	// HeldOut is the fraction of held-out rows in each repeat, without folds. Default: folds.
	HeldOut float64
	// Repeats is the number of divisions of the rows. Default: 1.
	Repeats int
	// Splitter returns the division for the seed of a repeat: Seed, Seed+1, …. Set it for groups and
	// for rows in order of time, which need no repeats. Default: dataset.Stratified for labels,
	// otherwise dataset.Random.
	Splitter func(seed uint64) dataset.Splitter

	// Eta enables successive halving: each rung has Eta times as many training rows, and one in Eta
	// candidates, rounded down, advances to it. The usual value is 3. Default: no halving.
	Eta int
	// FirstRows is the least number of training rows in the first rung. Default: 100.
	FirstRows int

	// NoRefit skips the fit of the selected candidate to all rows.
	NoRefit bool
	// Seed selects the divisions of the rows and the rows of the rungs.
	Seed uint64
	// Workers is the number of concurrent fits, each with its own Workers and memory. It does not
	// change the result. Default: GOMAXPROCS.
	Workers int
	// Recorder, if not nil, receives the progress. In phase "search", Done and Iteration count
	// finished fits, Total is their largest number and Objective the last score. Phase "fit" fits
	// the selected candidate to all rows. Gap is NaN.
	Recorder rkhs.Recorder
}

// withDefaults checks the options and sets defaults.
func (o *Options) withDefaults(classifiers bool) (c Options, err error) {
	if o != nil {
		c = *o
	}
	err = input.Ranges(pkg, []input.Field{
		{Name: "Rule", Value: float64(c.Rule), OK: c.Rule <= OneStandardError},
		{Name: "Folds", Value: float64(c.Folds), OK: c.Folds == 0 || c.Folds >= 2},
		{Name: "HeldOut", Value: c.HeldOut, OK: c.HeldOut >= 0 && c.HeldOut < 1},
		{Name: "Repeats", Value: float64(c.Repeats), OK: c.Repeats >= 0},
		{Name: "Eta", Value: float64(c.Eta), OK: c.Eta == 0 || c.Eta >= 2},
		{Name: "FirstRows", Value: float64(c.FirstRows), OK: c.FirstRows >= 0},
		{Name: "Workers", Value: float64(c.Workers), OK: c.Workers >= 0},
	})
	if err == nil {
		err = c.checkCombination()
	}
	if c.HeldOut == 0 {
		c.Folds = cmp.Or(c.Folds, 5)
	}
	c.Repeats = cmp.Or(c.Repeats, 1)
	c.FirstRows = cmp.Or(c.FirstRows, 100)
	if c.Score.Of == nil {
		c.Score = RMSE()
		if classifiers {
			c.Score = Accuracy()
		}
	}
	return c, err
}

// checkCombination returns an error for options that exclude each other.
func (o *Options) checkCombination() error {
	switch {
	case o.HeldOut > 0 && o.Folds != 0:
		return input.Refuse(pkg, "HeldOut", []input.Unused{{Name: "Folds", Set: true}})
	case o.HeldOut > 0 && o.Rule == OneStandardError && o.Repeats < 2:
		return fmt.Errorf("selection: OneStandardError of one split, want Folds or Repeats: %w", rkhs.ErrOption)
	case o.Eta == 0 && o.FirstRows != 0:
		return input.Refuse(pkg, "a search without Eta", []input.Unused{{Name: "FirstRows", Set: true}})
	case o.Score.Of == nil && (o.Score.Name != "" || o.Score.Larger):
		return fmt.Errorf("selection: Score %q has no function Of: %w", o.Score.Name, rkhs.ErrOption)
	}
	return nil
}
