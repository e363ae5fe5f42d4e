// Package slklpaper repeats the experiments of section 5 of "Stochastic Low-Rank
// Kernel Learning for Regression", ICML 2011.
//
// The settings are the paper's: lam = 1, nu = 0.01, Gaussian kernels of the
// widths of its Table 1, no intercept, random order of coordinates and its
// stopping rule with epsilon = 1e-4. Where it leaves a setting open or its
// figures speak against its text, the package says what it does:
//
//   - Inputs of abalone and boston have mean zero and unit variance over the
//     training rows; sinc and USPS are taken as they are.
//   - Each run splits the rows anew, at random. The paper's split is not known,
//     and on boston it decides the error.
//   - The test rows of sinc are noisy. The paper says that they are not, but its
//     errors are above the variance of the noise, but for Unif, whose figures are
//     those on clean targets. Both are printed.
//   - Table 3 is the task of telling digit 4 from the rest.
//   - The step is the exact minimiser along a coordinate. That of Algorithm 2 is
//     twice Newton's, as its second derivative has lost a factor of 2.
package slklpaper

import (
	"context"
	"flag"
	"io"

	"github.com/rkhs-go/rkhs/examples/papers/internal/commandline"
	"github.com/rkhs-go/rkhs/examples/papers/report"
)

// Run prints tables 2 and 3 of the paper, draws its figures and, where asked to,
// repeats its experiment on MNIST.
func Run(ctx context.Context, args []string, w io.Writer) error {
	s := report.Settings{W: w}
	f := flag.NewFlagSet("slkl", flag.ContinueOnError)
	s.Register(f)
	digits := f.Bool("mnist", false, "the experiment on MNIST too, 60000 images")
	if err := commandline.Parse(f, args, w); err != nil {
		return err
	}
	if err := s.Check(); err != nil {
		return err
	}
	steps := []func(context.Context, *report.Settings) error{table2, table3, figures}
	if *digits {
		steps = append(steps, mnist)
	}
	for _, step := range steps {
		if err := step(ctx, &s); err != nil {
			return err
		}
	}
	return nil
}
