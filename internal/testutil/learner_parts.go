package testutil

import "testing"

// CheckUnfitted is the part of the batteries about nil and zero values, for what does not
// fit them: it calls all methods of a nil pointer and of a zero value of the type of
// fitted.
func CheckUnfitted(t *testing.T, pkg string, fitted File) {
	t.Helper()
	checkUnfitted(t, pkg, fitted)
}

// CheckScans reports what does not scan just so many rows for numbers that are not finite.
func CheckScans(t *testing.T, what string, want int, do func()) {
	t.Helper()
	checkScans(t, what, want, do)
}
