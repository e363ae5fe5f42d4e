package rkhs_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"gonum.org/v1/gonum/mat"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/internal/codec"
)

// line is the model f(x) = slope·x.
type line struct{ slope float64 }

var lines = codec.Register(codec.Format[line]{Kind: "test line", Decode: func(d *codec.Decoder) line { return line{d.Finite()} }})

func (l *line) Dims() (inputs, outputs int) { return 1, 1 }

func (l *line) Predict(x mat.Matrix) (*mat.Dense, error) {
	var dst mat.Dense
	return &dst, l.PredictTo(&dst, x)
}

func (l *line) PredictTo(dst *mat.Dense, x mat.Matrix) error { dst.Scale(l.slope, x); return nil }

var errFlat = errors.New("test: flat")

func (l *line) MarshalBinary() ([]byte, error) {
	return lines.Marshal(func(e *codec.Encoder) error {
		if l.slope == 0 {
			return errFlat
		}
		e.Float64(l.slope)
		return nil
	})
}

func (l *line) UnmarshalBinary(data []byte) error { return lines.Unmarshal(l, data) }

// point is a model of another kind.
type point struct{ at float64 }

var points = codec.Register(codec.Format[point]{Kind: "test point", Decode: func(d *codec.Decoder) point { return point{d.Finite()} }})

func (p *point) MarshalBinary() ([]byte, error) {
	return points.Marshal(func(e *codec.Encoder) error { e.Float64(p.at); return nil })
}

// stranger has a kind without a registered reader.
type stranger struct{}

func (stranger) MarshalBinary() ([]byte, error) { return codec.Marshal("test stranger", 1, nil), nil }

func save(t *testing.T, path string, m interface{ MarshalBinary() ([]byte, error) }) {
	t.Helper()
	if err := rkhs.Save(path, m); err != nil {
		t.Fatal(err)
	}
}

// alone fails if the folder of path has other files.
func alone(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != filepath.Base(path) {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

func TestSaveAndLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "line.rkhs")
	for _, slope := range []float64{1, -2.5} { // the second replaces the first
		save(t, path, &line{slope})
		got, err := rkhs.Load[*line](path)
		if err != nil || *got != (line{slope}) {
			t.Errorf("loaded %v, error %v", got, err)
		}
		alone(t, path)
	}
	m, err := rkhs.Load[rkhs.Model](path)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := m.Predict(mat.NewDense(1, 1, []float64{2})); err != nil || f.At(0, 0) != -5 {
		t.Errorf("predicted %v, error %v", f, err)
	}
	if v, err := rkhs.Load[any](path); err != nil || *v.(*line) != (line{-2.5}) {
		t.Errorf("loaded %v, error %v", v, err)
	}
}

// refuses fails unless err wraps ErrFormat and its message contains all given texts.
func refuses(t *testing.T, err error, message ...string) {
	t.Helper()
	if !errors.Is(err, rkhs.ErrFormat) {
		t.Fatalf("error %v, want one that wraps %v", err, rkhs.ErrFormat)
	}
	for _, s := range message {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("error %q does not say %q", err, s)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file.rkhs")
	save(t, path, &line{3})
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := rkhs.Load[*point](path)
	refuses(t, err, path+": rkhs: ", `"test line"`, "a *rkhs_test.line", "wanted a *rkhs_test.point")
	if p != nil {
		t.Errorf("a point with the error %v", err)
	}
	_, err = rkhs.Load[rkhs.Classifier](path)
	refuses(t, err, "wanted a rkhs.Classifier")
	flipped := bytes.Clone(good)
	flipped[len(flipped)-6] ^= 1
	for _, c := range []struct {
		name, message string
		data          []byte
	}{
		{"cut", "ends too early", good[:len(good)-1]},
		{"empty", "ends too early", nil},
		{"flipped", "checksum", flipped},
		{"longer", "more after the end", append(bytes.Clone(good), 0)},
		{"text", "not a file of this library", []byte("a text of no kind that we know")},
		{"of a later version", "version 2 is unknown", codec.Marshal("test line", 2, nil)},
		{"with a payload that is too long", "too many", codec.Marshal("test line", 1, make([]byte, 9))},
	} {
		if err := os.WriteFile(path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := rkhs.Load[*line](path)
		refuses(t, err, path+": ", c.message)
		if m != nil {
			t.Errorf("%s: a model with the error %v", c.name, err)
		}
	}
	save(t, path, stranger{})
	_, err = rkhs.Load[any](path)
	refuses(t, err, path+": rkhs: ", `"test stranger"`, "no imported package")
	if _, err := rkhs.Load[any](path + "x"); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, rkhs.ErrFormat) {
		t.Errorf("no file: error %v", err)
	}
}

// TestFailedSave checks that a failed Save keeps the existing file and adds no other.
func TestFailedSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "line.rkhs")
	save(t, path, &line{1})
	if err := rkhs.Save(path, &line{}); !errors.Is(err, errFlat) {
		t.Errorf("error %v, want that of MarshalBinary", err)
	}
	if err := rkhs.Save(path, nil); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("of nothing: error %v", err)
	}
	alone(t, path)
	if m, err := rkhs.Load[*line](path); err != nil || *m != (line{1}) {
		t.Errorf("loaded %v, error %v", m, err)
	}
	if err := rkhs.Save(filepath.Join(path, "no", "line.rkhs"), &line{1}); err == nil {
		t.Error("saved in a folder that is not there")
	}
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.MkdirAll(filepath.Join(folder, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := rkhs.Save(folder, &line{1}); err == nil {
		t.Error("a folder was replaced by a file")
	}
	alone(t, folder)
}

// TestSaveAfterAnInterrupted saves while the temporary file of an interrupted Save exists.
func TestSaveAfterAnInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "line.rkhs")
	if err := os.WriteFile(path+".0.tmp", []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	save(t, path, &line{1})
	if _, err := rkhs.Load[*line](path); err != nil {
		t.Error(err)
	}
	if half, err := os.ReadFile(path + ".0.tmp"); err != nil || string(half) != "half" {
		t.Errorf("the file of another Save is %q, error %v", half, err)
	}
}

func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permissions of this kind")
	}
	dir := t.TempDir()
	mode := func(path string) fs.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	f, err := os.Create(filepath.Join(dir, "created"))
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	path := filepath.Join(dir, "saved")
	save(t, path, &line{1})
	if got, want := mode(path), mode(f.Name()); got != want {
		t.Errorf("a new file has the permissions %v, os.Create gives %v", got, want)
	}
	for _, want := range []fs.FileMode{0o600, 0o666} {
		if err := os.Chmod(path, want); err != nil {
			t.Fatal(err)
		}
		if save(t, path, &line{1}); mode(path) != want {
			t.Errorf("the permissions of the file that was there were %v, and are %v", want, mode(path))
		}
	}
}

// TestWriteAndRead writes two models to a stream with more data after them.
func TestWriteAndRead(t *testing.T) {
	var b bytes.Buffer
	for _, m := range []interface{ MarshalBinary() ([]byte, error) }{&line{2}, &point{3}} {
		if err := rkhs.Write(&b, m); err != nil {
			t.Fatal(err)
		}
	}
	whole := b.String()
	b.WriteString("tail")
	r := iotest.OneByteReader(&b)
	if m, err := rkhs.Read[*line](r); err != nil || *m != (line{2}) {
		t.Errorf("read %v, error %v", m, err)
	}
	if m, err := rkhs.Read[*point](r); err != nil || *m != (point{3}) {
		t.Errorf("read %v, error %v", m, err)
	}
	if b.String() != "tail" {
		t.Errorf("the remainder is %q", b.String())
	}
	_, err := rkhs.Read[any](strings.NewReader(whole[:10]))
	refuses(t, err, "rkhs: ")
	broken := errors.New("broken")
	if _, err := rkhs.Read[any](io.MultiReader(strings.NewReader(whole[:10]), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("a broken stream: error %v", err)
	}
	if err := rkhs.Write(&failAfter{0, broken}, &line{1}); !errors.Is(err, broken) {
		t.Errorf("a broken writer: error %v", err)
	}
	if err := rkhs.Write(&b, &line{}); !errors.Is(err, errFlat) {
		t.Errorf("error %v, want that of MarshalBinary", err)
	}
	if err := rkhs.Write(&b, nil); !errors.Is(err, rkhs.ErrUnfitted) {
		t.Errorf("nothing: error %v", err)
	}
}
