package rows

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// benchBatch returns a batch of rows with 100 columns.
func benchBatch() Batch {
	r := rand.New(rand.NewPCG(1, 2))
	b := Batch{Rows: 1024, Cols: 100, Outputs: 1, Source: "a.csv", First: 1}
	for range b.Rows * b.Cols {
		b.Values = append(b.Values, r.NormFloat64())
	}
	for range b.Rows {
		b.Targets = append(b.Targets, r.NormFloat64())
	}
	return b
}

func BenchmarkEncode(b *testing.B) {
	batch := benchBatch()
	b.SetBytes(int64(len(Encode(batch))))
	for b.Loop() {
		Encode(batch)
	}
}

func BenchmarkDecode(b *testing.B) {
	data := Encode(benchBatch())
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReadCSV reads 20480 rows of 100 columns and a target.
func BenchmarkReadCSV(b *testing.B) {
	batch := benchBatch()
	var text bytes.Buffer
	for range 20 {
		for i := range batch.Rows {
			for _, v := range batch.Values[i*batch.Cols : (i+1)*batch.Cols] {
				fmt.Fprintf(&text, "%.6g,", v)
			}
			fmt.Fprintf(&text, "%.6g\n", batch.Targets[i])
		}
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		r := &reader{Options: Options{Format: CSV, Rows: defaultRows}, emit: func(Batch) {}, reject: func(int64, string, string) { b.Fatal("rejected") }}
		if err := r.numbers(context.Background(), bufio.NewReader(bytes.NewReader(text.Bytes()))); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/(20*1024*101), "ns/value")
}
