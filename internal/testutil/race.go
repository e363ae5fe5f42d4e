//go:build race

package testutil

// raceDetector reports whether the race detector is on, which slows fits down six times.
const raceDetector = true
