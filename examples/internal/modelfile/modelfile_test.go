package modelfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var errModel = errors.New("no model")

// model is a text that must not be empty.
type model struct{ text string }

func (m *model) MarshalBinary() ([]byte, error) {
	if m.text == "" {
		return nil, errModel
	}
	return []byte(m.text), nil
}

func (m *model) UnmarshalBinary(data []byte) error {
	if len(data) == 0 {
		return errModel
	}
	m.text = string(data)
	return nil
}

func TestWriteAndRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "model")
	for _, text := range []string{"a long one", "short"} {
		size, err := Write(path, &model{text})
		if err != nil || size != len(text) {
			t.Errorf("%d bytes, error %v", size, err)
		}
		var m model
		if err := Read(path, &m); err != nil || m.text != text {
			t.Errorf("read %q, want %q; error %v", m.text, text, err)
		}
	}
	if _, err := Write(path, new(model)); !errors.Is(err, errModel) {
		t.Errorf("error %v", err)
	}
	var m model
	if err := Read(path, &m); err != nil || m.text != "short" {
		t.Errorf("a write that failed left %q, error %v", m.text, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, error %v", entries, err)
	}
}

func TestErrorsNameTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model")
	if err := Read(path, new(model)); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("no file: error %v", err)
	}
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Read(path, new(model)); !errors.Is(err, errModel) || !strings.HasPrefix(err.Error(), path) {
		t.Errorf("empty file: error %v", err)
	}
	if _, err := Write(filepath.Join(path, "model"), &model{"text"}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("no folder: error %v", err)
	}
}
