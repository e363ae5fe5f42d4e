// Package rows brings rows of files into a pipeline of Apache Beam and predictions out of it.
package rows
