package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs/examples/internal/commandline"
)

// write puts a file into a new folder and returns its path.
func write(t *testing.T, name, contents string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(contents), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// wave is a file of rows (a, b, y) with y = sin 3a + noise of deviation 0.05; b
// says nothing, in units a thousand times as large.
func wave(rows int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for range rows {
		a := 2*r.Float64() - 1
		fmt.Fprintf(&b, "%v,%v,%v\n", a, 1000*r.Float64(), math.Sin(3*a)+0.05*r.NormFloat64())
	}
	return b.String()
}

// rings is a file whose class is 2 inside the unit circle, 7 outside.
func rings(rows int) string {
	r := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for range rows {
		x, y := 3*r.Float64()-1.5, 3*r.Float64()-1.5
		label := 7
		if math.Hypot(x, y) < 1 {
			label = 2
		}
		fmt.Fprintf(&b, "%d,%v,%v\n", label, x, y)
	}
	return b.String()
}

// command runs the command and fails unless it ends well.
func command(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if err := run(context.Background(), args, &out, &errs); err != nil && !errors.Is(err, flag.ErrHelp) {
		t.Fatalf("%v: %v", args, err)
	}
	return out.String(), errs.String()
}

// number returns the number that follows label in text.
func number(t *testing.T, text, label string) float64 {
	t.Helper()
	_, after, ok := strings.Cut(text, label)
	if !ok {
		t.Fatalf("no %q in:\n%s", label, text)
	}
	field := strings.Fields(after)[0]
	v, err := strconv.ParseFloat(strings.TrimRight(field, ",;"), 64)
	if err != nil {
		t.Fatalf("%q after %q: %v", field, label, err)
	}
	return v
}

func TestRegression(t *testing.T) {
	data := write(t, "wave.csv", wave(300))
	model := filepath.Join(t.TempDir(), "wave.model")
	out, _ := command(t, "-data", data, "-model", model)
	if rmse := number(t, out, "test RMSE"); rmse > 0.075 {
		t.Errorf("test RMSE %v with noise 0.05", rmse)
	}
	if base := number(t, out, "always the mean: RMSE"); base < 0.5 {
		t.Errorf("the mean errs by %v, which is no task", base)
	}
	if gap := number(t, out, "relative duality gap"); gap > 1e-8 {
		t.Errorf("relative duality gap %v", gap)
	}
	if !strings.Contains(out, "225 rows to train on, 75 to test on, 2 inputs") {
		t.Errorf("sizes are not those of the file:\n%s", out)
	}

	predicted, _ := command(t, "-predict", "-model", model, "-data", write(t, "rows.csv", "0,500\n0.5,1\n"))
	for i, want := range []float64{0, math.Sin(1.5)} {
		got, err := strconv.ParseFloat(strings.Fields(predicted)[i], 64)
		if err != nil || math.Abs(got-want) > 0.1 {
			t.Errorf("prediction %d is %v (%v), want about %v", i, got, err, want)
		}
	}
	_, errs := command(t, "-predict", "-model", model, "-data", data)
	if rmse := number(t, errs, "RMSE"); rmse > 0.075 {
		t.Errorf("RMSE %v over the whole file", rmse)
	}
}

func TestClassification(t *testing.T) {
	data := write(t, "rings.csv", rings(400))
	model := filepath.Join(t.TempDir(), "rings.model")
	out, _ := command(t, "-data", data, "-target", "1", "-classify", "-bandwidths", "0.5,1", "-model", model)
	if e := number(t, out, "test error"); e > 6 {
		t.Errorf("test error %v %%", e)
	}
	predicted, _ := command(t, "-predict", "-classify", "-model", model, "-data", write(t, "rows.csv", "0,0\n1.4,1.4\n"))
	if predicted != "2\n7\n" {
		t.Errorf("predictions %q, want the labels 2 and 7", predicted)
	}
}

// A kernel that divides by the deviations is the kernel of the standardised
// rows, and the units of a column do not matter.
func TestUnitsDoNotMatter(t *testing.T) {
	c := config{standardize: true, bandwidths: []float64{1}}
	x := mat.NewDense(4, 2, []float64{1, 5, 2, 5, 4, 5, 8, 5})
	y := mat.NewDense(4, 2, nil)
	y.Apply(func(_, j int, v float64) float64 { return v * []float64{1024, 1}[j] }, x)
	k, err := c.kernels(x)
	if err != nil {
		t.Fatal(err)
	}
	l, err := c.kernels(y)
	if err != nil {
		t.Fatal(err)
	}
	a, b := k[0].Eval(x.RawRowView(0), x.RawRowView(3)), l[0].Eval(y.RawRowView(0), y.RawRowView(3))
	if a != b || !(a > 0 && a < 1) {
		t.Errorf("k = %v in one unit, %v in another", a, b)
	}
}

func TestZeroModelIsSaid(t *testing.T) {
	out, _ := command(t, "-data", write(t, "wave.csv", wave(50)), "-nu", "1e9")
	if !strings.Contains(out, "no landmark has weight") {
		t.Errorf("not said that the model is a constant:\n%s", out)
	}
}

func TestHelp(t *testing.T) {
	if out, _ := command(t, "-h"); !strings.Contains(out, "-bandwidths") {
		t.Errorf("-h prints:\n%s", out)
	}
}

// Each case of bad input ends with one line that names what is wrong.
func TestBadInput(t *testing.T) {
	good := write(t, "wave.csv", wave(20))
	whole := gzipped(t, wave(20))
	model := filepath.Join(t.TempDir(), "good.model")
	command(t, "-data", good, "-model", model)
	data, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"no such file", []string{"-data", "missing.csv"}, []string{"missing.csv", "no such file"}},
		{"NaN", []string{"-data", write(t, "a.csv", "1,2,3\n4,NaN,6\n")}, []string{"line 2", "column 2"}},
		{"no number", []string{"-data", write(t, "a.csv", "1,2,3\n4,5,six\n")}, []string{"line 2", "column 3"}},
		{"short line", []string{"-data", write(t, "a.csv", "1,2,3\n4,5\n")}, []string{"line 2"}},
		{"cut off", []string{"-data", write(t, "a.csv.gz", whole[:len(whole)/2])}, []string{"a.csv.gz"}},
		{"empty", []string{"-data", write(t, "a.csv", "")}, []string{"no rows"}},
		{"no such column", []string{"-data", good, "-target", "9"}, []string{"9", "3 columns"}},
		{"labels", []string{"-data", good, "-classify"}, []string{"label"}},
		{"flag", []string{"-colour", "red"}, []string{"-colour", "-h"}},
		{"value of a flag", []string{"-data", good, "-bandwidths", "1,-2"}, []string{"-bandwidths", "-2"}},
		{"fraction", []string{"-data", good, "-test", "1"}, []string{"1"}},
		{"landmarks", []string{"-data", good, "-landmarks", "-5"}, []string{"MaxPoints", "-5"}},
		{"argument", []string{"-data", good, "more"}, []string{"more"}},
		{"no data", nil, []string{"-data"}},
		{"no model", []string{"-data", good, "-predict"}, []string{"-model"}},
		{"model of another kind", []string{"-data", good, "-predict", "-classify", "-model", model}, []string{model, "slkl model"}},
		{"damaged model", []string{"-data", good, "-predict", "-model", write(t, "m", string(data[:len(data)-9]))}, []string{"too early"}},
		{"other columns", []string{"-data", write(t, "a.csv", "1,2,3,4,5\n"), "-predict", "-model", model}, []string{"5 columns", "2 inputs"}},
		{"folder of the model", []string{"-data", good, "-model", filepath.Join(good, "m")}, []string{"m"}},
	} {
		var out, errs bytes.Buffer
		err := run(context.Background(), c.args, &out, &errs)
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		line := commandline.Line("slkl", err)
		for _, part := range append(c.want, "slkl: ") {
			if !strings.Contains(line, part) {
				t.Errorf("%s: %q does not say %q", c.name, line, part)
			}
		}
		if strings.Contains(line, "\n") || errs.Len() > 0 {
			t.Errorf("%s: more than a line: %q%q", c.name, line, errs.String())
		}
	}
}

func gzipped(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A run that is stopped leaves no model file.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	model := filepath.Join(t.TempDir(), "m")
	var out bytes.Buffer
	err := run(ctx, []string{"-data", write(t, "wave.csv", wave(50)), "-model", model}, &out, &out)
	if err == nil {
		t.Error("no error")
	}
	if _, err := os.Stat(model); err == nil {
		t.Error("a model file was left")
	}
}
