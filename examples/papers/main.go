// Command papers repeats the experiments of the papers behind this library and prints the
// published results next to ours:
//
//	papers slkl [flags]
//	papers alignment [flags]
//	papers doublysgd [flags]
//	papers polk [flags]
//
// papers NAME -h lists the flags.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/rkhs-go/rkhs/examples/papers/alignmentpaper"
	"github.com/rkhs-go/rkhs/examples/papers/doublysgdpaper"
	"github.com/rkhs-go/rkhs/examples/papers/internal/commandline"
	"github.com/rkhs-go/rkhs/examples/papers/polkpaper"
	"github.com/rkhs-go/rkhs/examples/papers/slklpaper"
)

// paper is one paper. run parses the arguments after the name and writes the tables to w.
type paper struct {
	name, title string
	run         func(ctx context.Context, args []string, w io.Writer) error
}

var papers = []paper{
	{"slkl", "Stochastic Low-Rank Kernel Learning for Regression, ICML 2011", slklpaper.Run},
	{"polk", "Parsimonious Online Learning with Kernels via Sparse Projections in Function Space, 2016", polkpaper.Run},
	{"alignment", "Alignment Based Kernel Learning with a Continuous Set of Base Kernels, 2011", alignmentpaper.Run},
	{"doublysgd", "Scalable Kernel Methods via Doubly Stochastic Gradients, NIPS 2014", doublysgdpaper.Run},
}

func main() {
	commandline.Main("papers", func(ctx context.Context, args []string) error {
		return run(ctx, args, os.Stdout)
	})
}

func run(ctx context.Context, args []string, w io.Writer) error {
	if len(args) == 0 || args[0] == "-h" {
		return list(w)
	}
	for _, p := range papers {
		if p.name == args[0] {
			return p.run(ctx, args[1:], w)
		}
	}
	return fmt.Errorf("no paper %q; without arguments the command lists them", args[0])
}

func list(w io.Writer) error {
	_, err := fmt.Fprintln(w, "usage: papers NAME [flags]")
	for _, p := range papers {
		_, err = fmt.Fprintf(w, "  %-12s %s\n", p.name, p.title)
	}
	return err
}
