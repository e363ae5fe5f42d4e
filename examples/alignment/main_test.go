package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/alignment"
	"github.com/rkhs-go/rkhs/examples/papers/alignmentpaper"
	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/kernel"
)

// writeCSV writes 200 rows of two columns, of which the first alone has to do with
// the target.
func writeCSV(t *testing.T, classify bool) string {
	t.Helper()
	var b strings.Builder
	s := rng.New(1, "example test", 0)
	for range 200 {
		x, noise := 4*s.Float64()-2, s.NormFloat64()
		y := math.Sin(3 * x)
		if classify {
			y = math.Copysign(1, y)
		}
		fmt.Fprintf(&b, "%v,%v,%v\n", x, noise, y)
	}
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// number returns the one that follows the words in a text.
func number(t *testing.T, text, words string) (v float64) {
	t.Helper()
	_, after, ok := strings.Cut(text, words)
	if !ok {
		t.Fatalf("%q is missing in:\n%s", words, text)
	}
	if _, err := fmt.Sscan(strings.TrimSpace(after), &v); err != nil {
		t.Fatalf("no number after %q in:\n%s", words, text)
	}
	return v
}

func TestFile(t *testing.T) {
	for _, c := range []struct {
		classify bool
		args     string
		words    string
		limit    float64
	}{
		{true, "-classify", "test error", 15},
		{true, "-classify -columns", "test error", 10},
		{true, "-classify -sparse", "test error", 20},
		{false, "", "test RMSE", 0.3},
		{false, "-columns -sparse", "test RMSE", 0.2},
	} {
		t.Run(c.args, func(t *testing.T) {
			var b bytes.Buffer
			args := append([]string{"-data", writeCSV(t, c.classify)}, strings.Fields(c.args)...)
			if err := run(context.Background(), args, &b); err != nil {
				t.Fatal(err)
			}
			if v := number(t, b.String(), c.words); v > c.limit {
				t.Errorf("%s %v, want %v at most", c.words, v, c.limit)
			}
			if strings.Contains(c.args, "-columns") && !strings.Contains(b.String(), "in column 1\n") {
				t.Errorf("the column that matters was not found:\n%s", b.String())
			}
		})
	}
}

func TestPicture(t *testing.T) {
	train, check, _ := alignmentpaper.Sines(2)
	l, err := alignment.FitClassifier(context.Background(), train.X, mat.NewVecDense(len(train.Y), train.Y), &alignment.Options{
		Family:      kernel.Dirichlet{},
		ValidationX: check.X,
		ValidationY: mat.NewVecDense(len(check.Y), check.Y),
		C:           []float64{1},
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "p.png")
	scores := []alignmentpaper.Score{{Method: "A", Errors: []float64{1, 2}}, {Method: "B", Errors: []float64{40, 43}}}
	if err := draw(path, l, scores); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() < 1000 {
		t.Errorf("picture: %v, %v", info, err)
	}
	if err := draw(filepath.Join(t.TempDir(), "no", "p.png"), l, scores); err == nil {
		t.Error("a picture in a folder that is missing gave no error")
	}
}

func TestSinesFromEndToEnd(t *testing.T) {
	if os.Getenv("RKHS_PAPERS") == "" {
		t.Skip("set RKHS_PAPERS=1 for this test, which takes long")
	}
	var b bytes.Buffer
	path := filepath.Join(t.TempDir(), "p.png")
	if err := run(context.Background(), []string{"-runs", "1", "-picture", path}, &b); err != nil {
		t.Fatal(err)
	}
	if e := number(t, b.String(), "test rows:"); e > 6 {
		t.Errorf("%v %% errors", e)
	}
	for _, f := range []string{"true one is 1.4142", "true one is 3.4641", "true one is 7.7460"} {
		if !strings.Contains(b.String(), f) {
			t.Errorf("%s is missing in:\n%s", f, b.String())
		}
	}
}

func TestHelp(t *testing.T) {
	var b bytes.Buffer
	if err := run(context.Background(), []string{"-h"}, &b); !errors.Is(err, flag.ErrHelp) || !strings.Contains(b.String(), "-columns") {
		t.Errorf("error %v, prints:\n%s", err, b.String())
	}
}

func TestBadArguments(t *testing.T) {
	path := writeCSV(t, false)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-colour"}, "-colour"},
		{[]string{"more"}, "more"},
		{[]string{"-runs", "0"}, "-runs"},
		{[]string{"-sparse"}, "-data"},
		{[]string{"-classify"}, "-data"},
		{[]string{"-data", path, "-test", "0"}, "-test"},
		{[]string{"-data", path, "-test", "1"}, "fraction"},
		{[]string{"-data", path, "-test", "0.001"}, "leaves no rows"},
		{[]string{"-data", path, "-classify"}, "not a whole number"},
		{[]string{"-data", path + "x"}, "no such file"},
	} {
		err := run(context.Background(), c.args, new(bytes.Buffer))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want one about %s", c.args, err, c.want)
		}
	}
}
