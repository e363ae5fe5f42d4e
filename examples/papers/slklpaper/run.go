// Package slklpaper repeats the experiments of section 5 of "Stochastic Low-Rank Kernel Learning
// for Regression", ICML 2011.
//
// The settings are from the paper: lam = 1, nu = 0.01, Gaussian kernels with the widths of Table
// 1, no intercept, random coordinate order, and its stopping rule with epsilon = 1e-4. Some
// settings are open or contradict the figures of the paper. This package uses:
//
//   - Inputs of abalone and boston have mean zero and unit variance over the training rows. Inputs
//     of sinc and USPS are unchanged.
//   - Each run splits the rows at random. The split of the paper is unknown, and on boston it
//     dominates the error.
//   - The test rows of sinc are noisy. The paper reports noise-free test rows, but its errors
//     exceed the noise variance. Only its figures for Unif match clean targets. The tables show
//     both.
//   - Table 3 is digit 4 against the rest.
//   - A step exactly minimises along a coordinate. The step of Algorithm 2 is twice the Newton
//     step, because a factor of 2 is missing in its second derivative.
package slklpaper

import (
	"context"
	"flag"
	"io"

	"github.com/rkhs-go/rkhs/examples/papers/internal/commandline"
	"github.com/rkhs-go/rkhs/examples/papers/report"
)

// Run prints tables 2 and 3 of the paper and draws its figures. With -mnist it also repeats the
// experiment on MNIST.
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
