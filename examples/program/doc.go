// Command program is the program in README.md. It predicts the rings of abalone.
package main
