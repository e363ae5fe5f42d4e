// Package alignmentpaper repeats the experiments of section 3 of "Alignment Based
// Kernel Learning with a Continuous Set of Base Kernels", Afkanpour, Szepesvári
// and Bowling, 2011: the sum of sines (figure 1), the 50-dimensional set (figures 2 and
// 4), what the search for a bandwidth minimises (figure 3), and tasks from MNIST, Letter
// and 11 smaller sets (table 2 and figures 5 to 8, with the sizes of table 3).
//
// The methods are those of its table 1. CA is package alignment; the others are
// written here for comparison, plainly:
//
//   - DU gives the kernels of a grid equal weights.
//   - DA gives them the weights of the largest alignment.
//   - D1 and D2 are multiple kernel learning with the ℓ1- and ℓ2-norm.
//   - CR takes convex combinations from a continuous family, at a minimum of the
//     regularised squared error.
//
// Beside them, on Letter and the small sets, stands the kernel of package metric, which learns
// a metric from 60 rows on.
//
// C of the support vector machines is one of 10^−5, 10^−4.5, … 10^5, that with the
// fewest errors on the validation rows; D1, D2 and CR choose their weight of
// regularisation there as well, of fewer values. Where the paper leaves a setting
// open, the package says what it does:
//
//   - The theta of the 50-dimensional set is theta_i = (i/50)^gamma, and the means
//     are ±1.75·theta/‖theta‖.
//   - The twelve pairs of letters are such as look alike; the paper shows its own in
//     a plot only.
//   - Methods of equal error share the mean of their ranks.
//   - The 11 small sets are standardised over the training rows; image is its
//     classes 0, 1 and 2 against the rest; the grid is 20 bandwidths from a tenth of
//     the median distance to ten times that.
//   - Seconds are those of this machine for the whole of a method: learning the
//     kernel, choosing C, training and testing.
package alignmentpaper

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/rkhs-go/rkhs/examples/papers/internal/commandline"
	"github.com/rkhs-go/rkhs/examples/papers/report"
)

// settings are those of all papers and what is chosen of this one.
type settings struct {
	report.Settings
	tasks int // of each table, or 0 for all
}

// experiments are the parts of the paper in the order in which they are run.
var experiments = report.Experiments[*settings]{
	{Name: "sines", Run: figure1},
	{Name: "relevance", Run: figure2},
	{Name: "searches", Run: searches},
	{Name: "mnist", Run: mnist},
	{Name: "letter", Run: letter},
	{Name: "small", Run: small},
}

// Run prints the tables of the paper and draws its figures, or those that are
// asked for.
func Run(ctx context.Context, args []string, w io.Writer) error {
	s := settings{Settings: report.Settings{W: w}}
	f := flag.NewFlagSet("alignment", flag.ContinueOnError)
	s.Register(f)
	f.IntVar(&s.tasks, "tasks", 0, "`number` of tasks to do of each table, for a shorter run; 0 means all")
	chosen := experiments.Register(f)
	if err := commandline.Parse(f, args, w); err != nil {
		return err
	}
	if s.tasks < 0 {
		return fmt.Errorf("-tasks %d, want 0 or more", s.tasks)
	}
	if err := s.Check(); err != nil {
		return err
	}
	return chosen.Run(ctx, &s)
}
