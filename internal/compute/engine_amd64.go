//go:build !purego

package compute

import "golang.org/x/sys/cpu"

func hasAVX512() bool {
	return hasAVX2() && cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL
}

func hasAVX2() bool { return cpu.X86.HasAVX2 && cpu.X86.HasFMA }

func available64() []*engine[float64] {
	return available(portable64(), engine64AVX2, engine64AVX512)
}

func available32() []*engine[float32] {
	return available(portable32(), engine32AVX2, engine32AVX512)
}

func available[T float](portable *engine[T], avx2, avx512 func() *engine[T]) []*engine[T] {
	all := []*engine[T]{portable}
	if hasAVX2() {
		all = append([]*engine[T]{avx2()}, all...)
	}
	if hasAVX512() {
		all = append([]*engine[T]{avx512()}, all...)
	}
	return all
}
