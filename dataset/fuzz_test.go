package dataset

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"testing"

	"github.com/rkhs-go/rkhs"
)

// FuzzCSV writes the numbers of a valid file and reads them again. They must be the same.
func FuzzCSV(f *testing.F) {
	f.Add([]byte("a,b\n1,-2.5e3\r\n\n# c\n \"4\" ,5\n"), 0, false)
	f.Add([]byte("\ufeff1;2;3\n4;5;6"), 1, true)
	f.Add([]byte("1\t2\n\t\n"), -1, false)
	f.Add([]byte("1 2  3\nnan inf 1e999"), NoTarget, false)
	f.Add(compress([]byte("1,2\n3,4\n")), -2, false)
	f.Fuzz(func(t *testing.T, data []byte, target int, header bool) {
		s, err := ReadCSV(bytes.NewReader(data), Options{Target: target, Header: header})
		checkWellFormed(t, s, err)
		if err != nil {
			return
		}
		text, again := writeCSV(s)
		r, err := ReadCSV(bytes.NewReader(text), again)
		if err != nil || !sameSet(s, r) {
			t.Errorf("written and read again, %q gives %v", text, err)
		}
	})
}

// writeCSV writes a set, the targets last, and returns how to read it.
func writeCSV(s *Set) (text []byte, opts Options) {
	opts.Target = NoTarget
	n, _ := s.X.Dims()
	for i := range n {
		for _, v := range s.X.RawRowView(i) {
			text = append(strconv.AppendFloat(text, v, 'g', -1, 64), ',')
		}
		if s.Y == nil {
			text = text[:len(text)-1]
		} else {
			opts.Target = -1
			text = strconv.AppendFloat(text, s.Y[i], 'g', -1, 64)
		}
		text = append(text, '\n')
	}
	return text, opts
}

// FuzzSVM is FuzzCSV for svmlight.
func FuzzSVM(f *testing.F) {
	f.Add([]byte("+1 1:.5 3:-2 # x\r\n-1\n0 qid:3 2:1e3"), 0)
	f.Add([]byte("1 1000000000000000000:1\n"), 3)
	f.Add([]byte("1 2147483647:1\n"), 0)
	f.Add(compress([]byte("1 1:2\n")), 2)
	f.Fuzz(func(t *testing.T, data []byte, cols int) {
		s, err := ReadSVM(bytes.NewReader(data), Options{Cols: cols, MaxValues: 1 << 16})
		checkWellFormed(t, s, err)
		if err != nil {
			return
		}
		n, d := s.X.Dims()
		var text []byte
		for i := range n {
			text = fmt.Appendf(text, "%v", s.Y[i])
			for j, v := range s.X.RawRowView(i) {
				text = fmt.Appendf(text, " %d:%v", j+1, v)
			}
			text = append(text, '\n')
		}
		r, err := ReadSVM(bytes.NewReader(text), Options{Cols: d})
		if err != nil || !sameSet(s, r) {
			t.Errorf("written and read again, %q gives %v", text, err)
		}
	})
}

// FuzzIDX is FuzzCSV with elements written as float64.
func FuzzIDX(f *testing.F) {
	f.Add(idx(8, []uint32{2, 3}, []byte{1, 2, 3, 4, 5, 6}))
	f.Add(idx(0x0d, []uint32{2}, []float32{1, float32(math.NaN())}))
	f.Add(idx(0x0b, []uint32{1 << 31, 1 << 31, 2}, []int16{1}))
	f.Add(compress(idx(0x0c, []uint32{1}, []int32{-1})))
	f.Fuzz(func(t *testing.T, data []byte) {
		dims, v, err := ReadIDX(bytes.NewReader(data))
		if err != nil {
			checkKnown(t, err)
			return
		}
		checkFinite(t, v)
		var sizes []uint32
		total := 1
		for _, d := range dims {
			sizes = append(sizes, uint32(d))
			total *= d
		}
		if total != len(v) {
			t.Fatalf("%d elements of dimensions %v", len(v), dims)
		}
		_, again, err := ReadIDX(bytes.NewReader(idx(0x0e, sizes, v)))
		if err != nil || !sameBits(v, again) {
			t.Errorf("written and read again, it gives %v", err)
		}
	})
}

// FuzzLoad checks that a text of any format gives the same rows whole and in batches, or an error.
func FuzzLoad(f *testing.F) {
	f.Add([]byte("a,b\n1,2\n3,4\n5,x\n"), 2)
	f.Add([]byte("1 2:3\n2 1:1\n3 4:5\n"), 1)
	f.Add([]byte("1 2\n2 1\n3 4\n"), 3)
	f.Add(compress([]byte("1 2:3\n2 1:1\n")), 1)
	f.Add([]byte{0, 0, 8, 1, 0, 0, 0, 1, 7}, 1)
	f.Fuzz(func(t *testing.T, data []byte, rows int) {
		rows = max(rows, 1)
		opts := Options{Cols: 8}
		begin := func() reader[*Set] {
			r, err := inflate(bytes.NewReader(data))
			if err != nil {
				checkKnown(t, err)
				return nil
			}
			head, _ := r.Peek(bufferSize)
			return beginAny(r, formatOfContents(head), opts)
		}
		r := begin()
		if r == nil {
			return
		}
		whole, wholeErr := r(math.MaxInt)
		wholeErr = noRows(wholeErr)
		checkWellFormed(t, whole, wholeErr)
		var x, y []float64
		for r := begin(); ; {
			s, err := r(rows)
			if err != nil {
				if (err != io.EOF || len(y) == 0) != (wholeErr != nil) {
					t.Fatalf("whole: %v, in batches: %v", wholeErr, err)
				}
				break
			}
			x, y = append(x, values(s)...), append(y, s.Y...)
		}
		if wholeErr == nil && (!sameBits(x, values(whole)) || !sameBits(y, whole.Y)) {
			t.Errorf("whole: %v, %v, in batches: %v, %v", values(whole), whole.Y, x, y)
		}
	})
}

// beginAny returns a reader of any format. Images are their own labels.
func beginAny(r *bufio.Reader, f Format, opts Options) reader[*Set] {
	switch f {
	case CSVFormat:
		return csvRows(r, opts)
	case SVMFormat:
		return svmRows(r, opts)
	}
	data, _ := io.ReadAll(r)
	images, err := newIDXReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	labels, _ := newIDXReader(bytes.NewReader(data))
	if images.columns != 1 {
		return nil
	}
	return (&pairReader{images: images, labels: labels}).read
}

// A valid file of a scaler encodes to the same bytes.
func FuzzScaler(f *testing.F) {
	for s := Standard; s <= UnitRows; s++ {
		scaler, _ := s.Fit(hardColumns(10))
		data, _ := scaler.MarshalBinary()
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s Scaler
		if err := s.UnmarshalBinary(data); err != nil {
			checkError(t, err, rkhs.ErrFormat)
			return
		}
		if again, err := s.MarshalBinary(); err != nil || !bytes.Equal(data, again) {
			t.Errorf("%x comes back as %x, error %v", data, again, err)
		}
	})
}
