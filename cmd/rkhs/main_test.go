package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	library "github.com/parquet-go/parquet-go"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/dataset"
	"github.com/rkhs-go/rkhs/doublysgd/novelty"
	"github.com/rkhs-go/rkhs/doublysgd/ratio"
	"github.com/rkhs-go/rkhs/internal/testutil"
	"github.com/rkhs-go/rkhs/internal/tree"
	"github.com/rkhs-go/rkhs/kernel"
	"github.com/rkhs-go/rkhs/ridge"
)

// call runs the command and returns its exit code and output.
func call(ctx context.Context, in string, args ...string) (code int, out, stderr string) {
	var o, e bytes.Buffer
	code = run(ctx, args, streams{strings.NewReader(in), &o, &e})
	return code, o.String(), e.String()
}

// must runs a command that must succeed, and returns its output.
func must(t testing.TB, args ...string) string {
	t.Helper()
	code, out, stderr := call(context.Background(), "", args...)
	if code != done {
		t.Fatalf("rkhs %q: exit code %d: %s", args, code, stderr)
	}
	return out
}

func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// flats is a table with a category, missing cells and a price.
func flats(n int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 8))
	var b strings.Builder
	b.WriteString("area,town,since,price\n")
	for i := range n {
		area, town := 20+100*r.Float64(), r.IntN(3)
		cell := fmt.Sprintf("%.1f", area)
		if r.IntN(15) == 0 {
			cell = ""
		}
		fmt.Fprintf(&b, "%s,%s,%d-0%d-01,%.2f\n", cell, []string{"Ely", "Bath", "York"}[town], 2000+i%20, 1+i%9, 80*math.Sin(area/25)+60*float64(town))
	}
	return b.String()
}

// TestTable: every learner trains on a table with a category, dates and missing cells, and predicts
// raw rows.
func TestTable(t *testing.T) {
	file, test := write(t, "flats.csv", flats(300, 1)), write(t, "test.csv", flats(100, 2))
	names := []string{"", "ridge", "doublysgd", "slkl", "polk", "gp", "alignment"}
	if !testutil.LongTests() {
		names = names[:1]
	}
	for _, learner := range names {
		model := filepath.Join(t.TempDir(), "m.rkhs")
		args := []string{"train", file, "-target", "price", "-model", model, "-quiet", "-json"}
		if learner != "" {
			args = append(args, "-learner", learner)
		}
		var r report
		if err := json.Unmarshal([]byte(must(t, args...)), &r); err != nil {
			t.Fatal(err)
		}
		if r.Task != "regression" || r.Rows != 300 || r.Score.Rows != 60 || !(r.Score.RMSE < 0.7*r.Score.Baseline) {
			t.Errorf("%s: %+v, score %+v", learner, r, r.Score)
		}
		if learner == "" && (r.Learner != "ridge" || r.Why == "") {
			t.Errorf("chose %q, as %q", r.Learner, r.Why)
		}
		predicted := strings.Split(strings.TrimSpace(must(t, "predict", test, "-model", model)), "\n")
		if len(predicted) != 101 || predicted[0] != "prediction,lower,upper" {
			t.Errorf("%s: %d lines, the first %q", learner, len(predicted), predicted[0])
		}
		if out := must(t, "inspect", model); !strings.Contains(out, "town: category") {
			t.Errorf("%s: inspect says %s", learner, out)
		}
		if out := must(t, "eval", "-model", model, test); !strings.Contains(out, "100 test rows: RMSE") {
			t.Errorf("%s: eval says %s", learner, out)
		}
	}
}

// TestClasses: predictions have the names and the probabilities of classes, in CSV and JSON, also
// for the standard input.
func TestClasses(t *testing.T) {
	text := strings.ReplaceAll(flats(300, 1), "price", "dear")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, l := range lines[1:] {
		at := strings.LastIndex(l, ",")
		var price float64
		fmt.Sscan(l[at+1:], &price)
		lines[i+1] = l[:at] + "," + map[bool]string{true: "no, cheap", false: "yes"}[price < 80]
		lines[i+1] = strings.Replace(lines[i+1], "no, cheap", `"no, cheap"`, 1)
	}
	text = strings.Join(lines, "\n") + "\n"
	file, model := write(t, "flats.csv", text), filepath.Join(t.TempDir(), "m.rkhs")
	out := must(t, "train", file, "-learner", "doublysgd", "-Loss", "Logistic", "-model", model, "-quiet")
	if !strings.Contains(out, "classification: the target has 2 distinct texts\nlearner doublysgd\n") || !strings.Contains(out, `no, cheap, yes`) {
		t.Errorf("train says %s", out)
	}
	code, out, stderr := call(context.Background(), text, "predict", "-model", model, "-")
	first, rest, _ := strings.Cut(out, "\n")
	if code != done || first != `prediction,"p(no, cheap)",p(yes)` || strings.Count(rest, "\n") != 300 {
		t.Errorf("exit code %d, %q: %s", code, first, stderr)
	}
	var scored struct {
		Rows      int
		Errors    float64
		RMSE      *float64
		LogLoss   float64
		Classes   []string
		Confusion [][]float64
	}
	if err := json.Unmarshal([]byte(must(t, "eval", "-model", model, file, "-json")), &scored); err != nil {
		t.Fatal(err)
	}
	if c := scored.Confusion; len(c) != 2 || scored.Classes[0] != "no, cheap" || c[0][0]+c[0][1]+c[1][0]+c[1][1] != 300 || math.Abs(scored.Errors-(c[0][1]+c[1][0])/300) > 1e-12 || scored.RMSE != nil || !(scored.LogLoss > 0) {
		t.Errorf("eval -json says %+v", scored)
	}
	if out := must(t, "eval", "-model", model, file); !regexp.MustCompile(`true\\predicted +no, cheap +yes *\n +no, cheap +\d+ +\d+`).MatchString(out) {
		t.Errorf("eval says %s", out)
	}
	_, out, _ = call(context.Background(), text, "predict", "-model", model, "-", "-json")
	var row struct {
		Prediction    string
		Probabilities map[string]float64
	}
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&row); err != nil || math.Abs(row.Probabilities["yes"]+row.Probabilities["no, cheap"]-1) > 1e-9 {
		t.Errorf("%v, %v", row, err)
	}
}

// TestEncoding: names in Windows-1252 are decoded in all results. Arguments that are not UTF-8 are escaped.
func TestEncoding(t *testing.T) {
	text := "stra\xdfe,n,y\n"
	for i := range 60 {
		text += fmt.Sprintf("%s,%d,%s\n", []string{"wei\xdf", "gr\xfcn"}[i%2], i%7, []string{"ja", "n\xf6"}[i%2])
	}
	file, model, learner := write(t, "x.csv", text), filepath.Join(t.TempDir(), "m"), filepath.Join(t.TempDir(), "l")
	for _, args := range [][]string{
		{"train", file, "-model", model, "-quiet"},
		{"predict", file, "-model", model},
		{"predict", file, "-model", model, "-json"},
		{"predict", write(t, "y.csv", "n\n1\n2\n"), "-model", model},
		{"eval", file, "-model", model},
		{"eval", file, "-model", model, "-json"},
		{"inspect", "-model", model},
		{"inspect", "-model", model, "-json"},
		{"update", file, "-model", learner},
		{"train", file, "-target", "stra\xdfes", "-model", filepath.Join(t.TempDir(), "n")},
	} {
		code, out, stderr := call(context.Background(), "", args...)
		said := out + stderr
		if (code == done) == slices.Contains(args, "stra\xdfes") || !utf8.ValidString(said) || strings.ContainsRune(said, utf8.RuneError) ||
			!strings.Contains(said, `stra\xdfes`) && !strings.Contains(said, "straße") && !strings.Contains(said, "nö") {
			t.Errorf("rkhs %q: exit code %d: %s", args, code, said)
		}
	}
}

// TestReport: the report describes the saved model, and counts rows without a target.
func TestReport(t *testing.T) {
	text := flats(101, 1)
	text = text[:strings.LastIndex(strings.TrimSpace(text), ",")+1] + "\n" // the last price is missing
	file, model := write(t, "flats.csv", text), filepath.Join(t.TempDir(), "m")
	var r report
	if err := json.Unmarshal([]byte(must(t, "train", file, "-model", model, "-quiet", "-json")), &r); err != nil {
		t.Fatal(err)
	}
	var d description
	if err := json.Unmarshal([]byte(must(t, "inspect", model, "-json")), &d); err != nil {
		t.Fatal(err)
	}
	if r.Recipe != d.Recipe || r.Columns != d.Inputs || d.Report["Rows"] != "100" {
		t.Errorf("train tells of %d columns and %s, and the model has %d, from %s rows, and %s", r.Columns, r.Recipe, d.Inputs, d.Report["Rows"], d.Recipe)
	}
	if r.Rows != 100 || r.Skipped != 1 || !r.AllRows {
		t.Errorf("%+v", r)
	}
	if out := must(t, "train", file, "-model", model, "-quiet", "-force"); !strings.Contains(out, "100 rows (and 1 without a target)") || !strings.Contains(out, "fitted to all rows") {
		t.Errorf("train says %s", out)
	}
}

// TestNoteLines: train reports how it reads cells that are not plain numbers, names or ISO dates. With
// the flag of a hint there is no hint.
func TestNoteLines(t *testing.T) {
	for _, c := range []struct{ what, cells, says, flags string }{
		{"days first", "13/02/2024 1/3/2024", "a: dates as 2/1/2006", ""},
		{"months first", "02/13/2024 01/03/2024", "a: dates as 1/2/2006", ""},
		{"either", "02-11-2024 01-03-2024", `-dates "2-1-2006"`, "-dates 2-1-2006"},
		{"decimal commas", "1,5 -2,25", "a: decimal comma", ""},
		{"percent", "5% 7.5%", "a: numbers in %", ""},
		{"thousands", "€1.234.567,5 €7", "a: separators of thousands", ""},
		{"words", "5 ?", `a: "?" is missing in 20 cells`, "-missing ?"},
		{"houses", "1a 1b", "", ""},
		{"addresses", "192.168.0.1 10.0.0.17", "", ""},
		{"addresses of three digits each", "192.168.100.101 10.100.200.250", "", ""},
		{"versions", "1.2.3 1.10.0", "", ""},
		{"ISO dates", "2024-01-02 2024-11-03", "", ""},
		{"a name among numbers", "1,5 x", "", ""},
	} {
		text := "a;y\n"
		for i := range 40 {
			text += fmt.Sprintf("%s;%d.5\n", strings.Fields(c.cells)[i%2], i%7)
		}
		for _, flags := range []string{"", c.flags} {
			args := append([]string{"train", write(t, "x.csv", text), "-model", filepath.Join(t.TempDir(), "m"), "-quiet", "-holdout", "0"}, strings.Fields(flags)...)
			code, _, stderr := call(context.Background(), "", args...)
			if code != done || c.says == "" && stderr != "" || !strings.Contains(stderr, c.says) && flags == "" || flags != "" && strings.Contains(stderr, "use -dates") {
				t.Errorf("%s with %q: exit code %d: %s", c.what, flags, code, stderr)
			}
		}
	}
	notes := make([]dataset.Note, 12)
	for i := range notes {
		notes[i] = dataset.Note{Column: fmt.Sprint("c", i), Encoding: "UTF-16"}
	}
	if got := noteLines(notes, []string{"c0"}); len(got) != 1 || got[0] != "c1, c2, c3, c4, c5, c6, c7, c8 and 3 more columns: decoded from UTF-16" {
		t.Errorf("%q", got)
	}
}

// TestWhy: train explains the task and the learner, unless flags select them.
func TestWhy(t *testing.T) {
	for _, c := range []struct{ targets, task, why, learner, flags string }{
		{"1.5 2.25 3.5", "regression", ": the target is a number", ": exact up to 100000 rows", ""},
		{"u v w", "classification", ": the target has 3 distinct texts", ": exact up to 100000 rows", ""},
		{"-1 1", "classification", ": the target has 2 distinct numbers (use -task regression to change)", ": exact up to 100000 rows", ""},
		{"1 2 3 4", "classification", ": the target has 4 distinct integers (use -task regression to change)", ": exact up to 100000 rows", ""},
		{"1 2 3 4", "regression", "", ": exact up to 100000 rows", "-task regression"},
		{"1 2 3 4", "regression", "", "", "-task regression -learner ridge"},
	} {
		table, numbered, targets := "a,y\n", "", strings.Fields(c.targets)
		for i := range 40 {
			target := targets[i%len(targets)]
			table += fmt.Sprintf("%d,%s\n", i%11, target)
			numbered += fmt.Sprintf("%s 1:%d\n", target, i%11+1)
		}
		files := map[string]string{"x.csv": table, "x.svm": numbered}
		if targets[0] == "u" || c.flags != "" {
			delete(files, "x.svm")
		}
		for name, text := range files {
			message := c.task + c.why + "\nlearner ridge" + c.learner + "\n"
			if name == "x.svm" {
				message = c.task + c.why + "\nlearner doublysgd: the rows are sparse\n"
			}
			args := append([]string{"train", write(t, name, text), "-model", filepath.Join(t.TempDir(), "m"), "-quiet", "-holdout", "0"}, strings.Fields(c.flags)...)
			if out := must(t, args...); !strings.HasPrefix(out, message) {
				t.Errorf("%s of %q: %q, want %q", name, c.targets, out, message)
			}
		}
	}
}

// TestPipe: train reads a file that can be read only once, such as <(command) of a shell.
func TestPipe(t *testing.T) {
	if _, err := os.Stat("/dev/fd"); err != nil {
		t.Skip("there is no /dev/fd")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		defer w.Close()
		fmt.Fprint(w, flats(60, 1))
	}()
	if out := must(t, "train", fmt.Sprintf("/dev/fd/%d", r.Fd()), "-model", filepath.Join(t.TempDir(), "m"), "-quiet", "-holdout", "0"); !strings.Contains(out, "\n60 rows, ") || !strings.Contains(out, "area: number") {
		t.Errorf("train says %s", out)
	}
	pipe := fmt.Sprintf("/dev/fd/%d", r.Fd())
	if code, _, stderr := call(context.Background(), "", "train", write(t, "x.csv", flats(60, 1)), "-model", pipe, "-force"); code != misused || !strings.Contains(stderr, "-model: "+pipe+" is a device or a pipe") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// TestFewRows: equal test rows, or test rows of an unseen class, do not fail the fit.
func TestFewRows(t *testing.T) {
	for name, text := range map[string]string{
		"one target":      "a,y\n" + strings.Repeat("1,7.5\n2,7.5\n", 10),
		"a rare class":    "a,y\n1,u\n2,v\n3,u\n4,v\n5,w\n6,u\n7,v\n8,x\n9,z\n",
		"three rows":      "a,y\n1,2.5\n2,3.5\n3,1.5\n",
		"a rare category": "a,b,y\n1,u,1.5\n2,u,2.5\n3,w,0.5\n4,u,1.75\n5,u,0.25\n6,v,2.25\n",
	} {
		for seed := range 5 {
			model := filepath.Join(t.TempDir(), "m")
			must(t, "train", write(t, "x.csv", text), "-model", model, "-quiet", "-seed", fmt.Sprint(seed), "-keep")
			if out := must(t, "predict", "-model", model, write(t, "x.csv", text)); strings.Count(out, "\n") != strings.Count(text, "\n") {
				t.Errorf("%s, seed %d: predicted %q", name, seed, out)
			}
		}
	}
}

// TestImportanceOfCodes: the share of a code is the share of its indicators. Their variances have
// the sum 1 − Σp² over its levels.
func TestImportanceOfCodes(t *testing.T) {
	x, y := mat.NewDense(8, 2, nil), mat.NewDense(8, 1, nil)
	for i := range 8 {
		x.SetRow(i, []float64{float64(i%4) * 10, float64(i%2) * 4})
		y.Set(i, 0, float64(i))
	}
	k := kernel.OneHot{Levels: [][]float64{{0, 10, 20, 30}, nil}, Of: kernel.ARD{Scales: []float64{1, 1, 1, 1, 2}, Of: kernel.Gaussian{Sigma: 3}}}
	fitted, err := ridge.Fit(t.Context(), x, y, &ridge.Options{Kernel: k, Ridge: 0.1, NoCalibration: true})
	if err != nil {
		t.Fatal(err)
	}
	list := model{fitted: fitted}.importance()
	want := []float64{1 / 1.75, 0.75 / 1.75} // 4²/4/2² of the numbers, and 4·¼·¾
	if len(list) != 2 || list[0].Column != columnName(2) || math.Abs(list[0].Share-want[0]) > 1e-12 || math.Abs(list[1].Share-want[1]) > 1e-12 {
		t.Errorf("shares %+v, want %v", list, want)
	}
}

// TestImportance: the shares are the diagonal of LᵀL with columns in units of their deviation. The
// shares of the columns that encode one column are summed.
func TestImportance(t *testing.T) {
	l := mat.NewDense(2, 3, []float64{1, 2, 0, 0, 1, -3})
	g := kernel.Gaussian{Sigma: 5}
	for _, c := range []struct {
		k    kernel.Kernel
		want []float64
	}{
		{g, []float64{1, 1, 1}},
		{kernel.ARD{Scales: []float64{1, 2, 0.5}, Of: g}, []float64{1, 0.25, 4}},
		{kernel.Projected{L: l, Of: g}, []float64{1, 5, 9}},
		{kernel.ARD{Scales: []float64{1, 2, 0.5}, Of: kernel.Projected{L: l, Of: g}}, []float64{1, 1.25, 36}},
		{kernel.Projected{L: l, Of: kernel.ARD{Scales: []float64{2, 1}, Of: g}}, []float64{0.25, 2, 9}},
		{kernel.Sum{g, kernel.Linear{}}, nil},
	} {
		n, err := tree.Describe(c.k, 3)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := squares(n, 3); ok != (c.want != nil) || ok && !floats.EqualApprox(got, c.want, 1e-15) {
			t.Errorf("%v: %v, %v, want %v", c.k, got, ok, c.want)
		}
	}
	model := filepath.Join(t.TempDir(), "m")
	must(t, "train", write(t, "flats.csv", flats(200, 1)), "-model", model, "-quiet", "-holdout", "0", "-learner", "ridge", "-Kernel", "Gaussian:Sigma=30")
	var d description
	if err := json.Unmarshal([]byte(must(t, "inspect", model, "-json")), &d); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, c := range d.Columns {
		sum += c.Share
	}
	// Areas vary by a hundred, all other columns by a few units.
	if len(d.Columns) != 3 || d.Columns[0].Column != "area" || !(d.Columns[0].Share > 0.9) || math.Abs(sum-1) > 1e-12 {
		t.Errorf("columns %+v", d.Columns)
	}
	if out := must(t, "inspect", model); !strings.Contains(out, " %  area\n") {
		t.Errorf("inspect says %s", out)
	}
}

// TestInspectJSON: a search with candidates of infinite error has a JSON form.
func TestInspectJSON(t *testing.T) {
	d := description{}
	d.setSearch(kernel.SearchResult{Trial: kernel.Trial{Kernel: kernel.Linear{}}, Curve: []kernel.Trial{{Kernel: kernel.Linear{}, Noise: 0.5, Error: math.Inf(1), StandardError: math.NaN()}}}, 3)
	var b bytes.Buffer
	if err := writeJSON(&b, &d); err != nil || !strings.Contains(b.String(), `"error": null`) || !strings.Contains(b.String(), `"noise": 0.5`) {
		t.Errorf("%v: %s", err, b.String())
	}
}

// TestModelsOfPrograms: inspect and predict load models that only programs can fit.
func TestModelsOfPrograms(t *testing.T) {
	x := mat.NewDense(60, 2, nil)
	r := rand.New(rand.NewPCG(5, 5))
	x.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, x)
	outside, err := novelty.Fit(context.Background(), x, nil)
	if err != nil {
		t.Fatal(err)
	}
	quotient, err := ratio.Fit(context.Background(), x, x, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := write(t, "x.csv", "0.5,0.25\n-1,2\n")
	for name, m := range map[string]encoding.BinaryMarshaler{"novelty.Model": outside, "ratio.Model": quotient} {
		path := filepath.Join(t.TempDir(), "m")
		if err := rkhs.Save(path, m); err != nil {
			t.Fatal(err)
		}
		if out := must(t, "inspect", path); !strings.Contains(out, name) {
			t.Errorf("inspect says %s", out)
		}
		if out := must(t, "predict", "-model", path, rows); strings.Count(out, "\n") != 3 {
			t.Errorf("%s: predict says %s", name, out)
		}
	}
}

// TestNumbered: files of numbered columns need no recipe, and their rows stay sparse.
func TestNumbered(t *testing.T) {
	var b strings.Builder
	r := rand.New(rand.NewPCG(4, 4))
	for range 200 {
		label, j := 1, 1+r.IntN(5)
		if j > 3 {
			label = -1
		}
		fmt.Fprintf(&b, "%+d %d:1 %d:0.5\n", label, j, 7+r.IntN(4))
	}
	file, model := write(t, "a.svm", b.String()), filepath.Join(t.TempDir(), "m.rkhs")
	out := must(t, "train", file, "-model", model, "-quiet", "-keep")
	if !strings.Contains(out, "classification: the target has 2 distinct numbers (use -task regression to change)\nlearner doublysgd: the rows are sparse\n") {
		t.Errorf("train says %s", out)
	}
	out = must(t, "predict", "-model", model, write(t, "b.svm", "0 1:1\n0 5:1\n"))
	if !regexp.MustCompile(`^prediction,p\(-1\),p\(1\)\n1,0\.0[^,]*,0\.9[^,]*\n-1,0\.9[^,]*,0\.0[^,]*\n$`).MatchString(out) {
		t.Errorf("predict says %q", out)
	}
	if evaluated := must(t, "eval", "-model", model, file); !strings.Contains(evaluated, "200 test rows: 0.00 % errors") {
		t.Errorf("eval says %s", evaluated)
	}
	// Values in columns without training rows are ignored and counted.
	wider := write(t, "d.svm", "0 1:1\n0 5:1 14:1\n")
	for _, args := range [][]string{{"predict", "-model", model, wider}, {"eval", "-model", model, wider},
		{"train", file, "-test", wider, "-model", filepath.Join(t.TempDir(), "m.rkhs"), "-quiet"}} {
		code, told, stderr := call(context.Background(), "", args...)
		if code != 0 || !strings.Contains(stderr, "ignored 1 value in columns that no training row has") {
			t.Errorf("%s of rows of a column that the model lacks: exit code %d: %s", args[0], code, stderr)
		}
		if args[0] == "predict" && told != out {
			t.Errorf("predict says %q, and %q without the column", told, out)
		}
	}
	for _, command := range []string{"predict", "eval"} {
		if code, _, stderr := call(context.Background(), "+1 1:1\n", command, "-model", model, "-"); code != misused || !strings.Contains(stderr, "svmlight") {
			t.Errorf("%s of the standard input: exit code %d: %s", command, code, stderr)
		}
	}
	if code, _, stderr := call(context.Background(), "", "eval", "-model", model, write(t, "c.csv", "a,b\n1,2\n")); code != failed || !strings.Contains(stderr, "numbered columns") {
		t.Errorf("a table: exit code %d: %s", code, stderr)
	}
}

// TestNothingIsOverwritten: without -force commands keep existing files. Output files are complete.
func TestNothingIsOverwritten(t *testing.T) {
	file, model := write(t, "flats.csv", flats(80, 1)), write(t, "m.rkhs", "something dear")
	args := []string{"train", file, "-model", model, "-quiet", "-holdout", "0"}
	if code, _, stderr := call(context.Background(), "", args...); code != misused || !strings.Contains(stderr, "-force") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if text, _ := os.ReadFile(model); string(text) != "something dear" {
		t.Errorf("the file is now %d bytes", len(text))
	}
	must(t, append(args, "-force")...)
	out := write(t, "out.csv", "")
	if code, _, stderr := call(context.Background(), "", "predict", "-model", model, file, "-o", out); code != misused || !strings.Contains(stderr, "-o names another") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	temporary := out + ".tmp"
	if err := os.WriteFile(temporary, []byte("something dear"), 0o666); err != nil {
		t.Fatal(err)
	}
	must(t, "predict", "-model", model, file, "-o", out, "-force")
	if text, _ := os.ReadFile(temporary); string(text) != "something dear" {
		t.Errorf("the file beside is now %q", text)
	}
	if text, _ := os.ReadFile(out); bytes.Count(text, []byte("\n")) != 81 {
		t.Errorf("%d bytes of predictions", len(text))
	}
	bad := write(t, "bad.csv", flats(20, 1)+"1,2\n")
	whole := filepath.Join(t.TempDir(), "p.csv")
	if code, _, stderr := call(context.Background(), "", "predict", "-model", model, bad, "-o", whole); code != failed || !strings.Contains(stderr, "line 22") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if list, _ := filepath.Glob(whole + "*"); len(list) > 0 {
		t.Errorf("half a file is left: %v", list)
	}
}

// TestInterrupted: a cancelled fit saves its best model so far, and fails.
func TestInterrupted(t *testing.T) {
	testutil.Long(t, "takes seconds")
	file, model := write(t, "flats.csv", flats(4000, 1)), filepath.Join(t.TempDir(), "m.rkhs")
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	code, _, stderr := call(ctx, "", "train", file, "-model", model, "-quiet")
	if code != failed || !strings.Contains(stderr, "saved to") {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	must(t, "eval", "-model", model, file)
}

// TestSecondFitFails: if the fit to all rows returns no model, train saves the first model and
// returns the error.
func TestSecondFitFails(t *testing.T) {
	x, y := mat.NewDense(40, 1, nil), mat.NewDense(40, 1, nil)
	for i := range 40 {
		x.Set(i, 0, float64(i))
		y.Set(i, 0, float64(i%7)+0.5)
	}
	var out, stderr bytes.Buffer
	s := streams{strings.NewReader(""), &out, &stderr}
	path := filepath.Join(t.TempDir(), "m")
	fits, of := 0, newLearner("ridge", ridge.Fit, ridge.FitClassifier)
	fit := of.fit
	of.fit = func(ctx context.Context, x, y mat.Matrix) (rkhs.Model, error) {
		if fits++; fits > 1 {
			return nil, context.Canceled
		}
		return fit(ctx, x, y)
	}
	tr := &training{arguments: newArguments("train", "", "", "", s), learner: of, holdout: 0.25, quiet: true}
	tr.model = path
	err := tr.run(context.Background(), "x.csv", denseData(&dataset.Set{X: x, Y: mat.Col(nil, 0, y)}))
	if fits != 2 || !errors.Is(err, context.Canceled) || !strings.Contains(out.String(), "30 rows") || strings.Contains(out.String(), "all rows") {
		t.Errorf("%d fits: %v, %s", fits, err, &out)
	}
	if _, err := rkhs.Load[*ridge.Model](path); err != nil {
		t.Error(err)
	}
}

// TestHelp: each command prints its flags and examples, and the options of a learner.
func TestHelp(t *testing.T) {
	if out := must(t, "-h"); !strings.Contains(out, "rkhs inspect") {
		t.Errorf("-h says %s", out)
	}
	for _, c := range commands() {
		if out := must(t, c.name, "-h"); !strings.Contains(out, "For example:") || !strings.Contains(out, "-model") && c.name != "describe" {
			t.Errorf("%s -h says %s", c.name, out)
		}
	}
	out, _, _ := strings.Cut(must(t, "train", "-learner", "slkl", "-h"), "For example:")
	for _, option := range []string{"-MaxPoints", "-Metric", "-Seed", "-NoIntercept", "-Workers"} {
		if !strings.Contains(out, "\n  "+option+" ") {
			t.Errorf("train -learner slkl -h does not show %s", option)
		}
	}
}

// TestExamplesOfHelp: the flags in the examples of -h are in its list.
func TestExamplesOfHelp(t *testing.T) {
	calls := regexp.MustCompile(`(?m)\brkhs (\w+)( .*)$`)
	flags := regexp.MustCompile(` -[A-Za-z][\w-]*`)
	learners := regexp.MustCompile(`-learner \w+`)
	for _, c := range commands() {
		_, examples, _ := strings.Cut(must(t, c.name, "-h"), "For example:")
		for _, example := range calls.FindAllStringSubmatch(examples, -1) {
			args := append([]string{example[1]}, append(strings.Fields(learners.FindString(example[2])), "-h")...)
			listed, _, _ := strings.Cut(must(t, args...), "For example:")
			for _, name := range flags.FindAllString(example[2], -1) {
				if name != " -h" && !regexp.MustCompile(`(?m)^ `+name+`\b`).MatchString(listed) {
					t.Errorf("%s -h has the example%s, and rkhs %s lists no%s", c.name, example[2], strings.Join(args, " "), name)
				}
			}
		}
	}
}

// TestOptionFlags: flags set options of each type.
func TestOptionFlags(t *testing.T) {
	file := write(t, "flats.csv", flats(60, 1))
	for i, args := range [][]string{
		{"ridge", "-Ridge", "1e-3", "-Kernel", "Gaussian:Sigma=2", "-NoIntercept", "true"},
		{"ridge", "-Kernel", "matern:nu=1.5:length=2", "-Workers", "1"},
		{"ridge", "-Metric", "diagonal", "-Seed", "3"},
		{"doublysgd", "-Loss", "Huber:Delta=0.5", "-Passes", "2"},
	} {
		model := filepath.Join(t.TempDir(), fmt.Sprint(i))
		must(t, append([]string{"train", file, "-model", model, "-quiet", "-holdout", "0", "-learner"}, args...)...)
		if out := must(t, "inspect", model); i == 0 && !regexp.MustCompile(`ridge +0.001\n`).MatchString(out) {
			t.Errorf("inspect says %s", out)
		}
	}
}

// pictures writes six square images of the given size with labels, and returns the name of the first
// file.
func pictures(t *testing.T, size byte) string {
	path := filepath.Join(t.TempDir(), "x-images-idx3-ubyte")
	images := []byte{0, 0, 8, 3, 0, 0, 0, 6, 0, 0, 0, size, 0, 0, 0, size}
	for i := range 6 * int(size) * int(size) {
		images = append(images, byte(i*i))
	}
	labels := []byte{0, 0, 8, 1, 0, 0, 0, 6, 0, 1, 0, 1, 0, 1}
	for name, text := range map[string][]byte{path: images, strings.Replace(path, "images-idx3", "labels-idx1", 1): labels} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text))
	z.Close()
	return b.String()
}

// TestFaults: malformed files and flags give one line with the reason and the place, and the right
// exit code.
func TestFaults(t *testing.T) {
	good := write(t, "good.csv", flats(60, 1))
	model := filepath.Join(t.TempDir(), "good.rkhs")
	must(t, "train", good, "-model", model, "-quiet", "-holdout", "0")
	saved, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	numbered := filepath.Join(t.TempDir(), "numbered.rkhs")
	must(t, "train", write(t, "x.svm", strings.Repeat("1 1:1\n-1 2:1\n", 20)), "-model", numbered, "-quiet", "-holdout", "0")
	stream := filepath.Join(t.TempDir(), "stream.learner")
	must(t, "update", pictures(t, 2), "-model", stream)
	fresh := filepath.Join(t.TempDir(), "fresh.rkhs")
	numbers := strings.Repeat("1,2.5\n3,0.25\n", 200)
	var money string
	for i := range 61 {
		money += fmt.Sprintf("%d,$%d\n", i, i)
	}
	train := func(text string, flags ...string) []string {
		return append([]string{"train", write(t, "x.csv", text), "-model", fresh, "-quiet"}, flags...)
	}
	svm := func(text string, flags ...string) []string {
		return append([]string{"train", write(t, "x.svm", text), "-model", fresh, "-quiet"}, flags...)
	}
	predict := func(text string, flags ...string) []string {
		return append([]string{"predict", "-model", model, write(t, "x.csv", text)}, flags...)
	}
	for _, c := range []struct {
		name    string
		args    []string
		code    int
		message string
	}{
		{"no command", nil, misused, "-h"},
		{"an unknown command", []string{"learn"}, misused, `"learn"`},
		{"an unknown flag", []string{"train", good, "-bogus"}, misused, "-bogus"},
		{"an option without a learner", []string{"train", good, "-Ridge", "1"}, misused, "-learner"},
		{"an option of another learner", []string{"train", good, "-learner", "ridge", "-Penalty", "5"}, misused, "-Penalty"},
		{"an unknown learner", []string{"train", good, "-learner", "forest"}, misused, "ridge"},
		{"a learner without a name", []string{"train", good, "-learner"}, misused, "-learner"},
		{"an option that is no number", []string{"train", good, "-learner", "ridge", "-Ridge", "low"}, misused, "-Ridge"},
		{"an option out of range", train(flats(60, 1), "-learner", "ridge", "-Ridge", "-1"), failed, "Ridge"},
		{"an unknown kernel", []string{"train", good, "-learner", "ridge", "-Kernel", "Bogus"}, misused, "Gaussian"},
		{"a kernel of an unknown field", []string{"train", good, "-learner", "ridge", "-Kernel", "Gaussian:Bogus=1"}, misused, "Bogus"},
		{"a kernel without a parameter", train(flats(60, 1), "-learner", "ridge", "-Kernel", "Gaussian"), failed, "Sigma"},
		{"an unknown metric", []string{"train", good, "-learner", "ridge", "-Metric", "bogus"}, misused, "FullMetric"},
		{"no file", []string{"train"}, misused, "one file"},
		{"two files", []string{"train", good, good}, misused, "one file"},
		{"a file that is not there", []string{"train", "no/such.csv", "-model", fresh}, failed, "no/such.csv"},
		{"a folder", []string{"train", t.TempDir(), "-model", fresh}, failed, "no files"},
		{"a test file that is not there", train(flats(60, 1), "-test", "no/such.csv"), failed, "rkhs: -test: dataset: no/such.csv"},
		{"a fraction", []string{"train", good, "-holdout", "1"}, misused, "-holdout"},
		{"a fraction below zero", []string{"train", good, "-holdout", "-0.1"}, misused, "-holdout"},
		{"a task", []string{"train", good, "-task", "ranking"}, misused, "classification"},
		{"a kind", []string{"train", good, "-kind", "area=colour"}, misused, "colour"},
		{"a kind of no column", []string{"train", good, "-kind", "number"}, misused, "column=kind"},
		{"a kind of a column that is not there", train(flats(60, 1), "-kind", "q=number"), failed, `"q"`},
		{"a separator", []string{"train", good, "-sep", "::"}, misused, "one character"},
		{"a date of letters", []string{"train", good, "-dates", "DD/MM/YYYY"}, misused, "02/01/2006"},
		{"a date of percent signs", []string{"update", good, "-dates", "%d/%m/%Y"}, misused, "02/01/2006"},
		{"no date", []string{"predict", "-model", model, good, "-dates", ""}, misused, "02/01/2006"},
		{"header and none", train(flats(60, 1), "-header", "-no-header"), failed, "both"},
		{"levels", train(flats(60, 1), "-levels", "1"), failed, "Levels"},
		{"a target that is not there", train(flats(60, 1), "-target", "cost"), failed, `"cost"`},
		{"ignored and not there", train(flats(60, 1), "-ignore", "x"), failed, `"x"`},
		{"weights that are not there", train(flats(60, 1), "-weights", "w"), failed, `"w"`},
		{"weights of numbered columns", svm("1 1:1\n0 2:1\n", "-weights", "w"), misused, "-weights has no effect"},
		{"the target of numbered columns", svm("1 1:1\n0 2:1\n", "-target", "3"), misused, "-target has no effect"},
		{"weights that are no numbers", train(flats(60, 1), "-weights", "town"), failed, `"town"`},
		{"a text as a number", train(flats(60, 1), "-target", "town", "-task", "regression"), failed, "line 2"},
		{"gp for classes", train(flats(60, 1), "-learner", "gp", "-target", "town"), misused, "not classes"},
		{"an empty file", train(""), failed, "no rows"},
		{"blank lines", train("\n\n\n"), failed, "no rows"},
		{"a header alone", train("a,b\n"), failed, "no rows"},
		{"one row", train("a,b\n1,2\n"), failed, "2 or more"},
		{"one column", train("a\n1\n2\n3\n"), failed, "no column is left"},
		{"a short row", train("a,b\n1,2\n3\n"), failed, "line 3"},
		{"a long row", train("a,b\n1,2\n3,4,5\n"), failed, "line 3"},
		{"a quote without end", train("a,b\n1,\"2\n3,4\n"), failed, "line 2"},
		{"a quote in a cell", train("a,b\n1,2\"\n"), failed, "line 2"},
		{"one class", train("a,b\n1,u\n2,u\n3,u\n"), failed, `"u"`},
		{"a stray cell", train("a,b\n" + numbers + "oops,1.5\n"), failed, "line 402"},
		{"a stray cell far out", train("a,b\n" + numbers + "1e999,1.5\n"), failed, "line 402"},
		{"a column that is infinite", train("a,b\n" + numbers + "inf,1.5\n"), failed, "line 402"},
		{"a missing target", train("a,b\n1,NA\n2,\n"), failed, "missing"},
		{"prices of two units as a target", train("a,b\n" + strings.Replace(money, "$", "€", 1)), failed, "unit"},
		{"an ignored target", train(flats(60, 1), "-target", "price", "-ignore", "price"), failed, "Ignore"},
		{"constant columns", train("a,b\n1,2.5\n1,3.5\n1,4.25\n"), failed, "single value"},
		{"gzip that is cut off", train(zipped(flats(60, 1))[:200]), failed, "cut off"},
		{"bytes", train("\x7fELF\x02\x01\x01\x00\x00\x00"), failed, ""},
		{"an index that is no number", svm("1 1:1\n2 x:1\n"), failed, "line 2"},
		{"a value that is no number", svm("1 1:1\n-1 1:x\n"), failed, "line 2"},
		{"an empty svmlight file", svm(""), failed, "no rows"},
		{"images without labels", []string{"train", write(t, "x-images-idx3-ubyte", "\x00\x00\x08\x03\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x01x"), "-model", fresh}, failed, "labels"},
		{"predict without a model", []string{"predict", good}, misused, "-model"},
		{"a model that is not there", []string{"predict", "-model", "no/such", good}, failed, "no/such"},
		{"a model that is a table", []string{"predict", "-model", good, good}, failed, good},
		{"a model that is cut off", []string{"predict", "-model", write(t, "m", string(saved[:len(saved)/2])), good}, failed, "ends too early"},
		{"a model with a wrong byte", []string{"inspect", write(t, "m", string(saved[:500])+"x"+string(saved[501:]))}, failed, "checksum"},
		{"rows without any of the columns", predict("q,r\n1,2\n"), failed, `"q"`},
		{"a text among numbers", predict("area,town\n1,Ely\nx,Ely\n"), failed, "line 3"},
		{"a day that is none", predict("since\n2024-13-01\n"), failed, "line 2"},
		{"an empty table", predict(""), failed, "no rows"},
		{"eval without the target", []string{"eval", "-model", model, write(t, "x.csv", "area\n1\n")}, failed, `x.csv: recipe: the rows have no column "price"`},
		{"a model in a folder that is not there", train(flats(60, 1), "-model", "no/such/m"), failed, "-model: no/such/m cannot be written"},
		{"a model that is a folder", train(flats(60, 1), "-model", t.TempDir(), "-force"), misused, "is a folder"},
		{"a model without a name", train(flats(60, 1), "-model", ""), misused, "-model names no file"},
		{"a test file without the target", train(flats(60, 1), "-test", write(t, "x.csv", "area\n1\n")), failed, `no column "price"`},
		{"a test file with a fault", train(flats(60, 1), "-test", write(t, "x.csv", "area,price\n1,2\nx,3\n")), failed, "line 3"},
		{"a test file of numbered columns", train(flats(60, 1), "-test", write(t, "x.svm", "1 1:1\n2 1:2\n")), failed, "numbered columns"},
		{"images to test on of another size", []string{"train", pictures(t, 2), "-test", pictures(t, 3), "-model", fresh, "-quiet"}, failed, "9 columns, and the training rows have 4"},
		{"a coverage that is no number", predict(flats(9, 1), "-coverage", "high"), misused, "-coverage"},
		{"a coverage of two", predict(flats(9, 1), "-coverage", "2"), misused, "-coverage"},
		{"predictions into a folder that is not there", predict(flats(9, 1), "-o", "no/such/p"), failed, "-o: no/such/p cannot be written"},
		{"a stream of too many numbered columns", []string{"update", write(t, "x.svm", "1 1:1\n2 100000:2\n"), "-model", fresh}, failed, "100000 columns"},
		{"the target of a stream of numbered columns", []string{"update", write(t, "x.svm", "1 1:1\n2 1:2\n"), "-model", fresh, "-target", "column_1"}, misused, "-target has no effect"},
		{"numbered columns for a model of names", []string{"predict", "-model", model, write(t, "x.svm", "1 1:1\n")}, failed, "table with names"},
		{"numbered columns to eval a model of names", []string{"eval", "-model", model, write(t, "x.svm", "1 1:1\n")}, failed, "table with names"},
		{"images for a model of other columns", []string{"predict", "-model", numbered, pictures(t, 3)}, failed, "x-images-idx3-ubyte: "},
		{"images for a learner of other columns", []string{"update", pictures(t, 3), "-model", stream}, failed, "x-images-idx3-ubyte: 9 columns, want 4"},
		{"images to predict by a learner of other columns", []string{"predict", "-model", stream, pictures(t, 3)}, failed, "x-images-idx3-ubyte: 9 columns, want 4"},
		{"a separator of numbered columns", []string{"predict", "-model", model, write(t, "x.svm", "1 1:1\n"), "-sep", ";"}, misused, "-sep has no effect"},
		{"a header of a Parquet file", []string{"eval", "-model", model, write(t, "x.parquet", "PAR1"), "-header"}, misused, "-header has no effect"},
		{"a table to train on that is Parquet", []string{"train", write(t, "x.parquet", "PAR1"), "-model", fresh, "-decimal-comma"}, misused, "-decimal-comma has no effect"},
		{"flags of tables for a model of numbers", []string{"predict", "-model", numbered, write(t, "y.svm", "1 1:1\n"), "-missing", "-"}, misused, "-missing has no effect"},
		{"a stream into a folder that is not there", []string{"update", good, "-model", "no/such/m"}, failed, "-model: no/such/m cannot be written"},
		{"inspect of two", []string{"inspect", model, model}, misused, "one model"},
		{"inspect of nothing", []string{"inspect"}, misused, "-model"},
	} {
		code, out, stderr := call(context.Background(), "", c.args...)
		if out != "" {
			t.Errorf("%s: written in place of a result: %s", c.name, out)
		}
		last := strings.Split(strings.TrimSpace(stderr), "\n")
		if code != c.code || !strings.Contains(stderr, c.message) || !strings.HasPrefix(last[0], "rkhs") {
			t.Errorf("%s: exit code %d, want %d; want %q in %s", c.name, code, c.code, c.message, stderr)
		}
		if c.code != misused && strings.Count(strings.TrimSpace(stderr), "\n") > 4 {
			t.Errorf("%s: many lines: %s", c.name, stderr)
		}
	}
	for _, args := range [][]string{{"train", "-", "-model", fresh}, {"update", "-", "-model", fresh}, {"predict", "-", "-model", model}} {
		if code, out, stderr := call(context.Background(), strings.Repeat("1 1:1 4:2\n-1 2:1 3:1\n", 20), args...); code != failed || out != "" || !strings.Contains(stderr, "svmlight") {
			t.Errorf("svmlight on the standard input of %s: exit code %d: %s%s", args[0], code, out, stderr)
		}
	}
	if _, err := os.Stat(fresh); err == nil {
		t.Error("a model of something at fault is there")
	}
}

// TestParquet: train, predict and update read a Parquet file.
func TestParquet(t *testing.T) {
	type flat struct {
		Area  *float64 `parquet:"area,optional"`
		Town  string   `parquet:"town"`
		Price float64  `parquet:"price"`
	}
	var rows []flat
	r := rand.New(rand.NewPCG(3, 8))
	for i := range 300 {
		area, town := 20+100*r.Float64(), r.IntN(3)
		rows = append(rows, flat{&area, []string{"Ely", "Bath", "York"}[town], 80*math.Sin(area/25) + 60*float64(town)})
		if i%20 == 0 {
			rows[i].Area = nil
		}
	}
	file, model, learner := filepath.Join(t.TempDir(), "x.parquet"), filepath.Join(t.TempDir(), "m"), filepath.Join(t.TempDir(), "l")
	if err := library.WriteFile(file, rows); err != nil {
		t.Fatal(err)
	}
	if out := must(t, "train", file, "-model", model, "-quiet"); !strings.Contains(out, "area: number") || !strings.Contains(out, "town: category") {
		t.Errorf("train says %s", out)
	}
	if out := must(t, "predict", "-model", model, file); strings.Count(out, "\n") != 301 {
		t.Errorf("%d lines of predictions", strings.Count(out, "\n"))
	}
	must(t, "update", file, "-model", learner, "-first", "100")
	if n := rowsIn(t, learner); n != 300 {
		t.Errorf("learned from %d rows", n)
	}
}
