package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/recipe"
	"github.com/rkhs-go/rkhs/ridge"
)

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

// call runs the command and returns its exit code and output.
func call(args ...string) (code int, out, log string) {
	var stdout, stderr bytes.Buffer
	code = run(context.Background(), args, &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// houses writes two files of a table, one with a malformed row, and returns their folder.
func houses(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for k := range 2 {
		var text strings.Builder
		text.WriteString("area,town,price\n")
		for i := range 60 {
			area := 50 + float64((7*i+k)%60)
			fmt.Fprintf(&text, "%v,%s,%v\n", area, []string{"Ulm", "Bonn"}[i%2], area*float64(3+i%2)+math.Sin(area))
		}
		if k == 1 {
			text.WriteString("12,Ulm\n")
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part-%d.csv", k)), []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The command predicts raw rows of several files like one process, and reports malformed rows.
func TestPredict(t *testing.T) {
	dir := houses(t)
	first, err := dataset.LoadTable(filepath.Join(dir, "part-0.csv"), dataset.TableOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := recipe.Fit(context.Background(), first, recipe.Options{Target: "price"}, ridge.Fit, nil)
	if err != nil {
		t.Fatal(err)
	}
	model, predicted := filepath.Join(dir, "model.rkhs"), filepath.Join(dir, "out", "predicted.csv")
	if err := rkhs.Save(model, m); err != nil {
		t.Fatal(err)
	}
	code, _, log := call("predict", "-model", model, "-table", filepath.Join(dir, "part-*.csv"), "-o", predicted, "-coverage", ".9")
	if code != done || log != "120 rows read\n1 unreadable rows or ends of files\n120 rows predicted\n" {
		t.Fatalf("exit code %d: %s", code, log)
	}
	got, err := dataset.LoadTable(predicted, dataset.TableOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.PredictIntervals(first, .9)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := got.Dims()
	found := 0
	for i := range n {
		source, _ := got.Column("source").Text(i)
		if !strings.HasSuffix(source, "part-0.csv") {
			continue
		}
		line, _, _ := got.Column("line").Number(i)
		row := int(line) - 2 // behind the header
		for name, values := range map[string][]float64{"prediction": want.Values, "lower": want.Lower, "upper": want.Upper} {
			if v, _, err := got.Column(name).Number(i); err != nil || v != values[row] {
				t.Fatalf("%s of line %v is %v, want %v", name, line, v, values[row])
			}
		}
		found++
	}
	if n != 120 || found != 60 {
		t.Errorf("%d rows, %d of the first file", n, found)
	}
	rejected, err := os.ReadFile(predicted + ".rejected.jsonl")
	if err != nil || !strings.Contains(string(rejected), `"Line":62,"Reason":"2 cells, want 3`) {
		t.Errorf("%s, %v", rejected, err)
	}
}

// A model trained on files predicts their targets. The command overwrites a model only with
// -force, and reports malformed rows once although it reads files twice.
func TestTrain(t *testing.T) {
	dir := t.TempDir()
	for k := range 3 {
		var text strings.Builder
		for i := range 200 {
			a, b := math.Sin(float64(7*i+k)), math.Cos(float64(i*i+k))
			fmt.Fprintf(&text, "%v,%v,%v\n", a, b, a*b)
		}
		if k == 2 {
			text.WriteString("1,2\n")
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part-%d.csv", k)), []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	model, pattern := filepath.Join(dir, "model.rkhs"), filepath.Join(dir, "part-*.csv")
	args := []string{"train", "-model", model, "-MaxPoints", "50", pattern}
	code, _, log := call(args...)
	if code != done || !strings.HasPrefix(log, "600 rows read\n1 unreadable rows or ends of files\n600 training rows\n") {
		t.Fatalf("exit code %d: %s", code, log)
	}
	m, err := rkhs.Load[rkhs.Model](model)
	if err != nil {
		t.Fatal(err)
	}
	all, err := dataset.Load(filepath.Join(dir, "part-0.csv"), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	y, err := m.Predict(all.X)
	if err != nil {
		t.Fatal(err)
	}
	if r2, err := dataset.R2(y, all.Targets()); err != nil || r2 < .99 {
		t.Errorf("R² %v, %v", r2, err)
	}
	if code, _, log := call("train", "-learner", "ridge", "-Features", "256", "-model", filepath.Join(dir, "ridge.rkhs"), pattern); code != done {
		t.Errorf("ridge: exit code %d: %s", code, log)
	}
	r, err := rkhs.Load[rkhs.Model](filepath.Join(dir, "ridge.rkhs"))
	if err != nil {
		t.Fatal(err)
	}
	if y, err = r.Predict(all.X); err != nil {
		t.Fatal(err)
	}
	if r2, err := dataset.R2(y, all.Targets()); err != nil || r2 < .99 {
		t.Errorf("ridge: R² %v, %v", r2, err)
	}
	for _, learner := range [][]string{{"polk", "-MaxPoints", "60"}, {"doublysgd", "-Features", "200"}} {
		file := filepath.Join(dir, learner[0])
		if code, _, log := call(append([]string{"train", "-learner", learner[0], "-Shards", "2", "-model", file, learner[1], learner[2]}, pattern)...); code != done {
			t.Errorf("%s: exit code %d: %s", learner[0], code, log)
			continue
		}
		m, err := rkhs.Load[rkhs.Model](file)
		if err != nil {
			t.Fatal(err)
		}
		if y, err = m.Predict(all.X); err != nil {
			t.Fatal(err)
		}
		if r2, err := dataset.R2(y, all.Targets()); err != nil || r2 < .98 {
			t.Errorf("%s: R² %v, %v", learner[0], r2, err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.plan")); err != nil || len(left) > 0 {
		t.Errorf("plans are left: %v, %v", left, err)
	}
	// A call with an error does not change the plan of another call.
	if err := os.WriteFile(model+".plan", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, log := call(args...); code != misused || !strings.Contains(log, "-force") {
		t.Errorf("exit code %d: %s", code, log)
	}
	if _, err := os.Stat(model + ".plan"); err != nil {
		t.Error(err)
	}
	if code, _, log := call(append(args, "-force", "-task", "classification")...); code != failed {
		t.Errorf("classes of numbers: exit code %d: %s", code, log)
	}
}

// Wrong arguments and failures have different exit codes.
func TestExitCodes(t *testing.T) {
	dir := houses(t)
	for name, c := range map[string]struct {
		args []string
		code int
		log  string
	}{
		"nothing":        {nil, misused, "want one of the commands"},
		"unknown":        {[]string{"foresee"}, misused, "foresee"},
		"help":           {[]string{"-h"}, done, ""},
		"help of one":    {[]string{"predict", "-h"}, done, ""},
		"unknown flag":   {[]string{"predict", "-modle", "x"}, misused, "modle"},
		"no learner":     {[]string{"train", "a.csv", "-learner", "forest"}, misused, "slkl"},
		"task":           {[]string{"train", "a.csv", "-task", "ranking", "-model", "m"}, misused, "ranking"},
		"no model":       {[]string{"predict", "a.csv"}, misused, "-model"},
		"two files":      {[]string{"predict", "a.csv", "b.csv", "-model", "m", "-o", "o"}, misused, "in quotes"},
		"format":         {[]string{"predict", "a.txt", "-model", "m", "-o", "o"}, misused, "Format"},
		"coverage":       {[]string{"predict", "a.csv", "-model", "m", "-o", "o", "-coverage", "2"}, misused, "Coverage"},
		"option":         {[]string{"train", "a.csv", "-learner", "polk", "-Shards", "-1", "-model", filepath.Join(dir, "m")}, misused, "Shards"},
		"not a file":     {[]string{"predict", filepath.Join(dir, "none-*.csv"), "-model", "m", "-o", filepath.Join(dir, "o")}, failed, "none-"},
		"no model file":  {[]string{"predict", filepath.Join(dir, "part-*.csv"), "-model", filepath.Join(dir, "none"), "-o", filepath.Join(dir, "o")}, failed, "fileFn] failed:\nscore: " + dir},
		"flags and none": {[]string{"-runner", "prism"}, misused, "say what to do"},
	} {
		code, _, log := call(c.args...)
		if code != c.code || !strings.Contains(log, c.log) {
			t.Errorf("%s: exit code %d, want %d: %s", name, code, c.code, log)
		}
	}
	if _, out, _ := call("predict", "-h"); !strings.Contains(out, "-shards") || strings.Contains(out, "dataflow_endpoint") {
		t.Errorf("help: %s", out)
	}
}
