//go:build !amd64 || purego

package compute

func available64() []*engine[float64] { return []*engine[float64]{portable64()} }
func available32() []*engine[float32] { return []*engine[float32]{portable32()} }
