//go:build !purego

package compute

import "golang.org/x/sys/cpu"

func hasAVX512() bool {
	return hasAVX2() && cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL
}

func hasAVX2() bool { return cpu.X86.HasAVX2 && cpu.X86.HasFMA }

func available64() []*engine[float64] {
	all := []*engine[float64]{portable64()}
	if hasAVX2() {
		all = append([]*engine[float64]{avx2Double()}, all...)
	}
	if hasAVX512() {
		all = append([]*engine[float64]{avx512Double()}, all...)
	}
	return all
}

func available32() []*engine[float32] {
	all := []*engine[float32]{portable32()}
	if hasAVX2() {
		all = append([]*engine[float32]{avx2Single()}, all...)
	}
	if hasAVX512() {
		all = append([]*engine[float32]{avx512Single()}, all...)
	}
	return all
}

func avx512Double() *engine[float64] {
	return &engine[float64]{
		name: "avx512", rows: 8, cols: 24,
		product: product64AVX512, productRow: productRow64AVX512, difference: difference64AVX512,
		streamed: streamed64AVX512, narrow: narrow64AVX512,
		transpose: transpose64AVX512, squares: squares64AVX512,
		distances: distances64AVX512, lanes: 8, weigh: weigh64AVX512,
		exp: exp64AVX512, matern12: matern1264AVX512, matern32: matern3264AVX512, matern52: matern5264AVX512,
		rational: rational64AVX512, polynomial: polynomial64AVX512,
		cosine: cosine64AVX512, sine: sine64AVX512, wavePair: wavePair64AVX512,
		uniforms: uniforms64AVX512, normals: normals64AVX512, eliminate: eliminate64AVX512,
	}
}

func avx2Double() *engine[float64] {
	return &engine[float64]{
		name: "avx2", rows: 4, cols: 12,
		product: product64AVX2, productRow: productRow64AVX2, difference: difference64AVX2,
		streamed: streamed64AVX2, narrow: narrow64AVX2,
		transpose: transpose64AVX2, squares: squares64AVX2,
		distances: distances64AVX2, lanes: 4, weigh: weigh64AVX2,
		exp: exp64AVX2, matern12: matern1264AVX2, matern32: matern3264AVX2, matern52: matern5264AVX2,
		rational: rational64AVX2, polynomial: polynomial64AVX2,
		cosine: cosine64AVX2, sine: sine64AVX2, wavePair: wavePair64AVX2,
		uniforms: uniforms64AVX2, normals: normals64AVX2, eliminate: eliminate64AVX2,
	}
}

func avx512Single() *engine[float32] {
	return &engine[float32]{
		name: "avx512", rows: 8, cols: 48,
		product: product32AVX512, productRow: productRow32AVX512, difference: difference32AVX512,
		streamed: streamed32AVX512, narrow: narrow32AVX512,
		transpose: transpose32AVX512, squares: squares32AVX512,
		distances: distances32AVX512, lanes: 16, weigh: weigh32AVX512,
		exp: exp32AVX512, matern12: matern1232AVX512, matern32: matern3232AVX512, matern52: matern5232AVX512,
		rational: rational32AVX512, polynomial: polynomial32AVX512,
		cosine: cosine32AVX512, sine: sine32AVX512, wavePair: wavePair32AVX512,
	}
}

func avx2Single() *engine[float32] {
	return &engine[float32]{
		name: "avx2", rows: 4, cols: 24,
		product: product32AVX2, productRow: productRow32AVX2, difference: difference32AVX2,
		streamed: streamed32AVX2, narrow: narrow32AVX2,
		transpose: transpose32AVX2, squares: squares32AVX2,
		distances: distances32AVX2, lanes: 8, weigh: weigh32AVX2,
		exp: exp32AVX2, matern12: matern1232AVX2, matern32: matern3232AVX2, matern52: matern5232AVX2,
		rational: rational32AVX2, polynomial: polynomial32AVX2,
		cosine: cosine32AVX2, sine: sine32AVX2, wavePair: wavePair32AVX2,
	}
}
