package testutil

import "os"

// DataDir returns the folder of real data sets that the environment variable
// RKHS_DATA names, and whether it names one. Tests that need data skip without
// it. Tests run in the folder of their package, so the path should be absolute.
func DataDir() (path string, ok bool) {
	path = os.Getenv("RKHS_DATA")
	return path, path != ""
}
