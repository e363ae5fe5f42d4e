package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/doublysgd"
	"github.com/rkhs-go/rkhs/examples/internal/commandline"
	"github.com/rkhs-go/rkhs/examples/internal/modelfile"
	"github.com/rkhs-go/rkhs/examples/internal/picturetest"
)

// rings is a file whose class is 2 inside the unit circle, 7 outside, and 9 in a
// corner.
func rings(t *testing.T, rows int) string {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for range rows {
		x, y := 3*r.Float64()-1.5, 3*r.Float64()-1.5
		label := 7
		if math.Hypot(x, y) < 1 {
			label = 2
		} else if x > 0 && y > 0 {
			label = 9
		}
		fmt.Fprintf(&b, "%d,%v,%v\n", label, x, 1000*y)
	}
	return write(t, "rings.csv", b.String())
}

func write(t *testing.T, name, contents string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(contents), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// number returns the number that follows label in text.
func number(t *testing.T, text, label string) float64 {
	t.Helper()
	_, after, ok := strings.Cut(text, label)
	if !ok {
		t.Fatalf("no %q in:\n%s", label, text)
	}
	v, err := strconv.ParseFloat(strings.Fields(after)[0], 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestCommand(t *testing.T) {
	dir := t.TempDir()
	model, picture := filepath.Join(dir, "m"), filepath.Join(dir, "c.png")
	var out, errs bytes.Buffer
	err := run(context.Background(), []string{"-data", rings(t, 1200), "-target", "1", "-standardize", "-features", "256", "-model", model, "-curve", picture}, &out, &errs)
	if err != nil {
		t.Fatal(err)
	}
	if e := number(t, out.String(), "test error"); e > 5 {
		t.Errorf("test error %v %%", e)
	}
	// The curve begins with 32 features and ends with all.
	for _, want := range []string{"900 rows to train on, 300 to test on, 2 inputs", "  32 features", " 128 features", " 256 features", "same bits"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
	if errs.Len() > 0 {
		t.Errorf("a bar without a terminal: %q", errs.String())
	}
	picturetest.Check(t, picture)
	var l doublysgd.Classifier
	if err := modelfile.Read(model, &l); err != nil || fmt.Sprint(l.Labels()) != "[2 7 9]" {
		t.Errorf("read back: %v", err)
	}
}

// The bar starts again with each pass, also when blocks have come.
func TestProgress(t *testing.T) {
	p := newProgress(new(bytes.Buffer))
	for i, blocks := range []int{1, 1, 2, 2, 2, 2, 4, 4, 4, 4} {
		if err := p.Record(rkhs.Progress{Iteration: i + 1, ModelOrder: blocks}); err != nil {
			t.Fatal(err)
		}
	}
	if p.blocks != 4 || p.before != 6 || p.bar.GetMax() != 4 {
		t.Errorf("%d blocks of %d shown, after %d iterations", p.blocks, p.bar.GetMax(), p.before)
	}
	p.finish()
}

// Each case of bad input ends with one line that names what is wrong.
func TestBadInput(t *testing.T) {
	good := rings(t, 60)
	for _, c := range []struct{ args, want string }{
		{"-data missing.csv", "missing.csv"},
		{"-data " + write(t, "a.csv", "1,2,3\n4,NaN,6\n"), "line 2"},
		{"-data " + write(t, "a.csv", "1,2\n2,2\n3,2\n4,2\n"), "label"},
		{"-data " + write(t, "a.csv", "1,2\n"), "none to test on"},
		{"-data " + good, "label"},
		{"-data " + good + " -target 1 -features -5", "Features"},
		{"-data " + good + " -test 0", "-test"},
		{"-data " + good + " -target 1 -curve " + filepath.Join(good, "c.png"), "c.png"},
		{"-colour red", "-colour"},
		{"", "-data"},
	} {
		var out, errs bytes.Buffer
		args := strings.Fields(c.args)
		if !strings.Contains(c.args, "-curve") && len(args) > 0 {
			args = append(args, "-curve", filepath.Join(t.TempDir(), "c.png"))
		}
		err := run(context.Background(), args, &out, &errs)
		if err == nil {
			t.Errorf("%s: no error", c.args)
			continue
		}
		if line := commandline.Line("doublysgd", err); !strings.Contains(line, c.want) || strings.Contains(line, "\n") || errs.Len() > 0 {
			t.Errorf("%s: %q%q does not say %q", c.args, line, errs.String(), c.want)
		}
	}
}

// A run that is stopped leaves neither picture nor model.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	var out bytes.Buffer
	err := run(ctx, []string{"-data", rings(t, 100), "-target", "1", "-model", filepath.Join(dir, "m"), "-curve", filepath.Join(dir, "c.png")}, &out, &out)
	left, _ := os.ReadDir(dir)
	if err == nil || len(left) > 0 {
		t.Errorf("error %v, %d files", err, len(left))
	}
}
