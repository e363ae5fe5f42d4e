// Package alignmentpaper repeats the experiments of section 3 of "Alignment Based Kernel Learning
// with a Continuous Set of Base Kernels", Afkanpour, Szepesvári and Bowling, 2011:
//
//   - the sum of sines (figure 1)
//   - the 50-dimensional set (figures 2 and 4)
//   - the objective of the bandwidth search (figure 3)
//   - tasks from MNIST, Letter and 11 smaller sets (table 2, figures 5 to 8, with the sizes of
//     table 3)
//
// The methods are from table 1. CA is package alignment. This package has simple implementations
// of the other methods:
//
//   - DU gives the kernels of a grid equal weights.
//   - DA uses the weights with the largest alignment.
//   - D1 and D2 are multiple kernel learning with the ℓ1- and ℓ2-norm.
//   - CR finds the convex combination of a continuous family that minimises the regularised
//     squared error.
//
// On Letter and the small sets the tables also include the kernel of package metric. That package
// learns a metric if there are at least 60 rows.
//
// The support vector machines select C from 10^−5, 10^−4.5, … 10^5 by the errors on the validation
// rows. D1, D2 and CR select their regularisation the same way from shorter lists. The paper
// leaves some settings open. This package uses:
//
//   - The theta of the 50-dimensional set is theta_i = (i/50)^gamma, and the means are
//     ±1.75·theta/‖theta‖.
//   - The twelve pairs of letters are pairs that look alike. The paper shows its own pairs only in
//     a plot.
//   - Methods with equal error share the mean of their ranks.
//   - The 11 small sets are standardised with the moments of the training rows. The set image is
//     its classes 0, 1 and 2 against the rest. The grid has 20 bandwidths between 0.1 and 10 times
//     the median distance.
//   - Seconds are the time of a whole method on this machine: it learns the kernel, selects C,
//     trains and tests.
package alignmentpaper

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/rkhs-go/rkhs/examples/papers/internal/commandline"
	"github.com/rkhs-go/rkhs/examples/papers/report"
)

// settings are the common settings and the options of this paper.
type settings struct {
	report.Settings
	tasks int // per table, or 0 for all
}

// experiments are the parts of the paper in execution order.
var experiments = report.Experiments[*settings]{
	{Name: "sines", Run: figure1},
	{Name: "relevance", Run: figure2},
	{Name: "searches", Run: searches},
	{Name: "mnist", Run: mnist},
	{Name: "letter", Run: letter},
	{Name: "small", Run: small},
}

// Run prints the tables and draws the figures of the paper, or of the experiments named by -only.
func Run(ctx context.Context, args []string, w io.Writer) error {
	s := settings{Settings: report.Settings{W: w}}
	f := flag.NewFlagSet("alignment", flag.ContinueOnError)
	s.Register(f)
	f.IntVar(&s.tasks, "tasks", 0, "`number` of tasks to do of each table, for a shorter run; 0 means all")
	selected := experiments.Register(f)
	if err := commandline.Parse(f, args, w); err != nil {
		return err
	}
	if s.tasks < 0 {
		return fmt.Errorf("-tasks %d, want 0 or more", s.tasks)
	}
	if err := s.Check(); err != nil {
		return err
	}
	return selected.Run(ctx, &s)
}
