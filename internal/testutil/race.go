//go:build race

package testutil

// raceDetector says whether accesses to memory are watched, which makes fits six times
// as slow.
const raceDetector = true
