// Package rows brings rows of files into a pipeline of Apache Beam: CSV, svmlight and Parquet, of
// any of Beam's file systems, by the rules of package dataset.
//
//	batches, rejected, err := rows.Read(s, "data/part-*.csv", rows.Options{})
//	rows.WriteRejected(s, "rejected.jsonl", rejected)
//
// The element is a Batch of some rows, as the kernels of this library compute by blocks, and
// as it costs Beam as much to pass on one row as a thousand. Each row has an identity, the file and the line (Batch.Row), that
// depends neither on batches nor on workers nor on retries. A row that is malformed becomes a Rejected with file, line,
// reason and text.
package rows
