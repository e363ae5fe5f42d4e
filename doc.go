// Package rkhs is the root of a library for scalable kernel learning. It holds
// the vocabulary that all learners share: the errors that they wrap, the
// progress that they report, and the status with which a fit ends.
package rkhs
