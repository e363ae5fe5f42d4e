package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/rkhs-go/rkhs/internal/compute"
)

// peer identifies one fit of another library.
type peer struct {
	table       string
	split, rows int
	method      string // kernel or trees
}

// peerErrors are the test errors of peers.
type peerErrors map[peer]float64

// of returns the error, or NaN if it is unknown.
func (p peerErrors) of(table string, split, rows int, method string) float64 {
	if e, ok := p[peer{table, split, rows, method}]; ok {
		return e
	}
	return math.NaN()
}

// readPeers reads lines of table, split, rows, method, error and seconds.
func readPeers(path string) (peerErrors, error) {
	p := peerErrors{}
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		var k peer
		var e, seconds float64
		if _, err := fmt.Sscan(s.Text(), &k.table, &k.split, &k.rows, &k.method, &e, &seconds); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		p[k] = e
	}
	return p, s.Err()
}

// write writes each split of a table to its own file, as little-endian float64: the numbers of
// training rows, test rows, columns and classes (or 0), followed by x and y of both parts.
func write(folder, name string, t *table) error {
	for split := range splitsOf(t) {
		train, test := t.split(uint64(split), *rows)
		v := []float64{float64(train.x.Rows), float64(test.x.Rows), float64(t.x.Cols), float64(t.classes)}
		for _, part := range []*table{train, test} {
			v = append(v, part.x.Data...)
			if part.labels == nil {
				v = append(v, part.y.Data...)
			} else {
				v = append(v, part.labelColumn().Data...)
			}
		}
		data, err := binary.Append(nil, binary.LittleEndian, v)
		if err != nil {
			return err
		}
		file := filepath.Join(folder, fmt.Sprintf("%s %d %d", name, split, *rows))
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// labelColumn returns the labels as an n×1 matrix.
func (t *table) labelColumn() compute.Matrix {
	m := compute.NewMatrix(len(t.labels), 1)
	for i, l := range t.labels {
		m.Data[i] = float64(l)
	}
	return m
}
