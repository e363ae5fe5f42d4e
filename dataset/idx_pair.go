package dataset

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/rkhs-go/rkhs"
)

// LoadIDXPair reads two IDX files, of images (or rows of any kind) and of their
// labels, either of them compressed or not. An image becomes a row: its pixels,
// line by line.
//
// Errors are those of ReadIDX; rkhs.ErrShape if the files have not one label for
// each image.
func LoadIDXPair(images, labels string) (*Set, error) {
	s, err := loadPair(images, labels)
	if err != nil {
		return nil, fmt.Errorf("dataset: %s and %s: %w", images, labels, err)
	}
	return s, nil
}

func loadPair(images, labels string) (*Set, error) {
	f := new(file)
	defer f.close()
	r, err := f.contents(images)
	if err != nil {
		return nil, err
	}
	if err := f.beginPair(r, labels); err != nil {
		return nil, err
	}
	return readAll(f)
}

// beginPair makes f a reader of the images in r and the labels at a path.
func (f *file) beginPair(r *bufio.Reader, labels string) error {
	l, err := f.contents(labels)
	if err != nil {
		return err
	}
	p := new(pairReader)
	if p.images, err = newIDXReader(r); err != nil {
		return fmt.Errorf("images: %w", err)
	}
	if p.labels, err = newIDXReader(l); err != nil {
		return fmt.Errorf("labels: %w", err)
	}
	if len(p.labels.dims) != 1 || p.images.rows != p.labels.rows {
		return fmt.Errorf("labels of dimensions %v for images of dimensions %v: %w", p.labels.dims, p.images.dims, rkhs.ErrShape)
	}
	f.reader = p
	return nil
}

// pairReader reads images and their labels side by side.
type pairReader struct {
	images, labels *idxReader
}

func (p *pairReader) read(n int) (*Set, error) {
	y, err := p.labels.values(n)
	if err == io.EOF {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("labels: %w", err)
	}
	x, err := p.images.values(n)
	if err != nil {
		return nil, fmt.Errorf("images: %w", err)
	}
	return newSet(len(y), x, y), nil
}

// labelsPath returns the path of the labels that belong to a file of images.
func labelsPath(images string) (string, error) {
	dir, name := filepath.Split(images)
	if !strings.Contains(name, "images") {
		return "", fmt.Errorf("the name has no \"images\" to tell that of the labels: %w", rkhs.ErrFormat)
	}
	name = strings.Replace(name, "images", "labels", 1)
	return filepath.Join(dir, strings.Replace(name, "idx3", "idx1", 1)), nil
}
