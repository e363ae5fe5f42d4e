// Command program is the program that the README shows: a sine is learned from
// noisy values.
package main
