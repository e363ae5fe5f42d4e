package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
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

// do runs a command and fails unless it ends well.
func do(t *testing.T, c command) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if err := c.run(context.Background(), &out, &errs); err != nil {
		t.Fatalf("%+v: %v", c, err)
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
	out, _ := do(t, command{data: data, model: model, target: -1})
	if rmse := number(t, out, "RMSE"); rmse > 0.075 {
		t.Errorf("test RMSE %v with noise 0.05", rmse)
	}
	if r2 := number(t, out, "R²"); r2 < 0.98 {
		t.Errorf("R² %v, where the noise is 0.005 of the variance", r2)
	}
	if gap := number(t, out, "relative duality gap"); gap > 1e-8 {
		t.Errorf("relative duality gap %v", gap)
	}
	for _, want := range []string{"225 rows to train on, 75 to test on, 2 inputs", "the same bits"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}

	predicted, _ := do(t, command{predict: true, model: model, target: -1, data: write(t, "rows.csv", "0,500\n0.5,1\n")})
	for i, want := range []float64{0, math.Sin(1.5)} {
		got, err := strconv.ParseFloat(strings.Fields(predicted)[i], 64)
		if err != nil || math.Abs(got-want) > 0.1 {
			t.Errorf("prediction %d is %v (%v), want about %v", i, got, err, want)
		}
	}
	_, errs := do(t, command{predict: true, model: model, target: -1, data: data})
	if rmse := number(t, errs, "RMSE"); rmse > 0.075 {
		t.Errorf("RMSE %v over the whole file", rmse)
	}
}

func TestClassification(t *testing.T) {
	model := filepath.Join(t.TempDir(), "rings.model")
	out, _ := do(t, command{data: write(t, "rings.csv", rings(400)), target: 1, classify: true, model: model})
	if e := number(t, out, "error"); e > 6 {
		t.Errorf("test error %v %%, and the border is sharp", e)
	}
	predicted, _ := do(t, command{predict: true, model: model, data: write(t, "rows.csv", "0,0\n1.4,1.4\n")})
	if predicted != "2\n7\n" {
		t.Errorf("predictions %q, want the labels 2 and 7", predicted)
	}
}

// The units of a column do not matter, as the kernel divides by its deviation.
func TestUnitsDoNotMatter(t *testing.T) {
	var b strings.Builder
	for _, line := range strings.Fields(wave(100)) {
		f := strings.Split(line, ",")
		v, err := strconv.ParseFloat(f[0], 64)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%v,%s,%s\n", 1024*v, f[1], f[2])
	}
	one, _ := do(t, command{data: write(t, "a.csv", wave(100)), target: -1})
	other, _ := do(t, command{data: write(t, "a.csv", b.String()), target: -1})
	if a, b := number(t, one, "RMSE"), number(t, other, "RMSE"); a != b {
		t.Errorf("RMSE %v in one unit, %v in another", a, b)
	}
}

// Each case of bad input is an error that names what is wrong.
func TestBadInput(t *testing.T) {
	good, whole := write(t, "wave.csv", wave(20)), gzipped(t, wave(20))
	model := filepath.Join(t.TempDir(), "good.model")
	do(t, command{data: good, target: -1, model: model})
	data, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		command
		want []string
	}{
		{command{data: "missing.csv"}, []string{"missing.csv", "no such file"}},
		{command{data: write(t, "a.csv", "1,2,3\n4,NaN,6\n")}, []string{"line 2", "column 2"}},
		{command{data: write(t, "a.csv", "1,2,3\n4,5\n")}, []string{"line 2"}},
		{command{data: write(t, "a.csv.gz", whole[:len(whole)/2])}, []string{"a.csv.gz"}},
		{command{data: write(t, "a.csv", "")}, []string{"no rows"}},
		{command{data: good, target: 9}, []string{"9", "3 columns"}},
		{command{data: good, classify: true}, []string{"label"}},
		{command{}, []string{"-data"}},
		{command{data: good, predict: true}, []string{"-model"}},
		{command{data: good, predict: true, model: write(t, "m", string(data[:len(data)-9]))}, []string{"too early"}},
		{command{data: write(t, "a.csv", "1,2,3,4,5\n"), predict: true, model: model}, []string{"a.csv", "5 columns", "2"}},
		{command{data: good, model: filepath.Join(good, "m")}, []string{"m"}},
	} {
		err := c.run(context.Background(), new(bytes.Buffer), new(bytes.Buffer))
		if err == nil {
			t.Errorf("%+v: no error", c.command)
			continue
		}
		for _, part := range c.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%+v: %q does not say %q", c.command, err, part)
			}
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
	err := command{data: write(t, "wave.csv", wave(50)), model: model}.run(ctx, new(bytes.Buffer), new(bytes.Buffer))
	if err == nil {
		t.Error("no error")
	}
	if _, err := os.Stat(model); err == nil {
		t.Error("a model file was left")
	}
}
