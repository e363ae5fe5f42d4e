package rkhs_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/doublysgd/gp"
	"github.com/rkhs-go/rkhs/doublysgd/novelty"
	"github.com/rkhs-go/rkhs/doublysgd/ratio"
	"github.com/rkhs-go/rkhs/polk"
	"github.com/rkhs-go/rkhs/ridge"
	"github.com/rkhs-go/rkhs/slkl"
	"github.com/rkhs-go/rkhs/svm"
)

// Reports print a few short aligned lines with the status and the number of rows or points. Zero
// reports also print.
func TestReportsPrint(t *testing.T) {
	ctx := context.Background()
	x, y, labels := mat.NewDense(40, 2, nil), mat.NewDense(40, 1, nil), mat.NewDense(40, 1, nil)
	for i := range 40 {
		v := float64(i) / 7
		x.SetRow(i, []float64{v, math.Cos(3 * v)})
		y.Set(i, 0, math.Sin(v))
		labels.Set(i, 0, float64(i%2))
	}
	reports := map[string]fmt.Stringer{
		"ridge":     must(ridge.Fit(ctx, x, y, nil)).Report(),
		"svm":       must(svm.FitClassifier(ctx, x, labels, nil)).Report(),
		"slkl":      must(slkl.Fit(ctx, x, y, nil)).Report(),
		"alignment": must(alignment.Fit(ctx, x, y, nil)).Report(),
		"doublysgd": must(doublysgd.Fit(ctx, x, y, &doublysgd.Options{Features: 64})).Report(),
		"gp":        must(gp.Fit(ctx, x, y, nil)).Report(),
		"novelty":   must(novelty.Fit(ctx, x, nil)).Report(),
		"ratio":     must(ratio.Fit(ctx, x, x, nil)).Report(),
		"polk":      must(polk.Fit(ctx, x, y, nil)).Report(),
	}
	for name, r := range reports {
		text := r.String()
		lines := strings.Split(text, "\n")
		if len(lines) < 4 || len(lines) > 14 || strings.Contains(text, "%!") || strings.Contains(text, "<nil>") {
			t.Errorf("%s prints\n%s", name, text)
		}
		for _, l := range lines {
			if l == "" || len([]rune(l)) > 260 {
				t.Errorf("%s prints a line of %d characters: %s", name, len([]rune(l)), l)
			}
		}
		if !strings.Contains(text, rkhs.Converged.String()) && !strings.Contains(text, rkhs.IterationLimit.String()) {
			t.Errorf("%s prints no status:\n%s", name, text)
		}
	}
	for _, r := range []fmt.Stringer{ridge.Report{}, svm.Report{}, slkl.Report{}, alignment.Report{}, doublysgd.Report{}, gp.Report{}, novelty.Report{}, ratio.Report{}, polk.Report{}} {
		if text := r.String(); text == "" || strings.Contains(text, "%!") || strings.Contains(text, "<nil>") {
			t.Errorf("the zero %T prints %q", r, text)
		}
	}
}

// must returns m and panics on an error.
func must[M any](m M, err error) M {
	if err != nil {
		panic(err)
	}
	return m
}
