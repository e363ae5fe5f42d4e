// Command program is the program in README.md. It learns a sine from noisy values.
package main
