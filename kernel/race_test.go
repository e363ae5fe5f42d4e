//go:build race

package kernel_test

// The race detector empties pools at random.
const raceEnabled = true
