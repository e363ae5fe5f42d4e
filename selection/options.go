package selection

import (
	"cmp"
	"fmt"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/internal/door"
)

// pkg begins the errors of this package.
const pkg = "selection"

// Rule says which candidate is chosen by the scores.
type Rule uint8

const (
	// BestMean chooses the one of the best mean, of equal ones the first in the list.
	BestMean Rule = iota
	// OneStandardError chooses the first in the list of those whose means are worse than the
	// best by no more than the standard error of the best (Breiman and others, "Classification
	// and regression trees", 1984, section 3.4.3): list simple candidates first.
	OneStandardError
)

var ruleNames = [...]string{BestMean: "BestMean", OneStandardError: "OneStandardError"}

// String returns the name of the rule.
func (r Rule) String() string {
	if int(r) < len(ruleNames) {
		return ruleNames[r]
	}
	return "Unknown"
}

// Options configures a search. The zero value of each field means its default; nil means all
// defaults.
type Options struct {
	// Score is what candidates are compared by. Default: Accuracy of classifiers, else RMSE.
	Score Score
	// Rule chooses by the scores. Default: BestMean.
	Rule Rule

	// Folds is the number of parts of the rows of which each is scored by what was learned
	// from the others. Default: 5.
	Folds int
	// HeldOut, if not 0, takes the place of folds: the fraction of the rows that is scored, and
	// not learned from, in each repeat.
	HeldOut float64
	// Repeats is how often the rows are divided. Default: 1.
	Repeats int
	// Splitter returns how rows may be divided, with the seed of a repeat, which is Seed for the
	// first, Seed+1 for the second. Set it for groups, and for rows in order of time, of which
	// repeats would be equal. Default: dataset.Stratified of labels, else dataset.Random.
	Splitter func(seed uint64) dataset.Splitter

	// Eta, if not 0, asks for successive halving: from rung to rung the fits learn from Eta times
	// as many rows, and the best of the candidates go on, one in Eta, rounded down. 3 is usual.
	Eta int
	// FirstRows bounds from below the rows that a fit of the first rung learns from. Default:
	// 100.
	FirstRows int

	// NoRefit leaves out the fit of the chosen candidate to all rows.
	NoRefit bool
	// Seed selects the divisions of the rows, and those of the rungs.
	Seed uint64
	// Workers bounds the fits that run side by side, each with Workers of its own options, and
	// memory of its own. Default: GOMAXPROCS. It does not change the result by a bit.
	Workers int
	// Recorder, if not nil, receives the progress: in the phase "search" Done and Iteration count
	// the fits that are over, of Total at most, and Objective is the score of the last; in the phase
	// "fit" the chosen candidate is fitted to all rows. Gap is NaN.
	Recorder rkhs.Recorder
}

// defaults of Options.
const (
	defaultFolds     = 5
	defaultFirstRows = 100
)

// checked returns the options with what is not given, for candidates that are classifiers or
// are not.
func (o *Options) checked(classifiers bool) (Options, error) {
	if o == nil {
		o = new(Options)
	}
	c := *o
	err := door.Ranges(pkg, []door.Field{
		{Name: "Rule", Value: float64(c.Rule), OK: c.Rule <= OneStandardError},
		{Name: "Folds", Value: float64(c.Folds), OK: c.Folds == 0 || c.Folds >= 2},
		{Name: "HeldOut", Value: c.HeldOut, OK: c.HeldOut >= 0 && c.HeldOut < 1},
		{Name: "Repeats", Value: float64(c.Repeats), OK: c.Repeats >= 0},
		{Name: "Eta", Value: float64(c.Eta), OK: c.Eta == 0 || c.Eta >= 2},
		{Name: "FirstRows", Value: float64(c.FirstRows), OK: c.FirstRows >= 0},
		{Name: "Workers", Value: float64(c.Workers), OK: c.Workers >= 0},
	})
	if err == nil {
		err = c.refuse()
	}
	if c.HeldOut == 0 {
		c.Folds = cmp.Or(c.Folds, defaultFolds)
	}
	c.Repeats = cmp.Or(c.Repeats, 1)
	c.FirstRows = cmp.Or(c.FirstRows, defaultFirstRows)
	if c.Score.Of == nil {
		c.Score = RMSE()
		if classifiers {
			c.Score = Accuracy()
		}
	}
	return c, err
}

// refuse returns the error of options that do not go together.
func (o *Options) refuse() error {
	if o.HeldOut > 0 {
		if err := door.Refuse(pkg, "HeldOut", []door.Unused{{Name: "Folds", Set: o.Folds != 0}}); err != nil {
			return err
		}
		if o.Rule == OneStandardError && o.Repeats < 2 {
			return fmt.Errorf("selection: OneStandardError of one split, want Folds or Repeats: %w", rkhs.ErrOption)
		}
	}
	if o.Eta == 0 {
		if err := door.Refuse(pkg, "a search without Eta", []door.Unused{{Name: "FirstRows", Set: o.FirstRows != 0}}); err != nil {
			return err
		}
	}
	if o.Score.Of == nil && (o.Score.Name != "" || o.Score.Larger) {
		return fmt.Errorf("selection: Score %q has no function Of: %w", o.Score.Name, rkhs.ErrOption)
	}
	return nil
}
