// Package synthetic draws the data of the papers: functions and classes in the
// plane, and a chaotic series. Same seed, same bits, on every machine.
package synthetic
