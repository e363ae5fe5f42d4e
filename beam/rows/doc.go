// Package rows reads files into a pipeline of Apache Beam: CSV, svmlight and Parquet, on any of
// Beam's file systems, by the rules of package dataset.
//
//	batches, rejected, err := rows.Read(s, "data/part-*.csv", rows.Options{})
//	rows.WriteRejected(s, "rejected.jsonl", rejected)
//
// The element is a Batch of rows, because kernels are computed by blocks and because Beam spends
// the same time on an element of one row as on one of a thousand. File and line identify a row
// (Batch.Row). They depend neither on batches nor on workers nor on retries. A malformed row
// becomes a Rejected with file, line, reason and text.
package rows
