package dataset

import (
	"bytes"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rkhs-go/rkhs/internal/rng"
	"github.com/rkhs-go/rkhs/internal/testutil"
)

func BenchmarkReadCSV(b *testing.B) {
	for _, c := range []struct {
		name   string
		digits int
	}{{"digits=4", 4}, {"digits=17", 17}} {
		text := csvText(4000, 100, c.digits)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ReadCSV(bytes.NewReader(text), Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkReadTable(b *testing.B) {
	for _, c := range []struct {
		name   string
		digits int
	}{{"digits=9", 9}, {"digits=17", 17}} {
		text := csvText(50000, 20, c.digits)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ReadTable(bytes.NewReader(text), TableOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func csvText(rows, columns, digits int) []byte {
	s := rng.New(1, "text", 0)
	var text []byte
	for range rows {
		for range columns {
			text = append(strconv.AppendFloat(text, s.NormFloat64(), 'g', digits, 64), ',')
		}
		text[len(text)-1] = '\n'
	}
	return text
}

func BenchmarkReadSVM(b *testing.B) {
	var text []byte
	for i := range 4000 {
		text = append(text, "-1"...)
		for j := range 50 {
			text = append(text, ' ')
			text = strconv.AppendInt(text, int64(2*j+i%2+1), 10)
			text = append(text, ":0.3125"...)
		}
		text = append(text, '\n')
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadSVM(bytes.NewReader(text), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadIDX(b *testing.B) {
	data := append([]byte{0, 0, 8, 3, 0, 0, 0x3a, 0x98, 0, 0, 0, 28, 0, 0, 0, 28}, make([]byte, 15000*784)...)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := ReadIDX(bytes.NewReader(data)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	dir, ok := testutil.DataDir()
	if !ok {
		b.Skip("RKHS_DATA is not set")
	}
	for _, name := range []string{"train-images-idx3-ubyte.gz", "qm7.csv.gz", "usps.train.csv.gz", "a9a.train.svm.gz"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Load(filepath.Join(dir, name), Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
