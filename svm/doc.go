// Package svm is support vector machines.
package svm
